import { describe, expect, it } from "vitest";
import { oneLine, styled, table, wrapped } from "./output.ts";
import { progressLine, startProgress } from "./progress.ts";
import { cutToWidth, widthOf } from "./width.ts";

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

describe("the width of a text", () => {
  it("is in columns: two for a sign of East Asia or a picture, none for a mark", () => {
    expect(["abc", "年度", "e\u0301", "📄a", "", "שלום"].map(widthOf)).toEqual([3, 4, 1, 3, 0, 4]);
    expect(cutToWidth("年度予算", 5)).toBe("年度…");
    expect(cutToWidth("年度予算", 8)).toBe("年度予算");
    expect(cutToWidth("abc", 0)).toBe("");
  });
});

describe("progress", () => {
  it("never wraps, at any width and with any label", () => {
    const labels = [
      "",
      "a.md",
      "x".repeat(300),
      "Ünï\u001b[2J",
      "年度予算".repeat(40),
      "e\u0301".repeat(99),
      "שלום.pdf",
    ];
    const facts = ["2 h 10 min left", "27/s", "3.4 MB/s"];
    for (const columns of [1, 10, 40, 59, 60, 80, 200]) {
      for (const label of labels) {
        for (const total of [undefined, 120]) {
          const line = progressLine({ columns, colours: false }, { done: 3, total, facts, label });
          expect(widthOf(line.text)).toBe(line.width);
          expect(line.width).toBeLessThan(columns);
        }
      }
    }
  });

  it("says first how far it is and how long it takes, on 40 columns too, and the name last", () => {
    const facts = ["5 min left", "27/s", "3.4 MB/s"];
    const on = (columns: number) =>
      progressLine({ columns, colours: false }, { done: 812, total: 9_925, facts, label: "שלום/reports.pdf" }).text;
    expect(on(40)).toBe("   812/9925  5 min left  27/s  3.4 MB/s");
    expect(on(20)).toBe("   812/9925  27/s");
    expect(on(80)).toBe("  ██░░░░░░░░░░░░░░░░░░   812/9925  5 min left  27/s  3.4 MB/s  שלום/reports.pdf");
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
    await expect.poll(() => screen.written[0]).toBe("Still at it: 1 done; the latest first.md.\n");
    progress.show("Indexing, 4 to go");
    await expect.poll(() => screen.written.at(-1)).toBe("Still at it: Indexing, 4 to go.\n");
    progress.end();
    const said = screen.written.length;
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(screen.written).toHaveLength(said);
  });

  it("draws nothing on a terminal that takes every sign for a letter", async () => {
    const screen = fakeScreen(true);
    const progress = startProgress(screen, 2, { draws: false, everyMs: 10 });
    progress.step("a.md");
    expect(screen.written).toEqual([]);
    await expect.poll(() => screen.written[0]).toBe("Still at it: 1 of 2 done; the latest a.md.\n");
    progress.end();
  });

  it("says rate and time left once they can be told, whatever becomes of the clock", () => {
    let now = 5_000;
    const screen = fakeScreen(true);
    const progress = startProgress(screen, undefined, { now: () => now });
    progress.expect({ count: 400, bytes: 40_000_000 });
    for (let done = 0; done < 100; done += 1) {
      now += 100;
      progress.step("a.md", 100_000);
    }
    expect(screen.written.at(-1)).toContain("100/400  30 s left  10/s  1.0 MB/s  a.md");
    now -= 60_000;
    progress.step("b.md", 100_000);
    now += 61_000;
    progress.step("c.md", 100_000);
    expect(screen.written.at(-1)).toMatch(/102\/400 {2}\d+ (s|min) left/);
    progress.end();
  });

  it("counts where nobody knows how many there will be", () => {
    const state = { done: 12_345, total: undefined, label: "x".repeat(300) };
    const line = progressLine({ columns: 30, colours: false }, state);
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
