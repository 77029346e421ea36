/** What of a claim is not in the passages it cites. Pure: no model is asked, the words themselves are compared. */
import { saysOpposite } from "./clauses.ts";
import { knowsLimits } from "./limits.ts";
import { namesNotIn } from "./names.ts";
import { numbersNotIn } from "./numbers.ts";
import { type TextFacts, factsOf } from "./text-facts.ts";

/** What a claim says that its passages do not. */
export interface Doubt {
  /** Numbers, dates and names, as the claim writes them, in order, each once. */
  readonly values: readonly string[];
  /** The passage says the opposite in the same words. */
  readonly isOpposite: boolean;
}

/** What claims are checked against. */
export interface Grounds {
  /** What was cited, and what stands around it: titles, headings. */
  readonly passages: readonly TextFacts[];
  /** What was asked: names and numbers may be taken from it. */
  readonly question: TextFacts | undefined;
  /** Of the answer, where a sentence does not tell: ISO 639-1. */
  readonly language: string | undefined;
}

/** What is doubtful in a claim; undefined where nothing is. `claim` is plain text, one sentence. */
export function doubtOf(claim: string, { passages, question, language }: Grounds): Doubt | undefined {
  if (passages.length === 0) return undefined;
  const said = factsOf(withoutMarkup(claim), language);
  const found = [
    ...numbersNotIn(said, passages, question),
    ...namesNotIn(said, passages, question === undefined ? [] : [question]),
  ].toSorted((one, other) => one.start - other.start);
  const values = [...new Set(found.map(({ start, end }) => said.text.slice(start, end).trim()))];
  const isOpposite =
    knowsLimits(said.language) &&
    passages.some((passage) => passage.language === said.language && saysOpposite(said.clauses, passage.clauses));
  return values.length === 0 && !isOpposite ? undefined : { values, isOpposite };
}

/** The numbers of a list, and signs of emphasis, are no part of what is said. */
function withoutMarkup(claim: string): string {
  return (
    claim
      .replace(/^\s*(?:[-*+•]|\p{Nd}{1,3}[.)])\s+/u, "")
      .replace(/^#{1,6}\s/, "")
      .replace(/[*_`~]+/g, " ")
      // What stands in two cells is no one number.
      .replace(/\|/g, "; ")
      .replace(/\s+/g, " ")
      .replace(/ (?=[.,;:!?])/g, "")
      .trim()
  );
}
