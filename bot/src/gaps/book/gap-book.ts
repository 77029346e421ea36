import { AuthError, ClientError, PermissionError, UnsupportedError, WrongBaseUrlError } from "@threadlore/client";
import type { Store } from "@threadlore/inbox";
import { isNotTaken } from "../../knowledge-server/not-offered.ts";
import type { Servers } from "../../knowledge-server/servers.ts";
import type { Log } from "../../operations/log.ts";
import type { BookQuestion, GapList, ListedGap, NoServerList, NotedGap, NotedQuestion } from "./book-question.ts";
import { createOwnGaps } from "./own-gaps.ts";
import { createServerGaps, isOfServer } from "./server-gaps.ts";

/**
 * Gaps: alike questions nobody could answer. By the server where it has them, else by the bot's own store, on words alone;
 * an id says which. Whatever the server is too busy or too far away for throws, and is to be tried again.
 */
export interface GapBook {
  /** Notes a question; safe to repeat, its `ref` makes it the same one. `anew`: its words are other ones than before. */
  note(question: BookQuestion, how?: { readonly anew: boolean }): Promise<NotedQuestion>;
  /** Where these questions stand at the server, those it knows; undefined: it does not say of many at once. */
  standings(refs: readonly string[]): Promise<ReadonlyMap<string, NotedGap> | undefined>;
  /**
   * Whoever asked a question says that it asks the same as a gap: it is of that gap from now on. Undefined: one of them is not there
   * any more. Safe to repeat.
   */
  same(ref: string, gap: string): Promise<NotedGap | undefined>;
  /** Forgets these questions, wherever they were noted. */
  forget(refs: readonly string[]): Promise<void>;
  /** Forgets every question of somebody, `team:user`. */
  forgetAsker(asker: string): Promise<void>;
  /** Says which document answers it; the gap it is by now, which may have become part of another. Safe to repeat. */
  close(gap: string, documentId: string): Promise<string>;
  /** What was said to answer it does not, or is gone. */
  reopen(gap: string): Promise<void>;
  /** It is no question for this knowledge: nobody is told of it. `forbidden`: the server does not let the bot say so. */
  dismiss(gap: string): Promise<"done" | "forbidden">;
  /** Open ones, those first that most people wait for. */
  list(most: number): Promise<readonly ListedGap[]>;
  /** The same, with whether the server's are among them. */
  listing(most: number): Promise<GapList>;
}

/** A server that had none is asked again after so long, milliseconds: it may have been updated. */
const ASKED_AGAIN_MS = 30 * 60_000;

interface Parts {
  readonly servers: Pick<Servers, "ingest">;
  readonly store: Store;
  readonly log: Log;
  readonly now: () => number;
}

/** Makes the book; nothing is asked before it is used. */
export function createGapBook({ servers, store, log, now }: Parts): GapBook {
  const server = createServerGaps(() => servers.ingest.gaps, store);
  const own = createOwnGaps(store);
  let not: { readonly why: NoServerList; readonly since: number } | undefined;

  /** What the server says; undefined: it has no gaps for this bot. Throws what may pass. */
  async function ask<Result>(question: () => Promise<Result>): Promise<Result | undefined> {
    if (not !== undefined && now() < not.since + ASKED_AGAIN_MS) return undefined;
    try {
      const result = await question();
      not = undefined;
      return result;
    } catch (error) {
      const why = whyUnavailable(error);
      if (why === undefined) throw error;
      if (not?.why !== why) log.info("gaps are kept here", { reason: WORDS[why] });
      not = { why, since: now() };
      return undefined;
    }
  }
  /** The same, for what the server may not know any more, or not take: that is no reason to stop. */
  async function tell<Result>(what: string, change: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await ask(change);
    } catch (error) {
      if (!isNotTaken(error)) throw error;
      log.warn("gap not changed", { reason: what, error });
      return undefined;
    }
  }

  async function listing(most: number): Promise<GapList> {
    // Whoever may note need not be allowed to list: then it is what this bot knows of them.
    const listed = await tell("list gaps", () => server.list(most).catch(ifForbidden));
    const ours = await own.list(most, listed !== undefined);
    const gaps = [...(listed ?? []), ...ours].toSorted((one, other) => other.people - one.people).slice(0, most);
    return { gaps, ...(listed === undefined && { without: not?.why ?? "forbidden" }) };
  }

  return {
    async note(question, { anew } = { anew: false }) {
      if (anew) await tell("forget a question", () => server.forget(question.ref));
      try {
        const noted = await ask(() => server.note(question));
        if (noted !== undefined) return noted;
      } catch (error) {
        // This one alone.
        if (!isNotTaken(error)) throw error;
        log.warn("question noted here", { reason: "the server does not take it", task: question.ref, error });
      }
      return own.note(question);
    },
    standings(refs) {
      // That it cannot say this says nothing of the rest.
      return ask(() => server.standings(refs).catch(ifUnsupported));
    },
    async same(ref, gap) {
      return isOfServer(gap) ? tell("put a question into a gap", () => server.same(ref, gap)) : own.same(ref, gap);
    },
    async forget(refs) {
      // Also what was never kept here: the bot may have ended between the server's reply and its own note of it.
      for (const ref of refs) await tell("forget a question", () => server.forget(ref));
      await store.forgetWaiting(refs);
    },
    async forgetAsker(asker) {
      await tell("forget a person", () => server.forgetAsker(asker));
      await store.forgetWaiting((await store.waitingOf(asker)).map(({ ref }) => ref));
    },
    async close(gap, documentId) {
      if (!isOfServer(gap)) return own.close(gap, documentId);
      return (await tell("close a gap", () => server.close(gap, documentId))) ?? gap;
    },
    async reopen(gap) {
      if (!isOfServer(gap)) return own.reopen(gap);
      await tell("open a gap again", () => server.reopen(gap));
    },
    async dismiss(gap) {
      if (!isOfServer(gap)) {
        await store.dismissOwnGap(gap);
        return "done";
      }
      const isDone = await tell("dismiss a gap", () => isAllowed(server.dismiss(gap)));
      return isDone === false ? "forbidden" : "done";
    },
    list: async (most) => (await listing(most)).gaps,
    listing,
  };
}

const WORDS: Record<NoServerList, string> = {
  missing: "The knowledge server has none: questions are compared by their words alone.",
  forbidden:
    "The knowledge server does not let the bot note them: set THREADLORE_INGEST_KEY to a key that may ingest. " +
    "Until then questions are compared by their words alone.",
};

/** Undefined: that may pass. */
function whyUnavailable(error: unknown): NoServerList | undefined {
  if (error instanceof PermissionError) return "forbidden";
  return error instanceof UnsupportedError || error instanceof WrongBaseUrlError ? "missing" : undefined;
}

/** Undefined, where the server does not do it. */
function ifUnsupported(error: unknown): undefined {
  if (error instanceof UnsupportedError) return undefined;
  throw error;
}

const isAllowed = (change: Promise<unknown>): Promise<boolean> =>
  change.then(
    () => true,
    (error: unknown) => ifForbidden(error) ?? false,
  );

/** Undefined, where the key may not. */
function ifForbidden(error: unknown): undefined {
  if (error instanceof PermissionError) return undefined;
  throw error;
}

/** Whether it is the server that cannot be asked now, or does not know the bot: worth waiting for. */
export const isAway = (error: unknown): error is ClientError =>
  error instanceof ClientError && (error instanceof AuthError || whyUnavailable(error) === undefined);
