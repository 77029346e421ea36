import type { GapReason, GapState } from "@threadlore/client/models";
import { all, get, run, type SqlValue, type Steps, values } from "../store/steps.ts";
import { beginChange, forgetSome, livingGap, recount } from "./counting.ts";
import { hidingOf } from "./hiding.ts";

/** A gap as it is kept. */
export interface StoredGap {
  readonly id: number;
  readonly state: GapState;
  readonly people: number;
  readonly questions: number;
  readonly private_questions: number;
  readonly for_nothing: number;
  readonly for_bad_mark: number;
  readonly for_human: number;
  readonly first_asked_at: number;
  readonly last_asked_at: number;
  readonly closed_at: number | null;
  /** Number of the document that answers it. */
  readonly document: number | null;
  /** The oldest question others may read whose words are kept; null: there is none. */
  readonly question: string | null;
}

/** The place of a gap in the list: the next page begins behind it, whatever is counted meanwhile. */
export type GapPlace = readonly [people: number, lastAskedAt: number, id: number];

const OF_GAP = `id, state, people, questions, private_questions, for_nothing, for_bad_mark, for_human, first_asked_at, last_asked_at,
  closed_at, document,
  (SELECT question FROM gap_questions WHERE gap = gaps.id AND question IS NOT NULL ORDER BY id LIMIT 1) AS question`;

/** The statement of `listGaps`. */
function gapListing(state: GapState, most: number, after?: GapPlace): { sql: string; given: SqlValue[] } {
  const behind = after === undefined ? "" : "AND (people, last_asked_at, id) < (?, ?, ?)";
  return {
    sql: `SELECT ${OF_GAP} FROM gaps WHERE state = ? ${behind} ORDER BY people DESC, last_asked_at DESC, id DESC LIMIT ?`,
    given: [state, ...(after ?? []), most],
  };
}

/** Gaps of a state, those first that most people wait for. */
export function* listGaps(state: GapState, most: number, after?: GapPlace): Steps<StoredGap[]> {
  const { sql, given } = gapListing(state, most, after);
  return yield* all(sql, ...given);
}

/** The gap of a number, or the one that has its questions now. */
export function* findGap(id: number): Steps<StoredGap | undefined> {
  return yield* get(
    `SELECT ${OF_GAP} FROM gaps WHERE id = (SELECT coalesce(merged_into, id) FROM gaps WHERE id = ?)`,
    id,
  );
}

/** Where a question that somebody noted stands now. */
export interface QuestionStanding extends Pick<StoredGap, "state" | "document"> {
  /** As whoever noted it named it. */
  readonly ref: string;
  readonly gap: number;
}

/** Where the questions stand that this user noted by these names; of what is not known there is nothing. */
export function* standingsOf(user: string, refs: readonly string[]): Steps<QuestionStanding[]> {
  const hiding = yield* hidingOf();
  const standings: QuestionStanding[] = [];
  for (const ref of refs) {
    const found = yield* get<Omit<QuestionStanding, "ref">>(
      `SELECT gap_questions.gap, gaps.state, gaps.document FROM gap_questions JOIN gaps ON gaps.id = gap_questions.gap
       WHERE gap_questions.ref = ?`,
      hiding.ref(user, ref),
    );
    if (found !== undefined) standings.push({ ref, ...found });
  }
  return standings;
}

/** Those of some gaps, in their order, that stand for something others may read, and are not dismissed. */
export function* toldGaps(ids: readonly number[]): Steps<StoredGap[]> {
  const found: StoredGap[] = [];
  for (const id of ids) {
    const gap = yield* findGap(id);
    if (gap?.question != null && gap.state !== "dismissed" && !found.some((one) => one.id === gap.id)) found.push(gap);
  }
  return found;
}

/** Questions of a gap that are shown at most. */
const MAX_SHOWN = 100;

/** What others may read of a gap's questions, oldest first. */
export function* sharedQuestionsOf(gap: number): Steps<{ question: string; asked_at: number }[]> {
  return yield* all(
    `SELECT question, asked_at FROM gap_questions WHERE gap = ? AND question IS NOT NULL ORDER BY id LIMIT ${MAX_SHOWN}`,
    gap,
  );
}

// ── What becomes of a gap ───────────────────────────────────────────────────────────────────────────────────────

/** A document, so named that no other is meant. */
export interface NamedDocument {
  readonly id: string;
  readonly pairId: number | null;
}

const NUMBERED = {
  sqlite: "SELECT number FROM documents WHERE id = ? AND pair_id IS ? AND status <> 'failed'",
  // It is not deleted before the gap is closed; then the gap is open again with it.
  postgres:
    "SELECT number FROM documents WHERE id = ? AND pair_id IS NOT DISTINCT FROM ? AND status <> 'failed' FOR SHARE",
};

/** The number of a document that can be found; undefined: there is none. It is not deleted before the transaction ends. */
export function* numberOf({ id, pairId }: NamedDocument): Steps<number | undefined> {
  return (yield* values<number>(NUMBERED, id, pairId))[0];
}

/** Closes a gap; answers what is missing, if anything is. */
export function* closeGap(id: number, document: NamedDocument, now: number): Steps<"gap" | "document" | undefined> {
  const number = yield* numberOf(document);
  if (number === undefined) return "document";
  yield* beginChange();
  const gap = yield* livingGap(id);
  if (gap === undefined) return "gap";
  yield* run(
    `UPDATE gaps SET closed_at = CASE WHEN document = ?2 THEN closed_at ELSE ?3 END, state = 'closed', document = ?2
     WHERE id = ?1`,
    gap,
    number,
    now,
  );
  return undefined;
}

/** Opens a gap again, or says that it is none; answers whether there is one. */
export function* setGapState(id: number, state: "open" | "dismissed"): Steps<boolean> {
  yield* beginChange();
  const gap = yield* livingGap(id);
  if (gap === undefined) return false;
  yield* run("UPDATE gaps SET state = ?, closed_at = NULL, document = NULL WHERE id = ?", state, gap);
  return true;
}

// ── Forgetting ──────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Forgets some of the questions that have this hash; answers whether there may be more. Where there are none, nobody waits.
 */
function* forgetOf(column: "ref" | "asker" | "caller" | "session", hash: string): Steps<boolean> {
  if ((yield* get(`SELECT 1 AS one FROM gap_questions WHERE ${column} = ? LIMIT 1`, hash)) === undefined) return false;
  return (yield* forgetSome(yield* beginChange(), `${column} = ?`, hash)) > 0;
}

/**
 * Forgets a question by whoever told it and their name for it.
 * @param reason for this reason alone: it stays where there is another one
 */
export function* forgetQuestion(user: string, ref: string, reason?: GapReason): Steps<void> {
  const hash = (yield* hidingOf()).ref(user, ref);
  if (reason === undefined) {
    yield* forgetOf("ref", hash);
    return;
  }
  if ((yield* get(`SELECT 1 AS one FROM gap_questions WHERE ref = ? AND for_${reason} = 1`, hash)) === undefined)
    return;
  const change = yield* beginChange();
  const [gap] = yield* values<number>(`UPDATE gap_questions SET for_${reason} = 0 WHERE ref = ? RETURNING gap`, hash);
  const gone = yield* forgetSome(change, "ref = ? AND for_nothing + for_bad_mark + for_human = 0", hash);
  if (gone === 0 && gap !== undefined) yield* recount([gap]);
}

/** Forgets some of somebody's questions, as whoever told them named who asked; answers whether there may be more. */
export function* forgetAsker(user: string, asker: string): Steps<boolean> {
  return yield* forgetOf("asker", (yield* hidingOf()).asker(user, asker));
}

/** Forgets some of what was asked in a conversation; answers whether there may be more. */
export function* forgetConversation(session: string): Steps<boolean> {
  return yield* forgetOf("session", (yield* hidingOf()).session(session));
}

/** Whoever tells of what was asked in the service itself: a user with this name there is not. */
export const OWN = "";

/** Forgets some of what a user asked, and of what they told of others; answers whether there may be more. */
export function* forgetUser(user: string): Steps<boolean> {
  const hiding = yield* hidingOf();
  const isAsked = yield* forgetOf("asker", hiding.asker(OWN, user));
  return (yield* forgetOf("caller", hiding.caller(user))) || isAsked;
}

/** How many questions a user asked, or told of. */
export const countQuestionsOf = (user: string): Steps<number> => countOf("gap_questions", user);

/** How many rows of a table are of questions a user asked, or told of. */
export function* countOf(table: "gap_questions" | "good_answers", user: string): Steps<number> {
  const hiding = yield* hidingOf();
  const counted = yield* values<number>(
    `SELECT count(*) FROM ${table} WHERE asker = ? UNION ALL SELECT count(*) FROM ${table} WHERE caller = ?`,
    hiding.asker(OWN, user),
    hiding.caller(user),
  );
  return counted.reduce((sum, one) => sum + one, 0);
}

/** Forgets some questions that were asked before a moment; answers whether there may be more. */
export function* forgetAskedBefore(moment: number): Steps<boolean> {
  if ((yield* get("SELECT 1 AS one FROM gap_questions WHERE asked_at < ? LIMIT 1", moment)) === undefined) return false;
  return (yield* forgetSome(yield* beginChange(), "asked_at < ?", moment)) > 0;
}

/** Questions one caller may have told of; of more the first ones are forgotten. */
const MAX_OF_CALLER = 50_000;

/** Forgets some of what one caller told of too much; answers whether there may be more. */
export function* forgetTooMany(most: number = MAX_OF_CALLER): Steps<boolean> {
  const caller = yield* get<{ caller: string; questions: number }>(
    "SELECT caller, count(*) AS questions FROM gap_questions GROUP BY caller HAVING count(*) > ? LIMIT 1",
    most,
  );
  if (caller === undefined) return false;
  const [last] = yield* values<number>(
    "SELECT id FROM gap_questions WHERE caller = ? ORDER BY id LIMIT 1 OFFSET ?",
    caller.caller,
    caller.questions - most,
  );
  if (last === undefined) return false;
  return (yield* forgetSome(yield* beginChange(), "caller = ? AND id < ?", caller.caller, last)) > 0;
}
