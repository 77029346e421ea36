import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { UsageError } from "./command-line.ts";
import type { World } from "./environment.ts";

const OPTION = "--settings";

/**
 * Takes `--settings FILE` from a command line, and gives the environment with what that file says: the one the unit reads,
 * so that a command by hand means the same database and the same proxy. What the environment says itself comes first.
 * Throws UsageError where the file cannot be read.
 */
export function withSettingsFile(
  args: readonly string[],
  { env, folder }: World,
): { readonly args: readonly string[]; readonly env: World["env"] } {
  const at = args.findIndex((word) => word === OPTION || word.startsWith(`${OPTION}=`));
  if (at < 0) return { args, env };
  const isSplit = args[at] === OPTION;
  const named = isSplit ? args[at + 1] : args[at]?.slice(OPTION.length + 1);
  if (named === undefined || named === "") throw new UsageError("--settings needs the path of a file.");
  const said = readSettingsFile(resolve(folder, named));
  if (said === undefined) throw new UsageError(`There is no file of settings at ${resolve(folder, named)}.`);
  return { args: args.toSpliced(at, isSplit ? 2 : 1), env: { ...said, ...env } };
}

/** What a file of settings says; undefined: there is none. Throws UsageError where it cannot be read. */
export function readSettingsFile(path: string): Record<string, string> | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    if (code === "ENOENT") return undefined;
    throw new UsageError(`The settings in ${path} cannot be read (${code}): ask as its owner, or with sudo.`);
  }
  const said = Object.fromEntries(Object.entries(parseEnv(text)).map(([name, value]) => [name, value ?? ""]));
  // Node reads this one as it starts, which is over by now.
  const extra = said["NODE_EXTRA_CA_CERTS"];
  return extra === undefined ? said : { THREADLORE_CA_FILE: extra, ...said };
}
