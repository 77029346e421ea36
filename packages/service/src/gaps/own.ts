import type { BaseFilters, Finding, GapReason } from "@threadlore/client/models";
import type { Caller } from "../context.ts";
import { courtesyIn } from "../answer/courtesies.ts";
import { get, type Steps, values } from "../store/steps.ts";
import { forgetQuestion, OWN } from "./book.ts";
import type { OwnQuestion } from "./questions.ts";

/** What the bot of a chat says its questions come from: it tells itself which of them nobody could answer. */
const BOT_ORIGIN = "slackbot";

/** A question as it was asked. */
interface AskedAs {
  readonly origin: string;
  readonly turn: { readonly question: string; readonly search: boolean; readonly filters: BaseFilters | null };
}

/** How an answer ended, as far as it tells whether there was one. */
interface Ending {
  readonly finding: Finding | null;
  readonly citations: number;
  /** Whether documents would have been quoted, of an answer that a model wrote and that cites none. */
  readonly wouldQuote: () => boolean;
}

/**
 * Whether a question ended without an answer from the documents: all of them were to be searched, and no courtesy was exchanged.
 * Of what a model wrote that is so where it cites nothing and nothing would have been quoted.
 */
export function isUnanswered({ origin, turn }: AskedAs, ending: Ending): boolean {
  const { question, search, filters } = turn;
  const isNarrowed = [filters?.source_type, filters?.tags].some((chosen) => (chosen?.length ?? 0) > 0);
  if (origin === BOT_ORIGIN || !search || isNarrowed || filters?.time_cutoff != null) return false;
  if (courtesyIn(question) !== undefined) return false;
  if (ending.finding !== null) return ending.finding.state === "closest" || ending.finding.state === "nothing";
  return ending.citations === 0 && !ending.wouldQuote();
}

/** Where a question was asked, and by whom. */
interface Asked {
  readonly caller: Caller;
  readonly sessionId: string;
  /** Of the answer. */
  readonly messageId: number;
  readonly question: string;
  readonly now: number;
}

const refOf = (messageId: number): string => `message ${messageId}`;

/** A question of whoever asks here, which is private. Callers without a key are told apart by their conversations. */
export function ownQuestion(reason: GapReason, { caller, sessionId, messageId, question, now }: Asked): OwnQuestion {
  const asker = caller.role === "anonymous" ? `conversation ${sessionId}` : caller.user;
  return {
    names: (hiding) => ({
      ref: hiding.ref(OWN, refOf(messageId)),
      caller: hiding.caller(OWN),
      asker: hiding.asker(OWN, asker),
      session: hiding.session(sessionId),
    }),
    words: question,
    isShared: false,
    reason,
    askedAt: now,
    isThere: function* () {
      return (yield* get(THERE, messageId)) !== undefined;
    },
  };
}

const MESSAGE = "SELECT 1 AS one FROM messages WHERE id = ?";
/** It is not deleted before the question is noted: then that goes as well. */
const THERE = { sqlite: MESSAGE, postgres: `${MESSAGE} FOR SHARE` };

/** The words that were answered with a message, unless the bot asked them. */
export function* askedBefore(messageId: number): Steps<string | undefined> {
  const [question] = yield* values<string>(
    `SELECT asked.text FROM messages AS answer JOIN messages AS asked ON asked.id = answer.parent_id
     WHERE answer.id = ? AND asked.role = 'user' AND coalesce(asked.origin, '') <> '${BOT_ORIGIN}'`,
    messageId,
  );
  return question;
}

/** A bad mark was taken back: a question that was noted for nothing else is forgotten. */
export function* takeMarkBack(messageId: number): Steps<void> {
  yield* forgetQuestion(OWN, refOf(messageId), "bad_mark");
}
