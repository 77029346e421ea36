/**
 * Gaps: alike questions that nobody could answer, and what became of them. The specification has nothing of them; the
 * embedded service offers them, and every other server may.
 */
import * as z from "zod/mini";
import { dateTime, integer, optionalNullable, requestObject } from "./values.ts";

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

/** `open`: nobody wrote it down; `closed`: a document answers it; `dismissed`: it is no question for this knowledge. */
export const GapState = z.enum(["open", "closed", "dismissed"]);
export type GapState = z.infer<typeof GapState>;

/** What became of a question that was noted. */
export const NotedQuestion = z.looseObject({
  gap_id: integer,
  state: GapState,
  /** The document that answers it, where it is closed. */
  document_id: z.optional(z.nullable(z.string())),
  /** It is the first of its gap. */
  is_new: z.boolean(),
});
export type NotedQuestion = z.infer<typeof NotedQuestion>;

/** A gap, for who looks after the knowledge. */
export const Gap = z.looseObject({
  gap_id: integer,
  state: GapState,
  /** A shared question that stands for all; null: every one of them is private. */
  question: z.nullable(z.string()),
  /** How many different people asked, and how many questions that were; of these so many are private. */
  people: integer,
  questions: integer,
  private_questions: integer,
  /** How many of its questions are there for this reason; one may be for several. */
  reasons: z.looseObject({ nothing: integer, bad_mark: integer, human: integer }),
  first_asked_at: z.string(),
  last_asked_at: z.string(),
  closed_at: z.optional(z.nullable(z.string())),
  document_id: z.optional(z.nullable(z.string())),
});
export type Gap = z.infer<typeof Gap>;

/** A page of gaps, those first that most people wait for; `has_more`: there are further ones behind `next`. */
export const GapPage = z.looseObject({ gaps: z.array(Gap), next: z.optional(z.nullable(z.string())) });
export type GapPage = z.infer<typeof GapPage>;

/** A gap with the words of its shared questions, oldest first, at most a hundred. */
export const GapDetail = z.extend(Gap, {
  shared_questions: z.array(z.looseObject({ question: z.string(), asked_at: z.string() })),
});
export type GapDetail = z.infer<typeof GapDetail>;

/** The document that answers a gap. */
export const GapClosing = requestObject({
  document_id: z.string().check(z.minLength(1, "Say which document answers it")),
});
export type GapClosing = z.infer<typeof GapClosing>;
