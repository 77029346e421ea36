/** What is told to a server about asks; what it tells stands in `asks.ts`, so that who only reads does not load this. */
import * as z from "zod/mini";
import { MAX_GAP_QUESTION } from "./gap-questions.ts";
import { optionalNullable, requestObject } from "./values.ts";

/** Characters of a name somebody wants to be called by. */
export const MAX_ASKER_NAME = 80;
/** Documents whose keepers are told of at once. */
export const MAX_KEPT_TOGETHER = 100;

/** What somebody wants to ask a person; by sending it they agree that people read these words. */
export const NewAsk = requestObject({
  question: z
    .string()
    .check(
      z.minLength(1, "Give the question"),
      z.maxLength(MAX_GAP_QUESTION, `Give at most ${MAX_GAP_QUESTION} characters of the question`),
    ),
  /** How they want to be called there. Absent: nobody is told who asks. */
  name: optionalNullable(
    z.string().check(z.maxLength(MAX_ASKER_NAME, `Give a name of at most ${MAX_ASKER_NAME} characters`)),
  ),
});
export type NewAsk = z.infer<typeof NewAsk>;

/** That an ask was shown to people. */
export const AskTaken = requestObject({
  /** Where; a link. */
  where: optionalNullable(z.string().check(z.maxLength(2_000, "Give a link of at most 2000 characters"))),
});
export type AskTaken = z.infer<typeof AskTaken>;

/** Documents somebody keeps, by their ids. */
export const KeptDocuments = requestObject({
  document_ids: z
    .array(z.string())
    .check(z.maxLength(MAX_KEPT_TOGETHER, `Give at most ${MAX_KEPT_TOGETHER} ids at once`)),
});
export type KeptDocuments = z.infer<typeof KeptDocuments>;
