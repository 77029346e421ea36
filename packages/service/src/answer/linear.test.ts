import { ownTime } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { MarkRewriter, withoutMarks } from "./citations.ts";
import { termsOf } from "@threadlore/language/stems";
import { doubtOf } from "./by-model/claims/claim.ts";
import { ClaimWatch } from "./by-model/claims/claim-watch.ts";
import { factsOf } from "./by-model/claims/text-facts.ts";
import { understand } from "./extracted/asked.ts";
import { decide } from "./extracted/decide.ts";
import { quotable, quotableCode } from "./extracted/quoting.ts";
import { clausesOf } from "./research.ts";
import { contextTexts, fileText } from "./retrieve.ts";
import { type Evidence, safeLink } from "./source.ts";
import { unitsOf } from "./extracted/quotable.ts";
import { stripFormatting } from "./visible.ts";
import { wordingRemover } from "./extracted/wording.ts";

const SIZE = 100_000;
const of = (piece: string, end = "") => piece.repeat(Math.ceil(SIZE / piece.length)) + end;

/** 100 KB that make a pattern with two ways to match go through all of them. */
const ADVERSARIAL: Record<string, string> = {
  brackets: of("["),
  "open marks": of("[1"),
  "marks with open links": of("[[1]]("),
  digits: `[${of("1")}`,
  spaces: `#${of(" ", "x")}`,
  "spaces after a bar": `|${of(" ", "x")}`,
  rules: of("-", "x"),
  "rules and bars": of("|-", "x"),
  hashes: of("# "),
  commas: of(", "),
  "and and": of(" and"),
  backticks: of("`"),
  "fences in lines": of("```\n"),
  full_stops: of("."),
  abbreviations: of("e.g. "),
  "one word": of("a"),
  lines: `a${of("\n", "b")}`,
  returns: of("\r"),
  "spaces in a title": `title:${of(" ", "a\u2028b")}`,
  "spaces in a heading": `# ${of(" ", "a\u2028b")}`,
  "spaced brackets": of("[ "),
  "marks of pictures": of("!"),
  backslashes: of("\\", "[1]"),
  hyphens: of("a-"),
  entries: of("- \n"),
  quotes: of("'s"),
  joiners: of("\u200c"),
  accents: of("e\u0301"),
};

function evidenceOf(text: string): Evidence[] {
  const { source } = fileText({ id: "text", type: "document", name: "Spare keys" }, text);
  return [{ source, heading: "", text, score: 1 }];
}

describe("T27 time grows with the length of a text and not faster", () => {
  const work: Record<string, (text: string) => unknown> = {
    unitsOf,
    quotable,
    quotableCode,
    termsOf: (text) => termsOf(text, "en"),
    clausesOf,
    withoutMarks,
    stripFormatting,
    contextTexts,
    safeLink,
    understand: (text) => understand(text, { passages: 10, holding: () => 1 }),
    decide: (text) =>
      decide(understand("Who keeps a spare key?", { passages: 10, holding: () => 1 }), evidenceOf(text)),
    wordingRemover: (text) => wordingRemover(text)(text),
    ClaimWatch: (text) => {
      const grounds = { passages: [factsOf("You get 27 days.")], question: undefined, language: "en" };
      const watch = new ClaimWatch((claim) => doubtOf(claim, grounds));
      watch.cite(1);
      return [watch.push(text), watch.cite(1), watch.push(text), watch.end()];
    },
    "ClaimWatch, piece by piece": (text) => {
      const watch = new ClaimWatch(() => undefined);
      watch.cite(1);
      for (let at = 0; at < text.length; at += 10) watch.push(text.slice(at, at + 10));
      return watch.end();
    },
    "the passages of claims": (text) => factsOf(text.slice(0, 20_000), "en"),
    MarkRewriter: (text) => new MarkRewriter((number) => number === 1).push(text),
  };
  it.each(Object.keys(work))("T27 %s", (name) => {
    for (const [kind, text] of Object.entries(ADVERSARIAL)) {
      // Quadratic work on 100 KB takes many seconds.
      expect([kind, ownTime(() => work[name]?.(text)) < 2_000]).toEqual([kind, true]);
    }
  });
});
