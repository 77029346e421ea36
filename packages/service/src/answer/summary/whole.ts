/** What a question about a document or page as a whole is about, and its main points. */
import { foldedWordsOf } from "@threadlore/language";
import { termsOf } from "@threadlore/language/stems";
import type { ServiceContext } from "../../context.ts";
import { tellableText } from "../../kept/kept-text.ts";
import { documentNumbered } from "../../store/documents.ts";
import type { Quote } from "../extracted/choosing.ts";
import type { LocalText } from "../retrieve.ts";
import { type Evidence, type Source, sourcesOf } from "../source.ts";
import { type Unit, unitsOf } from "../extracted/quotable.ts";
import { leadingPoints } from "./leading-points.ts";
import { withoutDocumentWords } from "./document-words.ts";
import { summaryAsked } from "./summary-asked.ts";
import type { Steps } from "../../store/steps.ts";

/** The main points of one or several sources. */
export interface Summary {
  /** What is summarised; undefined: what came along. */
  readonly title: string | undefined;
  /** So short that the points are all of it. */
  readonly isWhole: boolean;
  readonly points: readonly Quote[];
}

/** How many of the words by which a document is named its title must hold. */
const NAMED = 0.6;
/** A text of so few sentences is its own summary. */
const FEW_UNITS = 4;
/** What is longer in all is no summary of itself, however few pieces it is in: a block of code is one. */
const MAX_WHOLE = 3_000;
/** Points of all that came along, where it is several texts. */
const MAX_POINTS = 6;

/**
 * The main points a question asks for; undefined where it asks for something else, or names nothing that was found.
 * @param evidence what was found for the question, the best first
 * @param texts that came along with it
 */
export async function summaryFor(
  { store }: Pick<ServiceContext, "store">,
  { text, language }: { readonly text: string; readonly language: string | undefined },
  evidence: readonly Evidence[],
  texts: readonly LocalText[],
): Promise<Summary | undefined> {
  const asked = summaryAsked(text, language);
  if (asked === undefined) return undefined;
  const { about } = asked;
  if (about === undefined) return texts.length === 0 ? undefined : ofTexts(texts, undefined);
  const named = bestNamed(about, [...texts.map(({ source }) => source), ...sourcesOf(evidence)], language);
  if (named === undefined) return undefined;
  const local = texts.find(({ source }) => source === named);
  return ofTexts([local ?? { source: named, text: await store.read(wholeText(named)) }], named.title);
}

function ofTexts(texts: readonly LocalText[], title: string | undefined): Summary | undefined {
  const most = Math.max(1, Math.floor(MAX_POINTS / texts.length));
  const length = texts.reduce((sum, { text }) => sum + text.length, 0);
  const all = length > MAX_WHOLE ? [] : texts.map((text) => ({ ...text, units: unitsOf(text.text) }));
  if (all.length > 0 && all.every(({ units }) => units.length <= FEW_UNITS)) {
    const points = all.flatMap(beginning(FEW_UNITS));
    return points.length === 0 ? undefined : { title, isWhole: true, points };
  }
  const points = texts.flatMap(({ source, text }) =>
    leadingPoints(text, { title: source.title, most }).map((point): Quote => ({
      source,
      text: point.text,
      kind: "entry",
    })),
  );
  // Where nothing in it makes a point by itself, it begins with what it is about.
  const told = points.length > 0 ? points : all.flatMap(beginning(most));
  return told.length === 0 ? undefined : { title, isWhole: false, points: told };
}

const beginning =
  (most: number) =>
  ({ source, units }: { readonly source: Source; readonly units: readonly Unit[] }): Quote[] =>
    units.slice(0, most).map(({ text, kind }) => ({ source, text, kind }));

/**
 * The source whose title holds most of what a document is called by; of several that do, the one that holds more of it as
 * it is written, then the one called by little else, then the newest.
 */
function bestNamed(about: string, sources: readonly Source[], language: string | undefined): Source | undefined {
  const named = withoutDocumentWords(about);
  const wanted = new Set(termsOf(named, language));
  const written = new Set(foldedWordsOf(named));
  let best: { readonly source: Source; readonly fit: readonly number[] } | undefined;
  for (const source of sources) {
    const titled = [...new Set(termsOf(withoutDocumentWords(source.title), language))];
    const shared = titled.filter((term) => wanted.has(term)).length;
    const share = shared / Math.max(1, wanted.size);
    const asWritten = foldedWordsOf(source.title).filter((word) => written.has(word)).length;
    const fit = [share, asWritten, shared / Math.max(1, titled.length), changedAt(source)];
    if (share >= NAMED && (best === undefined || isBetter(fit, best.fit))) best = { source, fit };
  }
  return best?.source;
}

function changedAt({ document }: Source): number {
  const time = Date.parse(document.updated_at ?? "");
  return Number.isNaN(time) ? 0 : time;
}

function isBetter(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at !== -1 && (one[at] ?? 0) > (other[at] ?? 0);
}

function* wholeText({ number }: Source): Steps<string> {
  const document = number === undefined ? undefined : yield* documentNumbered(number);
  return document === undefined ? "" : tellableText(document);
}
