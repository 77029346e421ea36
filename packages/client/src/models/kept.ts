/**
 * Kept answers: what somebody answered, kept as a document of its own, and whether it still holds. The specification has
 * nothing of them; to a server that knows none they are documents as any other.
 */
import * as z from "zod/mini";

/** The entry of a document's metadata that says it is a kept answer: `kept: "answer"`. */
export const KEPT_ENTRY = { key: "kept", value: "answer" } as const;

/**
 * The heading of a kept answer's last section: below it stand the questions it answers, one a line. They are searched and
 * never quoted.
 */
export const ASKED_AS = "Asked as";

/** That section's text. Empty without a question. */
export function askedAsText(questions: readonly string[]): string {
  const lines = questions.map((question) => question.replace(/\s+/gu, " ").trim()).filter((line) => line !== "");
  return lines.length === 0 ? "" : [`# ${ASKED_AS}`, ...lines.map((line) => `- ${line}`)].join("\n");
}

/** Why a kept answer may not hold any more: a newer document says otherwise, or an answer made from it was marked as bad. */
export const DoubtReason = z.literal(["contradicted", "bad_mark"]);
export type DoubtReason = z.infer<typeof DoubtReason>;

/** A doubt, as it is told to whoever may see all of it. */
export const Doubt = z.looseObject({
  reason: DoubtReason,
  /** When it came up. */
  since: z.string(),
  /** Of a contradiction: the newer document, what it says, and what the kept answer says instead. */
  document_id: z.optional(z.nullable(z.string())),
  title: z.optional(z.nullable(z.string())),
  link: z.optional(z.nullable(z.string())),
  says: z.optional(z.nullable(z.string())),
  kept_says: z.optional(z.nullable(z.string())),
});
export type Doubt = z.infer<typeof Doubt>;

/** A kept answer, and the doubts about it. */
export const KeptAnswer = z.looseObject({
  document_id: z.string(),
  question: z.string(),
  /** As the document's metadata say it: their name, what they are known by to whoever kept it, and where it was answered. */
  owner: z.nullable(z.string()),
  owner_ref: z.nullable(z.string()),
  channel: z.nullable(z.string()),
  link: z.nullable(z.string()),
  /** The moment of its words; of a document that was sent without one, that of its arrival. */
  updated_at: z.string(),
  /** When its owner last said that it holds; null: never. */
  confirmed_at: z.nullable(z.string()),
  /** The newest first. Empty: nothing speaks against it. */
  doubts: z.array(Doubt),
});
export type KeptAnswer = z.infer<typeof KeptAnswer>;

/** A page of kept answers, in the order of their ids; there are further ones behind `next`. */
export const KeptAnswerPage = z.looseObject({
  kept_answers: z.array(KeptAnswer),
  next: z.optional(z.nullable(z.string())),
});
export type KeptAnswerPage = z.infer<typeof KeptAnswerPage>;

/** A kept answer that a document may change, with the sentences of both that are nearest to each other. */
export const NearKept = z.looseObject({
  document_id: z.string(),
  question: z.string(),
  /** As the kept document's metadata say it: their name, and what they are known by to whoever kept it. */
  owner: z.nullable(z.string()),
  owner_ref: z.nullable(z.string()),
  link: z.nullable(z.string()),
  /** What the document says. */
  says: z.string(),
  /** What is kept. */
  kept_says: z.string(),
});
export type NearKept = z.infer<typeof NearKept>;

/** At most three, the likeliest first. */
export const NearKeptAnswers = z.looseObject({ kept_answers: z.array(NearKept) });
export type NearKeptAnswers = z.infer<typeof NearKeptAnswers>;
