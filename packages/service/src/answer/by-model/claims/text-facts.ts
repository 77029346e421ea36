/** A text as claims are checked against it: its numbers, times, words and clauses, read once. */
import { foldedWordsOf, languageOf } from "@threadlore/language";
import { type Moment, momentsOf, type Quantity, quantitiesOf } from "@threadlore/language/meaning";
import { type Clause, clausesOf } from "./clauses.ts";

/** What a text holds. */
export interface TextFacts {
  readonly text: string;
  /** ISO 639-1; undefined where it cannot be told. */
  readonly language: string | undefined;
  readonly quantities: readonly Quantity[];
  readonly moments: readonly Moment[];
  /** Values of digits that are neither: codes, telephone numbers, entries of lists. */
  readonly digits: ReadonlySet<number>;
  /** Folded. */
  readonly words: ReadonlySet<string>;
  readonly clauses: readonly Clause[];
}

/** Reads a text. `language` is ISO 639-1; by default the text tells it. */
export function factsOf(text: string, language: string | undefined = languageOf(text)): TextFacts {
  const quantities = quantitiesOf(text, language);
  const moments = momentsOf(text, language);
  return {
    text,
    language,
    quantities,
    moments,
    digits: digitsBeside(text, [...quantities, ...moments]),
    words: new Set(foldedWordsOf(text)),
    clauses: clausesOf(text, language),
  };
}

function digitsBeside(text: string, read: readonly { readonly start: number; readonly end: number }[]): Set<number> {
  const taken = new Uint8Array(text.length);
  for (const { start, end } of read) taken.fill(1, start, end);
  const values = new Set<number>();
  for (const { 0: written, index } of text.matchAll(/\p{Nd}{1,15}(?:[.,]\p{Nd}{1,15})?/gu)) {
    if (taken[index] === 1) continue;
    const [whole = "", part] = written.normalize("NFKC").split(/[.,]/);
    values.add(Number(whole));
    // "1:1.25": either a part of one, or thousands.
    if (part !== undefined) for (const digits of [part, `${whole}.${part}`, whole + part]) values.add(Number(digits));
  }
  return values;
}
