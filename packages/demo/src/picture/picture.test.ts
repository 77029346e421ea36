import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { LOADED_FROM } from "../built-extension.ts";
import { readQuestions } from "../handbook.ts";
import { screenOf } from "./screen.ts";
import { terminalSvg } from "./terminal-svg.ts";

const textOf = (output: string): string[] => screenOf(output).map((line) => line.map((piece) => piece.text).join(""));

describe("screenOf", () => {
  it("shows what a terminal shows after repainting", () => {
    expect(textOf("a\nb\nc\n\u001b[2A\r\u001b[JB\n")).toEqual(["a", "B", ""]);
    expect(textOf("a\nb\nc\n\u001b[2A\r\u001b[K\u001b[C\u001b[J\rB\n")).toEqual(["a", "B", ""]);
    expect(textOf("  12/17\r       \rdone\n")).toEqual(["done   ", ""]);
  });

  it("keeps looks and columns apart", () => {
    const [line = []] = screenOf("\u001b[1mbold\u001b[0m  \u001b[36mcyan\u001b[39m plain");
    expect(line.map(({ text, column, look }) => [text, column, look.bold, look.colour])).toEqual([
      ["bold", 0, true, 0],
      ["cyan", 6, false, 36],
      [" plain", 10, false, 0],
    ]);
  });
});

describe("the picture", () => {
  it("escapes what it shows", () => {
    const svg = terminalSvg(screenOf('<script> & "x"'), 40, 'a "b"');
    expect(svg).toContain("&lt;script&gt; &amp; &quot;x&quot;</text>");
    expect(svg).toContain('aria-label="a &quot;b&quot;"');
  });

  it("shows the demonstration as it is: its question, its answer, its sources", async () => {
    const svg = readFileSync(new URL("../../terminal.svg", import.meta.url), "utf8");
    const { shown } = await readQuestions();
    expect(svg).toContain(shown);
    for (const fact of ["31 March", "paid out", "Leave and holidays", "Leaving Tidewell"]) expect(svg).toContain(fact);
    for (const words of ["Sources", "Talk to it in a channel:", LOADED_FROM.chromium, "start --browser"]) {
      expect(svg).toContain(words);
    }
  });
});
