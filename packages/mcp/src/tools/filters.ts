import { type BaseFilters, parseMoment } from "@threadlore/client/models";
import * as z from "zod";

/** A day, or a moment with its zone; or nothing, which many models send. They read it: the library's own pattern takes a screen, for leap years. */
const MOMENT = /^(\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?)?$/;
const WHEN = "Give a day as 2026-01-31, or a moment as 2026-01-31T09:00:00Z";

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
    .string()
    .regex(MOMENT, { error: WHEN, abort: true })
    .refine((since) => since === "" || parseMoment(since) !== undefined, WHEN)
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
  return {
    documentSets: isNarrowing(documentSets) ? documentSets : undefined,
    sources: isNarrowing(sources) ? sources : undefined,
    since: since === undefined || since === "" ? undefined : momentOf(since),
  };
}

/** Many models send what they leave empty: that is no filter. */
function isNarrowing(wished: string | readonly string[] | undefined): boolean {
  return wished !== undefined && wished.length > 0;
}

/** Midnight of the day, where only a day is said. */
function momentOf(since: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(since) ? `${since}T00:00:00Z` : since;
}

/** Behind a result that found nothing: what it may be owed to; "" where nothing narrows. */
export function narrowedWords(asked: Filters): string {
  const narrowing = FIELDS.filter((field) => isNarrowing(asked[field]));
  if (narrowing.length === 0) return "";
  return `\nOnly a part of the documents was looked through (${narrowing.join(", ")}): without that there may be more.`;
}

const FIELDS = ["document_sets", "sources", "since"] as const;
