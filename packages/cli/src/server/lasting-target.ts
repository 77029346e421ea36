import { findDataFolder } from "../embedded/embedded.ts";
import { throwProblems } from "../exit-codes.ts";
import { dataFolder } from "../folders.ts";
import type { Terminal } from "../terminal/output.ts";
import { checkAddress, nameOf, readConfig, serverName, type ServerFlags } from "./config.ts";

/** How a program that is started later, in another folder and without this environment, finds the same server. */
export interface LastingTarget {
  /** What goes along on its command line; nothing where it finds the server by itself. */
  readonly args: readonly string[];
  /** Where it goes, for a person. Undefined: nothing is configured yet. */
  readonly target: string | undefined;
  /** The key is only in this environment, which the later program does not have. */
  readonly isKeyMissing: boolean;
}

/**
 * The server this command line is about, in the order of `readSettings`, and without asking it anything. A key is not
 * among what goes along. Throws one UsageError that lists every problem.
 */
export async function lastingTarget(terminal: Terminal, flags: ServerFlags): Promise<LastingTarget> {
  const problems: string[] = [];
  const config = await readConfig(terminal, problems);
  const named = nameOf(terminal, flags, problems);
  if (named !== undefined && "url" in named) checkAddress(named.url, named.by, problems);
  throwProblems(problems);
  if (named !== undefined && "url" in named) {
    const keeps = config.servers[serverName(named.url)]?.apiKey !== undefined;
    const isKeyMissing = !keeps && (terminal.env["THREADLORE_API_KEY"] ?? "") !== "";
    return { args: ["--url", named.url], target: `Server ${serverName(named.url)}`, isKeyMissing };
  }
  if (named !== undefined) return embedded(dataFolder(terminal, named.data));
  if (config.current !== undefined) {
    return { args: [], target: `Server ${serverName(config.current)} (logged in)`, isKeyMissing: false };
  }
  const found = await findDataFolder(terminal);
  if (found === undefined) return { args: [], target: undefined, isKeyMissing: false };
  return found === dataFolder(terminal) ? { ...embedded(found), args: [] } : embedded(found);
}

function embedded(folder: string): LastingTarget {
  return { args: ["--data", folder], target: `Embedded service on the data in ${folder}`, isKeyMissing: false };
}
