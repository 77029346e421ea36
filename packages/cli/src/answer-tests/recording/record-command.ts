import { appendFile, mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { CAUSE_OF_OUTCOME, type ExitCause, EXIT_CODES, UsageError } from "../../exit-codes.ts";
import { readSettings, type ServerFlags, type Settings } from "../../server/config.ts";
import { connection } from "../../server/connection.ts";
import { cut, note, oneLine, type Terminal, writeJson } from "../../terminal/output.ts";
import { NO_PROGRESS, startProgress } from "../../terminal/progress.ts";
import { isMissing, unwritable } from "../../unreadable.ts";
import { askersOf, checkAskers } from "../asked-by.ts";
import { personasOf } from "../asking.ts";
import { readTests } from "../command.ts";
import type { TestRecord } from "../record.ts";
import { runTests } from "../run-tests.ts";
import { parseTests } from "../tests-file.ts";
import { newTests, RECORDED_FROM, type RecordedFrom, type RecordedTest } from "./candidates.ts";
import { gather } from "./gather.ts";
import { additionTo, holdsNothing } from "./tests-text.ts";

/** What `threadlore test record` is told. */
export interface RecordFlags extends ServerFlags {
  from?: RecordedFrom[];
  openGaps?: boolean;
  /** Asks each first. */
  check: boolean;
  dryRun?: boolean;
  atOnce: number;
  patience: number;
}

/** Records tests from what people asked, marked, kept and pinned, behind those a file has already. The exit code. */
export async function runRecordCommand(terminal: Terminal, file: string, flags: RecordFlags): Promise<number> {
  const name = file === "-" ? "standard output" : file;
  const text = file === "-" ? "" : await textOf(terminal, file);
  const own = holdsNothing(text, name) ? [] : parseTests(text, name);
  const settings = await readSettings(terminal, flags);
  const [asker] = askersOf(terminal, settings, []).values();
  if (asker === undefined) throw new Error("A recording has a key of its own.");
  await checkAskers(terminal, settings, [asker]);
  const { candidates, notes } = await gather({
    from: new Set(flags.from ?? RECORDED_FROM),
    isWithOpen: flags.openGaps === true,
    connection: connection(terminal, settings),
    deployment: asker.deployment,
    signal: terminal.interrupted,
  });
  const tests = newTests(candidates, own, text);
  if (tests.length > 0) additionTo(text, name, { tests, failing: new Map() });
  const checked = flags.check ? await check(terminal, settings, { tests, text, name, flags }) : NOT_CHECKED;
  if (terminal.interrupted.aborted) return EXIT_CODES.interrupted.code;
  const written = tests.filter(({ id }) => !checked.unanswered.has(id));
  const passing = written.filter(({ id }) => !checked.failing.has(id));
  const added = passing.length === 0 ? "" : additionTo(text, name, { tests: written, failing: checked.failing });
  const isShown = file === "-" || flags.dryRun === true;
  if (added !== "" && !isShown) await append(terminal, file, text, added);
  const isNothing = candidates.length === 0;
  const outcome = { tests, passing, checked, notes, isWritten: added !== "" && !isShown, added, isNothing };
  return tell(terminal, file, flags, outcome);
}

interface Checked {
  /** Why an answer is not as it should be. */
  readonly failing: ReadonlyMap<string, string>;
  /** Those that could not be asked, with why. */
  readonly unanswered: ReadonlyMap<string, NonNullable<TestRecord["error"]>>;
}

const NOT_CHECKED: Checked = { failing: new Map(), unanswered: new Map() };

interface Recording extends Checking {
  readonly flags: RecordFlags;
}

interface Checking {
  readonly tests: readonly RecordedTest[];
  readonly text: string;
  readonly name: string;
}

/** Asks each of the tests once, as it will stand in the file: with what that says of all of them. */
async function check(
  terminal: Terminal,
  settings: Settings,
  { tests, text, name, flags }: Recording,
): Promise<Checked> {
  if (tests.length === 0) return NOT_CHECKED;
  const ids = new Set(tests.map(({ id }) => id));
  const all = parseTests(text + additionTo(text, name, { tests, failing: new Map() }), name);
  const asked = all.filter(({ id }) => ids.has(id));
  const askers = askersOf(terminal, settings, asked);
  await checkAskers(terminal, settings, askers.values());
  const own = askers.get(undefined);
  const personas = own === undefined ? new Map<string, number>() : await personasOf(asked, own, terminal.interrupted);
  const progress = flags.json === true ? NO_PROGRESS : startProgress(terminal.err, asked.length);
  const records = await runTests({
    tests: asked,
    askers,
    personas,
    before: undefined,
    atOnce: flags.atOnce,
    longestMs: flags.patience * 1_000,
    beganAt: new Date(),
    signal: terminal.interrupted,
    onTest: (record) => progress.step(record.name),
  }).finally(() => progress.end());
  const failed = records.filter(({ outcome }) => outcome === "failed");
  return {
    failing: new Map(failed.map((record) => [record.id, whyOf(record)])),
    unanswered: new Map(records.flatMap(({ id, error }) => (error === null ? [] : [[id, error] as const]))),
  };
}

function whyOf({ problems, cites }: TestRecord): string {
  const cited = cites.map(({ title }) => title).join(", ");
  return `${problems.map(({ words }) => words).join("; ")}; it cites ${cited === "" ? "nothing" : cut(cited, 200)}.`;
}

/** The text of a file; empty where there is none. */
async function textOf(terminal: Terminal, file: string): Promise<string> {
  const isThere = await stat(resolve(terminal.folder, file)).then(
    () => true,
    (error: unknown) => !isMissing(error),
  );
  return isThere ? readTests(terminal, file) : "";
}

/** Adds behind what a file holds, whose bytes stay as they are. Throws UsageError where somebody changed it meanwhile. */
async function append(terminal: Terminal, file: string, text: string, added: string): Promise<void> {
  if ((await textOf(terminal, file)) !== text) {
    throw new UsageError(`${file} was changed meanwhile, and nothing was added to it. Record once more.`);
  }
  try {
    const place = resolve(terminal.folder, file);
    await mkdir(dirname(place), { recursive: true });
    await appendFile(place, added);
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${unwritable(error)}.`);
  }
}

interface Outcome {
  readonly tests: readonly RecordedTest[];
  readonly passing: readonly RecordedTest[];
  readonly checked: Checked;
  readonly notes: readonly string[];
  readonly isWritten: boolean;
  readonly added: string;
  /** There was nothing to make a test of, in the file or not. */
  readonly isNothing: boolean;
}

/** Failing tests that are told one by one. */
const MAX_TOLD = 20;

function tell(
  terminal: Terminal,
  file: string,
  flags: RecordFlags,
  { tests, passing, checked, notes, isWritten, added, isNothing }: Outcome,
): number {
  const { failing, unanswered } = checked;
  const [error] = unanswered.values();
  const cause = error === undefined ? "ok" : (CAUSES.find((one) => one === error.cause) ?? "unexpected");
  const code = EXIT_CODES[cause].code;
  if (flags.json === true) {
    writeJson(terminal, {
      ok: code === 0,
      exit_code: code,
      file,
      is_written: isWritten,
      tests: passing.map(({ id, from, ask, cites }) => ({ id, from, ask, cites })),
      failing: tests.flatMap(({ id, ask }) => (failing.has(id) ? [{ id, ask, why: failing.get(id) }] : [])),
      not_answered: tests.flatMap(({ id, ask }) =>
        unanswered.has(id) ? [{ id, ask, why: unanswered.get(id)?.message }] : [],
      ),
      notes,
      added,
    });
    return code;
  }
  if (added !== "" && !isWritten) terminal.out.write(added);
  for (const line of notes) note(terminal, line);
  const told = tests.flatMap(({ id, ask }) => {
    const why = failing.get(id) ?? unanswered.get(id)?.message;
    return why === undefined
      ? []
      : [`${failing.has(id) ? "Fails now" : "No answer"}: ${cut(oneLine(ask), 120)}: ${why}`];
  });
  for (const line of told.slice(0, MAX_TOLD)) note(terminal, oneLine(line));
  if (told.length > MAX_TOLD) note(terminal, `… and ${told.length - MAX_TOLD} more.`);
  if (isNothing) note(terminal, NOTHING_YET);
  else note(terminal, summary(file, { tests, passing, failing: failing.size, isWritten }));
  return code;
}

const NOTHING_YET =
  "There is nothing to record yet. Tests are made of shared questions: once an answer is marked as good or kept, a message pinned, or a gap closed (`threadlore gaps`).";

function summary(
  file: string,
  {
    tests,
    passing,
    failing,
    isWritten,
  }: { tests: readonly unknown[]; passing: readonly unknown[]; failing: number; isWritten: boolean },
): string {
  if (tests.length === 0) return "There is nothing to record that is not there already.";
  if (passing.length === 0) return "Nothing was written: none of it is answered as it should be now.";
  const many = passing.length === 1 ? "1 test" : `${passing.length} tests`;
  const comments = failing === 0 ? "" : `, and ${failing} that fail${failing === 1 ? "s" : ""} now as comments`;
  return isWritten ? `Wrote ${many} to ${file}${comments}.` : `${many} would be added${comments}.`;
}

const CAUSES: readonly ExitCause[] = Object.values(CAUSE_OF_OUTCOME);
