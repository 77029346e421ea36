/** The main points of a document in its own words, without a model: spread over its parts, by place and by what it repeats. */
import { languageOf } from "@threadlore/language";
import { chosenPoints } from "./choosing-points.ts";
import { type PointKind, possiblePoints } from "./possible-points.ts";
import { outlineOf } from "./sections.ts";
import { sampleOf } from "./sample.ts";

/** One point of a summary. */
export interface Point {
  /** Of a sentence or entry: as it stands in the document, on one line. Of a list or table: what it holds, told in one line. */
  readonly text: string;
  /** The heading it stands below; "" where there is none but the document's own title. */
  readonly heading: string;
  readonly kind: PointKind;
}

/** How long a summary may be. */
export interface SummaryOptions {
  /** ISO 639-1; by default it is told from the text. */
  readonly language?: string | undefined;
  /** What the document is called, where it does not say so itself. */
  readonly title?: string | undefined;
  /** Points. Default 6. */
  readonly most?: number | undefined;
  /** Characters of all their texts together. Default 900. */
  readonly characters?: number | undefined;
}

/**
 * The leading points of a document, in reading order: each makes sense alone, no two say nearly the same, and they come
 * from all over it. Empty where nothing in it is a sentence, an entry or a table. Linear in the length of the text.
 */
export function leadingPoints(text: string, options: SummaryOptions = {}): Point[] {
  const { title = "", most = 6, characters = 900 } = options;
  const read = sampleOf(text);
  const language = options.language ?? languageOf(read);
  const outline = outlineOf(read, language);
  const points = possiblePoints(outline, language);
  const chosen = chosenPoints(points, { titles: `${title}\n${outline.title}`, language, most, characters });
  return chosen.map(({ text: said, heading, kind }) => ({ text: said, heading, kind }));
}
