import { ownTime } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { toHtml } from "../html.ts";
import { createMarkdown, noLinks } from "../index.ts";
import { trimEnd } from "./part.ts";
import { toTerminal } from "../terminal.ts";
import { visibleLine } from "../visible.ts";

describe("white space", () => {
  it("at the end belongs to no block, other than the rarer kinds", () => {
    expect(["a \t\n ", " \n", "", " a", "a\u00a0 "].map(trimEnd)).toEqual(["a", "", "", " a", "a\u00a0"]);
  });

  it("around line feeds becomes one space where one line is wanted", () => {
    expect(visibleLine(" a \n\t\n b  c\nd ")).toBe(" a b  c d ");
    expect(["", "\n", " \n ", "\na\n", "a\u00a0\n\u00a0b", "a\u2028b"].map(visibleLine)).toEqual([
      "",
      " ",
      " ",
      " a ",
      "a b",
      "a b",
    ]);
  });
});

describe("two hundred thousand of one character", () => {
  const many = 200_000;
  const blanks = " ".repeat(many);
  const cases: [string, string][] = [
    ["blanks in a paragraph", `a${blanks}b`],
    ["blanks in a heading", `# a${blanks}b`],
    ["blanks in code", `\`a${blanks}b\``],
    ["blanks in the description of an image", `![a${blanks}b](http://x)`],
    ["blanks in a table", `|a|b|\n|-|-|\n|a${blanks}b|c|`],
    ["tabs", `a${"\t".repeat(many)}b`],
    ["blank lines", `a${"\n".repeat(many)}b`],
    ["number signs", `# a${" #".repeat(many / 2)} b`],
  ];
  it.each(cases)("take no time that grows with the square: %s", (_name, text) => {
    const taken = ownTime(() => {
      const markdown = createMarkdown();
      markdown.push(text);
      const blocks = markdown.end();
      toHtml(blocks, noLinks);
      toTerminal(blocks, noLinks);
      visibleLine(text);
    });
    // Some 150 ms at the most, 3 s and more where the square counts.
    expect(taken).toBeLessThan(2_000);
  });
});
