import { CAUSE_OF_OUTCOME, type ExitCause, EXIT_CODES, UsageError } from "../exit-codes.ts";
import { openNamed } from "../folders.ts";
import { readSettings, type ServerFlags, serverName } from "../server/config.ts";
import { type Terminal, writeJson } from "../terminal/output.ts";
import { NO_PROGRESS, startProgress } from "../terminal/progress.ts";
import { askersOf, checkAskers } from "./asked-by.ts";
import { personasOf } from "./asking.ts";
import { junitOf } from "./junit.ts";
import { keepRun, lastRun } from "./last-run.ts";
import { type TestRecord, testRun } from "./record.ts";
import { checkReport, writeReport } from "./report-file.ts";
import { leftOver, runTests } from "./run-tests.ts";
import type { AnswerTest } from "./test-model.ts";
import { parseTests } from "./tests-file.ts";
import { tellRun } from "./told.ts";
import { countsOf, isChanged } from "./words.ts";

/** What `threadlore test` is told. */
export interface TestFlags extends ServerFlags {
  only?: string[];
  atOnce: number;
  patience: number;
  since?: string;
  report?: string;
  junit?: string;
  strict?: boolean;
  /** Runs again whenever something changed. */
  afterChanges?: boolean;
  /** Seconds from one look for changes to the next. */
  every: number;
  /** Files that are looked at, too. */
  rules?: string[];
}

/** Bytes of a file of tests. */
const MAX_FILE_BYTES = 20_000_000;

/** Reads a file of tests, asks what it asks, and tells what came of it; with `--after-changes` again and again. The exit code. */
export async function runTestCommand(terminal: Terminal, file: string, flags: TestFlags): Promise<number> {
  if (flags.afterChanges !== true) return runOnce(terminal, file, flags);
  const { afterChanges } = await import("./after-changes.ts");
  return afterChanges(terminal, file, flags, () => runOnce(terminal, file, flags));
}

async function runOnce(terminal: Terminal, file: string, flags: TestFlags): Promise<number> {
  const all = parseTests(await readTests(terminal, file), file === "-" ? "standard input" : file);
  const tests = chosen(all, flags.only ?? []);
  const settings = await readSettings(terminal, flags);
  const askers = askersOf(terminal, settings, tests);
  const place = { url: settings.url, file };
  const before = await lastRun(terminal, place, flags.since);
  await Promise.all([flags.report, flags.junit].map((path) => checkReport(terminal, path)));
  await checkAskers(terminal, settings, askers.values());
  const own = askers.get(undefined);
  const personas = own === undefined ? new Map() : await personasOf(tests, own, terminal.interrupted);
  const [beganAt, begun] = [new Date(), performance.now()];
  const progress = flags.json === true ? NO_PROGRESS : startProgress(terminal.err, tests.length);
  const { atOnce, patience } = flags;
  const records = await runTests({
    tests,
    askers,
    personas,
    before,
    atOnce,
    longestMs: patience * 1_000,
    beganAt,
    signal: terminal.interrupted,
    onTest: ({ name }) => progress.step(name),
  }).finally(() => progress.end());
  const isStrict = flags.strict === true;
  const cause = causeOf(records, isStrict, terminal.interrupted.aborted);
  const run = testRun({
    ok: cause === "ok",
    exit_code: EXIT_CODES[cause].code,
    server: serverName(settings.url),
    file,
    began_at: beganAt.toISOString(),
    ms: Math.round(performance.now() - begun),
    compared_with: before?.began_at ?? null,
    counts: countsOf(records),
    tests: [...records],
    earlier: leftOver(before, records, new Set(all.map(({ id }) => id))),
  });
  // Told first: where a file cannot be written, nobody loses what was asked.
  if (flags.json !== true) tellRun(terminal, run);
  await keepRun(terminal, place, run);
  await writeReport(terminal, flags.report, `${JSON.stringify(run, undefined, 2)}\n`);
  await writeReport(terminal, flags.junit, junitOf(run, isStrict));
  if (flags.json === true) writeJson(terminal, run);
  return run.exit_code;
}

/** The text of a file of tests. Throws UsageError where it cannot be read. */
export async function readTests(terminal: Terminal, file: string): Promise<string> {
  const size = (bytes: number): void => {
    if (bytes > MAX_FILE_BYTES) {
      throw new UsageError(`${file} has more than ${MAX_FILE_BYTES / 1e6} MB. Divide it into several files.`);
    }
  };
  if (file === "-") {
    const bytes = await terminal.readStdinBytes();
    size(bytes.byteLength);
    return new TextDecoder().decode(bytes);
  }
  const blob = await openNamed(terminal, file);
  size(blob.size);
  return await blob.text();
}

/** The tests whose id or question holds one of some texts; without any, all. */
function chosen(tests: readonly AnswerTest[], only: readonly string[]): readonly AnswerTest[] {
  if (only.length === 0) return tests;
  const sought = only.map((text) => text.normalize().toLowerCase());
  const found = tests.filter(({ id, name }) => {
    const words = `${id}\n${name}`.normalize().toLowerCase();
    return sought.some((text) => words.includes(text));
  });
  if (found.length === 0) throw new UsageError(`No test has ${only.join(" or ")} in its id, name or question.`);
  return found;
}

/** Why the command ends as it does. A wrong answer is told before an outage: that is certain. */
function causeOf(records: readonly TestRecord[], isStrict: boolean, isInterrupted: boolean): ExitCause {
  if (isInterrupted) return "interrupted";
  if (records.some((record) => record.outcome === "failed" || (isStrict && isChanged(record)))) return "testsFailed";
  const error = records.find(({ outcome }) => outcome === "error" || outcome === "not_asked")?.error;
  return error == null ? "ok" : (CAUSES.find((cause) => cause === error.cause) ?? "unexpected");
}

const CAUSES: readonly ExitCause[] = Object.values(CAUSE_OF_OUTCOME);
