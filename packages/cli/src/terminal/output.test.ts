import { describe, expect, it } from "vitest";
import { oneLine, styled, table, wrapped } from "./output.ts";
import { progressLine, startProgress } from "./progress.ts";

/** A screen that keeps what is written to it. */
function fakeScreen(isTerminal: boolean, columns = 80) {
  const written: string[] = [];
  return { written, isTerminal, colours: false, columns, rows: 24, write: (text: string) => written.push(text) };
}

describe("text from outside", () => {
  it("T31: every control byte and every bidirectional control is dropped, line feeds and tabs become spaces", () => {
    const all = Array.from({ length: 256 }, (_, code) => String.fromCodePoint(code)).join("");
    const kept = oneLine(`${all}\u202e\u2066\u200f\u061c`);
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(kept).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/);
    const shown = [...all].filter((byte) => /[!-~\u00a1-\u00ac\u00ae-\u00ff]/.test(byte));
    expect(kept.replace(" ", "").split("")).toEqual(shown);
    expect(oneLine("a\tb\nc")).toBe("a b c");
  });

  it("T31: an escape sequence leaves only its harmless letters", () => {
    expect(oneLine("\u001b]52;c;aGk=\u0007 title\r\nsecond\u001b[2J")).toBe("]52;c;aGk= title second[2J");
  });

  it("is styled only where the screen shows styles", () => {
    expect(styled({ colours: false }, "bold", "x")).toBe("x");
    expect(styled({ colours: true }, "bold", "x")).toBe("\u001b[1mx\u001b[0m");
  });

  it("is broken between words, never wider than the screen unless a word is", () => {
    expect(wrapped("one two three a-very-long-word four", 9)).toBe("one two\nthree\na-very-long-word\nfour");
    expect(wrapped("", 9)).toBe("");
  });

  it("is laid out in columns", () => {
    expect(
      table([
        ["a", "long name", "x"],
        ["bcd", "n", ""],
      ]),
    ).toBe("a    long name  x\nbcd  n\n");
  });
});

describe("progress", () => {
  it("never wraps, at any width and with any label", () => {
    for (const columns of [50, 80, 200]) {
      for (const label of ["", "a.md", "x".repeat(300), "Ünï\u001b[2J"]) {
        const line = progressLine({ columns, colours: false }, 3, 120, label);
        expect([...line.text]).toHaveLength(line.width);
        expect(line.width).toBeLessThan(columns);
      }
    }
  });

  it("draws over its own line with carriage returns only, and leaves the line empty", () => {
    const screen = fakeScreen(true);
    const progress = startProgress(screen, 2, { now: () => 0 });
    progress.step("first");
    progress.step("second, a longer one");
    progress.end();
    const text = screen.written.join("");
    expect(text).not.toContain("\u001b");
    expect(text).toContain("2/2");
    expect(text.endsWith("\r")).toBe(true);
  });

  it("says where there is no terminal now and then how far it is, until it ends", async () => {
    const screen = fakeScreen(false);
    const progress = startProgress(screen, undefined, { everyMs: 10 });
    progress.step("first.md");
    await expect.poll(() => screen.written[0]).toBe("Still at it: 1 done, the latest first.md.\n");
    progress.show("Indexing, 4 to go");
    await expect.poll(() => screen.written.at(-1)).toBe("Still at it: Indexing, 4 to go.\n");
    progress.end();
    const said = screen.written.length;
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(screen.written).toHaveLength(said);
  });

  it("counts where nobody knows how many there will be", () => {
    const line = progressLine({ columns: 30, colours: false }, 12_345, undefined, "x".repeat(300));
    expect(line.text).toContain("12345");
    expect([...line.text]).toHaveLength(line.width);
    expect(line.width).toBeLessThan(30);
  });

  it("writes nothing of itself where there is no terminal, but says lines", () => {
    const screen = fakeScreen(false);
    const progress = startProgress(screen, 2);
    progress.step("first");
    progress.say("a refusal");
    progress.end();
    expect(screen.written).toEqual(["a refusal\n"]);
  });
});
