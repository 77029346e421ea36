import { Problem } from "../../http/problem.ts";
import { DatabaseError, isDamage } from "../../store/sqlite/database-error.ts";

/** SQLite's code for a file that cannot be opened: never that of damage, which would be told of the database. */
const UNOPENED = 14;
/** And for a file that may not grow. */
const FULL = 13;

const RETRY = { "Retry-After": "1" };

/**
 * The file of an index is damaged or gone, or another one lies there: what was asked of it is asked of the next one.
 * Whoever cannot do that is refused with status 503.
 */
export class LostIndex extends Problem {
  override readonly name: string = "LostIndex";
  /** As SQLite says it: whatever asks knows that it is about the file, and not about a document. */
  readonly errcode = UNOPENED;

  constructor(cause: unknown, detail: string = LOST) {
    super(503, { error_code: "INDEX_UNAVAILABLE", detail }, RETRY);
    this.cause = cause;
  }
}

const LOST = "The search index was damaged or gone, and is made anew. The documents are safe. Ask again.";

/** There is no index, and none can be made at the moment: that is tried again, by itself and with what is asked next. */
export class UnavailableIndex extends LostIndex {
  override readonly name = "UnavailableIndex";

  /** @param cause what the last try ended with */
  constructor(cause: unknown) {
    super(cause, UNAVAILABLE);
  }
}

const UNAVAILABLE =
  "The search index can be neither read nor made anew at the moment, so nothing can be looked up. The documents are safe. " +
  "It is tried again every second. Ask again, or tell whoever runs the service: `threadlore doctor` and the log say why.";

/** The database's limit leaves no room for more in its index. */
export class NoRoomForIndex extends Error {
  override readonly name = "NoRoomForIndex";
  /** As SQLite says that there is no room. */
  readonly errcode = FULL;

  constructor() {
    super("the database's limit leaves no room for its index");
  }
}

/** Results of SQLite that say of a read that the file ends too soon or cannot be read, and of a write that it was moved. */
const UNREADABLE = new Set([266, 522, 1_032, 8_458]);

/** Whether an index met an error for which it is made anew: nothing else makes it readable again. */
export function isSpoilt(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof LostIndex) return true;
  const reported = error instanceof DatabaseError ? error.cause : error;
  if (isDamage(reported) || isDamage(error)) return true;
  return reported instanceof Error && "errcode" in reported && UNREADABLE.has(Number(reported.errcode));
}
