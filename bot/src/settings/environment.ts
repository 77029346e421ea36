import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { VARIABLES, type Variable, type VariableName } from "./variables.ts";

/** The environment, secrets fetched from their files. */
export interface Variables {
  /** The text, or the standard one; undefined: neither. */
  text(name: VariableName): string | undefined;
  /** It was given in a way that cannot be used, and the problem is noted already. */
  broken(name: VariableName): boolean;
}

/** Reads every variable; what cannot be read is noted in `problems`. An empty variable counts as not set. */
export async function readVariables(
  { env, folder }: { env: Readonly<Record<string, string | undefined>>; folder: string },
  problems: string[],
): Promise<Variables> {
  const texts = new Map<string, string>();
  const broken = new Set<string>();
  for (const { name, secret, standard } of VARIABLES as readonly Variable[]) {
    const direct = env[name]?.trim() ?? "";
    const file = secret === true ? (env[`${name}_FILE`]?.trim() ?? "") : "";
    if (direct !== "" && file !== "") {
      problems.push(`${name} and ${name}_FILE are both set: keep one.`);
      broken.add(name);
    } else if (file === "") {
      if (direct !== "") texts.set(name, direct);
      else if (standard !== undefined) texts.set(name, standard);
    } else {
      const found = await secretIn(resolve(folder, file), `${name}_FILE`);
      if ("problem" in found) {
        problems.push(found.problem);
        broken.add(name);
      } else texts.set(name, found.secret);
    }
  }
  return { text: (name) => texts.get(name), broken: (name) => broken.has(name) };
}

/** A secret others on the machine can read is none. */
async function secretIn(path: string, where: string): Promise<{ secret: string } | { problem: string }> {
  try {
    const { mode } = await stat(path);
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      return { problem: `${where}: others on this machine can read ${path}. Run: chmod 600 ${path}` };
    }
    const secret = (await readFile(path, "utf8")).trim();
    return secret === "" ? { problem: `${where}: ${path} is empty: write the secret into it.` } : { secret };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    return { problem: `${where}: ${path} cannot be read (${code}): check the path and who owns the file.` };
  }
}
