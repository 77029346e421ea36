import { describe, expect, it } from "vitest";
import { readMessage } from "./message.ts";

describe("what people read of a message", () => {
  it("is its text", () => {
    expect(
      readMessage({ text: "plain", blocks: [{ type: "section", text: { type: "mrkdwn", text: "other" } }] }).words,
    ).toBe("plain");
  });

  it("is in its blocks where an app left the text empty", () => {
    const blocks = [
      { type: "header", text: { type: "plain_text", text: "Alert" } },
      { type: "section", text: { type: "mrkdwn", text: "*Disk* full" }, fields: [{ type: "mrkdwn", text: "host a" }] },
      { type: "context", elements: [{ type: "mrkdwn", text: "since noon" }] },
      { type: "divider" },
      {
        type: "rich_text",
        elements: [
          {
            type: "rich_text_section",
            elements: [
              { type: "text", text: "a < b " },
              { type: "user", user_id: "U1" },
              { type: "link", url: "https://x.example/?a&b", text: "doc" },
              { type: "emoji", name: "wave" },
              { type: "text", text: "code", style: { code: true } },
            ],
          },
          {
            type: "rich_text_list",
            elements: [{ type: "rich_text_section", elements: [{ type: "channel", channel_id: "C1" }] }],
          },
          { type: "rich_text_quote", elements: [{ type: "broadcast", range: "here" }] },
          { type: "rich_text_preformatted", elements: [{ type: "text", text: "x = 1" }] },
        ],
      },
    ];
    expect(readMessage({ text: " ", blocks }).words).toBe(
      "Alert\n\n*Disk* full\nhost a\n\nsince noon\n\n" +
        "a &lt; b <@U1><https://x.example/?a&amp;b|doc>:wave:`code`\n• <#C1>\n&gt; <!here>\n```\nx = 1\n```",
    );
  });

  it("are forwarded messages, but not previews of links", () => {
    const attachments = [
      { is_share: true, author_name: "Cy", channel_name: "news", text: "Lift is out" },
      { service_name: "Site", title: "A page", text: "words of a stranger", from_url: "https://x.example" },
      { is_msg_unfurl: true, fallback: "only this" },
      "not an attachment",
    ];
    expect(readMessage({ attachments }).quotes).toEqual([
      { from: "Cy in #news", text: "Lift is out" },
      { text: "only this" },
    ]);
    expect(readMessage({ bot_id: "B1", attachments: [{ title: "Build", text: "failed" }] }).quotes).toEqual([
      { text: "Build\nfailed" },
    ]);
  });

  it("are names of files, its edit, and what its thread holds", () => {
    const { files } = readMessage({ files: [{ name: "a.pdf" }, { title: "b" }, {}] });
    expect(files.map(({ name }) => name)).toEqual(["a.pdf", "b", "a file"]);
    expect(readMessage({ edited: { user: "U1", ts: "12.5" } }).editedTs).toBe("12.5");
    expect(readMessage({}).editedTs).toBeUndefined();
    expect(readMessage({ reply_count: 3, latest_reply: "13.1" })).toMatchObject({ replies: 3, latestReply: "13.1" });
    expect(readMessage({ reply_count: "3" }).replies).toBeUndefined();
    expect(readMessage({}).replies).toBeUndefined();
  });

  it("is nothing where the platform sends something else than expected", () => {
    for (const odd of [null, 7, "x", [null], [7], { a: 1 }]) {
      expect(readMessage({ blocks: odd }).words).toBe("");
      expect(readMessage({ attachments: odd, bot_id: "B" }).quotes).toEqual([]);
    }
  });
});
