import { traitsOf } from "@threadlore/gaps";
import type { QuestionToNote } from "./noting.ts";

/** A question as a test says it. */
export interface ToldQuestion {
  readonly ref: string;
  readonly caller: string;
  readonly asker: string;
  readonly words: string;
  /** Default: it is private. */
  readonly isShared?: boolean;
  readonly session?: string;
  readonly askedAt?: number;
  readonly vector?: QuestionToNote["vector"];
}

/** What is noted of it. */
export function questionOf(told: ToldQuestion): QuestionToNote {
  const { ref, caller, asker, words, isShared = false, session, askedAt = 1, vector } = told;
  return {
    names: (hiding) => ({
      ref: hiding.ref(caller, ref),
      caller: hiding.caller(caller),
      asker: hiding.asker(caller, asker),
      session: session === undefined ? null : hiding.session(session),
    }),
    words,
    traits: traitsOf(words),
    vector,
    isShared,
    reason: "nothing",
    askedAt,
  };
}
