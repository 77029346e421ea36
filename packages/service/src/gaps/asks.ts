import { randomUUID } from "node:crypto";
import type { AskState, GapState } from "@threadlore/client/models";
import { refusal } from "../http/problem.ts";
import { all, get, insert, run, type Steps, sweep, value } from "../store/steps.ts";
import { beginChange, forgetSome } from "./counting.ts";
import { OWN } from "./book.ts";
import { hidingOf } from "./hiding.ts";

/** An ask as it is kept, with what became of the gap it is part of. */
export interface StoredAsk {
  readonly id: string;
  readonly gap: number;
  readonly gap_state: GapState;
  /** Number of the document that answers it. */
  readonly document: number | null;
  readonly question: string;
  readonly name: string | null;
  readonly asked_at: number;
  readonly taken_at: number | null;
  readonly told_at: number | null;
}

/** Asks one person may have that nobody answered yet. */
const MAX_OPEN = 20;
/** Asks of one person that are listed, and waiting ones that are told of at once. */
const MAX_LISTED = 100;
const MAX_WAITING = 20;

const ASKS = `
  SELECT gap_asks.id, gaps.id AS gap, gaps.state AS gap_state, gaps.document, gap_asks.question, gap_asks.name,
    gap_asks.asked_at, gap_asks.taken_at, gap_asks.told_at
  FROM gap_asks
  JOIN gap_questions ON gap_questions.id = gap_asks.question_id
  JOIN gaps ON gaps.id = gap_questions.gap`;

/** What is to be told of an ask. */
export function stateOf({ gap_state: gap, taken_at: taken }: Pick<StoredAsk, "gap_state" | "taken_at">): AskState {
  if (gap === "closed") return "answered";
  if (gap === "dismissed") return "dismissed";
  return taken === null ? "waiting" : "asked";
}

/** The name under which the question of an ask is noted: the same words of the same person are the same question. */
export const askRef = (user: string, words: string): string => `ask:${user}:${words}`;

/**
 * Makes an ask of a question that was just noted, in the same transaction; the one there is where these words were asked
 * before. Throws a Problem (409) where too many of this person's wait.
 */
export function* addAsk(
  user: string,
  { question, name }: { readonly question: string; readonly name: string | null },
  now: number,
): Steps<string> {
  const hiding = yield* hidingOf();
  const asker = hiding.asker(OWN, user);
  const noted = yield* value<number>(
    "SELECT id FROM gap_questions WHERE ref = ?",
    hiding.ref(OWN, askRef(user, question)),
  );
  const before = yield* get<{ id: string }>("SELECT id FROM gap_asks WHERE question_id = ?", noted);
  if (before !== undefined) {
    yield* run("UPDATE gap_asks SET name = ? WHERE id = ? AND taken_at IS NULL", name, before.id);
    return before.id;
  }
  const open = yield* value<number>(
    `SELECT count(*) FROM gap_asks JOIN gap_questions ON gap_questions.id = question_id JOIN gaps ON gaps.id = gap
     WHERE gap_asks.asker = ? AND gaps.state = 'open'`,
    asker,
  );
  if (open >= MAX_OPEN) {
    throw refusal(
      409,
      "TOO_MANY_ASKS",
      `${MAX_OPEN} of your questions wait for a person already. Withdraw one, or wait for an answer.`,
    );
  }
  const id = randomUUID();
  yield* insert("gap_asks", { id, question_id: noted, asker, question, name, asked_at: now });
  return id;
}

/** Somebody's asks, the newest first. */
export function* asksOf(user: string): Steps<StoredAsk[]> {
  const asker = (yield* hidingOf()).asker(OWN, user);
  return yield* all(
    `${ASKS} WHERE gap_asks.asker = ? ORDER BY gap_asks.asked_at DESC, gap_asks.id LIMIT ${MAX_LISTED}`,
    asker,
  );
}

/** One of somebody's asks. */
export function* askOf(user: string, id: string): Steps<StoredAsk | undefined> {
  return yield* get(`${ASKS} WHERE gap_asks.id = ? AND gap_asks.asker = ?`, id, (yield* hidingOf()).asker(OWN, user));
}

/** How many of somebody's asks have an answer they were not shown. */
export function* countUntold(user: string): Steps<number> {
  return yield* value(
    `SELECT count(*) FROM gap_asks JOIN gap_questions ON gap_questions.id = question_id JOIN gaps ON gaps.id = gap
     WHERE gap_asks.asker = ? AND told_at IS NULL AND gaps.state IN ('closed', 'dismissed')`,
    (yield* hidingOf()).asker(OWN, user),
  );
}

/** Whoever asked was shown what became of it; answers whether there is such an ask of theirs. */
export function* markTold(user: string, id: string, now: number): Steps<boolean> {
  const asker = (yield* hidingOf()).asker(OWN, user);
  const sql = "UPDATE gap_asks SET told_at = coalesce(told_at, ?) WHERE id = ? AND asker = ?";
  return (yield* run(sql, now, id, asker)) > 0;
}

/** Takes an ask back: its words go, and where people were shown it, whoever showed it is told to take that away. */
export function* withdrawAsk(user: string, id: string, now: number): Steps<void> {
  const change = yield* beginChange();
  const ask = yield* askOf(user, id);
  if (ask === undefined) return;
  // Of one that is answered there stands more in the chat than its words: the answer, and the thread it came from.
  if (ask.taken_at !== null && ask.gap_state !== "closed") {
    yield* run(
      "INSERT INTO gap_asks_withdrawn (id, shown_where, withdrawn_at) SELECT id, shown_where, ? FROM gap_asks WHERE id = ?",
      now,
      id,
    );
  }
  yield* forgetSome(change, "id = (SELECT question_id FROM gap_asks WHERE id = ?)", id);
}

// ── Whoever shows them to people ────────────────────────────────────────────────────────────────────────────────

/** So long after the last look somebody counts as there, and as often that is written down at most; milliseconds. */
const THERE_MS = 600_000;
const NOTED_MS = 60_000;

/** Whether somebody shows asks to people. */
export function* isSomebodyThere(now: number): Steps<boolean> {
  return now - (yield* value<number>("SELECT looked_at FROM gap_helpers WHERE id = 1")) < THERE_MS;
}

/** Whether it is to be written down that somebody looks. */
export function* isLookToBeNoted(now: number): Steps<boolean> {
  return Math.abs(now - (yield* value<number>("SELECT looked_at FROM gap_helpers WHERE id = 1"))) >= NOTED_MS;
}

/** Writes down that somebody looks. */
export function* noteLook(now: number): Steps<void> {
  yield* run("UPDATE gap_helpers SET looked_at = ? WHERE id = 1", now);
}

/** Asks nobody was shown yet, oldest first. */
export function* waitingAsks(): Steps<StoredAsk[]> {
  return yield* all(
    `${ASKS} WHERE gap_asks.taken_at IS NULL AND gaps.state = 'open' ORDER BY gap_asks.asked_at, gap_asks.id LIMIT ${MAX_WAITING}`,
  );
}

/** What was shown of asks that were withdrawn since. */
export function* withdrawnAsks(): Steps<{ id: string; shown_where: string | null }[]> {
  return yield* all(`SELECT id, shown_where FROM gap_asks_withdrawn ORDER BY withdrawn_at, id LIMIT ${MAX_WAITING}`);
}

/** People were shown it; answers whether there is such an ask. */
export function* takeAsk(id: string, place: string | null, now: number): Steps<boolean> {
  const sql =
    "UPDATE gap_asks SET taken_at = coalesce(taken_at, ?), shown_where = coalesce(?, shown_where) WHERE id = ?";
  return (yield* run(sql, now, place, id)) > 0;
}

/** What was shown of a withdrawn ask is taken away. */
export function* dropWithdrawn(id: string): Steps<void> {
  yield* run("DELETE FROM gap_asks_withdrawn WHERE id = ?", id);
}

/** What was withdrawn before a moment is not looked for any more. */
export function* forgetWithdrawnBefore(moment: number): Steps<void> {
  yield* sweep("gap_asks_withdrawn", "id", "withdrawn_at < ?", moment);
}
