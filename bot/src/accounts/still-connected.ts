import type { BotContext } from "../context.ts";
import { isOwn, type QuestionKey } from "./question-key.ts";

/** So often it is looked whether the account is connected still, milliseconds. */
const LOOK_EVERY_MS = 1_000;

/** For whoever disconnected the account their answer was being written with. */
export const DISCONNECTED_MEANWHILE =
  "Your account was disconnected while I answered with it, so I stopped, and nothing of that answer is kept here. Ask again, and I answer with what everybody here may see.";

/** A question's account, as far as it is connected still. */
export interface Connection {
  /** Aborted as soon as it is not. */
  readonly over: AbortSignal;
  /** Looks once more, now. Rejects where that cannot be found out. */
  isOver(): Promise<boolean>;
  /** Nobody has to look any more. */
  end(): void;
}

/**
 * Looks again and again whether the account a question is asked with is connected: it may be disconnected here, at another
 * instance, or on the command line. What is asked with another key is never over.
 */
export function watchConnection({ accounts }: Pick<BotContext, "accounts">, key: QuestionKey): Connection {
  const over = new AbortController();
  let isLooking = false;
  async function look(): Promise<void> {
    if (isLooking || !isOwn(key)) return;
    isLooking = true;
    try {
      // What the database does not say now it says at the end, before anything is shown for good.
      if (!(await accounts.isConnected(key))) over.abort();
    } catch {
      // It is looked again in a second.
    } finally {
      isLooking = false;
    }
  }
  const timer = isOwn(key) ? setInterval(() => void look(), LOOK_EVERY_MS) : undefined;
  return {
    over: over.signal,
    isOver: async () => isOwn(key) && (over.signal.aborted || !(await accounts.isConnected(key))),
    end: () => clearInterval(timer),
  };
}
