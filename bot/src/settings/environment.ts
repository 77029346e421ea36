import { resolve } from "node:path";
import { secretIn } from "@threadlore/installing";
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
export function readEnvironment({ env, folder }: World, problems: string[]): ReadVariable {
  /** Null: it stands in a file that cannot be used, which is a problem already. */
  const texts = new Map<string, string | null | undefined>();
  for (const [name, { secret, standard }] of Object.entries<Variable>(VARIABLES)) {
    const direct = env[name]?.trim() || undefined;
    const file = (secret === true && env[`${name}_FILE`]?.trim()) || undefined;
    if (file === undefined) texts.set(name, direct ?? standard);
    else if (direct === undefined) {
      const read = secretIn(resolve(folder, file));
      if ("problem" in read) problems.push(`${name}_FILE: ${read.problem}`);
      texts.set(name, "text" in read ? read.text : null);
    } else {
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
