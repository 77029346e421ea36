import { assert, constantFrom, property, string, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { markupIn } from "./markup.ts";
import { policyOf } from "./policy.ts";

const nothing = { mentions: [], broadcasts: [], links: [] };
const example = { url: "https://example.org/a", label: "https://example.org/a" };
const rich = (...elements: Record<string, unknown>[]) => ({
  blocks: [{ type: "rich_text", elements: [{ type: "rich_text_section", elements }] }],
});
const section = (text: Record<string, unknown>) => ({ blocks: [{ type: "section", text }] });
const hostile = "<!channel> <@U1> <#C1|general> <https://example.org/a> [x](https://example.org/b)";

describe("markupIn", () => {
  it("finds what Slack's own syntax says in text", () => {
    const text = "<!here> <!subteam^S1|@ops> <@U1> <#C1|general> <https://example.org/a|A> <mailto:a@example.org>";
    expect(markupIn({ text })).toEqual({
      mentions: ["S1", "U1", "C1"],
      broadcasts: ["here"],
      links: [
        { url: "https://example.org/a", label: "A" },
        { url: "mailto:a@example.org", label: "mailto:a@example.org" },
      ],
    });
  });

  it("finds nothing in escaped text", () => {
    expect(markupIn({ text: "&lt;!channel&gt; &lt;@U1&gt; if a < b and c > d, x <3" })).toEqual(nothing);
  });

  it("reads entities in addresses as the signs they stand for", () => {
    expect(
      markupIn({ text: "<https://example.org/?a=1&amp;b=2|A &amp; B> https://example.org/?a=1&amp;b=2&gt;" }).links,
    ).toEqual([
      { url: "https://example.org/?a=1&b=2", label: "A & B" },
      { url: "https://example.org/?a=1&b=2", label: "https://example.org/?a=1&b=2" },
    ]);
  });

  it("finds the address behind a date", () => {
    const { links } = markupIn({ text: "<!date^1700000000^{date}^https://example.org/a|then>" });
    expect(links).toEqual([{ url: "https://example.org/a", label: "then" }]);
  });

  it("finds bare addresses, without the punctuation after them", () => {
    expect(markupIn({ text: "See https://example.org/a." }).links).toEqual([example]);
    expect(markupIn({ markdown_text: "(see https://example.org/a)" }).links).toEqual([example]);
    expect(markupIn({ text: "www.example.org" }).links).toHaveLength(1);
    expect(markupIn(section({ type: "mrkdwn", text: "https://example.org/a" })).links).toEqual([example]);
  });

  it("leaves bare addresses alone where Slack does", () => {
    const bare = "https://example.org/a";
    expect(markupIn({ text: bare, parse: "none" })).toEqual(nothing);
    expect(markupIn(section({ type: "mrkdwn", text: bare, verbatim: true }))).toEqual(nothing);
    expect(markupIn(section({ type: "plain_text", text: bare }))).toEqual(nothing);
    expect(markupIn(rich({ type: "text", text: bare }))).toEqual(nothing);
    expect(markupIn({ markdown_text: "Run `curl https://example.org/a`." })).toEqual(nothing);
    expect(markupIn({ markdown_text: "```sh\ncurl https://example.org/a\n```" })).toEqual(nothing);
  });

  it("finds bare addresses beside what only looks like code", () => {
    const beside = [
      "x ``` y\nhttps://example.org/a",
      "\\`https://example.org/a\\`",
      "`not\n\nhttps://example.org/a closed`",
      "```\ncode\n```\nhttps://example.org/a",
      "~~~\n```\n~~~\nhttps://example.org/a",
    ];
    expect(beside.map((markdown_text) => markupIn({ markdown_text }).links.length)).toEqual(beside.map(() => 1));
  });

  it("finds Slack's own syntax in code too: nobody says that it is safe there", () => {
    expect(markupIn({ markdown_text: "```\n<!channel> <@U1>\n```" })).toEqual({
      ...nothing,
      mentions: ["U1"],
      broadcasts: ["channel"],
    });
  });

  it("finds links of markdown", () => {
    const markdown_text =
      "[a](https://example.org/a) ![b](https://example.org/b_(1)) [c]: x\n\n[d]: https://example.org/d";
    expect(markupIn({ markdown_text }).links).toEqual([
      { url: "https://example.org/a", label: "a" },
      { url: "https://example.org/b_(1)", label: "b" },
      { url: "https://example.org/d", label: "https://example.org/d" },
    ]);
    expect(markupIn({ markdown_text: "so [[1]](https://example.org/a)" }).links).toEqual([
      { url: "https://example.org/a", label: "[1]" },
    ]);
  });

  it("finds elements of rich text", () => {
    expect(
      markupIn(
        rich(
          { type: "user", user_id: "U1" },
          { type: "usergroup", usergroup_id: "S1" },
          { type: "channel", channel_id: "C1" },
          { type: "broadcast", range: "everyone" },
          { type: "link", url: "https://example.org/a", text: "A" },
          { type: "citation", url: "https://example.org/b", text: "[1]", index: 1, details: { citation_type: "web" } },
          { type: "text", text: hostile },
        ),
      ),
    ).toEqual({
      mentions: ["U1", "S1", "C1"],
      broadcasts: ["everyone"],
      links: [
        { url: "https://example.org/a", label: "A" },
        { url: "https://example.org/b", label: "[1]" },
      ],
    });
  });

  it("takes plain text for plain", () => {
    expect(markupIn(section({ type: "plain_text", text: hostile }))).toEqual(nothing);
    expect(markupIn({ blocks: [{ type: "table", rows: [[{ type: "raw_text", text: hostile }]] }] })).toEqual(nothing);
  });

  const places: readonly (readonly [string, (text: string) => Record<string, unknown>])[] = [
    ["text", (text) => ({ text })],
    ["markdown_text", (text) => ({ markdown_text: text })],
    ["a section", (text) => section({ type: "mrkdwn", text })],
    ["a field", (text) => ({ blocks: [{ type: "section", fields: [{ type: "mrkdwn", text }] }] })],
    ["a context", (text) => ({ blocks: [{ type: "context", elements: [{ type: "mrkdwn", text }] }] })],
    ["a markdown block", (text) => ({ blocks: [{ type: "markdown", text }] })],
    [
      "a container",
      (text) => ({ blocks: [{ type: "container", child_blocks: section({ type: "mrkdwn", text }).blocks }] }),
    ],
    ["a card", (text) => ({ blocks: [{ type: "card", body: { type: "mrkdwn", text } }] })],
    ["a confirmation", (text) => section({ type: "button", confirm: { text: { type: "mrkdwn", text } } })],
    ["a chunk", (text) => ({ chunks: [{ type: "markdown_text", text }] })],
    ["a chunk of blocks", (text) => ({ chunks: [{ type: "blocks", blocks: [{ type: "markdown", text }] }] })],
    ["details of a task", (text) => ({ chunks: [{ type: "task_update", id: "1", title: "x", details: text }] })],
    ["an attachment", (text) => ({ attachments: [{ text }] })],
    ["a field of an attachment", (text) => ({ attachments: [{ fields: [{ title: "x", value: text }] }] })],
    ["blocks of an attachment", (text) => ({ attachments: [section({ type: "mrkdwn", text })] })],
    ["an unfurl", (text) => ({ unfurls: { "https://example.org": { text } } })],
    ["a view", (text) => ({ view: { type: "modal", ...section({ type: "mrkdwn", text }) } })],
    ["a comment to a file", (text) => ({ initial_comment: text })],
  ];

  it.each(places)("looks into %s", (_place, put) => {
    const { mentions, broadcasts, links } = markupIn(put("<!channel> <@U1> <https://example.org/a>"));
    expect([mentions, broadcasts, links]).toEqual([["U1"], ["channel"], [example]]);
  });

  it("finds addresses of buttons, menus, sources and titles", () => {
    const url = "https://example.org/a";
    const text = { type: "plain_text", text: "Open" };
    const found = [
      { blocks: [{ type: "actions", elements: [{ type: "button", text, url }] }] },
      { blocks: [{ type: "section", accessory: { type: "overflow", options: [{ text, url }] } }] },
      { chunks: [{ type: "task_update", id: "1", title: "x", sources: [{ type: "url", url, text: "Open" }] }] },
      { blocks: [{ type: "video", title: text, title_url: url }] },
      { attachments: [{ title: "Open", title_link: url }] },
    ].map((args) => markupIn(args).links);
    expect(found).toEqual(found.map(() => [{ url, label: "Open" }]));
  });

  it("finds nothing that calls or leads anywhere in any text whose signs are escaped", () => {
    const piece = constantFrom(
      "<!channel>",
      "<@U1>",
      "<#C1>",
      "<!subteam^S1>",
      "<",
      ">",
      "&",
      "|",
      "!",
      "@U1",
      "`",
      "*",
    );
    const any = tuple(string(), piece, string(), piece, string()).map((parts) => parts.join(""));
    assert(
      property(any, (text) => {
        const safe = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
        const { mentions, broadcasts } = markupIn({ text: safe, blocks: [{ type: "markdown", text: safe }] });
        expect([mentions, broadcasts]).toEqual([[], []]);
      }),
    );
  });
});

describe("policyOf", () => {
  const rules = (method: string, args: Record<string, unknown>) => policyOf(method, args).map(({ rule }) => rule);
  const quiet = { unfurl_links: false, unfurl_media: "false" };

  it("asks that nothing is unfurled in a post", () => {
    expect(rules("chat.postMessage", { text: "x", ...quiet })).toEqual([]);
    expect(rules("chat.postMessage", { text: "x" })).toEqual(["unfurls", "unfurls"]);
    expect(rules("chat.postMessage", { text: "x", unfurl_links: false })).toEqual(["unfurls"]);
    expect(rules("chat.update", { text: "x" })).toEqual([]);
    expect(rules("chat.startStream", { markdown_text: "x" })).toEqual([]);
  });

  it("asks that names are not looked up", () => {
    expect(rules("chat.update", { text: "x", link_names: "true" })).toEqual(["link_names"]);
    expect(rules("chat.postEphemeral", { text: "x", parse: "full" })).toEqual(["parse_full"]);
  });

  it("asks that nobody calls everybody", () => {
    expect(rules("chat.appendStream", { markdown_text: "<!here>" })).toEqual(["broadcast"]);
    expect(rules("chat.postMessage", { text: "<@U1>", ...quiet })).toEqual([]);
  });

  it("asks that a label does not read like another address", () => {
    const linked = (label: string) => rules("chat.update", { text: `<https://example.org/a|${label}>` });
    expect(linked("https://example.com/a")).toEqual(["misleading_label"]);
    expect(linked("www.example.com")).toEqual(["misleading_label"]);
    expect(linked("https://www.example.org")).toEqual([]);
    expect(linked("The handbook")).toEqual([]);
  });

  it("has nothing to ask of methods that say nothing", () => {
    expect(rules("conversations.info", { text: "<!channel>" })).toEqual([]);
  });
});
