import { languageOf } from "./languages.ts";
import { bracketsOf } from "./sentences/brackets.ts";
import { endsSentence, type Stop } from "./sentences/stops.ts";

/** A sentence where it stands in a text. */
export interface Sentence {
  /** As it is written, without blanks around it. */
  readonly text: string;
  /** Where it begins, in UTF-16 units. */
  readonly start: number;
  /** Where it ends: the first unit that is no part of it. */
  readonly end: number;
}

/** Stops of the scripts in use, but for the comma of Burmese. Listed, since a class by property takes ten times as long. */
const MARKS = "[.!?…։؞؟۔܀-܂߹।॥။።፧፨᙮។៕᠃᠉᥄᥅᱾᱿․‼‽⁇-⁉⸮。꓿꘎꘏꡶꡷︒︕︖﹒﹖﹗！．？｡]";

/** Stops; two word spaces, which are one in Ethiopic; a Greek question mark; what parts paragraphs. */
const STOPS = String.raw`${MARKS}+|፡፡|(?<=[\u0370-\u03ff\u1f00-\u1fff])[;\u037e]|\n[^\S\n]*\n|\u2029`;
const STOP = new RegExp(STOPS, "g");

const THAI_OR_LAO = /[\u0e01-\u0eff]/;
const STOP_OR_BLANK = new RegExp(
  String.raw`${STOPS}|(?<=[\u0e01-\u0e45\u0e47-\u0eff])[^\S\n]+(?=[\u0e01-\u0e2e\u0e30-\u0e45\u0e47-\u0eff])`,
  "g",
);

/** Thai ends a sentence with a blank, which parts names and lists as well: a piece is to be as long as a clause. */
const MIN_THAI = 50;

/**
 * What closes after a stop and belongs to the sentence: quotes, brackets, "[1]" and "[citation needed]". Some quotes
 * open in one language and close in another (“ in German): they open where a letter follows.
 */
const CLOSERS =
  /(?:[\p{Pe}\p{Pf}"'’]|\p{Pi}(?![\p{L}\p{N}])|[ \u00a0\u202f]»(?![\p{L}\p{N}])|\[[^\n[\]]{1,40}\](?!\()|[¹²³⁰⁴-⁹]|\ufe0f|\p{Emoji_Presentation})*/uy;

/**
 * The sentences of a text in any script, in order. The end of a line ends none, an empty line does. Nothing is cut: a
 * text without stops is one sentence.
 *
 * A full stop ends none behind an abbreviation, an initial or an ordinal number, nor where a small letter follows.
 * `language` says whose abbreviations these are; without it the text tells. Of Thai and Lao, which write no stops, pieces
 * between blanks are taken that are about as long as a sentence.
 */
export function sentencesOf(text: string, language?: string): Sentence[] {
  const sentences: Sentence[] = [];
  let told: { readonly language: string | undefined } | undefined;
  const languageOfText = () => language ?? (told ??= { language: languageOf(text) }).language;
  const isBracketed = bracketsOf(text);
  let open = 0;
  const close = (end: number) => {
    const sentence = trimmed(text, open, end);
    if (sentence !== undefined) sentences.push(sentence);
    open = end;
  };
  for (const { 0: marks, index } of text.matchAll(THAI_OR_LAO.test(text) ? STOP_OR_BLANK : STOP)) {
    const after = index + marks.length;
    if (marks.trim() === "") {
      if (/[\n\u2029]/.test(marks) || index - open >= MIN_THAI) close(after);
      continue;
    }
    const end = closed(text, after);
    const stop: Stop = { marks, sentence: open, start: index, after, end };
    if (!isBracketed(end) && endsSentence(text, stop, languageOfText)) close(end);
  }
  close(text.length);
  return sentences;
}

function closed(text: string, after: number): number {
  // Most stops have a blank after them: looking at it costs less than the pattern.
  if (text.charAt(after) === " " && text.charAt(after + 1) !== "»") return after;
  CLOSERS.lastIndex = after;
  return CLOSERS.test(text) ? CLOSERS.lastIndex : after;
}

function trimmed(text: string, from: number, to: number): Sentence | undefined {
  const written = text.slice(from, to);
  const sentence = written.trim();
  if (sentence === "") return undefined;
  const start = from + written.length - written.trimStart().length;
  return { text: sentence, start, end: start + sentence.length };
}
