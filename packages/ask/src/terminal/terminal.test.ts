/* oxlint-disable no-control-regex -- control characters are what is looked for */
import { assert, integer, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { linksOf, noLinks } from "../answer/citations.ts";
import { createMarkdown } from "../markdown/markdown.ts";
import { sourcesToTerminal, type TerminalOptions, toTerminal } from "../terminal.ts";
import type { Block } from "../markdown/tree.ts";
import { textWidth } from "./text-width.ts";

function parse(text: string): readonly Block[] {
  const markdown = createMarkdown();
  markdown.push(text);
  return markdown.end();
}

const shown = (text: string, options?: TerminalOptions): string => toTerminal(parse(text), noLinks, options);

const wiki = {
  documentId: "w",
  title: "Leave policy",
  link: "https://wiki.ok.test/leave",
  sourceType: "web",
  passages: [],
};
const file = { documentId: "f", title: "leave.txt", sourceType: "user_file", passages: [] };
const answer = {
  citations: [
    { number: 1, marks: [4], source: wiki },
    { number: 2, marks: [9], source: file },
  ],
  sources: [wiki, file],
};

describe("toTerminal", () => {
  it("shows every kind of block as plain text", () => {
    const text = [
      "# Leave",
      "Some **bold**, *soft*, ~~gone~~ words and `code`.",
      "- one\n- two\n  1. inner\n- [x] done",
      "> quoted\n> words",
      "```js\nif (a) {\n\tb();\n}\n```",
      "| a | count |\n|---|--:|\n| x | 10 |\n| yy | 7 |",
      "---",
    ].join("\n\n");
    expect(shown(text)).toBe(
      [
        "# Leave",
        "",
        "Some bold, soft, gone words and `code`.",
        "",
        "• one",
        "• two",
        "   1. inner",
        "• [x] done",
        "",
        "│ quoted words",
        "",
        "    if (a) {",
        "        b();",
        "    }",
        "",
        "a  │ count",
        "───┼──────",
        "x  │    10",
        "yy │     7",
        "",
        "─".repeat(40),
      ].join("\n"),
    );
  });

  it("writes no escape sequence unless colours or hyperlinks are asked for", () => {
    const text = "# **A** [b](https://wiki.ok.test/leave) [4]\n\n`c`";
    expect(toTerminal(parse(text), linksOf(answer))).not.toContain("\u001b");
    expect(toTerminal(parse(text), linksOf(answer), { color: true })).toContain("\u001b[1;4m");
  });

  it("closes every style on the line it was opened on", () => {
    const lines = shown(`**${"words in bold ".repeat(20).trim()}**`, { color: true, width: 30 }).split("\n");
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) expect(line).toMatch(/^\u001b\[1m.*\u001b\[22m$/);
  });

  it("breaks lines at the width, also behind list marks and in quotes, counting wide characters twice", () => {
    for (const text of [
      "word ".repeat(60),
      `- ${"word ".repeat(60)}`,
      `> ${"日本語".repeat(40)}`,
      "x".repeat(300),
      "🙂 ".repeat(80),
    ]) {
      const lines = shown(text, { width: 40 }).split("\n");
      expect(Math.max(...lines.map(textWidth)), text).toBeLessThanOrEqual(40);
      expect(lines.length).toBeGreaterThan(3);
    }
    expect(shown("word ".repeat(60), { width: 0 })).not.toContain("\n");
  });

  it("fills a line up with Japanese, and begins none with its closing marks", () => {
    expect(shown("Leave is 休暇は年間二十七日です、申請は。", { width: 20 }).split("\n")).toEqual([
      "Leave is 休暇は年間",
      "二十七日です、申請",
      "は。",
    ]);
  });

  it("keeps a web address whole, except in a table", () => {
    const address = `https://wiki.ok.test/${"a".repeat(40)}`;
    const text = `- Read ${address} first\n- and [this](${wiki.link}) too`;
    expect(toTerminal(parse(text), linksOf(answer), { width: 20 }).split("\n")).toEqual([
      "• Read",
      `  ${address}`,
      "  first",
      "• and this",
      "  (https://wiki.ok.test/leave)",
      "  too",
    ]);
    const lines = shown(`| a | b |\n|---|---|\n| ${address} | x |`, { width: 20 }).split("\n");
    expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(20);
  });

  it("narrows a table that is too wide, and keeps its columns aligned", () => {
    const lines = shown(`| a | b |\n|---|---|\n| ${"long words ".repeat(10)} | ${"other 日本 ".repeat(10)} |`, {
      width: 50,
    }).split("\n");
    const bars = lines.filter((line) => line.includes("│")).map((line) => textWidth(line.slice(0, line.indexOf("│"))));
    expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(50);
    expect(new Set(bars).size).toBe(1);
    expect(lines.length).toBeGreaterThan(4);
  });

  it("shows citations in reader numbers, unknown numbers as they stand", () => {
    const blocks = parse("A [[4]](https://wiki.ok.test/leave) b [9, 4] c [7] d [[8]](https://evil.test/x)");
    expect(toTerminal(blocks, linksOf(answer))).toBe("A [1] b [2][1] c [7] d [8]");
  });

  it("never writes a control character of the content, at any width", () => {
    assert(
      property(string({ unit: "binary", maxLength: 80 }), integer({ min: 0, max: 30 }), (text, width) => {
        expect(shown(text, { width })).not.toMatch(
          /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
        );
      }),
      { numRuns: 300 },
    );
  });
});

describe("sourcesToTerminal", () => {
  it("lists what is cited, with its address where it may be opened", () => {
    expect(sourcesToTerminal(answer.citations, linksOf(answer))).toBe(
      "[1] Leave policy\n    https://wiki.ok.test/leave\n[2] leave.txt",
    );
    expect(sourcesToTerminal(answer.citations, linksOf(answer), { hyperlinks: true })).toBe(
      "[1] \u001b]8;;https://wiki.ok.test/leave\u001b\\Leave policy\u001b]8;;\u001b\\\n[2] leave.txt",
    );
    expect(sourcesToTerminal(answer.citations, noLinks)).toBe("[1] Leave policy (wiki.ok.test)\n[2] leave.txt");
    expect(sourcesToTerminal([], noLinks)).toBe("");
  });
});
