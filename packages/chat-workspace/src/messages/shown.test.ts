import { expect, it } from "vitest";
import type { StoredMessage } from "../state.ts";
import { shownText } from "./shown.ts";

type Fields = Record<string, unknown>;

function shown(fields: Partial<StoredMessage>): string {
  const empty = { ts: "1.000000", channel: "C1", user: "U1", text: "", deleted: false };
  return shownText({ ...empty, blocks: [], attachments: [], entities: [], files: [], reactions: [], ...fields });
}

const plain = (text: string): Fields => ({ type: "plain_text", text });
const mrkdwn = (text: string): Fields => ({ type: "mrkdwn", text });
const rich = (...elements: Fields[]): Fields => ({ type: "rich_text", elements });
const line = (...elements: Fields[]): Fields => ({ type: "rich_text_section", elements });
const said = (text: string): Fields => ({ type: "text", text });

it("shows text as it is read", () => {
  const text = "&lt;b&gt; &amp; <https://example.org|a page>, <https://example.org>, <@U1> <#C1|general> <!here>";
  expect(shown({ text })).toBe("<b> & a page, https://example.org, @U1 #general @here");
});

it("shows blocks instead of the text that stands in for them", () => {
  expect(shown({ text: "fallback", blocks: [{ type: "divider" }] })).toBe("---");
});

const blocks: readonly (readonly [string, Fields, string])[] = [
  [
    "section",
    { fields: [plain("a"), mrkdwn("*b*")], accessory: { type: "button", text: plain("Go") } },
    "a\n*b*\n[Go]",
  ],
  ["header", { text: plain("Title") }, "Title"],
  ["alert", { text: mrkdwn("Careful") }, "Careful"],
  ["markdown", { text: "See [[1]](https://example.org/a_(b)) and **that**" }, "See [1] and **that**"],
  ["context", { elements: [{ type: "image", alt_text: "logo" }, mrkdwn("<https://example.org|By us>")] }, "logo By us"],
  [
    "actions",
    {
      elements: [
        { type: "button", text: plain("Yes") },
        { type: "static_select", placeholder: plain("Choose"), options: [{ text: plain("a") }] },
        { type: "overflow", options: [{ text: plain("b") }, { text: plain("c") }] },
      ],
    },
    "[Yes] [Choose] [b] [c]",
  ],
  [
    "context_actions",
    {
      elements: [
        { type: "feedback_buttons", positive_button: { text: plain("Good") }, negative_button: { text: plain("Bad") } },
        { type: "icon_button", icon: "trash", text: plain("Delete") },
      ],
    },
    "[Good] [Bad] [Delete]",
  ],
  ["image", { title: plain("A boat"), alt_text: "boat" }, "A boat\nboat"],
  ["video", { title: plain("A film"), alt_text: "film" }, "A film\nfilm"],
  [
    "input",
    { label: plain("Name"), element: { type: "plain_text_input", placeholder: plain("yours") }, hint: plain("short") },
    "Name\n[yours]\nshort",
  ],
  [
    "table",
    { rows: [[{ type: "raw_text", text: "a" }, rich(line(said("b")))], [{ type: "raw_number", text: "1", value: 1 }]] },
    "a | b\n1",
  ],
  ["data_table", { caption: "Prices", rows: [[{ type: "raw_text", text: "a" }]] }, "Prices\na"],
  [
    "task_card",
    {
      title: "Look",
      status: "complete",
      details: rich(line(said("there"))),
      sources: [{ type: "url", url: "https://example.org", text: "Page" }],
    },
    "(complete) Look\nthere\nPage",
  ],
  ["plan", { title: "Plan", tasks: [{ title: "One", status: "pending" }] }, "Plan\n(pending) One"],
  [
    "carousel",
    {
      elements: [
        { type: "card", title: mrkdwn("T"), body: mrkdwn("B"), actions: [{ type: "button", text: plain("Go") }] },
      ],
    },
    "T\nB\n[Go]",
  ],
  [
    "container",
    { title: plain("Sources"), child_blocks: [{ type: "section", text: plain("one") }, { type: "divider" }] },
    "Sources\none\n---",
  ],
  [
    "rich_text",
    {
      elements: [
        line(said("so "), { type: "link", url: "https://example.org" }, { type: "citation", text: " [1]" }),
        {
          type: "rich_text_list",
          style: "ordered",
          elements: [line(said("a")), line({ type: "user", user_id: "U1" })],
        },
        { type: "rich_text_list", style: "bullet", indent: 1, elements: [line({ type: "emoji", name: "wave" })] },
        { type: "rich_text_quote", elements: [said("q")] },
        { type: "rich_text_preformatted", elements: [said("x = 1")] },
      ],
    },
    "so https://example.org [1]\n1. a\n2. @U1\n  • :wave:\n> q\nx = 1",
  ],
];

it.each(blocks)("shows a %s block", (type, fields, expected) => {
  expect(shown({ blocks: [{ type, ...fields }] })).toBe(expected);
});

it("shows attachments below", () => {
  const attachment = {
    pretext: "Look:",
    title: "Page",
    fields: [{ title: "By", value: "us" }],
    blocks: [{ type: "divider" }],
    footer: "end",
  };
  expect(shown({ text: "x", attachments: [attachment] })).toBe("x\nLook:\nPage\nBy: us\n---\nend");
});

it("shows a stream in the order it came, and what was put below it once", () => {
  const block = { type: "header", text: plain("Within") };
  const stream: StoredMessage["stream"] = {
    state: "stopped",
    startedAt: 0,
    stoppedByUser: false,
    display: "plan",
    tasks: [{ type: "task_card", task_id: "1", title: "Looked", status: "complete" }],
    chunks: [
      { type: "plan_update", title: "Looking" },
      { type: "task_update", id: "1", title: "Look", status: "pending" },
      { type: "markdown_text", text: "One " },
      { type: "markdown_text", text: "two" },
      { type: "task_update", id: "1", title: "Looked", status: "complete" },
      { type: "blocks", blocks: [block] },
      { type: "plan_update", title: "Looked at one" },
      { type: "markdown_text", text: "three" },
    ],
  };
  const below = { type: "header", text: plain("Below") };
  expect(shown({ text: "One twothree", stream, blocks: [block, below] })).toBe(
    "Looked at one\n(complete) Looked\nOne two\nWithin\nthree\nBelow",
  );
});
