import { LIMITS, refusalsOf } from "@threadlore/chat-workspace";
import { linksOf } from "@threadlore/ask";
import { seededRandom } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { answerOf, CITED } from "../../testing/answers.ts";
import type { PostedMessage } from "../transport/calls.ts";
import { answerMessages, plainMessages } from "./answer-messages.ts";
import { actionRow } from "../render/answer-actions.ts";
import { faultsOf, stringsOf } from "../transport/calls.harness.ts";

function refusals(messages: readonly PostedMessage[]): readonly unknown[] {
  return messages.flatMap((message) =>
    refusalsOf("chat.postMessage", { channel: "C1", unfurl_links: false, unfurl_media: false, ...message }),
  );
}

const BUTTONS = actionRow("r1", ["votes", "regenerate", "human", "more"]);

const posted = (text: string): PostedMessage[] => {
  const answer = answerOf({ text });
  return answerMessages(answer, linksOf(answer), BUTTONS);
};
const markdownOf = (messages: readonly PostedMessage[]): string[] =>
  messages.map((message) =>
    (message.blocks ?? [])
      .flatMap((block) => (block.type === "markdown" && "text" in block ? [String(block.text)] : []))
      .join("\n\n"),
  );

/** Numbered words, so that each can be looked for. */
const words = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, at) => `word${from + at}x`).join(" ");

describe("an answer as messages", () => {
  it("is one message with the answer, its sources and its buttons", () => {
    const [message, ...more] = posted(`Refunds take **14 days** [[1]](${CITED}).`);
    expect(more).toEqual([]);
    expect(message?.text).toBe("Refunds take 14 days.");
    expect(message?.blocks?.map((block) => block.type)).toEqual(["markdown", "context", "actions"]);
    expect(message?.blocks?.[0]).toEqual({ type: "markdown", text: `Refunds take **14 days** [[1]](${CITED}).` });
  });

  it("of 60,000 characters loses no word and no citation, in order and within every limit", () => {
    const parts = Array.from({ length: 60 }, (_, at) => {
      const body = words(120, at * 1_000);
      if (at % 6 === 1) return `\`\`\`ts\n${body.replaceAll(" ", "\n")}\n\`\`\``;
      if (at % 6 === 2) return `- ${body.replaceAll(/ (?=word\d+[05]x)/g, "\n- ")}`;
      if (at % 6 === 3) return `## Part ${at}\n\n> ${body}`;
      return `${body} [[1]](${CITED}) **bold${at}**`;
    });
    const text = parts.join("\n\n");
    expect(text.length).toBeGreaterThan(60_000);
    const answer = answerOf({ text });
    for (const messages of [answerMessages(answer, linksOf(answer)), plainMessages(answer, linksOf(answer))]) {
      expect(refusals(messages)).toEqual([]);
      const whole = messages
        .map((message) => (message.blocks === undefined ? message.text : markdownOf([message]).join("")))
        .join("\n");
      const order = [...whole.matchAll(/word(\d+)x/g)].map((match) => Number(match[1]));
      expect(order).toEqual([...text.matchAll(/word(\d+)x/g)].map((match) => Number(match[1])));
      expect(whole.split(CITED).length - 1).toBeGreaterThanOrEqual(30);
    }
    expect(faultsOf(answer)).toEqual([]);
    for (const part of markdownOf(answerMessages(answer, linksOf(answer)))) {
      expect(Buffer.byteLength(part)).toBeLessThanOrEqual(9_000);
      // Fences come in pairs: no code was cut.
      expect((part.match(/^```/gm) ?? []).length % 2).toBe(0);
    }
    expect(plainMessages(answer, linksOf(answer)).every(({ text: said }) => said.length <= 4_000)).toBe(true);
  });

  it("of any script stays within the budget of bytes", () => {
    for (const unit of ["日本語の長い段落です。", "😀", "x", "<", "**<&>** ", "`a&b` "]) {
      const answer = answerOf({ text: unit.repeat(Math.ceil(30_000 / unit.length)) });
      const messages = answerMessages(answer, linksOf(answer));
      expect(refusals(messages), unit).toEqual([]);
      expect(refusals(plainMessages(answer, linksOf(answer))), unit).toEqual([]);
      for (const part of markdownOf(messages)) expect(Buffer.byteLength(part), unit).toBeLessThanOrEqual(9_000);
      const bare = (text: string): string => text.replaceAll(/[\s\\*`]|\ufffd/g, "");
      const shown = bare(markdownOf(messages).join(""))
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll("&amp;", "&");
      expect(shown, unit).toBe(bare(unit.repeat(Math.ceil(30_000 / unit.length))));
    }
  });

  it("cuts at blank lines where it can", () => {
    const paragraph = words(100);
    const messages = markdownOf(posted(Array.from({ length: 20 }, () => paragraph).join("\n\n")));
    expect(messages.length).toBeGreaterThan(1);
    for (const part of messages) expect(part.startsWith("word0x") && part.endsWith("word99x")).toBe(true);
  });

  it("cuts code only where it alone is longer than a message, at lines, its fence opened again", () => {
    const line = "a line of code that is quite a bit longer than the usual one\n";
    const [first, second] = markdownOf(posted(`${words(900)}\n\n\`\`\`ts\n${line.repeat(100)}\`\`\``));
    expect(first).not.toContain("```");
    expect(second).toBe(`\`\`\`ts\n${line.repeat(100)}\`\`\``);
    const long = markdownOf(posted(`\`\`\`ts\n${line.repeat(300)}\`\`\``));
    expect(long.length).toBe(3);
    for (const part of long) expect(part).toMatch(/^```ts\n(a line[^\n]*one\n)+```$/);
    expect(long.join("").split("a line of").length - 1).toBe(300);
  });

  it("has at most one table a message, long tables in several with the header repeated", () => {
    const table = (rows: number, columns: number): string =>
      [
        `|${Array.from({ length: columns }, (_, at) => `head${at}`).join("|")}|`,
        `|${"---|".repeat(columns)}`,
        ...Array.from(
          { length: rows },
          (_, row) => `|${Array.from({ length: columns }, (_v, at) => `c${row}-${at}`).join("|")}|`,
        ),
      ].join("\n");
    for (const [rows, columns, tables] of [
      [3, 2, 1],
      [250, 3, 3],
      [5, 45, 3],
    ] as const) {
      const messages = posted(`Before.\n\n${table(rows, columns)}\n\nAfter.`);
      expect(refusals(messages)).toEqual([]);
      const blocks = messages.flatMap((message) => (message.blocks ?? []).filter((block) => block.type === "table"));
      expect(blocks).toHaveLength(tables);
      expect(messages.length).toBeGreaterThanOrEqual(tables);
      const shown = stringsOf(blocks);
      for (let row = 0; row < rows; row += 1) {
        for (let at = 0; at < columns; at += 1) expect(shown).toContain(`c${row}-${at}`);
      }
      for (const block of blocks) expect(stringsOf(block)).toContain("head0");
    }
  });

  it("writes a table with a cell longer than a table may be as a list, nothing left out", () => {
    const messages = posted(`| a | b |\n|---|---|\n| x | ${words(1_500)} |`);
    expect(refusals(messages)).toEqual([]);
    const text = markdownOf(messages).join(" ");
    expect(text).toContain("word1499x");
    expect(text.match(/word\d+x/g)).toHaveLength(1_500);
  });

  it("keeps formatting, links and citations in table cells", () => {
    const [message] = posted(`| a | b |\n|---|---|\n| **x** [p](${CITED}) | 14 [[1]](${CITED}) |\n|  | <!here> |`);
    const [table] = (message?.blocks ?? []).filter((block) => block.type === "table");
    expect(table).toMatchObject({
      rows: [
        [
          { type: "raw_text", text: "a" },
          { type: "raw_text", text: "b" },
        ],
        [
          {
            type: "rich_text",
            elements: [
              {
                type: "rich_text_section",
                elements: [
                  { type: "text", text: "x", style: { bold: true } },
                  { type: "text", text: " " },
                  { type: "link", url: CITED, text: "p" },
                ],
              },
            ],
          },
          { type: "rich_text" },
        ],
        [
          { type: "raw_text", text: " " },
          { type: "raw_text", text: "<\u2060!here>" },
        ],
      ],
    });
    expect(stringsOf(table)).toContain("[1]");
  });

  it("is a message even when nothing came", () => {
    const answer = answerOf({ text: "" });
    expect(answerMessages(answer, linksOf(answer))[0]?.text).toBe("The answer is empty.");
    expect(plainMessages(answer, linksOf(answer))[0]?.text).toContain("No source was cited.");
    expect(refusals(answerMessages(answer, linksOf(answer), BUTTONS))).toEqual([]);
  });

  it("stays within the limits whatever it is made of", { timeout: 180_000 }, () => {
    const random = seededRandom(7);
    const units = [
      "**<&>** ",
      "`x` ",
      "- entry\n",
      "\n\n",
      "| a | b |\n|---|---|\n| c | d |\n",
      "```\ncode\n```\n",
      "> q\n",
      `[l](${CITED}) `,
      "# h\n",
      "plain words ",
      "😀",
    ];
    for (let count = 0; count < 20; count += 1) {
      const text = Array.from({ length: 2_500 }, () => units[Math.floor(random() * units.length)] ?? "").join("");
      const answer = answerOf({ text });
      const messages = answerMessages(answer, linksOf(answer), BUTTONS);
      expect(refusals(messages)).toEqual([]);
      expect(refusals(plainMessages(answer, linksOf(answer)))).toEqual([]);
      expect(messages.every((message) => (message.blocks?.length ?? 0) <= LIMITS.blocksPerMessage)).toBe(true);
    }
  });
});
