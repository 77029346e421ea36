/**
 * Lists of phrases, written as text and looked for in tokens. One line of a list is read as
 * `how many | колик* | *kosten | ^is/are | what … mean`: alternatives; a beginning of a word; an end of a word; only as
 * the first word; one of several words; up to `GAP` words between. Looking costs a few comparisons per token.
 */
import { type Token, tokensOf } from "./tokens.ts";

/** A phrase that was found: which list it is of, and its tokens from `start` up to `end`, exclusive. */
export interface Hit<K extends string> {
  readonly key: K;
  readonly start: number;
  readonly end: number;
}

/** Phrases of several lists, ready to be looked for. */
export interface Phrases<K extends string> {
  readonly exact: ReadonlyMap<string, readonly Phrase<K>[]>;
  /** By the first letter. */
  readonly prefixed: ReadonlyMap<string, readonly Phrase<K>[]>;
  /** By the last letter. */
  readonly suffixed: ReadonlyMap<string, readonly Phrase<K>[]>;
}

type Mode = "exact" | "prefix" | "suffix" | "gap";
interface Part {
  readonly mode: Mode;
  readonly text: string;
}
interface Phrase<K extends string> {
  readonly key: K;
  readonly parts: readonly Part[];
  readonly isFirst: boolean;
}

/** The most words a gap ("…") may stand for. */
const GAP = 12;

/** Reads the lists. A list that is undefined or empty has no phrase. */
export function phrasesOf<K extends string>(lists: Readonly<Partial<Record<K, string>>>): Phrases<K> {
  const exact = new Map<string, Phrase<K>[]>();
  const prefixed = new Map<string, Phrase<K>[]>();
  const suffixed = new Map<string, Phrase<K>[]>();
  for (const key of Object.keys(lists) as K[]) {
    for (const written of (lists[key] ?? "").split("|")) {
      for (const phrase of readPhrase(key, written.trim())) {
        const [first] = phrase.parts;
        if (first === undefined) continue;
        if (first.mode === "suffix") add(suffixed, first.text.at(-1), phrase);
        else if (first.mode === "prefix") add(prefixed, first.text[0], phrase);
        else add(exact, first.text, phrase);
      }
    }
  }
  return { exact, prefixed, suffixed };
}

function add<K extends string>(map: Map<string, Phrase<K>[]>, key: string | undefined, phrase: Phrase<K>): void {
  if (key === undefined) return;
  const list = map.get(key);
  if (list === undefined) map.set(key, [phrase]);
  else list.push(phrase);
}

function readPhrase<K extends string>(key: K, written: string): Phrase<K>[] {
  const isFirst = written.startsWith("^");
  let sequences: Part[][] = [[]];
  for (const element of written.replace("^", "").split(" ")) {
    if (element === "") continue;
    const options = element === "…" ? [[{ mode: "gap" as const, text: "" }]] : element.split("/").map(partsOf);
    sequences = sequences.flatMap((sequence) => options.map((option) => [...sequence, ...option]));
  }
  return sequences.map((parts) => ({ key, parts, isFirst }));
}

function partsOf(element: string): Part[] {
  const tokens = tokensOf(element);
  return tokens.map(({ text }, index): Part => {
    if (element.endsWith("*") && index === tokens.length - 1) return { mode: "prefix", text };
    if (element.startsWith("*") && index === 0) return { mode: "suffix", text };
    return { mode: "exact", text };
  });
}

/** The longest phrase that begins at a token. */
export function hitAt<K extends string>(
  { exact, prefixed, suffixed }: Phrases<K>,
  tokens: readonly Token[],
  at: number,
): Hit<K> | undefined {
  const token = tokens[at];
  if (token === undefined) return undefined;
  let best: Hit<K> | undefined;
  for (const word of token.bare === undefined ? [token.text] : [token.text, token.bare]) {
    for (const list of [exact.get(word), prefixed.get(word[0] ?? ""), suffixed.get(word.at(-1) ?? "")]) {
      for (const { key, parts, isFirst } of list ?? []) {
        if (isFirst && at > 0) continue;
        const end = endOf(parts, tokens, at);
        if (end !== undefined && (end > (best?.end ?? 0) || (isFirst && end === best?.end)))
          best = { key, start: at, end };
      }
    }
  }
  return best;
}

function endOf(parts: readonly Part[], tokens: readonly Token[], start: number): number | undefined {
  let at = start;
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index];
    if (part === undefined) return undefined;
    if (part.mode === "gap") {
      const next = parts[index + 1];
      if (next === undefined) return at;
      const last = Math.min(tokens.length, at + GAP);
      while (at < last && !fits(next, tokens[at])) at++;
      continue;
    }
    if (!fits(part, tokens[at])) return undefined;
    at++;
  }
  return at;
}

function fits({ mode, text }: Part, token: Token | undefined): boolean {
  if (token === undefined) return false;
  return fitsWord(mode, text, token.text) || (token.bare !== undefined && fitsWord(mode, text, token.bare));
}

function fitsWord(mode: Mode, text: string, word: string): boolean {
  if (mode === "prefix") return word.startsWith(text);
  return mode === "suffix" ? word.endsWith(text) && word.length > text.length : word === text;
}

/** All phrases in some tokens, leftmost and longest first, none overlapping another. */
export function hitsIn<K extends string>(phrases: Phrases<K>, tokens: readonly Token[]): Hit<K>[] {
  const hits: Hit<K>[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const hit = hitAt(phrases, tokens, at);
    if (hit === undefined) continue;
    hits.push(hit);
    at = hit.end - 1;
  }
  return hits;
}

/** Whether any phrase is in the tokens. */
export function holdsPhrase(phrases: Phrases<string>, tokens: readonly Token[]): boolean {
  return tokens.some((_, at) => hitAt(phrases, tokens, at) !== undefined);
}
