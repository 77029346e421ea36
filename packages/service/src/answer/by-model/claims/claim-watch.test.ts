import { describe, expect, it } from "vitest";
import { ClaimWatch } from "./claim-watch.ts";

/** What a text becomes that comes in pieces of so many characters; `[1]` is a mark, and every claim is doubted. */
function watched(text: string, size: number): { shown: string; held: number } {
  const watch = new ClaimWatch((claim, cited) => ({
    values: [`${claim.trim()} ${cited.join("+")}`],
    isOpposite: false,
  }));
  let shown = "";
  let came = 0;
  let told = 0;
  let held = 0;
  const take = (pieces: ReturnType<ClaimWatch["push"]>) => {
    for (const piece of pieces) {
      shown += "text" in piece ? piece.text : `{${piece.doubt.values.join()}}`;
      if ("text" in piece) told += piece.text.length;
    }
    held = Math.max(held, came - told);
  };
  for (const part of text.split(/(\[\d\])/)) {
    const mark = /^\[(\d)\]$/.exec(part)?.[1];
    if (mark === undefined) {
      for (let at = 0; at < part.length; at += size) {
        came += part.slice(at, at + size).length;
        take(watch.push(part.slice(at, at + size)));
      }
    } else {
      take(watch.cite(Number(mark)));
      shown += part;
    }
  }
  take(watch.end());
  return { shown, held };
}

describe("sentences that carry marks", () => {
  it.each([
    ["before its full stop", "A one. Two of it [1]. Three.", "A one. Two of it [1].{Two of it . 1} Three."],
    ["behind its full stop", "A one. Two of it. [1] Three.", "A one. Two of it. [1]{Two of it. 1} Three."],
    ["several", "Two [1] [2]. Three.", "Two [1] [2].{Two  . 1+2} Three."],
    ["one behind another, on either side of the stop", "Two [1]. [2] Three.", "Two [1]. [2]{Two . 1+2} Three."],
    ["two in a row", "Two [1]. Three [2].", "Two [1].{Two . 1} Three [2].{Three . 2}"],
    ["within", "Two [1] and three [2] of it.", "Two [1] and three [2] of it.{Two  and three  of it. 1+2}"],
    [
      "before it",
      "According to [1], it is two. More.",
      "According to [1], it is two.{According to , it is two. 1} More.",
    ],
    ["in a list", "- Two [1]\n- Three\n- Four [2]\n", "- Two [1]{- Two 1}\n- Three\n- Four [2]{- Four 2}\n"],
    ["in bold", "**Two [1].** More.", "**Two [1].**{**Two .** 1} More."],
    ["in a table", "| a | two [1] |\n| b | 3 [2] |", "| a | two [1]{| a | two 1} |\n| b | 3 [2]{| b | 3 2} |"],
    [
      "with an abbreviation",
      "Use e.g. Two [1] at Dr. No. More.",
      "Use e.g. Two [1] at Dr. No.{Use e.g. Two  at Dr. No. 1} More.",
    ],
    ["of a German date", "Bis 3. April [1]. Danach.", "Bis 3. April [1].{Bis 3. April . 1} Danach."],
    [
      "in Japanese",
      "二日です[1]。三日です。[2]四日です。",
      "二日です[1]。{二日です。 1}三日です。[2]{三日です。 2}四日です。",
    ],
    ["at the end", "Two [1]", "Two [1]{Two 1}"],
    ["alone", "Two.\n\n[1]\n", "Two.\n\n[1]\n"],
  ])("%s", (_, text, expected) => {
    for (const size of [1, 2, 3, 7, 100]) {
      expect(watched(text, size).shown.replaceAll(/\{[^}]*\}/g, (told) => told.replace(/\s+/g, " "))).toBe(
        expected.replaceAll(/\{[^}]*\}/g, (told) => told.replace(/\s+/g, " ")),
      );
    }
  });

  it("hold back a few characters at most, and none before the first mark", () => {
    expect(watched("It is so. And so. Very much. ", 1).held).toBe(0);
    expect(watched("It is so [1]. And so [1], e.g. here. Very much. ", 1).held).toBeLessThan(4);
  });
});
