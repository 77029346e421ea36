import type { Packet } from "@threadlore/client/models";
import { describe, expect, it } from "vitest";
import { noLinks } from "./citations.ts";
import { toHtml } from "../html.ts";
import { type Aside, type Block, plainText } from "../markdown/tree.ts";
import { toTerminal } from "../terminal.ts";
import { type Answer, emptyAnswer, reduce } from "./answer.ts";
import { linksOf } from "./citations.ts";

const place = { turn_index: 0, tab_index: 0 };

/** Every snapshot of an answer that comes in pieces of so many characters. */
function snapshots(finding: object, text: string, size = 5): Answer[] {
  const pieces = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
  const objects = [
    { type: "message_start", final_documents: null, finding },
    ...pieces.map((content) => ({ type: "message_delta", content })),
    { type: "stop" },
  ];
  let answer = emptyAnswer();
  return objects.map((obj) => (answer = reduce(answer, { placement: place, obj } as Packet)));
}

const blocksOf = (finding: object, text: string): readonly Block[] => snapshots(finding, text).at(-1)?.blocks ?? [];
const asidesOf = (finding: object, text: string): Aside[] =>
  blocksOf(finding, text).filter((block) => block.type === "aside");

const travel = {
  document_id: "travel",
  title: "Travel and expenses",
  link: "https://handbook.example/travel",
  sentence: "Book trains in second class.",
};
const leave = { document_id: "leave", title: "Leave policy", link: null, sentence: "You have 30 days." };
const CLOSEST = { state: "closest", reason: "No document mentions “Mongolia”.", closest: [travel, leave] };
const CLOSEST_TEXT = `No document mentions “Mongolia”.

I found no answer to this, but these come closest:

- **Travel and expenses**: Book trains in second class.
- **Leave policy**: You have 30 days.`;

const now = {
  document_id: "leave",
  title: "Leave policy",
  link: "https://handbook.example/leave",
  updated_at: "2025-06-12T00:00:00Z",
  says: "30 days",
};
const before = { ...now, document_id: "old", title: "Old leave policy", link: "https://handbook.example/old" };
const CONFLICT = { state: "quote", conflict: [now, before] };
const CONFLICT_TEXT = `You have 30 days of leave [1].

These sources differ: **Leave policy** (12 June 2025): 30 days · **Old leave policy** (1 March 2023): 25 days.`;

const CORRECTED = { state: "quote", corrected: [{ written: "reciept", read: "receipt" }] };
const CORRECTED_TEXT = "I read “reciept” as “receipt”.\n\nKeep the receipt [1].";

describe("the closest documents", () => {
  it("are an aside whose titles are links, and everything else stays as it is", () => {
    const blocks = blocksOf(CLOSEST, CLOSEST_TEXT);
    expect(blocks.map(({ type }) => type)).toEqual(["paragraph", "paragraph", "aside"]);
    const link = { type: "link", url: travel.link, children: [{ type: "text", text: "Travel and expenses" }] };
    const strong = { type: "strong", children: [{ type: "text", text: "Leave policy" }] };
    expect(blocks[2]).toMatchObject({
      role: "closest",
      children: [
        {
          type: "list",
          children: [
            { children: [{ children: [link, { type: "text", text: ": Book trains in second class." }] }] },
            { children: [{ children: [strong, { type: "text", text: ": You have 30 days." }] }] },
          ],
        },
      ],
    });
  });

  it("are told while the answer grows, and keep their identity once they are whole", () => {
    const all = snapshots(CLOSEST, `${CLOSEST_TEXT}\n\nOne more line.`, 1);
    const shown = all.map(({ blocks }) => blocks[2]);
    expect(shown.filter((block) => block?.type === "list")).not.toHaveLength(0);
    expect(shown.slice(-5).every((block) => block?.type === "aside" && block === shown.at(-1))).toBe(true);
    // From its first title on a list is an aside, however much of the next title there is.
    const first = shown.findIndex((block) => block?.type === "aside");
    expect(shown.slice(first).every((block) => block?.type === "aside")).toBe(true);
  });

  it("are no aside where the list names others, is longer, or is numbered", () => {
    expect(asidesOf(CLOSEST, "- **Another**: x\n- **Leave policy**: y")).toEqual([]);
    expect(asidesOf(CLOSEST, "- **Leave policy**: y\n- a\n- b")).toEqual([]);
    expect(asidesOf(CLOSEST, "1. **Leave policy**: y")).toEqual([]);
    expect(asidesOf({ state: "quote" }, CLOSEST_TEXT)).toEqual([]);
    expect(asidesOf(CLOSEST, "- see **Leave policy**")).toEqual([]);
  });

  it("may have one title, a title that is cut, and one in another script", () => {
    const twin = { ...leave, document_id: "leave-2", link: "https://handbook.example/leave-2" };
    const long = { ...travel, title: "T".repeat(300) };
    const japanese = { ...travel, title: "出張と経費" };
    const urls = (closest: object[], text: string) =>
      JSON.stringify(asidesOf({ state: "closest", closest }, text)).match(/handbook\.example\/[\w-]+/g);
    expect(urls([leave, twin], "- **Leave policy**: a\n- **Leave policy**: b")).toEqual(["handbook.example/leave-2"]);
    expect(urls([long], `- **${"T".repeat(100)}…**: a`)).toEqual(["handbook.example/travel"]);
    expect(urls([japanese], "- **出張と経費**：列車は二等席を予約します。")).toEqual(["handbook.example/travel"]);
  });
});

describe("the sources that differ", () => {
  it("are an aside with a line for each, in the order of the text", () => {
    const [aside] = asidesOf(CONFLICT, CONFLICT_TEXT);
    const [lead, list] = aside?.children ?? [];
    expect(aside?.role).toBe("conflict");
    expect(lead?.type === "paragraph" && plainText(lead.children)).toBe("These sources differ:");
    const lines = list?.type === "list" ? list.children.flatMap(({ children }) => children) : [];
    expect(lines.map((line) => line.type === "paragraph" && plainText(line.children))).toEqual([
      "Leave policy (12 June 2025): 30 days",
      "Old leave policy (1 March 2023): 25 days.",
    ]);
    expect(JSON.stringify(lines)).toContain(`"url":"https://handbook.example/old"`);
  });

  it("may stand in a list, their titles quoted", () => {
    const text = `These sources differ:

- “Leave policy” (12 June 2025): 30 days
- “Old leave policy” (1 March 2023): 25 days`;
    const [aside] = asidesOf(CONFLICT, text);
    expect(aside?.role).toBe("conflict");
    const [list] = aside?.children ?? [];
    const lines = list?.type === "list" ? list.children.flatMap(({ children }) => children) : [];
    expect(lines).toMatchObject([
      {
        children: [
          { type: "text", text: "“" },
          { type: "link", url: now.link, children: [{ text: "Leave policy" }] },
          { type: "text", text: "” (12 June 2025): 30 days" },
        ],
      },
      { children: [{ text: "“" }, { url: before.link }, { text: "” (1 March 2023): 25 days" }] },
    ]);
    const japanese = { state: "quote", conflict: [{ ...now, title: "休暇規程" }, before] };
    const said = asidesOf(
      japanese,
      "- 「休暇規程」（2025年6月12日）：30日\n- 「Old leave policy」（2023年3月1日）：25日",
    );
    expect(JSON.stringify(said)).toContain(`"text":"休暇規程"`);
  });

  it("are no aside where fewer than two are named", () => {
    expect(asidesOf(CONFLICT, "**Leave policy**: 30 days.")).toEqual([]);
    expect(asidesOf({ ...CONFLICT, conflict: [now] }, CONFLICT_TEXT)).toEqual([]);
  });
});

describe("words that were read otherwise", () => {
  it("are an aside where the first line names them", () => {
    expect(blocksOf(CORRECTED, CORRECTED_TEXT).map(({ type }) => type)).toEqual(["aside", "paragraph"]);
    expect(blocksOf(CORRECTED, `First.\n\n${CORRECTED_TEXT}`).map(({ type }) => type)).not.toContain("aside");
    expect(asidesOf(CORRECTED, `The reciept is a receipt. ${"It is long. ".repeat(20)}`)).toEqual([]);
    const corrected = [{ written: "", read: " " }];
    expect(asidesOf({ ...CORRECTED, corrected }, CORRECTED_TEXT)).toEqual([]);
  });
});

describe("asides on a surface", () => {
  const shown = (finding: object, text: string, options: Parameters<typeof toTerminal>[2] = {}): string => {
    const answer = snapshots(finding, text).at(-1) ?? emptyAnswer();
    return toTerminal(answer.blocks, linksOf(answer), options);
  };

  it("are plain lines in a terminal, addresses below", () => {
    expect(shown(CLOSEST, CLOSEST_TEXT)).toBe(`No document mentions “Mongolia”.

I found no answer to this, but these come closest:

• Travel and expenses: Book trains in second class.
  https://handbook.example/travel
• Leave policy: You have 30 days.`);
    expect(shown(CONFLICT, CONFLICT_TEXT)).toBe(`You have 30 days of leave [1].

│ These sources differ:
│ • Leave policy (12 June 2025): 30 days
│   https://handbook.example/leave
│ • Old leave policy (1 March 2023): 25 days.
│   https://handbook.example/old`);
  });

  it("are links in a terminal that has some, and quiet where it has styles", () => {
    const linked = shown(CLOSEST, CLOSEST_TEXT, { hyperlinks: true });
    expect(linked).toContain(`\u001b]8;;${travel.link}\u001b\\Travel and expenses`);
    expect(linked).not.toContain(`  ${travel.link}`);
    expect(shown(CORRECTED, CORRECTED_TEXT, { color: true })).toContain("\u001b[2mI read “reciept”");
  });

  it("are the same text as HTML", () => {
    const answer = snapshots(CLOSEST, CLOSEST_TEXT).at(-1) ?? emptyAnswer();
    expect(toHtml(answer.blocks, linksOf(answer))).toContain(
      `<li><a href="${travel.link}" rel="noopener noreferrer">Travel and expenses</a>: Book trains`,
    );
    expect(toHtml(answer.blocks, noLinks)).toContain("<li>Travel and expenses (handbook.example): Book trains");
  });

  it.each([
    ["markup", "**x** [y](https://evil.example) `z` <b>"],
    ["an override", "a\u202eb\u2066c"],
    ["control bytes", "a\u0000\u001b[31mb\u009bc"],
    ["ten thousand characters", "w ".repeat(5_000)],
    ["a script", "</li><script>alert(1)</script>"],
  ])("do no harm with %s in a title and a sentence", (_, hostile) => {
    const closest = [{ ...travel, title: hostile, sentence: hostile, link: "javascript:alert(1)" }, travel];
    const text = `Closest:\n\n- **${hostile}**: ${hostile}\n- **Travel and expenses**: ${hostile}`;
    const answer = snapshots({ state: "closest", closest }, text, 97).at(-1) ?? emptyAnswer();
    const links = linksOf(answer);
    const written = toTerminal(answer.blocks, links);
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(written).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    const html = toHtml(answer.blocks, links);
    expect(html).not.toMatch(/<script|<b>|href="(?!https:\/\/handbook\.example\/)/);
  });
});
