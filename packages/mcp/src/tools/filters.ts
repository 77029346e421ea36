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
  since: z.iso
    .date()
    .or(z.iso.datetime({ offset: true }))
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
