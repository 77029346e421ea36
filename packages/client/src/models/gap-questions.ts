/** What is told to a server about gaps; what it tells stands in `gaps.ts`, so that who only reads does not load this. */
import * as z from "zod/mini";
import { dateTime, optionalNullable, requestObject } from "./values.ts";

/** Characters of a question that are looked at. */
export const MAX_GAP_QUESTION = 4_000;
/** Characters of the references a caller gives. */
export const MAX_GAP_REFERENCE = 200;

const reference = (what: string) =>
  z
    .string()
    .check(
      z.minLength(1, `Give ${what}`),
      z.maxLength(MAX_GAP_REFERENCE, `Give ${what} in at most ${MAX_GAP_REFERENCE} characters`),
    );

/**
 * Why a question is part of a gap. `nothing`: the documents held no answer; `bad_mark`: the answer was marked as bad;
 * `human`: its asker wanted a person.
 */
export const GapReason = z.enum(["nothing", "bad_mark", "human"]);
export type GapReason = z.infer<typeof GapReason>;

/** A question that ended without an answer, as whoever asked it for somebody tells it. */
export const GapQuestion = requestObject({
  /** The caller's own name for it. Told again, it is the same question: its reasons gather, and it may have become shared. */
  ref: reference("your reference of the question"),
  /** Its words. Of a question that is not shared they are compared with others, and not kept. */
  question: z
    .string()
    .check(
      z.minLength(1, "Give the question"),
      z.maxLength(MAX_GAP_QUESTION, `Give at most ${MAX_GAP_QUESTION} characters of the question`),
    ),
  /** Whose question it is, in the caller's own words: what is counted are people. */
  asker: reference("who asked"),
  /** Others than the asker may read its words: it stands in a public channel, or its asker agreed. */
  is_shared: z.boolean(),
  reason: GapReason,
  /** When it was asked. Absent: now. */
  asked_at: optionalNullable(dateTime),
});
export type GapQuestion = z.infer<typeof GapQuestion>;

/** A question that was noted, by the caller's own name for it. */
export const SameQuestion = requestObject({ ref: reference("your reference of the question") });
export type SameQuestion = z.infer<typeof SameQuestion>;

/** The document that answers a gap. */
export const GapClosing = requestObject({
  document_id: z.string().check(z.minLength(1, "Say which document answers it")),
});
export type GapClosing = z.infer<typeof GapClosing>;

/** Questions that are asked after in one call. */
export const MAX_GAP_REFERENCES = 200;

/** Questions that are asked after, by the caller's own names for them. */
export const GapReferences = requestObject({
  refs: z
    .array(reference("your reference of each question"))
    .check(
      z.minLength(1, "Give the references of some questions"),
      z.maxLength(MAX_GAP_REFERENCES, `Give at most ${MAX_GAP_REFERENCES} references`),
    ),
});
export type GapReferences = z.infer<typeof GapReferences>;
