import * as z from "zod";

/** What a file of results calls itself, for whoever reads it. */
const FORMAT = "threadlore answer tests";
/** Raised where a reader of the one before would misread it. */
const VERSION = 1;

const optional = z.string().nullable();

/** A document an answer cited, as it was then. */
const CitedThen = z.object({
  document_id: z.string(),
  title: z.string(),
  link: optional,
  /** When it was changed, where somebody said so. */
  updated_at: optional,
  /** Of its text, where the server shows that. */
  hash: optional,
});
export type CitedThen = z.infer<typeof CitedThen>;

/** Kinds of causes; those that explain most stand first. */
export const CAUSE_KINDS = [
  "settings",
  "expectation",
  "gone",
  "hidden",
  "missing",
  "filtered",
  "changed",
  "new",
  "uncited",
  "cited",
  "worded",
] as const;

/** Why an answer is another than before. `document_id`: which document did it, where one did. */
const DifferenceCause = z.object({
  kind: z.enum(CAUSE_KINDS),
  document_id: optional,
  title: optional,
  words: z.string(),
});
export type DifferenceCause = z.infer<typeof DifferenceCause>;

const TestOutcome = z.enum(["passed", "failed", "error", "skipped", "not_asked"]);
export type TestOutcome = z.infer<typeof TestOutcome>;

const RecordedSettings = z.object({
  persona: optional,
  document_sets: z.array(z.string()),
  sources: z.array(z.string()),
  tags: z.array(z.string()),
  changed_since: optional,
  key: optional,
});
export type RecordedSettings = z.infer<typeof RecordedSettings>;

/** What became of one test. */
const TestRecord = z.object({
  id: z.string(),
  name: z.string(),
  ask: z.string(),
  outcome: TestOutcome,
  /** What it was when it was last judged. */
  before: TestOutcome.nullable(),
  /** What is wrong with the answer, in plain words. */
  problems: z.array(z.object({ kind: z.string(), expected: z.array(z.string()), words: z.string() })),
  /** Why it could not be asked, or was not. */
  error: z.object({ cause: z.string(), message: z.string() }).nullable(),
  /** The beginning of the answer. */
  answer: z.string(),
  /** The answer says that nothing was found. */
  nothing_found: z.boolean(),
  cites: z.array(CitedThen),
  /** What is different from the run before, and what did it. Empty: nothing is. */
  causes: z.array(DifferenceCause),
  settings: RecordedSettings,
  /** Of what it expects: another text is another expectation. */
  expectation: z.string(),
  /** When it came to this outcome, and in how many runs it was so. */
  since: z.string(),
  runs: z.number(),
  ms: z.number(),
});
export type TestRecord = z.infer<typeof TestRecord>;

const TestRun = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  ok: z.boolean(),
  exit_code: z.number(),
  server: z.string(),
  file: z.string(),
  began_at: z.string(),
  ms: z.number(),
  /** The run it was compared with. */
  compared_with: optional,
  counts: z.record(z.string(), z.number()),
  tests: z.array(TestRecord),
  /** What earlier runs found of tests that this one could not ask, or left out. */
  earlier: z.array(TestRecord),
});
/** All of a run: what `--report` and `--json` write, what `--since` reads, and what is kept for the next one. */
export type TestRun = z.infer<typeof TestRun>;

/** A run as it is written, with what every file of it says. */
export function testRun(run: Omit<TestRun, "format" | "version">): TestRun {
  return { format: FORMAT, version: VERSION, ...run };
}

/** The run a text holds; undefined where it holds none. */
export function runIn(text: string): TestRun | undefined {
  try {
    return TestRun.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Of each test what was found last. */
export function foundLast(run: TestRun | undefined): Map<string, TestRecord> {
  const all = [...(run?.earlier ?? []), ...(run?.tests ?? []).filter(wasJudged)];
  return new Map(all.map((record) => [record.id, record]));
}

export const wasJudged = ({ outcome }: Pick<TestRecord, "outcome">): boolean =>
  outcome === "passed" || outcome === "failed";
