import { delay } from "@threadlore/client/delay";
import { Pool, type PoolClient, types } from "pg";
import { decoded, type SqlDialect, encoded, Engine, type Queries, StoreError } from "./engine.ts";
import { codeOf } from "./trouble.ts";

const SCHEMA = "threadlore_bot";

/** The server's clock is the one all instances share. */
const SERVER_MS = "CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT)";

const DIALECT: SqlDialect = {
  sequence: "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
  forUpdate: "FOR UPDATE OF t SKIP LOCKED",
  moment: SERVER_MS,
  leaseMoment: SERVER_MS,
  // The number is any that no other program is likely to lock by. An administrator may have made the schema already,
  // for a user who may not; creating it if it is absent would be refused even then.
  lockSchema: `
    SET LOCAL statement_timeout = '5min';
    SELECT pg_advisory_xact_lock(7204113925);
    DO $$ BEGIN
      IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = '${SCHEMA}') THEN CREATE SCHEMA ${SCHEMA}; END IF;
    END $$`,
  afterForgetting: "",
};

const CONNECT_WAIT_MS = 5_000;
const STATEMENT_WAIT_MS = 10_000;
/** Longer than the server's own limit: it ends only what a dead network would let wait for ever. */
const ANSWER_WAIT_MS = 15_000;
/** Waits between tries after a lost connection. In total they leave time to tell the platform within 3 seconds. */
const RETRY_WAITS_MS = [50, 200, 800];
const CONNECTIONS = 10;
const CLOCK_CHECK_MS = 60_000;
/** Clocks of well-kept machines differ by less; what is smaller is not corrected, and costs no lease. */
const TOLERATED_SKEW_MS = 1_000;

/**
 * A PostgreSQL database, shared by instances: tables in a schema of their own, one pool of connections, lost
 * connections replaced. Throws StoreError.
 */
export async function openPostgres(url: string, clock: () => number): Promise<Engine> {
  const engine = new PostgresEngine(url, clock);
  try {
    await engine.readClock();
    return engine;
  } catch (error) {
    await engine.close();
    throw explained(error, url);
  }
}

class PostgresEngine extends Engine {
  readonly dialect = DIALECT;
  readonly alone = false;
  readonly #pool: Pool;
  readonly #clock: () => number;
  readonly #clockTimer: NodeJS.Timeout;
  /** The server's clock minus this process's monotonic one, so that a stepped wall clock is noticed at once. */
  #serverAhead: number | undefined;
  #closing: Promise<void> | undefined;

  constructor(url: string, clock: () => number) {
    super();
    this.#clock = clock;
    this.#pool = new Pool({
      connectionString: url,
      application_name: "threadlore-bot",
      max: CONNECTIONS,
      connectionTimeoutMillis: CONNECT_WAIT_MS,
      query_timeout: ANSWER_WAIT_MS,
      keepAlive: true,
      types: { getTypeParser },
      onConnect: async (client) => {
        // The pool listens only while it is idle.
        client.on("error", () => undefined);
        await client.query(
          `SET search_path TO ${SCHEMA}; SET statement_timeout = ${STATEMENT_WAIT_MS};
           SET idle_in_transaction_session_timeout = ${STATEMENT_WAIT_MS}`,
        );
      },
    });
    // An idle connection that breaks is replaced by the pool; unheard, the event would end the process.
    this.#pool.on("error", () => undefined);
    this.#clockTimer = setInterval(() => {
      this.readClock().catch(() => undefined);
    }, CLOCK_CHECK_MS).unref();
  }

  get clockAhead(): number {
    if (this.#serverAhead === undefined) return 0;
    const ahead = Math.round(this.#serverAhead + performance.now() - this.#clock());
    return Math.abs(ahead) < TOLERATED_SKEW_MS ? 0 : ahead;
  }

  async readClock(): Promise<void> {
    const before = performance.now();
    const [row] = await this.query(`SELECT ${SERVER_MS} AS moment`);
    this.#serverAhead = Number(row?.["moment"]) - (before + performance.now()) / 2;
  }

  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.once(async (queries) => {
      await queries.script("BEGIN");
      try {
        const result = await work(queries);
        await queries.script("COMMIT");
        return result;
      } catch (error) {
        if (!isBroken(error)) await queries.script("ROLLBACK");
        throw error;
      }
    });
  }

  close(): Promise<void> {
    clearInterval(this.#clockTimer);
    this.#closing ??= this.#pool.end();
    return this.#closing;
  }

  /**
   * Does work on a connection. Where the connection was lost it is done again on another one: all of the store's
   * statements may be done twice. What a first try did unnoticed is then found done, or its lease runs out.
   */
  protected async once<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    for (let tries = 0; ; tries++) {
      let client: PoolClient | undefined;
      try {
        client = await this.#pool.connect();
        const result = await work(queriesOf(client));
        client.release();
        return result;
      } catch (error) {
        const lost = isLost(error);
        client?.release(isBroken(error));
        const wait = RETRY_WAITS_MS[tries];
        if (this.#closing !== undefined || wait === undefined || !(lost || isDeadlock(error))) throw error;
        await delay(wait);
      }
    }
  }
}

function queriesOf(client: PoolClient): Queries {
  return {
    query: async (sql, ...values) => {
      const { rows } = await client.query<Record<string, unknown>>(sql, values.map(encoded));
      return rows.map(decoded);
    },
    run: async (sql, ...values) => (await client.query(sql, values.map(encoded))).rowCount ?? 0,
    script: async (sql) => {
      await client.query(sql);
    },
  };
}

/** Numbers as numbers: moments and counts stay far below 2^53. */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: "text" | "binary") =>
  oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format as "text");

/** Whether the connection is gone, or none was to be had: worth another try. */
function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  // Class 08, 25P03, 53300 and 57P0x: it broke, idled in a transaction, was one too many, or the server ends or starts.
  if (/^(08...|25P03|53300|57P0\d|ECONN.*|EPIPE|ETIMEDOUT|ENOENT|EAI_AGAIN)$/.test(code)) return true;
  return (
    code === "" &&
    /connection (terminated|ended)|client has encountered a connection error|not queryable/i.test(error.message)
  );
}

/** Whether a connection can be used no more: lost, or still waiting for an answer nobody waits for. */
function isBroken(error: unknown): boolean {
  return isLost(error) || (error instanceof Error && error.message === "Query read timeout");
}

function isDeadlock(error: unknown): boolean {
  return codeOf(error) === "40P01" || codeOf(error) === "40001";
}

function explained(error: unknown, url: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error;
  const where = placeOfServer(url);
  const code = codeOf(error);
  if (/^(28...|3D000|42501)$/.test(code)) {
    return new StoreError(
      `The PostgreSQL server ${where} refused the bot: ${error.message}. Correct the user, password or database in ` +
        "the address of the bot's database.",
      { cause: error },
    );
  }
  if (!isLost(error) && !/^(ENOTFOUND|EAI_AGAIN|EHOST.*|ENETUNREACH)$/.test(code)) return error;
  return new StoreError(
    `The PostgreSQL server ${where} cannot be reached (${error.message}). Is it running, and is the address of the ` +
      "bot's database right?",
    { cause: error },
  );
}

/** The server without user and password. */
function placeOfServer(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? "" : `at ${parsed.searchParams.get("host") ?? parsed.host}${parsed.pathname}`;
}
