/**
 * Gaps: alike questions that nobody could answer, and what became of them. The specification has nothing of them; the
 * embedded service offers them, and every other server may.
 */
import * as z from "zod/mini";
import { integer } from "./values.ts";

/** `open`: nobody wrote it down; `closed`: a document answers it; `dismissed`: it is no question for this knowledge. */
export const GapState = z.literal(["open", "closed", "dismissed"]);
export type GapState = z.infer<typeof GapState>;

/** A gap a question may be of: whoever asked it can tell by a question of it that others may read. */
export const MaybeGap = z.looseObject({
  gap_id: integer,
  state: GapState,
  question: z.string(),
  /** How many different people asked it. */
  people: integer,
});
export type MaybeGap = z.infer<typeof MaybeGap>;

/** What became of a question that was noted. */
export const NotedQuestion = z.looseObject({
  gap_id: integer,
  state: GapState,
  /** The document that answers it, where it is closed. */
  document_id: z.optional(z.nullable(z.string())),
  /** It is the first of its gap. */
  is_new: z.boolean(),
  /** As long as it is alone in its gap: others it may be of, the likeliest first, at most three. */
  maybe: z.optional(z.array(MaybeGap)),
});
export type NotedQuestion = z.infer<typeof NotedQuestion>;

/** Where questions stand that a caller noted; what is not among them the server does not know. */
export const QuestionStandings = z.looseObject({
  questions: z.array(
    z.looseObject({
      ref: z.string(),
      gap_id: integer,
      state: GapState,
      document_id: z.optional(z.nullable(z.string())),
    }),
  ),
});
export type QuestionStandings = z.infer<typeof QuestionStandings>;

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
  /** What the document is called, where the caller may see it. */
  document_title: z.optional(z.nullable(z.string())),
});
export type Gap = z.infer<typeof Gap>;

/** A page of gaps, those first that most people wait for; `has_more`: there are further ones behind `next`. */
export const GapPage = z.looseObject({ gaps: z.array(Gap), next: z.optional(z.nullable(z.string())) });
export type GapPage = z.infer<typeof GapPage>;

/** A gap with the words of its shared questions, oldest first, at most a hundred. */
export const GapDetail = z.looseObject({
  ...Gap.shape,
  shared_questions: z.array(z.looseObject({ question: z.string(), asked_at: z.string() })),
});
export type GapDetail = z.infer<typeof GapDetail>;
