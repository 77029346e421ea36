import { AuthError, type Client, createClient } from "@threadlore/client";
import { createDeployment, type Deployment } from "@threadlore/client/deployment";
import { checkKey, type Settings } from "../server/config.ts";
import { askCaller, connection } from "../server/connection.ts";
import { throwProblems } from "../exit-codes.ts";
import type { Terminal } from "../terminal/output.ts";
import type { AnswerTest } from "./test-model.ts";

/** Somebody who asks: one key, and everything that goes to the server with it. */
export interface Asker {
  /** Name of the key; undefined: the one of the run. */
  readonly key: string | undefined;
  readonly apiKey: string | undefined;
  readonly client: Client;
  readonly deployment: Deployment;
  /** Resolves when the server is up; looked at once more where it is not, and not waited for. */
  readonly health: Deployment["health"];
}

/** Variables that hold keys of tests: `key: hr` is THREADLORE_KEY_HR. No test can have any other variable sent. */
const PREFIX = "THREADLORE_KEY_";

const variableOf = (key: string): string => PREFIX + key.toUpperCase().replaceAll("-", "_");

/** A pipeline waits rather than fails: a server that asks for patience gets it. */
const RETRIES = { retries: 6, longestWaitMs: 120_000 };

/** The askers of all tests by the names of their keys. Throws UsageError with every variable that is missing. */
export function askersOf(
  terminal: Terminal,
  settings: Settings,
  tests: readonly AnswerTest[],
): ReadonlyMap<string | undefined, Asker> {
  const problems: string[] = [];
  const names = new Set<string | undefined>([undefined, ...tests.map(({ settings: { key } }) => key)]);
  const askers = [...names].map((key): [string | undefined, Asker] => {
    const apiKey = key === undefined ? settings.apiKey : keyCalled(terminal, key, problems);
    const server = connection(terminal, { ...settings, apiKey });
    const patient = { ...server, retries: RETRIES };
    const { health } = createDeployment({ ...server, retries: { retries: 1 } });
    return [key, { key, apiKey, client: createClient(patient), deployment: createDeployment(patient), health }];
  });
  throwProblems(problems);
  return new Map(askers);
}

/**
 * Looks whether the server knows every key: one that is open to everyone takes a revoked key for none, and would answer from
 * what everybody sees. Throws AuthError for the first it does not know.
 */
export async function checkAskers(terminal: Terminal, settings: Settings, askers: Iterable<Asker>): Promise<void> {
  for (const { key, apiKey } of askers) {
    if (apiKey === undefined) continue;
    try {
      await askCaller(terminal, { ...settings, apiKey });
    } catch (error) {
      if (!(error instanceof AuthError) || key === undefined) throw error;
      throw new AuthError(`${variableOf(key)}: ${error.message}`, {}, { cause: error });
    }
  }
}

function keyCalled(terminal: Terminal, name: string, problems: string[]): string | undefined {
  const variable = variableOf(name);
  const key = terminal.env[variable];
  if (key === undefined || key === "") {
    problems.push(`${variable} is not set: tests with \`key: ${name}\` are asked with the key in it`);
    return undefined;
  }
  terminal.hide(key);
  const before = problems.length;
  checkKey(key, variable, problems);
  return problems.length > before ? undefined : key;
}
