import type { BaseFilters } from "@threadlore/client/models";
import * as z from "zod";

/** What narrows a question or a search. */
export const Filters = z.object({
  document_sets: z
    .array(z.string())
    .max(100)
    .optional()
    .describe("Names of document sets; threadlore://sources lists them."),
  sources: z
    .array(z.string())
    .max(100)
    .optional()
    .describe("Systems the documents are from, such as web, file or slack."),
  since: z
    .union([z.iso.date(), z.iso.datetime({ offset: true })], "Give a day as 2026-01-31, or 2026-01-31T09:00:00Z")
    .optional()
    .describe("Only documents that changed on or after this day, as 2026-01-31, or moment (UTC)."),
});
export type Filters = z.infer<typeof Filters>;

/** The same for a question, in the wire's names; undefined where nothing narrows. */
export function filtersOf(filters: Filters): BaseFilters | undefined {
  const { documentSets, sources, since } = wishOf(filters);
  if (documentSets === undefined && sources === undefined && since === undefined) return undefined;
  return { document_set: documentSets, source_type: sources, time_cutoff: since };
}

/** The same for a search. */
export function wishOf({ document_sets: documentSets, sources, since }: Filters) {
  return { documentSets, sources, since: since === undefined ? undefined : momentOf(since) };
}

/** Midnight of the day, where only a day is said. */
function momentOf(since: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(since) ? `${since}T00:00:00Z` : since;
}

/** Behind a result that found nothing: what it may be owed to; "" where nothing narrows. */
export function narrowedWords(asked: Filters): string {
  const narrowing = FIELDS.filter((field) => asked[field] !== undefined);
  if (narrowing.length === 0) return "";
  return `\nOnly a part of the documents was looked through (${narrowing.join(", ")}): without that there may be more.`;
}

const FIELDS = ["document_sets", "sources", "since"] as const;
