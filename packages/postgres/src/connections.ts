import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { Client as PgClient, Pool, type PoolClient, type QueryConfig, types } from "pg";
import { endingSoon, socketAmong } from "./sockets.ts";
import { isBroken, isConflict, isConnectionLost } from "./trouble.ts";
import { Turns } from "./turns.ts";

/** One connection, as long as it is lent. Statements are sent at once, and performed one after the other. */
export interface Client {
  /** One statement with `$1`, `$2`, … for its values, or several without any. */
  query<Found = Record<string, unknown>>(
    sql: string,
    values?: readonly unknown[],
  ): Promise<{ readonly rows: Found[]; readonly rowCount: number | null }>;
  /**
   * Statements without values that may take so long in all, milliseconds, and each as long as the server lets it: tables are
   * changed with what they hold, and others wait for whoever does it.
   */
  script(sql: string, waitMs: number): Promise<void>;
}

/** What a statement gave. */
type Answer = Awaited<ReturnType<Client["query"]>>;

/** A statement that waits for its moment. */
interface Asked {
  readonly ask: (client: Client) => Promise<Answer>;
  readonly resolve: (answer: Answer | Promise<Answer>) => void;
  readonly reject: (error: unknown) => void;
}

/** Statements that go over one connection together, at the most: each waits for those before it. */
const MAX_ASKED = 8;

/** A connection within a transaction. */
interface Transaction extends Client {
  /**
   * The last statement of all, sent together with the end of the transaction: what it locks is held for no message more.
   * Resolves when all is written. Nothing may be asked of the connection any more.
   */
  last(sql: string, values: readonly unknown[]): Promise<void>;
}

/** A connection of one's own. */
export interface OwnConnection extends Client {
  /** Hears what was notified on a channel it listens to. */
  onNotification(hear: (channel: string, payload: string) => void): void;
  /** Hears once that it has ended, of itself or by `end`. */
  onEnd(hear: () => void): void;
  end(): Promise<void>;
}

/** Which server, and what a connection to it is. */
export interface ConnectionOptions {
  /** `postgres://…`. */
  readonly url: string;
  /** What administrators see the connections called by. */
  readonly application: string;
  /** The schema names are looked for in. */
  readonly schema: string;
  /** Most connections at one time. Default 10. */
  readonly most?: number;
  /** Sent once over every new connection, such as settings of it. */
  readonly greeting?: string;
}

const CONNECT_WAIT_MS = 5_000;
const STATEMENT_WAIT_MS = 10_000;
/**
 * A process that is paused within a transaction keeps what it changed from all others. Shorter than these wait: they get it, and
 * are not told that nothing can be done.
 */
const IDLE_WAIT_MS = 6_000;
/** Longer than the server's own limit: it ends only what a dead network would let wait for ever. */
const ANSWER_WAIT_MS = 15_000;
/** Waits between tries after a lost connection. In total they leave time to tell whoever waits within 3 seconds. */
const RETRY_WAITS_MS = [50, 200, 800];
const USUAL_CONNECTIONS = 10;
/** A server that waits for another one to have a commit may do so for ever. */
const MAX_COMMITTING_MS = 15_000;

/** A pool of connections to one PostgreSQL database; lost ones are replaced. */
export class Connections {
  readonly #pool: Pool;
  readonly #turns: Turns;
  readonly #sockets = new Set<Socket>();
  #closing: Promise<void> | undefined;
  #isAbandoned = false;
  readonly #asked: Asked[] = [];

  constructor({ url, application, schema, most = USUAL_CONNECTIONS, greeting }: ConnectionOptions) {
    this.#turns = new Turns(most);
    this.#pool = new Pool({
      connectionString: url,
      application_name: application,
      max: most,
      connectionTimeoutMillis: CONNECT_WAIT_MS,
      query_timeout: ANSWER_WAIT_MS,
      keepAlive: true,
      pipeline: true,
      stream: () => socketAmong(this.#sockets),
      types: { getTypeParser },
      onConnect: async (client) => {
        // The pool listens only while it is idle.
        client.on("error", () => undefined);
        await client.query(
          `SET search_path TO ${schema}; SET statement_timeout = ${STATEMENT_WAIT_MS};
           SET idle_in_transaction_session_timeout = ${IDLE_WAIT_MS}; ${greeting ?? ""}`,
        );
      },
    });
    // An idle connection that breaks is replaced by the pool; unheard, the event would end the process.
    this.#pool.on("error", () => undefined);
  }

  /**
   * Does work on a connection. Where the connection was lost it is done again on another one, so that all of it may be done
   * twice: what changes something once belongs into a transaction.
   */
  once<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
    return this.#onceFrom(0, work);
  }

  /** @param tried how often it was tried already */
  async #onceFrom<Result>(tried: number, work: (client: Client) => Promise<Result>): Promise<Result> {
    for (let tries = tried; ; tries++) {
      let client: PoolClient | undefined;
      try {
        client = await this.#borrow();
        const result = await work(clientOf(client));
        this.#giveBack(client);
        return result;
      } catch (error) {
        this.#giveBack(client, isBroken(error));
        await this.#waitBeforeTrying(tries, error);
      }
    }
  }

  /**
   * Asks one statement that changes nothing, as `once`. What is asked in the same moment goes over one connection together.
   */
  ask(sql: string, values: readonly unknown[]): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    if (this.#asked.length === 0) setImmediate(() => this.#askAll());
    this.#asked.push({ ask: (client) => client.query(sql, values), resolve, reject });
    return promise;
  }

  #askAll(): void {
    const asked = this.#asked.splice(0);
    while (asked.length > 0) void this.#askTogether(asked.splice(0, MAX_ASKED));
  }

  async #askTogether(asked: readonly Asked[]): Promise<void> {
    let client: PoolClient | undefined;
    let answers: PromiseSettledResult<Answer>[];
    try {
      client = await this.#borrow();
      const lent = clientOf(client);
      answers = await Promise.allSettled(asked.map(({ ask }) => ask(lent)));
    } catch (reason) {
      answers = asked.map(() => ({ status: "rejected", reason }));
    }
    const errors = answers.flatMap((one): unknown[] => (one.status === "rejected" ? [one.reason] : []));
    this.#giveBack(client, errors.some(isBroken));
    // Where no answer came in time, the connection was given up, and those behind it have lost it only by that.
    const late = errors.find((error) => isBroken(error) && !isConnectionLost(error) && !isConflict(error));
    for (const [at, answer] of answers.entries()) {
      const { ask, resolve, reject } = asked[at] as Asked;
      if (answer.status === "fulfilled") resolve(answer.value);
      else if (late !== undefined && isBroken(answer.reason)) reject(late);
      else resolve(this.#waitBeforeTrying(0, answer.reason).then(() => this.#onceFrom(1, ask)));
    }
  }

  /**
   * Does work in one transaction; whatever it throws undoes all of it. Where the connection was lost, or others were in the
   * way, it is done again, unless it was done: a commit whose answer was lost is asked after.
   */
  async transaction<Result>(work: (client: Transaction) => Promise<Result>): Promise<Result> {
    for (let tries = 0; ; tries++) {
      let client: PoolClient | undefined;
      let isOver = false;
      // As long as nobody knows what became of it, it must not be done again.
      let isUnknown = false;
      try {
        client = await this.#borrow();
        const own = client;
        const lent = clientOf(own);
        const id = await begin(own);
        const end = async (last: readonly Promise<unknown>[]): Promise<void> => {
          const ends = await Promise.allSettled([...last, own.query("COMMIT")]);
          const failed = ends.find((one) => one.status === "rejected");
          if (failed !== undefined) {
            if (!isBroken(failed.reason)) throw failed.reason;
            this.#giveBack(own, true);
            client = undefined;
            isUnknown = true;
            const isCommitted = await this.#isCommitted(id);
            isUnknown = false;
            if (!isCommitted) throw failed.reason;
          }
          isOver = true;
        };
        const result = await work({ ...lent, last: (sql, values) => end([lent.query(sql, values)]) });
        if (!isOver) await end([]);
        this.#giveBack(client);
        return result;
      } catch (error) {
        const broken = isBroken(error);
        const undone =
          broken ||
          (await client?.query("ROLLBACK").then(
            () => true,
            () => false,
          ));
        this.#giveBack(client, broken || undone === false);
        if (isUnknown) throw error;
        await this.#waitBeforeTrying(tries, error);
      }
    }
  }

  /** Waits its turn first: that there is no free connection is no sign that there is none to be had. */
  async #borrow(): Promise<PoolClient> {
    await this.#turns.enter();
    try {
      return await this.#pool.connect();
    } catch (error) {
      this.#turns.leave();
      throw error;
    }
  }

  #giveBack(client: PoolClient | undefined, isBrokenNow = false): void {
    if (client === undefined) return;
    client.release(isBrokenNow);
    this.#turns.leave();
  }

  /** What became of a transaction whose commit was sent. Throws where the server cannot be asked, or does not know in time. */
  async #isCommitted(id: string): Promise<boolean> {
    const until = performance.now() + MAX_COMMITTING_MS;
    for (;;) {
      const status = await this.once(async (client) => {
        const { rows } = await client.query<{ status: string | null }>("SELECT pg_xact_status($1::xid8) AS status", [
          id,
        ]);
        return rows[0]?.status;
      });
      // The server may not have noticed yet that nobody is there any more.
      if (status !== "in progress") return status === "committed";
      if (performance.now() > until) throw new Error("Query read timeout");
      await delay(RETRY_WAITS_MS[1]);
    }
  }

  /** Throws the error where another try is of no use. */
  async #waitBeforeTrying(tries: number, error: unknown): Promise<void> {
    const wait = RETRY_WAITS_MS[tries];
    const isPassing = isConnectionLost(error) || isConflict(error);
    if (this.#closing !== undefined || this.#isAbandoned || wait === undefined || !isPassing) throw error;
    await delay(wait);
  }

  /**
   * Waits for no answer any more: whoever does is told that the connection is gone, and it is not tried again. For a server
   * that says nothing, when there is no time left.
   */
  abandon(): void {
    this.#isAbandoned = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Ends when what is lent has been given back, or a moment later in any case. May be called again. */
  close(): Promise<void> {
    this.#closing ??= endingSoon(this.#pool.end(), () => this.abandon());
    return this.#closing;
  }
}

/** Answers the transaction's number, asked for on the way. */
async function begin(client: PoolClient): Promise<string> {
  // Two statements at once: the answer of the second is what is wanted, and the types know of one only.
  const answers = (await client.query("BEGIN; SELECT pg_current_xact_id() AS id")) as unknown as {
    readonly rows: readonly { readonly id: string }[];
  }[];
  return answers[1]?.rows[0]?.id ?? "";
}

/** Numbers as numbers: moments and counts stay far below 2^53. */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: "text" | "binary") =>
  oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format as "text");

/**
 * A connection of one's own, outside of any pool: for what belongs to a connection, such as a lock of its session, or
 * listening. Nobody replaces it: whoever has it hears its `end`. Throws where there is none to be had.
 */
export async function ownConnection({ url, application, schema }: ConnectionOptions): Promise<OwnConnection> {
  const sockets = new Set<Socket>();
  const client = new PgClient({
    stream: () => socketAmong(sockets),
    connectionString: url,
    application_name: application,
    connectionTimeoutMillis: CONNECT_WAIT_MS,
    query_timeout: CONNECT_WAIT_MS,
    keepAlive: true,
    types: { getTypeParser },
  });
  // What ends it is told by its end.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query(`SET search_path TO ${schema}`);
    return {
      ...clientOf(client),
      onNotification: (hear) => void client.on("notification", ({ channel, payload = "" }) => hear(channel, payload)),
      onEnd: (hear) => void client.once("end", hear),
      end: () =>
        endingSoon(client.end(), () => {
          for (const socket of sockets) socket.destroy();
        }),
    };
  } catch (error) {
    client.end().catch(() => undefined);
    for (const socket of sockets) socket.destroy();
    throw error;
  }
}

/** What of pg's client is lent. */
function clientOf(client: Pick<PoolClient, "query">): Client {
  const { connection } = client as unknown as { readonly connection: { readonly stream: Duplex } };
  return {
    query: async <Found>(text: string, values?: readonly unknown[]) => {
      // What is sent in the same moment is sent at one go.
      const { stream } = connection;
      stream.cork();
      process.nextTick(() => stream.uncork());
      const { rows, rowCount } = await client.query(values === undefined ? text : prepared(text, values));
      return { rows: rows as Found[], rowCount };
    },
    script: async (text, waitMs) => {
      const patient: QueryConfig & { readonly query_timeout: number } = { text, query_timeout: waitMs };
      await client.query(patient);
    },
  };
}

/** A longer statement is one of many rows, of which hardly two are alike. */
const MAX_PREPARED_LENGTH = 3_000;
const names = new Map<string, string>();

/** A statement that each connection plans once: planning takes longer than answering where little is asked. */
function prepared(text: string, values: readonly unknown[]) {
  if (text.length > MAX_PREPARED_LENGTH) return { text, values: [...values] };
  let name = names.get(text);
  if (name === undefined) names.set(text, (name = `threadlore_${names.size + 1}`));
  return { name, text, values: [...values] };
}
