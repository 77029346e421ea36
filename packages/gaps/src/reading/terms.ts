import { foldWord, isFunctionWord, wordsOf } from "@threadlore/language";
import { momentsOf, namesOf, quantitiesOf } from "@threadlore/language/meaning";
import { type Term, termsIn } from "@threadlore/language/stems";
import type { TermKind, Trait } from "../trait.ts";
import { everydayWords, type Group, MAX_PHRASE } from "../words/groups.ts";
import { nearKeys } from "./near.ts";
import { placesIn } from "./places.ts";

/** A stretch of a text that is one thing, in UTF-16 units. */
interface Piece extends Omit<Trait, "aside"> {
  readonly start: number;
  readonly end: number;
}

/** What a question speaks of: first what is asked, then what is told beside that; each thing once. */
export function readTerms(main: string, aside: string, language: string | undefined): Trait[] {
  const traits = new Map<string, Trait>();
  for (const [text, beside] of [
    [main, false],
    [aside, true],
  ] as const) {
    for (const { start: _, end: __, ...trait } of piecesOf(text, language)) {
      if (!traits.has(trait.term)) traits.set(trait.term, beside ? { ...trait, aside: true } : trait);
    }
  }
  return [...traits.values()];
}

function piecesOf(text: string, language: string | undefined): Piece[] {
  if (text === "") return [];
  const special = withoutOverlap([
    ...dates(text, language),
    ...codes(text),
    ...numbers(text, language),
    ...places(text, language),
    ...phrases(text, language),
  ]);
  const taken = new Uint8Array(text.length);
  for (const { start, end } of special) taken.fill(1, start, end);
  const isTaken = ({ start, end }: Term) => taken.subarray(start, end).includes(1);
  const isNamed = named(text, language);
  const words = termsIn(text, language)
    .filter((term) => !isTaken(term))
    .map((term) => wordPiece(term, language, isNamed));
  return [...special, ...words].toSorted((one, other) => one.start - other.start);
}

function wordPiece(found: Term, language: string | undefined, isNamed: (term: Term) => boolean): Piece {
  const { term, start, end } = found;
  const everyday = everydayWords(language);
  const group = everyday.groupOfStem(term);
  const near = nearKeys(term, language);
  const kind = kindOf(found, { group, isPlain: everyday.isPlain(term), isNamed });
  return {
    term,
    kind,
    start,
    end,
    ...(group === undefined ? {} : { group: group.name }),
    ...(near === undefined ? {} : { near }),
  };
}

interface Known {
  readonly group: Group | undefined;
  readonly isPlain: boolean;
  readonly isNamed: (term: Term) => boolean;
}

function kindOf(found: Term, { group, isPlain, isNamed }: Known): TermKind {
  if (isPlain) return "plain";
  if (/^\p{Nd}+$/u.test(found.term)) return YEAR.test(found.term) ? "year" : "number";
  if (group !== undefined) return group.isAspect ? "aspect" : "word";
  return isNamed(found) ? "name" : "word";
}

/** The first of those that lie over each other counts. */
function withoutOverlap(pieces: readonly Piece[]): Piece[] {
  const kept: Piece[] = [];
  for (const piece of pieces) {
    if (!kept.some(({ start, end }) => piece.start < end && start < piece.end)) kept.push(piece);
  }
  return kept;
}

/** "T-14", "E-52", "40-2210", "2.14", "LOCK-3", "Q3", "TG30", "T 14": letters with digits, and digits in parts. */
const CODES: readonly RegExp[] = [
  /(?<![\p{L}\p{N}])\p{L}{1,8}[-–‑_/.]?\p{Nd}{1,8}(?:[-–‑_/.]?[\p{L}\p{Nd}]{1,8}){0,3}(?![\p{L}\p{N}])/gu,
  /(?<![\p{L}\p{N}])\p{Nd}{1,8}\p{L}{1,3}\p{Nd}{0,8}(?![\p{L}\p{N}])/gu,
  /(?<![\p{L}\p{N}])\p{Nd}{1,8}(?:[-–‑_/.]\p{Nd}{1,8}){1,3}(?![\p{L}\p{N}])/gu,
  /(?<![\p{L}\p{N}])\p{Lu}{1,3} \p{Nd}{1,4}(?![\p{L}\p{N}.,])/gu,
];
/** Quantities with a unit, and ordinal numbers. */
const UNIT = /^\p{Nd}+(?:st|nd|rd|th|h|am|pm|x|k|m|t|d|w|km|kg|cm|mm|min|mins|eur|gb|mb)$/iu;

function codes(text: string): Piece[] {
  const found = CODES.flatMap((pattern) => [...text.matchAll(pattern)]);
  return found.flatMap(({ 0: written, index: start }) => {
    if (UNIT.test(written)) return [];
    // Several of a kind are that kind: "the TG-30s".
    const plain = foldWord(written.replace(/(?<=\p{Nd})s$/u, "").replace(/[-–‑_/. ]/gu, ""));
    return [{ term: `#${plain}`, kind: "code" as const, start, end: start + written.length }];
  });
}

function dates(text: string, language: string | undefined): Piece[] {
  return momentsOf(text, language).flatMap(({ start, end, ...moment }) => {
    const parts = (["year", "month", "day", "weekday", "hour"] as const).filter((part) => moment[part] !== undefined);
    const term = parts.map((part) => `${part}${moment[part]}`).join(" ");
    const kind = parts.length === 1 && parts[0] === "year" ? ("year" as const) : ("date" as const);
    return term === "" ? [] : [{ term: `@${term}`, kind, start, end }];
  });
}

const YEAR = /^(?:19|20)\p{Nd}{2}$/u;

/** Numbers in words count where they say how many: "one" is a pronoun as often. */
function numbers(text: string, language: string | undefined): Piece[] {
  return quantitiesOf(text, language).flatMap(({ value, start, end, unit }): Piece[] => {
    if (value === 1 || unit === "ordinal") return [];
    const written = text.slice(start, end);
    if (YEAR.test(written)) return [{ term: `@year${value}`, kind: "year", start, end }];
    const digits = /^[^\p{L}]*/u.exec(written)?.[0].trimEnd() ?? "";
    const first = digits === "" ? (/^[\p{L}\p{M}-]+/u.exec(written)?.[0] ?? written) : digits;
    return [{ term: `=${value}`, kind: "number", start, end: start + first.length }];
  });
}

/** Words of the longest name of a place. */
const MAX_PLACE = 4;

function places(text: string, language: string | undefined): Piece[] {
  const known = placesIn(language);
  const found = sequences(text, MAX_PLACE).flatMap(({ folded, start, end }) => {
    const sign = known.get(folded);
    return sign === undefined ? [] : [{ term: sign, kind: "place" as const, start, end }];
  });
  return found.filter(({ start, end }) => !isFunctionWord(foldWord(text.slice(start, end)), language));
}

function phrases(text: string, language: string | undefined): Piece[] {
  const everyday = everydayWords(language);
  return sequences(text, MAX_PHRASE).flatMap(({ folded, start, end }) => {
    const group = everyday.groupOfPhrase(folded);
    return group === undefined
      ? []
      : [
          {
            term: `+${group.name}`,
            kind: group.isAspect ? ("aspect" as const) : ("word" as const),
            group: group.name,
            start,
            end,
          },
        ];
  });
}

/** Words that stand side by side, the longest stretches first. */
function sequences(text: string, most: number): { folded: string; start: number; end: number }[] {
  const words = wordsOf(text);
  const found = words.flatMap((first, at) =>
    words.slice(at, at + most).map((last, more) => ({
      folded: words
        .slice(at, at + more + 1)
        .map((word) => word.text)
        .join(" "),
      start: first.start,
      end: last.end,
      more,
    })),
  );
  return found.toSorted((one, other) => other.more - one.more || one.start - other.start);
}

/** Whether a term stands in a name. Where all is written in capitals, or nearly every word has one, nothing tells names. */
function named(text: string, language: string | undefined): (term: Term) => boolean {
  const words = text.match(/\p{L}[\p{L}\p{M}]*/gu) ?? [];
  const capitals = words.filter((word) => /^\p{Lu}/u.test(word)).length;
  if (words.length > 3 && capitals > 0.7 * words.length) return () => false;
  const names = namesOf(text, language);
  return ({ start, end }) => names.some((name) => start >= name.start && end <= name.end);
}
