import * as z from "zod/mini";
import { integer, optionalNullable } from "./values.ts";

/** A document that comes close to a question nobody answered. It is not cited. */
export const ClosestDocument = z.looseObject({
  document_id: z.string(),
  title: z.string(),
  link: optionalNullable(z.string()),
  /** The sentence that comes closest, at most 160 characters. */
  sentence: z.string(),
});
export type ClosestDocument = z.infer<typeof ClosestDocument>;

/** One of several sources that say different things about what was asked. */
export const DifferingSource = z.looseObject({
  document_id: z.string(),
  title: z.string(),
  link: optionalNullable(z.string()),
  updated_at: optionalNullable(z.string()),
  /** What it says of it, in a few words. */
  says: z.string(),
});
export type DifferingSource = z.infer<typeof DifferingSource>;

/** A word of the question that was read as another one. */
export const CorrectedWord = z.looseObject({ written: z.string(), read: z.string() });
export type CorrectedWord = z.infer<typeof CorrectedWord>;

/**
 * What a sentence of a model's answer says that the sources it cites do not, for programs: the answer's text says the
 * same in words. Of the embedded service alone.
 */
export const NotInSource = z.looseObject({
  citation_numbers: z.array(integer),
  /** Numbers, dates and names, as the sentence writes them. */
  values: z.array(z.string()),
  /** The sources say the opposite in the same words. */
  opposite: z.boolean(),
});
export type NotInSource = z.infer<typeof NotInSource>;

/**
 * How an answer stands to its question, for programs: the answer's text says the same in words. Of the embedded
 * service, which quotes documents; not specified, and deployed servers send none.
 */
export const Finding = z.looseObject({
  /**
   * `quote`: documents answer it, and are quoted; `closest`: none does, and those that come closest are named;
   * `nothing`: nothing comes close. Later servers may say more.
   */
  state: z.string(),
  /** Why nothing answers, one sentence in the question's language. */
  reason: optionalNullable(z.string()),
  /** At most three documents, the closest first. */
  closest: z._default(z.array(ClosestDocument), []),
  /** Newest first; empty where the sources agree. */
  conflict: z._default(z.array(DifferingSource), []),
  corrected: z._default(z.array(CorrectedWord), []),
});
export type Finding = z.infer<typeof Finding>;
