import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** Our folder in one of the XDG base directory specification, which says that a relative one is to be ignored. */
export function xdgFolder(env: Environment, variable: string, fallback: string): string {
  const named = env[variable];
  const base = named !== undefined && isAbsolute(named) ? named : join(env["HOME"] ?? homedir(), fallback);
  return join(base, "threadlore");
}

/** Where compiled code is kept: `$XDG_CACHE_HOME/threadlore`, by default `~/.cache/threadlore`. Safe to delete. */
export const cacheFolder = (env: Environment): string => xdgFolder(env, "XDG_CACHE_HOME", ".cache");
