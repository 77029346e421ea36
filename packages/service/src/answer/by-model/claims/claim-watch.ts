/**
 * Finds the sentences of a growing text that carry citations, while it passes through. What is doubtful about one is told
 * right behind it: nothing is held back but a full stop that may not be the end, with the marks and closing signs behind it.
 */
import { sentencesOf } from "@threadlore/language";
import type { Doubt } from "./claim.ts";

/** What comes out: text as it came in, or what is doubtful about the sentence before. */
export type Watched = { readonly text: string } | { readonly doubt: Doubt; readonly cited: readonly number[] };

/** Tells what is doubtful about a sentence that cites these numbers. */
export type Judge = (claim: string, cited: readonly number[]) => Doubt | undefined;

/** What is remembered of a line; a longer sentence is judged by its end. */
const MAX_LINE = 2_000;
/** So many full stops behind a mark are looked at more closely: the next one ends the sentence whatever it is. */
const MAX_LOOKS = 8;

/** Full stops in a row, and signs behind them, that are looked at; every count has its limit, so that no text is read twice. */
const STOP = String.raw`(?<![.!?…])[.!?…]{1,8}["'”’»)*_\]]{0,8}`;
const CJK_STOP = String.raw`(?<![。！？])[。！？]{1,8}[」』）"*_]{0,8}`;
/** Where a sentence may end: a line, a full stop, a cell of a table. */
const END = new RegExp(String.raw`\n|\||${STOP}(?=\s)|${CJK_STOP}`, "gu");
/** What may turn out to be such an end with what follows. */
const UNDECIDED = new RegExp(String.raw`(?:${STOP}|${CJK_STOP})?\s*$`, "u");
/** A text that ends with a whole sentence: a mark behind it belongs to that. */
const WHOLE = new RegExp(String.raw`(?:${STOP}|${CJK_STOP})\s*$`, "u");
/** Characters at the end of a text that these two look at. */
const TAIL = 40;

interface Mark {
  readonly number: number;
  /** Where it stands in the line. */
  readonly at: number;
}

/** The sentences of a text on its way out. */
export class ClaimWatch {
  readonly #judge: Judge;
  /** The line so far, without marks, from its last judged sentence on. */
  #line = "";
  #marks: Mark[] = [];
  /** What has come and may be the end of a sentence, or stand behind it. */
  #held = "";
  #looks = 0;

  constructor(judge: Judge) {
    this.#judge = judge;
  }

  /** Takes more text in; gives what is decided. */
  push(text: string): Watched[] {
    if (this.#marks.length === 0) {
      this.#remember(text);
      return [{ text }];
    }
    this.#held += text;
    const out: Watched[] = [];
    while (this.#marks.length > 0) {
      const end = this.#end();
      if (end === undefined) break;
      this.#pass(out, end);
      this.#close(out);
    }
    const kept = this.#marks.length === 0 ? 0 : (UNDECIDED.exec(this.#held.slice(-TAIL))?.[0].length ?? 0);
    this.#pass(out, this.#held.length - kept);
    return out;
  }

  /** A mark follows. What was held back stands before it. */
  cite(number: number): Watched[] {
    const out: Watched[] = [];
    this.#pass(out, this.#held.length);
    this.#marks.push({ number, at: this.#line.length });
    return out;
  }

  /** Nothing follows. */
  end(): Watched[] {
    const out: Watched[] = [];
    const end = this.#held.trimEnd().length;
    this.#pass(out, end);
    this.#close(out);
    this.#pass(out, this.#held.length);
    this.#line = "";
    return out;
  }

  /** Where in what is held the sentence ends; undefined: it goes on, or too little has come to tell. */
  #end(): number | undefined {
    const isTable = /^\s*\|/.test(this.#line);
    if (WHOLE.test(this.#line.slice(-TAIL)) && /\S/.test(this.#held)) return 0;
    for (const { 0: found, index } of this.#held.matchAll(END)) {
      if (found === "\n") return index;
      if (found === "|") {
        if (isTable) return index - (this.#held.slice(0, index).match(/ $/)?.[0].length ?? 0);
        continue;
      }
      const end = index + found.length;
      const rest = this.#held.slice(end);
      // Told once the next word has begun.
      if (!/\S/.test(rest)) return undefined;
      if (/^[^\S\n]*\n/.test(rest) || this.#looks >= MAX_LOOKS || this.#isEnd(index, end)) return end;
      this.#looks++;
    }
    return undefined;
  }

  #isEnd(stop: number, end: number): boolean {
    const before = this.#line.length;
    // Stars around a sentence close behind it, as quotation marks do.
    const text = (this.#line + this.#held.slice(0, end + 20)).replace(/[*_]/g, '"');
    return sentencesOf(text).some((sentence) => sentence.end > before + stop && sentence.end <= before + end);
  }

  #pass(out: Watched[], length: number): void {
    if (length === 0) return;
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    this.#remember(text);
    out.push({ text });
  }

  #remember(text: string): void {
    this.#line += text;
    const from = Math.max(this.#line.lastIndexOf("\n") + 1, this.#line.length - MAX_LINE);
    if (from === 0) return;
    this.#line = this.#line.slice(from);
    this.#marks = this.#marks.map(({ number, at }) => ({ number, at: Math.max(0, at - from) }));
  }

  /** Judges the sentences that carry marks, and forgets them. */
  #close(out: Watched[]): void {
    for (const [claim, cited] of this.#claims()) {
      const doubt = this.#judge(claim, cited);
      if (doubt !== undefined) out.push({ doubt, cited });
    }
    // A cell of a table is to be read with those before it.
    if (!/^\s*\|/.test(this.#line)) this.#line = "";
    this.#marks = [];
    this.#looks = 0;
  }

  #claims(): Map<string, number[]> {
    const claims = new Map<string, number[]>();
    const line = this.#line;
    const isTable = /^\s*\|/.test(line);
    const sentences = isTable ? [{ text: line, start: 0 }] : sentencesOf(line);
    for (const { number, at } of this.#marks) {
      const claim = (sentences.findLast(({ start }) => start < at) ?? sentences[0])?.text ?? "";
      if (!/[\p{L}\p{N}]/u.test(claim)) continue;
      const cited = claims.get(claim) ?? [];
      if (!cited.includes(number)) cited.push(number);
      claims.set(claim, cited);
    }
    return claims;
  }
}
