import {
  type Client,
  codeOf,
  Connections,
  isTimedOut,
  isUnanswered,
  placeOfServer,
  reasonOf,
} from "@threadlore/postgres";
import { storable, stored } from "@threadlore/postgres/text";
import type { Row, Sql, SqlResult, SqlStep, SqlValue, Steps } from "../steps.ts";
import type { Store, Weighed, Fate } from "../store.ts";
import { DatabaseError } from "../sqlite/database-error.ts";
import { type Concern, Gathering } from "./gathering.ts";
import { migrate, SCHEMA } from "./migrate.ts";
import { Presence } from "./presence.ts";

/**
 * The truth in PostgreSQL, shared by instances. Steps are performed over a connection each, those that write in one
 * transaction. A connection that is lost is replaced; what was being written then is there once or not at all.
 */
export class PostgresStore implements Store {
  readonly #connections: Connections;
  readonly #place: string;
  /** What others know this process by, and hear from each other by. */
  readonly presence: Presence;

  /** See `open`. */
  constructor(connections: Connections, presence: Presence, place: string) {
    this.#place = place;
    this.#connections = connections;
    this.presence = presence;
  }

  /**
   * Opens it, with its tables created or brought up to date.
   * @param url `postgres://…`
   * Throws DatabaseError, in plain words, where it cannot be reached or was written by a newer version.
   */
  static async open(url: string): Promise<PostgresStore> {
    const options = { url, application: "threadlore", schema: SCHEMA };
    try {
      const alone = new Connections({ ...options, most: 1 });
      await alone.transaction(migrate).finally(() => alone.close());
      const presence = await Presence.begin(url);
      // Every connection says whose it is.
      const greeting = `SET threadlore.process = '${presence.number}'`;
      return new PostgresStore(new Connections({ ...options, greeting }), presence, placeOfServer(url));
    } catch (error) {
      throw explained(error, url);
    }
  }

  async read<Result>(steps: Steps<Result>): Promise<Result> {
    // A statement that was lost with its connection is asked again; the steps go on where they were.
    return performEach(steps, (step) =>
      this.#asked(
        step.beside === undefined || step.beside.length === 0
          ? this.#connections.ask(...asSent(step)).then(resultFrom)
          : this.#connections.once((client) => performStep(client, step)),
      ),
    );
  }

  write<Result>(steps: () => Steps<Result>): Promise<Result> {
    return this.#asked(
      this.#connections.transaction((client) => {
        let isOver = false;
        return performEach(steps(), async (step) => {
          if (isOver) throw new Error("a statement after the last one of its transaction");
          if (step.isLast !== true) return performStep(client, step);
          isOver = true;
          await client.last(...asSent(step));
          return { rows: [], changes: 0 };
        });
      }),
    );
  }

  gathering<Item extends Weighed, Result>(writeAll: (items: readonly Item[]) => Steps<Fate<Result>[]>) {
    const gathering = new Gathering((items: readonly Item[]) => this.write(() => writeAll(items)), concernOf);
    return (item: Item): Promise<Result> => gathering.write(item);
  }

  makeRoom<Result>(steps: () => Steps<Result>): Promise<Result> {
    return this.write(steps);
  }

  /** That the server gives no answer is said in a word of our own. */
  #asked<Result>(answer: Promise<Result>): Promise<Result> {
    return answer.catch((error: unknown) => {
      if (!isUnanswered(error)) throw error;
      throw new DatabaseError("unreachable", this.#place, "The database cannot be reached.", error);
    });
  }

  /** Waits for no answer any more; to be called before `close` where there is no time left. */
  abandon(): void {
    this.#connections.abandon();
  }

  /** Takes a few seconds at the most, whatever the server does. */
  async close(): Promise<void> {
    await Promise.all([this.presence.end(), this.#connections.close()]);
  }
}

async function performEach<Result>(
  steps: Steps<Result>,
  perform: (step: SqlStep) => Promise<SqlResult>,
): Promise<Result> {
  let step = steps.next();
  while (step.done !== true) {
    let result: SqlResult;
    try {
      result = await perform(step.value);
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(result);
  }
  return step.value;
}

/** Sends a statement and those beside it, and waits for all: only then the connection is nobody's again. */
async function performStep(client: Client, { beside = [], ...own }: SqlStep): Promise<SqlResult> {
  if (beside.length === 0) return performOne(client, own);
  const performed = await Promise.allSettled([own, ...beside].map((one) => performOne(client, one)));
  const results = performed.map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
  return { ...(results[0] as SqlResult), beside: results.slice(1) };
}

const asSent = ({ sql, given }: SqlStep) => [postgresText(sql), given.map(encoded)] as const;

async function performOne(client: Client, step: SqlStep): Promise<SqlResult> {
  return resultFrom(await client.query(...asSent(step)));
}

function resultFrom({ rows, rowCount }: Awaited<ReturnType<Client["query"]>>): SqlResult {
  return { rows: rows.map((row) => decoded(row as Record<string, unknown>)), changes: rowCount ?? 0 };
}

/** Texts are few: each is changed once. */
const texts = new Map<string, string>();

/** The text a statement has in PostgreSQL: `?` and `?1` become `$1`. No text of ours holds a question mark otherwise. */
function postgresText(sql: Sql): string {
  const own = typeof sql === "string" ? sql : sql.postgres;
  let text = texts.get(own);
  if (text === undefined) {
    let place = 0;
    text = own.replace(/\?(\d*)/g, (_, number: string) => `$${number === "" ? ++place : number}`);
    texts.set(own, text);
  }
  return text;
}

function encoded(value: SqlValue): string | number | null | Buffer {
  if (typeof value === "string") return storable(value);
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
}

function decoded(row: Record<string, unknown>): Row {
  for (const [column, value] of Object.entries(row)) if (typeof value === "string") row[column] = stored(value);
  return row as Row;
}

/** What a document says is the matter of it alone: classes 22, 23 and 54 of PostgreSQL's codes, or errors in code of ours. */
function concernOf(error: unknown): Concern {
  if (error instanceof DatabaseError) return isTimedOut(error.cause) ? "these" : "everybody";
  return /^(?:2[23]...|54...)?$/.test(codeOf(error)) ? "one" : "these";
}

function explained(error: unknown, url: string): unknown {
  const reason = reasonOf(error, url, "the service", "DATABASE_URL");
  return reason === undefined ? error : new DatabaseError("unreachable", placeOfServer(url), reason, error);
}
