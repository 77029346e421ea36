import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** Where compiled code is kept: `$XDG_CACHE_HOME/threadlore`, by default `~/.cache/threadlore`. Safe to delete. */
export function cacheFolder(env: Readonly<Record<string, string | undefined>>): string {
  const named = env["XDG_CACHE_HOME"];
  const base = named !== undefined && isAbsolute(named) ? named : join(env["HOME"] ?? homedir(), ".cache");
  return join(base, "threadlore");
}
