import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type * as z from "zod";
import { type Variable, type VariableName, VARIABLES } from "./variables.ts";

/** Where settings come from. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What relative paths begin at. */
  readonly folder: string;
}

type Row<Name extends VariableName> = (typeof VARIABLES)[Name];

/** What a variable becomes; undefined: it is not set, which it need not be. */
type Read<Name extends VariableName> =
  | (Row<Name> extends { form: z.ZodType<infer Output> } ? Output : string)
  | (Row<Name> extends { standard: string } | { needed: string } ? never : undefined);

/** Reads one variable. What it gives for a wrong one must not be used: the problem is noted, and to be thrown. */
export type ReadVariable = <Name extends VariableName>(name: Name) => Read<Name>;

/**
 * The environment, secrets fetched from their files. What cannot be used is noted in `problems`, each with what to do
 * and never with a value: what concerns files at once, everything else when it is read. An empty variable counts as not
 * set.
 */
export async function readEnvironment({ env, folder }: World, problems: string[]): Promise<ReadVariable> {
  /** Null: it stands in a file that cannot be used, which is a problem already. */
  const texts = new Map<string, string | null | undefined>();
  for (const [name, { secret, standard }] of Object.entries<Variable>(VARIABLES)) {
    const direct = env[name]?.trim() || undefined;
    const file = (secret === true && env[`${name}_FILE`]?.trim()) || undefined;
    if (file === undefined) texts.set(name, direct ?? standard);
    else if (direct === undefined) texts.set(name, await secretIn(resolve(folder, file), `${name}_FILE`, problems));
    else {
      problems.push(`${name} and ${name}_FILE are both set: keep one.`);
      texts.set(name, null);
    }
  }
  return <Name extends VariableName>(name: Name) => {
    const { form, needed }: Variable = VARIABLES[name];
    const text = texts.get(name);
    if (text === undefined && needed !== undefined) problems.push(`${name} is not set: ${needed}`);
    if (typeof text !== "string" || form === undefined) return (text ?? undefined) as Read<Name>;
    const parsed = form.safeParse(text);
    if (!parsed.success) problems.push(`${name} ${parsed.error.issues[0]?.message ?? "cannot be used"}`);
    return parsed.data as Read<Name>;
  };
}

/** A secret others on the machine can read is none. */
async function secretIn(path: string, where: string, problems: string[]): Promise<string | null> {
  let problem: string;
  try {
    const { mode } = await stat(path);
    const isOpen = process.platform !== "win32" && (mode & 0o077) !== 0;
    const text = isOpen ? "" : (await readFile(path, "utf8")).trim();
    if (text !== "") return text;
    problem = isOpen
      ? `others on this machine can read ${path}. Run: chmod 600 ${path}`
      : `${path} is empty: write the secret into it.`;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    problem = `${path} cannot be read (${code}): check the path and who owns the file.`;
  }
  problems.push(`${where}: ${problem}`);
  return null;
}
