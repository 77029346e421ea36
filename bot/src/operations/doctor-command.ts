import type { ServerFinding } from "@threadlore/client/diagnose";
import type { Command } from "commander";
import { ConfigError, readConfig } from "../settings/config.ts";
import { readRulesFile } from "../rules/rules-file.ts";
import { secretsOf } from "../settings/secrets.ts";
import { EXIT_CODES, type CommandIo } from "../settings/command-line.ts";

/** `threadlore-bot doctor`; resolves with the exit code through `end`. */
export function addDoctorCommand(program: Command, surroundings: CommandIo, end: (code: number) => void): void {
  program
    .command("doctor")
    .summary("find out what is wrong, and how to fix it")
    .description(
      "Checks settings, proxies and certificates, tokens, scopes, the knowledge server with each key, the pair, the database and the rules. " +
        "Posts nothing, stores nothing, and disturbs no bot that runs.",
    )
    .option(
      "--fix-memory",
      "first switch off what the server remembers for the accounts of the keys; changes nothing else",
    )
    .option("--json", "one JSON document on stdout")
    .action(async ({ json, fixMemory }: { json?: boolean; fixMemory?: boolean }) => {
      const findings = await findingsFrom(surroundings, fixMemory === true);
      const sick = findings.some(({ ok }) => ok === false);
      end(sick ? EXIT_CODES.checkFailed : EXIT_CODES.ok);
      if (json === true) surroundings.out(`${JSON.stringify({ ok: !sick, findings }, undefined, 2)}\n`);
      else surroundings.out(findings.map(findingText).join(""));
    });
}

async function findingsFrom(surroundings: CommandIo, fixMemory: boolean): Promise<ServerFinding[]> {
  try {
    const config = await readConfig(surroundings);
    const secrets = secretsOf(config);
    const rules = await readRulesFile(config.rulesFile, { dmKey: config.keys.dm !== undefined });
    // Slack's SDK and the database's client take a second to load; the other commands need neither.
    const { examine, switchMemoryOff } = await import("./doctor.ts");
    const signal = surroundings.interrupted;
    const fixed = fixMemory ? await switchMemoryOff(config, signal) : [];
    const found = await examine(config, rules, signal);
    return [...fixed, ...found].map((finding) => ({
      ...finding,
      evidence: secrets.without(finding.evidence),
      fix: secrets.without(finding.fix),
    }));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map((problem) => ({ what: "settings", ok: false, evidence: problem, fix: "" }));
  }
}

const MARKS = { true: "ok", false: "fix", unknown: "?" } as const;
const INDENT = 5;

/** One finding: a mark, what was looked at, what was seen, and the fix where one is needed. */
export function findingText({ what, ok, evidence, fix }: ServerFinding): string {
  const advice = ok === true || fix === "" ? "" : `${" ".repeat(INDENT)}${oneLine(fix)}\n`;
  return `${MARKS[`${ok}`].padEnd(INDENT)}${oneLine(`${what}: ${evidence}`)}\n${advice}`;
}

/** Words of servers as one safe line: no control bytes, no marks of writing direction (docs/threats.md, T31). */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, " ").trim();
}
