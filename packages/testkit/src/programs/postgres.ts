import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import type { Missing } from "./debian-program.ts";
import { postgresProgram } from "./postgres-program.ts";
import { Client } from "pg";
import { afterAll, expect, it } from "vitest";

const run = promisify(execFile);

/** A PostgreSQL server for tests, on a socket in a temporary folder; not made to survive anything. */
export interface Postgres {
  /** Address of a new database: an empty one, or the same as another, to which nobody is connected. */
  createDatabase(like?: string): Promise<string>;
  /** Ends a database, and whatever is connected to it. */
  dropDatabase(url: string): Promise<void>;
  /** Ends the server at once, connections and all, and starts it again on the same files. */
  restart(): Promise<void>;
  /** Ends the server and deletes its files. */
  stop(): Promise<void>;
}

/**
 * Defines tests that have a server; where there can be none, one test whose name says why they were not run. Await it
 * at the top of a test file.
 */
export async function testWithPostgres(define: (postgres: Postgres) => void): Promise<void> {
  const postgres = await startPostgres();
  const notRun = (reason: string): void =>
    it(`PostgreSQL: tests were not run, because ${reason}`, () => expect(reason).not.toBe(""));
  const withServer = (server: Postgres): void => {
    afterAll(() => server.stop());
    define(server);
  };
  return "missing" in postgres ? notRun(postgres.missing) : withServer(postgres);
}

/**
 * Starts a server of the newest PostgreSQL here; for root on Debian, the package `postgresql` is installed where there
 * is none, and said aloud. That takes a minute or two, so ask outside of a test's time. Where it cannot be, says so on
 * stderr and answers why, for the test that is then run instead.
 * @param settings of the server, by name, beside those of the tests or instead of them: `{ fsync: "on" }` for figures
 */
export async function startPostgres(
  environment?: NodeJS.ProcessEnv,
  debian?: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Postgres | Missing> {
  const found = await postgresProgram(environment, debian);
  return typeof found === "string" ? startCluster(found, settings) : found;
}

async function startCluster(programs: string, settings: Readonly<Record<string, string>>): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), "threadlore-pg-"));
  const files = join(folder, "files");
  const account = await serverAccount();
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
  // The server refuses to run as root. It ends with this process, however that ends.
  const as = (program: string, ...words: string[]): [string, string[]] =>
    account === undefined
      ? [join(programs, program), words]
      : [
          "setpriv",
          [`--reuid=${account.uid}`, `--regid=${account.gid}`, "--clear-groups", "--pdeathsig=INT", "--"].concat(
            join(programs, program),
            words,
          ),
        ];
  const initialise = ["--pgdata", files, "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C"];
  await run(...as("initdb", ...initialise, "--no-sync"), { cwd: folder });

  let server = await startServer(...as("postgres", ...serverWords(files, folder, settings)), folder);
  let databases = 0;
  const urlOf = (database: string): string => `postgres://postgres@localhost/${database}?host=${folder}`;
  const nameOf = (url: string): string => new URL(url).pathname.slice(1);
  const administer = async (statement: string): Promise<void> => {
    const client = new Client({ connectionString: urlOf("postgres") });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  return {
    async createDatabase(like) {
      const name = `test_${++databases}`;
      await administer(`CREATE DATABASE ${name}${like === undefined ? "" : ` TEMPLATE ${nameOf(like)}`}`);
      return urlOf(name);
    },
    dropDatabase: (url) => administer(`DROP DATABASE ${nameOf(url)} WITH (FORCE)`),
    async restart() {
      await end(server, "SIGQUIT");
      server = await startServer(...as("postgres", ...serverWords(files, folder, settings)), folder);
    },
    async stop() {
      await end(server, "SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function serverWords(files: string, socketFolder: string, others: Readonly<Record<string, string>>): string[] {
  const settings = {
    listen_addresses: "",
    unix_socket_directories: socketFolder,
    fsync: "off",
    full_page_writes: "off",
    shared_buffers: "16MB",
    max_connections: "100",
    lc_messages: "C",
    logging_collector: "off",
    ...others,
  };
  return ["-D", files, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}

async function serverAccount(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const { stdout } = await run("id", ["postgres"]).catch(() => run("id", ["nobody"]));
  const [, uid, gid] = /uid=(\d+).*? gid=(\d+)/.exec(stdout) ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

async function startServer(program: string, words: string[], cwd: string): Promise<ChildProcess> {
  const server = spawn(program, words, { cwd, stdio: ["ignore", "ignore", "pipe"] });
  const said: string[] = [];
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.once("exit", () => reject(new Error(`PostgreSQL did not start:\n${said.join("\n")}`)));
    // Read on afterwards too: a full pipe would stop the server.
    createInterface({ input: server.stderr }).on("line", (line) => {
      if (said.push(line) > 100) said.shift();
      if (line.includes("ready to accept connections")) resolve();
    });
  });
  return server;
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, "exit");
  server.kill(signal);
  await exited;
}
