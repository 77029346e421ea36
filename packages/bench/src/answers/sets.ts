import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "@threadlore/testkit";
import type { Document } from "./collection.ts";

/** Sets are made in two parts: what was looked at while the service was written, and a third that nobody looked at. */
export type Part = "looked-at" | "frozen";

/** A question, and what answers it. */
export interface Question {
  readonly id: string;
  readonly part: Part;
  readonly q: string;
  /** Spans any of which is the answer; none: nothing in the collection answers it. */
  readonly gold: readonly string[];
  /** Id of the document that answers it, or that is about what is asked; null: none is. */
  readonly document: string | null;
}

/** A question to a handbook. */
export interface HandbookQuestion extends Question {
  /** In the words of the text, in others, or of what the text does not say. */
  readonly kind: "direct" | "everyday" | "unanswerable";
  readonly lang: string;
}

const SETS = join(import.meta.dirname, "../../sets");

function readSet<Entry>(name: string): Entry[] | undefined {
  const path = join(SETS, `${name}.json`);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Entry[]) : undefined;
}

/**
 * The questions to a handbook in one language, or in the words of everyday life in five. Those of `handbook-en` without an
 * answer come close to one on purpose; `handbook-plain` is what anybody asks.
 */
export function handbookQuestions(
  name: "handbook-en" | "handbook-plain" | "handbook-everyday" | "handbook-languages",
): HandbookQuestion[] {
  const rows = readSet<Omit<HandbookQuestion, "lang" | "kind"> & Partial<HandbookQuestion>>(name) ?? [];
  return rows.map(({ lang = "en", kind = "everyday", ...rest }) => ({
    ...rest,
    lang,
    kind,
    document: rest.document === null ? null : idIn(lang, rest.document),
  }));
}

/** The languages that there is a handbook in. */
export const LANGUAGES = ["en", "de", "fr", "es", "ja"] as const;

const idIn = (lang: string, file: string): string => `${lang}/${file}`;

/** The pages of a handbook: the first heading is a page's title. */
export function handbook(lang: string): Document[] {
  const folder = lang === "en" ? join(repositoryRoot, "packages/demo/handbook") : join(SETS, `handbook-${lang}`);
  const files = readdirSync(folder).filter((file) => file.endsWith(".md"));
  return files.toSorted().map((file) => {
    const text = readFileSync(join(folder, file), "utf8");
    const [, title = file, rest = text] = /^#\s+(.+)\n([\s\S]*)$/.exec(text) ?? [];
    return { id: idIn(lang, file), title, text: rest.trim() };
  });
}

/** A question with snippets that answer it and snippets that are about the same and do not. */
export interface NoiseQuestion {
  readonly id: string;
  readonly part: Part;
  readonly q: string;
  readonly gold: readonly string[];
  readonly holds: readonly { readonly title: string; readonly text: string }[];
  readonly wrong: readonly { readonly title: string; readonly text: string }[];
}

/**
 * The questions among noise of that name; undefined where there is no such set. What is wrong in `noise-…` is wrong by one
 * thing, on purpose; `news-…` is what a search for news gives back.
 */
export function noiseQuestions(name: string): NoiseQuestion[] | undefined {
  return readSet(name);
}

/** Two documents, and whether what they say to a question contradicts. */
export interface DocumentPair {
  readonly id: string;
  readonly part: Part;
  readonly contradicts: boolean;
  readonly q: string;
  readonly documents: readonly { readonly title: string; readonly date: string; readonly text: string }[];
  /** Of each document, the spans that say its fact. */
  readonly facts: readonly (readonly string[])[];
}

/**
 * The pairs of documents that contradict, and those that only look so: in long documents that hardly share a word, in
 * short ones that are worded alike, and in a company's own, where what only looks so is of another country, role, version,
 * floor or year, or a part of it. Undefined where there is no such set.
 */
export function documentPairs(
  name: "contradictions" | "contradictions-more" | "contradictions-company",
): DocumentPair[] | undefined {
  return readSet(name);
}

/** A directory of lighthouses, whose entries are made of a few sentences, and facts that stand in one entry each. */
export interface Lighthouses {
  readonly lang: string;
  readonly title: string;
  readonly names: readonly string[];
  /** With `{name}` and `{a}` to `{e}`, numbers, to fill in. */
  readonly sentences: readonly string[];
  /** At which name each stands, and what is asked of it. */
  readonly facts: readonly { readonly at: number; readonly text: string; readonly q: string; readonly part: Part }[];
}

/** Directories in Russian and in Arabic. */
export function lighthouses(): Lighthouses[] {
  return readSet("lighthouses") ?? [];
}
