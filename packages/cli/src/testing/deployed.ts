import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterThisTest, type DeployedServer, startDeployedServer, temporaryFolder } from "@threadlore/testkit";
import { type HereOptions, type Run, runHere } from "./in-process.ts";

/** A person at a terminal, with a home of their own, whose server is a deployed one. */
export interface Person {
  readonly home: string;
  /** Runs one command line with the key the person was given, by the address alone. */
  run(args: readonly string[], options?: PersonOptions): Promise<Run>;
  /** Runs it with `--json`, and reads what it printed: of `ingest`, whose output is lines, the last one. */
  json(args: readonly string[], options?: PersonOptions): Promise<{ code: number | null; document: Json }>;
  write(name: string, text: string): void;
}

export type Json = Record<string, never> & { readonly [name: string]: unknown };

type PersonOptions = Omit<HereOptions, "home"> & { readonly key?: string };

/** A deployed server that ends with the test. */
export async function deployed(options: Parameters<typeof startDeployedServer>[0] = {}): Promise<DeployedServer> {
  const server = await startDeployedServer(options);
  afterThisTest(() => server.close());
  return server;
}

/** Somebody with a key of this server; the address is typed without `/api`. */
export function personAt(
  server: Pick<DeployedServer, "origin" | "keys">,
  key: string = server.keys.admin,
  home: string = temporaryFolder(),
): Person {
  const run: Person["run"] = (args, { key: other = key, env, ...options } = {}) =>
    runHere(args, {
      home,
      ...options,
      env: {
        THREADLORE_URL: server.origin,
        THREADLORE_API_KEY: other,
        THREADLORE_INGESTION_PATH: "/onyx-api/ingestion",
        ...env,
      },
    });
  return {
    home,
    run,
    json: async (args, options) => {
      const { code, stdout } = await run([...args, "--json"], options);
      const document = args[0] === "ingest" ? (stdout.trimEnd().split("\n").at(-1) ?? "") : stdout;
      return { code, document: JSON.parse(document) as Json };
    },
    write: (name, text) => {
      mkdirSync(dirname(join(home, name)), { recursive: true });
      writeFileSync(join(home, name), text);
    },
  };
}
