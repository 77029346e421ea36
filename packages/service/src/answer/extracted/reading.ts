/** Evidence as questions are compared with it: its units, and the terms of each. */
import { languageOf } from "@threadlore/language";
import { stem, termsOf } from "@threadlore/language/stems";
import type { Evidence } from "../source.ts";
import { type Unit, unitsOf } from "./quotable.ts";

/** A unit with its terms. */
export interface ReadUnit {
  readonly unit: Unit;
  /** In order, repeats included. Of a table's row: the values alone. */
  readonly terms: readonly string[];
  /** Of the heading within the passage and the names of a row's columns. */
  readonly above: ReadonlySet<string>;
}

/** A passage, read once for a question. */
export interface PassageAsRead {
  readonly evidence: Evidence;
  /** ISO 639-1; undefined where it cannot be told. */
  readonly language: string | undefined;
  readonly units: readonly ReadUnit[];
  /** Of its title and the headings above it. */
  readonly above: ReadonlySet<string>;
  /** Of everything in it, title and headings as well. */
  readonly all: ReadonlySet<string>;
}

/** What was read of evidence, as long as it is held: what is shown of a search and what is quoted read the same. */
const readings = new WeakMap<Evidence, { readonly hint: string | undefined; readonly passage: PassageAsRead }>();

/**
 * Reads a passage, once for all questions with the same hint.
 * @param hint the language it is in where its own words do not tell
 */
export function readPassage(evidence: Evidence, hint?: string): PassageAsRead {
  const known = readings.get(evidence);
  if (known !== undefined && known.hint === hint) return known.passage;
  const passage = readAnew(evidence, hint);
  readings.set(evidence, { hint, passage });
  return passage;
}

function readAnew(evidence: Evidence, hint: string | undefined): PassageAsRead {
  const { source, heading, text } = evidence;
  const language = evidence.language ?? languageOf(text) ?? hint;
  const above = new Set(termsWithJoined(`${source.title}\n${heading}`, language));
  const units = unitsOf(text, language).map((unit): ReadUnit => {
    const around = [unit.heading, unit.row?.columns.join(" ") ?? ""].join("\n");
    return {
      unit,
      terms: termsWithJoined(unit.row === undefined ? unit.text : unit.row.values, language),
      above: new Set(termsOf(around, language)),
    };
  });
  const all = new Set([...above, ...units.flatMap((unit) => [...unit.terms, ...unit.above])]);
  return { evidence, language, units, above, all };
}

/** "Wi-Fi", "e-mail": two words by their hyphen, and one to whoever asks about it. */
const HYPHENED = /(?<![\p{L}\p{N}-])(\p{L}+)[-‐‑](\p{L}+)(?![\p{L}\p{N}-])/gu;

function termsWithJoined(text: string, language: string | undefined): string[] {
  const joined = [...text.matchAll(HYPHENED)].map(([, one = "", other = ""]) => stem(one + other, language));
  return [...termsOf(text, language), ...joined];
}
