import type { IngestionDocument } from "@threadlore/client/models";

/** What a tag is worth in characters of text: each is a row of its own. */
const TAG_WEIGHT = 1_000;

/** What writing a document weighs: characters of all there is of a document, so that a heavy one holds up no small ones of others. */
export function weightOf(document: IngestionDocument): number {
  const tags = Object.values(document.metadata).reduce((count: number, value) => count + [value].flat().length, 0);
  return JSON.stringify(document).length + tags * TAG_WEIGHT;
}
