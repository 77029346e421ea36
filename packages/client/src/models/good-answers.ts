/**
 * Good answers: shared questions whose answer people marked as good, with the documents it cited. They are what tests of
 * answers are made of. The specification has nothing of them; the embedded service offers them.
 */
import * as z from "zod/mini";
import { MAX_GAP_QUESTION, MAX_GAP_REFERENCE } from "./gap-questions.ts";
import { dateTime, optionalNullable, requestObject } from "./values.ts";

/** Documents one good answer may name. */
export const MAX_GOOD_DOCUMENTS = 50;

const reference = (what: string) =>
  z
    .string()
    .check(
      z.minLength(1, `Give ${what}`),
      z.maxLength(MAX_GAP_REFERENCE, `Give ${what} in at most ${MAX_GAP_REFERENCE} characters`),
    );

/** A question whose answer was marked as good, as whoever asked it for somebody tells it. Shared ones alone are told. */
export const GoodAnswer = requestObject({
  /** The caller's own name for the question. Told again, it is the same one, with the words and documents of now. */
  ref: reference("your reference of the question"),
  /** Its words, which others than the asker may read. */
  question: z
    .string()
    .check(
      z.minLength(1, "Give the question"),
      z.maxLength(MAX_GAP_QUESTION, `Give at most ${MAX_GAP_QUESTION} characters of the question`),
    ),
  /** Whose question it is, in the caller's own words: by that it is forgotten with its asker. */
  asker: reference("who asked"),
  /** What the answer cited; unknown ones are passed over. */
  document_ids: z
    .array(z.string())
    .check(
      z.minLength(1, "Give what it cited"),
      z.maxLength(MAX_GOOD_DOCUMENTS, `Give at most ${MAX_GOOD_DOCUMENTS} documents`),
    ),
  /** When it was asked. Absent: now. */
  asked_at: optionalNullable(dateTime),
});
export type GoodAnswer = z.infer<typeof GoodAnswer>;

/** A good answer in a list: the documents of it that are still there and that the caller may see. */
export const ListedGoodAnswer = z.looseObject({
  question: z.string(),
  document_ids: z.array(z.string()),
  asked_at: z.string(),
});
export type ListedGoodAnswer = z.infer<typeof ListedGoodAnswer>;

/** A page of good answers, in the order they were told; there are further ones behind `next`. */
export const GoodAnswerPage = z.looseObject({
  good_answers: z.array(ListedGoodAnswer),
  next: z.optional(z.nullable(z.string())),
});
export type GoodAnswerPage = z.infer<typeof GoodAnswerPage>;
