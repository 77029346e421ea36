import { DatabaseSync, type StatementSync } from "node:sqlite";
import { documentNumbered, type StoredDocument } from "../../store/documents.ts";
import { findFileName } from "../../store/files.ts";
import { performed, type Row, sqliteText, type Steps } from "../../store/steps.ts";
import { passagesUpTo, putOf } from "../cutting.ts";
import type { IndexWriter } from "../postings/index-writer.ts";
import { doWork, type Put } from "./index-work.ts";

/** Documents that are to be read, cut and indexed where the index is written: nobody else is kept by it. */
export interface Indexing {
  /** Path of the database they are in. */
  readonly database: string;
  /** Their numbers. */
  readonly documents: readonly number[];
  /** The last write among them. What was written since has its place behind it: it is left for later. */
  readonly newest: number;
  /** Passages after which no further document is begun. */
  readonly most: number;
  /** Most passages of a document that is not long. */
  readonly slice: number;
  /** All changes up to this one are in the index then. */
  readonly applied: number;
}

/** A version of a document. */
type Version = Pick<StoredDocument, "number" | "sequence">;

/** What became of them; those not named here were not looked at, or are gone. */
export interface Indexed {
  /** All of each is in the index, on the disk. */
  readonly whole: readonly Version[];
  /** There is nothing to find them by. */
  readonly empty: readonly Version[];
  /** They could not be indexed. */
  readonly failed: readonly (Version & { readonly message: string })[];
  /** The first that is too long for one transaction, or cannot be read here; nothing behind it was looked at. */
  readonly alone?: number;
}

/** Indexes documents in one transaction; where that fails for what is in one of them, each in its own. */
export function indexDocuments(writer: IndexWriter, documents: Documents, indexing: Indexing): Indexed {
  const { documents: numbers, newest, most, slice, applied } = indexing;
  const empty: Version[] = [];
  const failed: (Version & { message: string })[] = [];
  const puts: { readonly version: Version; readonly put: Put }[] = [];
  let alone: number | undefined;
  let passages = 0;
  for (const number of numbers) {
    const document = documents.numbered(number);
    if (document === "gone") continue;
    if (document === "unreadable") {
      alone = number;
      break;
    }
    const version = { number, sequence: document.sequence };
    if (version.sequence > newest) continue;
    try {
      const cut = passagesUpTo(document, (file) => documents.fileName(file), slice);
      if (cut === undefined) {
        alone = number;
        break;
      }
      passages += cut.length;
      if (cut.length === 0) empty.push(version);
      else puts.push({ version, put: putOf(document, cut, 0, true) });
    } catch (error) {
      failed.push({ ...version, message: messageOf(error) });
    }
    if (passages >= most) break;
  }
  const whole = writeAll(writer, puts, applied, failed);
  return { whole, empty, failed, ...(alone !== undefined && { alone }) };
}

function writeAll(
  writer: IndexWriter,
  puts: readonly { readonly version: Version; readonly put: Put }[],
  applied: number,
  failed: (Version & { message: string })[],
): Version[] {
  if (puts.length === 0) return [];
  try {
    doWork(writer, { puts: puts.map(({ put }) => put), removals: [], vectors: [], applied });
    return puts.map(({ version }) => version);
  } catch (error) {
    const [first] = puts;
    if (isOfDatabase(error) || first === undefined) throw error;
    if (puts.length === 1) {
      failed.push({ ...first.version, message: messageOf(error) });
      return [];
    }
  }
  return puts.flatMap((one) => writeAll(writer, [one], applied, failed));
}

/** Whether an error is about a database and not about a document. */
function isOfDatabase(error: unknown): boolean {
  return error instanceof Error && "errcode" in error;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "unknown";
}

/** The documents of a database, over a connection that only reads. */
export class Documents {
  readonly #sqlite: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(path: string) {
    this.#sqlite = new DatabaseSync(path, { readOnly: true, timeout: LOCK_WAIT_MS });
  }

  /** Damage is for the service's own connection to find: it then says so to everybody. */
  numbered(number: number): StoredDocument | "gone" | "unreadable" {
    try {
      return this.#perform(documentNumbered(number)) ?? "gone";
    } catch (error) {
      if (isOfDatabase(error)) return "unreadable";
      throw error;
    }
  }

  fileName(id: string): string | undefined {
    return this.#perform(findFileName(id));
  }

  #perform<Result>(steps: Steps<Result>): Result {
    return performed(steps, ({ sql, given }) => {
      const text = sqliteText(sql);
      let statement = this.#statements.get(text);
      if (statement === undefined) this.#statements.set(text, (statement = this.#sqlite.prepare(text)));
      return { rows: statement.all(...given) as Row[], changes: 0 };
    });
  }

  close(): void {
    this.#sqlite.close();
  }
}

/** How long a read waits for the moments in which the log of the database is emptied, milliseconds. */
const LOCK_WAIT_MS = 10_000;
