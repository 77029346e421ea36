import { type Client, Connections, reasonOf } from "@threadlore/postgres";
import { decoded, type SqlDialect, encoded, Engine, type Queries, StoreError } from "./engine.ts";

const SCHEMA = "threadlore_bot";

/** The server's clock is the one all instances share. */
const SERVER_MS = "CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT)";

const DIALECT: SqlDialect = {
  sequence: "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
  forUpdate: "FOR UPDATE OF t SKIP LOCKED",
  moment: SERVER_MS,
  leaseMoment: SERVER_MS,
  placeIn: "strpos",
  bytewise: '"C"',
  member: (column, name) => `(${column}::json ->> '${name}')`,
  // The number is any that no other program is likely to lock by. An administrator may have made the schema already,
  // for a user who may not; creating it if it is absent would be refused even then.
  lockSchema: `
    SET LOCAL statement_timeout = '5min';
    SELECT pg_advisory_xact_lock(7204113925);
    DO $$ BEGIN
      IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = '${SCHEMA}') THEN CREATE SCHEMA ${SCHEMA}; END IF;
    END $$`,
  // Row by row it would be more than a statement has time for.
  emptying: (tables) => [`TRUNCATE ${tables.join(", ")} CASCADE`],
  afterForgetting: "",
};

/** Longer than the server's own limit of each statement above. */
const SCRIPT_WAIT_MS = 15 * 60_000;

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
  readonly #connections: Connections;
  readonly #clock: () => number;
  readonly #clockTimer: NodeJS.Timeout;
  /** The server's clock minus this process's monotonic one, so that a stepped wall clock is noticed at once. */
  #serverAhead: number | undefined;

  constructor(url: string, clock: () => number) {
    super();
    this.#clock = clock;
    this.#connections = new Connections({ url, application: "threadlore-bot", schema: SCHEMA });
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
    return this.#connections.transaction((client) => work(queriesOf(client)));
  }

  close(): Promise<void> {
    clearInterval(this.#clockTimer);
    return this.#connections.close();
  }

  /** All of the store's statements may be done twice: what a first try did unnoticed is found done, or its lease runs out. */
  protected once<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.#connections.once((client) => work(queriesOf(client)));
  }
}

function queriesOf(client: Client): Queries {
  return {
    query: async (sql, ...values) => {
      const { rows } = await client.query<Record<string, unknown>>(sql, values.map(encoded));
      return rows.map(decoded);
    },
    run: async (sql, ...values) => (await client.query(sql, values.map(encoded))).rowCount ?? 0,
    script: (sql) => client.script(sql, SCRIPT_WAIT_MS),
  };
}

function explained(error: unknown, url: string): unknown {
  if (error instanceof StoreError) return error;
  const reason = reasonOf(error, url, "the bot", "the address of the bot's database");
  return reason === undefined ? error : new StoreError(reason, { cause: error });
}
