/** What of a document could stand in its summary: sentences and entries, lists and tables told in one line. */
import { termsOf } from "@threadlore/language/stems";
import type { Unit } from "../extracted/quotable.ts";
import { plainTextOf } from "./plain.ts";
import type { Outline, Paragraph } from "./sections.ts";
import { isBoilerplate, isQuestion, isSidePart, pointsBack } from "./standing-alone.ts";
import { fitting, toldTable } from "./table.ts";

/** How a point says what it says: in the document's own words, or as the names of what a list or table holds. */
export type PointKind = "sentence" | "entry" | "list" | "table";

/** A point that may be chosen. */
export interface PossiblePoint {
  readonly text: string;
  readonly kind: PointKind;
  readonly heading: string;
  readonly section: number;
  /** Which paragraph it is of. */
  readonly paragraph: number;
  /** Whether it is the first thing said in its section, and in its paragraph. */
  readonly opensSection: boolean;
  readonly opensParagraph: boolean;
  /** Whether its section is one that every document has. */
  readonly isAside: boolean;
  readonly terms: ReadonlySet<string>;
}

/** Characters a list or table is told in. */
const MAX_TOLD = 160;
/** A sentence has at least so many words that say something, and so many letters. */
const MIN_TERMS = 3;
const MIN_LETTERS = 20;
/** Entries that are shorter on average name things, and make sense together; longer ones do alone. */
const NAMES_LENGTH = 45;

/** The possible points of a document, in order. */
export function possiblePoints(outline: Outline, language: string | undefined): PossiblePoint[] {
  const points: PossiblePoint[] = [];
  let section = -1;
  let intro = "";
  for (const [index, paragraph] of outline.paragraphs.entries()) {
    const isFirst = paragraph.section !== section;
    if (isFirst) intro = "";
    ({ section } = paragraph);
    for (const { text, kind, opens } of toldOf(paragraph, intro, language)) {
      const terms = new Set(termsOf(plainTextOf(text), language, { characters: "pairs" }));
      if (terms.size < (kind === "sentence" ? MIN_TERMS : 2)) continue;
      const { heading } = paragraph;
      const place = { heading, section, paragraph: index, isAside: isSidePart(heading) };
      points.push({ text, kind, ...place, opensSection: isFirst && opens, opensParagraph: opens, terms });
    }
    intro = introIn(paragraph.units.at(-1));
  }
  return points;
}

interface Told {
  readonly text: string;
  readonly kind: PointKind;
  /** Whether nothing is said before it in its paragraph. */
  readonly opens: boolean;
}

/** What a paragraph says, piece by piece. `intro` is the line that ends in a colon before it. */
function toldOf(paragraph: Paragraph, intro: string, language: string | undefined): Told[] {
  if (paragraph.table !== undefined) {
    const text = toldTable(paragraph.table, MAX_TOLD);
    if (text !== undefined) return [{ text, kind: "table", opens: true }];
  }
  const told: Told[] = [];
  let entries: Unit[] = [];
  let before = intro;
  const endList = () => {
    if (entries.length > 0) told.push(...toldList(entries, before, language));
    entries = [];
  };
  for (const unit of paragraph.units) {
    if (unit.kind === "entry") {
      entries.push(unit);
      continue;
    }
    endList();
    before = introIn(unit);
    if (unit.kind !== "sentence" || !isComplete(unit.text, language)) continue;
    told.push({ text: unit.text, kind: "sentence", opens: unit.index === 0 });
  }
  endList();
  return told;
}

function introIn(unit: Unit | undefined): string {
  return unit?.kind === "sentence" && /[:：]$/.test(unit.text) && unit.text.length <= MAX_TOLD / 2 ? unit.text : "";
}

/** A list of names is told in one line; of other lists each entry is told, so far as it makes sense alone. */
function toldList(entries: readonly Unit[], intro: string, language: string | undefined): Told[] {
  const texts = entries.map(({ text }) => plainTextOf(text));
  const length = texts.reduce((sum, text) => sum + widthOf(text), 0) / texts.length;
  const areSentences = texts.filter((text) => /[.。!！।۔]$/u.test(text)).length * 2 > texts.length;
  const areNames = length <= NAMES_LENGTH || (intro !== "" && length <= MAX_TOLD / 2);
  if (texts.length >= 2 && areNames && !areSentences) {
    const lead = intro === "" || pointsBack(intro, language) ? "" : `${intro} `;
    const names = texts.map((text) => text.replace(/[\s.;,。；、]+$/, ""));
    const told = fitting(names, MAX_TOLD - lead.length, "; ");
    return told === "" ? [] : [{ text: lead + told, kind: "list", opens: entries[0]?.index === 0 }];
  }
  return entries.flatMap(({ text, index }) =>
    isComplete(text, language) ? [{ text, kind: "entry" as const, opens: index === 0 }] : [],
  );
}

/** How much room a text takes; a character of Chinese or Japanese counts as two letters. */
function widthOf(text: string): number {
  return text.length + (text.match(WIDE)?.length ?? 0);
}

const WIDE = /[\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}]/gu;

/** Whether a sentence can be read alone and is worth it. */
function isComplete(written: string, language: string | undefined): boolean {
  const text = plainTextOf(written);
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters + widthOf(text) - text.length < MIN_LETTERS || letters * 2 < text.length) return false;
  // Cut in the middle, or the beginning of a list.
  if (/(?: …|[:：])$/.test(text)) return false;
  return !isQuestion(text) && !isBoilerplate(text) && !pointsBack(text, language);
}
