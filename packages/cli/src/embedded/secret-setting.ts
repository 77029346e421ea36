import { resolve } from "node:path";
import { secretIn } from "@threadlore/installing";
import { UsageError } from "../exit-codes.ts";
import type { Terminal } from "../terminal/output.ts";

/**
 * A secret of the environment: the variable itself, or the text of the file that the same name with `_FILE` behind it names.
 * Undefined: it is not set, or empty. Throws UsageError where the file cannot be used, and where both are set.
 */
export function secretOf({ env, folder }: Pick<Terminal, "env" | "folder">, name: string): string | undefined {
  const direct = env[name] || undefined;
  const file = env[`${name}_FILE`]?.trim() || undefined;
  if (file === undefined) return direct;
  if (direct !== undefined) throw new UsageError(`${name} and ${name}_FILE are both set: keep one.`);
  const read = secretIn(resolve(folder, file));
  if ("problem" in read) throw new UsageError(`${name}_FILE: ${read.problem}`);
  return read.text;
}
