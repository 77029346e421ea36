import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@threadlore/testkit";

const ADDING_KEY = fileURLToPath(new URL("suite-child.harness.ts", import.meta.url));
const SUITE = join(
  dirname(fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/package.json"))),
  "dist/index.js",
);

/** One thing a scenario looked at. */
export interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "INFO" | "SKIPPED" | "WARNING" | "FAILURE";
  readonly errorMessage?: string;
  readonly details?: { readonly untestable?: boolean };
}

/** What each scenario looked at, by its name. */
export type Outcome = ReadonlyMap<string, readonly Check[]>;

/**
 * Runs the suite's scenarios for servers against an address, each once.
 * @param revision absent: each at its newest
 */
export async function outcomeOf(url: string, key: string, revision?: string): Promise<Outcome> {
  const folder = temporaryFolder();
  const version = revision === undefined ? [] : ["--spec-version", revision];
  // A scenario that hangs is told as one that failed; the half of this, which is usual, a busy machine may take.
  const whole = ["--suite", "all", "--timeout", "60000"];
  const said = await suite(["server", "--url", url, ...whole, ...version, "-o", folder], {
    CONFORMANCE_ORIGIN: new URL(url).origin,
    CONFORMANCE_KEY: key,
  });
  const outcome = new Map<string, readonly Check[]>();
  for (const name of readdirSync(folder)) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1] ?? name;
    outcome.set(scenario, JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8")) as Check[]);
  }
  if (outcome.size === 0) throw new Error(`The suite looked at nothing: ${said}`);
  return outcome;
}

/** The names of all its scenarios for servers. */
export async function scenarios(): Promise<string[]> {
  const listed = await suite(["list", "--server"], {});
  return [...listed.matchAll(/^ +- (\S+)/gm)].map(([, name = ""]) => name);
}

/** Longest run of the suite, milliseconds. Ten seconds where nothing else runs: what comes late is no less right. */
export const SUITE_MS = 300_000;

/** What the suite printed; it ends with 1 where something failed, which is judged by what it wrote. */
function suite(args: readonly string[], env: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      ["--import", ADDING_KEY, SUITE, ...args],
      { cwd: temporaryFolder(), env: { PATH: process.env["PATH"], ...env }, maxBuffer: 1e8, timeout: SUITE_MS },
      (error, stdout, stderr) => {
        if (error === null || error.code === 1) resolve(stdout);
        else reject(new Error(`The suite ended with ${String(error.code ?? error.signal)}: ${stderr.slice(-2_000)}`));
      },
    );
  });
}

/** Checks that failed or warn, as `scenario:check`, with why. @param lacksFixtures what needs one is left out */
export function failuresIn(outcomes: readonly Outcome[], scenario: string, lacksFixtures = false): Map<string, string> {
  const failed = new Map<string, string>();
  for (const { id, status, errorMessage = "", details } of outcomes.flatMap((one) => one.get(scenario) ?? [])) {
    if (lacksFixtures && details?.untestable === true) continue;
    if (status === "FAILURE" || status === "WARNING") failed.set(`${scenario}:${id}`, errorMessage);
  }
  return failed;
}
