import { DatabaseError, isLocked, isOutOfSpace } from "../../store/sqlite/database-error.ts";
import type { Database } from "../../store/sqlite/database.ts";
import { answeringOf, indexOf } from "../hosting/index-host.ts";
import { LostIndex, UnavailableIndex } from "../hosting/index-trouble.ts";
import { percentDone } from "./succession.ts";

/** What is to be told of the index a database is searched by, where not all is well. */
export interface IndexState {
  /**
   * `building`: it is made anew. `paused`: it cannot be written. In both questions are answered, unless `paused` says that
   * it cannot be used at all.
   */
  readonly state: "building" | "paused";
  /** How much of what there was when it was begun is in it. */
  readonly percent: number;
  /** In plain words, for whoever runs the service. */
  readonly message: string;
}

/** How the index of a database stands; undefined: all is well. Looks for its file; where there is none it is tried again. */
export function indexStateOf(db: Database): IndexState | undefined {
  // Nothing can be said of what it is made from, and that is said already.
  if (db.isDamaged) return undefined;
  try {
    return stateOf(db);
  } catch (error) {
    const isLost = error instanceof LostIndex && !(error instanceof UnavailableIndex);
    return isLost ? afterLoss(db) : troubleOf(error);
  }
}

/** How much of the documents can be searched, in percent, where an index is made anew and no former one answers. */
export function percentSearched(db: Database): number | undefined {
  const state = indexStateOf(db);
  if (state === undefined || state.percent === 100) return undefined;
  try {
    return answeringOf(db) === indexOf(db) ? state.percent : undefined;
  } catch {
    // It was lost just now: the next one has nothing yet.
    return 0;
  }
}

/** By now there is the next one, or none. */
function afterLoss(db: Database): IndexState | undefined {
  try {
    return stateOf(db);
  } catch (error) {
    return troubleOf(error);
  }
}

function troubleOf(error: unknown): IndexState {
  if (error instanceof UnavailableIndex) return unavailable(error.cause);
  // Nothing else is opened there.
  if (error instanceof DatabaseError) return unavailable(error);
  return { state: "paused", percent: 0, message: `${pausedBy(error)} ${GOES_ON}` };
}

/** @param cause what opening it or making it ended with */
function unavailable(cause: unknown): IndexState {
  const reported = cause instanceof DatabaseError && cause.cause !== undefined ? cause.cause : cause;
  const why = isOutOfSpace(reported) || isLocked(reported) ? pausedBy(reported) : NOT_THERE;
  return { state: "paused", percent: 0, message: `${why} ${REFUSES}` };
}

const NOT_THERE =
  "The search index can be neither opened nor made anew: see that its disk is there, that its folder can be written, and " +
  "that nothing else lies in its place. The log says more.";

const REFUSES =
  "Until then what would be looked up is refused. The documents are safe, and it is tried again every second.";

function stateOf(db: Database): IndexState | undefined {
  const index = indexOf(db);
  const percent = percentDone(db);
  const { stuckBy } = index;
  if (stuckBy !== undefined) return { state: "paused", percent, message: `${pausedBy(stuckBy)} ${GOES_ON}` };
  if (index.isWhole) return undefined;
  const meanwhile =
    answeringOf(db) === index
      ? "Until then questions are answered from what is in it."
      : "Until then questions are answered by the one before.";
  const why = whyAnew(index.watched(() => index.here.why));
  return {
    state: "building",
    percent,
    message: `The search index is made anew, since ${why}: ${percent} %. ${meanwhile}`,
  };
}

const GOES_ON = "Questions are answered; what is added is found when it goes on, which it does by itself.";

function pausedBy(error: unknown): string {
  if (isOutOfSpace(error)) return "The disk that holds the search index is full: make room.";
  if (isLocked(error)) return "Another program holds the search index locked: end it.";
  return "The search index cannot be written.";
}

/** Why an index is made anew, as the end of a sentence. @param found what it was found to be when it was begun */
export function whyAnew(found: string | undefined): string {
  return WHY[found ?? "missing"] ?? "there was none";
}

/** By what an index was found to be (`IndexCondition`), or that nothing was found. */
const WHY: Readonly<Record<string, string>> = {
  missing: "there was none by today's rules",
  other_rules: "it was made by a former version",
  other_data: "it was of other data, or a backup was put back",
  ahead: "the database is an older copy than it",
  damaged: "it was damaged or gone",
};
