import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { ServerFinding } from "@threadlore/client/diagnose";
import { findingText } from "../operations/doctor-command.ts";
import { type CommandIo, UsageError } from "../settings/command-line.ts";
import { createSecrets } from "../settings/secrets.ts";
import { type Variable, type VariableName, VARIABLES } from "../settings/variables.ts";

/** Something the bot needs to be told. */
export interface Wanted {
  readonly name: VariableName;
  /** What the person is asked. */
  readonly question: string;
  /** An empty answer leaves it out. Default false. */
  readonly isOptional?: boolean;
  /** Tries it. What it finds wrong keeps it from being kept. */
  readonly check?: (value: string) => Promise<readonly ServerFinding[]>;
}

/** How often somebody is asked the same. */
const MAX_TIMES = 5;

/** Where settings are given, tried and told: by a person who answers, or by the environment alone. */
export class Desk {
  /** What was given so far and found right, by name. */
  readonly values = new Map<VariableName, string>();
  /** What is missing or wrong, where nobody can be asked. */
  readonly problems: string[] = [];
  /** Everything known beforehand. */
  readonly known: Readonly<Record<string, string | undefined>>;
  readonly #io: CommandIo;
  readonly #isAgain: boolean;
  readonly #secrets = new Set<string>();

  /** @param isAgain it was set up before: what was left out then is not asked for again */
  constructor(io: CommandIo, known: Desk["known"], isAgain: boolean) {
    this.#io = io;
    this.#isAgain = isAgain;
    this.known = known;
  }

  /** Whether somebody can be asked. */
  get hasPerson(): boolean {
    return this.#io.ask !== undefined;
  }

  /** A line for the person. Nothing secret is in it, whatever a server said. */
  say(text: string): void {
    this.#io.err(createSecrets([...this.#secrets]).without(text));
  }

  /** Has one thing given, tried, and kept where it is right; undefined: it was left out, or is a problem. */
  async settle(wanted: Wanted): Promise<string | undefined> {
    const { name, isOptional = false } = wanted;
    const { needed, secret }: Variable = VARIABLES[name];
    const given = this.given(name);
    if (given !== undefined && (await this.#isRight(wanted, given))) return given;
    if (given === undefined && isOptional && this.#isAgain) return undefined;
    const { ask } = this.#io;
    if (ask === undefined) {
      if (given === undefined && !isOptional) this.problems.push(`${name} is not set: ${needed ?? "set it."}`);
      return undefined;
    }
    for (let times = 0; times < MAX_TIMES; times += 1) {
      const answer = await this.#answer(ask, wanted.question, secret === true);
      if (answer === "" && isOptional) return undefined;
      if (answer !== "" && (await this.#isRight(wanted, answer))) return answer;
    }
    throw new UsageError(`${name} was not right ${MAX_TIMES} times. Nothing was kept; begin again when you have it.`);
  }

  async #answer(ask: NonNullable<CommandIo["ask"]>, question: string, hidden: boolean): Promise<string> {
    try {
      return await ask(question, { hidden });
    } catch (error) {
      throw this.#io.interrupted.aborted ? new UsageError("Stopped. Nothing was kept.") : error;
    }
  }

  async #isRight({ name, check }: Wanted, value: string): Promise<boolean> {
    const { form, secret }: Variable = VARIABLES[name];
    if (secret === true) this.#secrets.add(value);
    const parsed = form?.safeParse(value);
    const findings: readonly ServerFinding[] =
      parsed?.success === false
        ? [{ what: name, ok: false, evidence: parsed.error.issues[0]?.message ?? "It cannot be used.", fix: "" }]
        : ((await check?.(value)) ?? []);
    for (const finding of findings) this.say(findingText(finding));
    const wrong = findings.filter(({ ok }) => ok === false);
    if (wrong.length === 0) {
      this.values.set(name, value);
      return true;
    }
    if (!this.hasPerson)
      this.problems.push(...wrong.map(({ what, evidence, fix }) => `${name}: ${what}: ${evidence} ${fix}`.trimEnd()));
    return false;
  }

  /** What is known of it, from the file too that it may stand in. */
  given(name: VariableName): string | undefined {
    const direct = this.known[name]?.trim() ?? "";
    const file = this.known[`${name}_FILE`]?.trim() ?? "";
    if (direct !== "" || file === "") return direct === "" ? undefined : direct;
    try {
      return readFileSync(resolve(this.#io.folder, file), "utf8").trim() || undefined;
    } catch {
      return undefined;
    }
  }
}
