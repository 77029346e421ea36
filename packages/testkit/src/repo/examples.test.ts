import { describe, expect, it } from "vitest";
import { examplesIn, printsAsPromised } from "./examples.ts";

describe("examplesIn", () => {
  it("takes blocks marked run, with the output that follows, and nothing else", () => {
    const readme = [
      "```ts",
      "shown();",
      "```",
      "```ts run",
      "console.log(1);",
      "```",
      "prints",
      "```text output",
      "1",
      "```",
      "````sh run",
      "echo '```'",
      "````",
      "",
    ].join("\n");
    expect(examplesIn(readme)).toEqual([
      { language: "ts", code: "console.log(1);\n", output: "1\n" },
      { language: "sh", code: "echo '```'\n" },
    ]);
  });
});

describe("printsAsPromised", () => {
  it("compares line by line", () => {
    expect(printsAsPromised("a\nb\n", "a  \nb\n\n")).toBe(true);
    expect(printsAsPromised("a\nb", "a\nc")).toBe(false);
    expect(printsAsPromised("a.c", "abc")).toBe(false);
  });

  it("lets … stand for text in a line and for any lines", () => {
    expect(printsAsPromised("took … ms", "took 12 ms")).toBe(true);
    expect(printsAsPromised("took … ms", "took 12\nms")).toBe(false);
    expect(printsAsPromised("first\n…\nlast", "first\n2\n3\nlast")).toBe(true);
    expect(printsAsPromised("first\n…\nlast", "first\nlast")).toBe(true);
    expect(printsAsPromised("first\n…\nlast", "first\n2")).toBe(false);
  });
});
