import { DatabaseError, isDamage } from "../../store/sqlite/database-error.ts";

/** SQLite's code for a file that is not what it was. */
const DAMAGED = 11;
/** And for a file that may not grow. */
const FULL = 13;

/** The file of an index is damaged or gone, or another one lies there: what was asked of it is asked of the next one. */
export class LostIndex extends Error {
  override readonly name = "LostIndex";
  /** As SQLite says it: whatever asks knows that it is about the file, and not about a document. */
  readonly errcode = DAMAGED;

  constructor(cause: unknown) {
    super("the index's file is damaged or gone", { cause });
  }
}

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
  const reported = error instanceof DatabaseError ? error.cause : error;
  if (isDamage(reported) || isDamage(error)) return true;
  return reported instanceof Error && "errcode" in reported && UNREADABLE.has(Number(reported.errcode));
}
