import { createHash } from "node:crypto";
import { type Answer, saysNothingFound } from "@threadlore/ask";
import type { ExitCause } from "../exit-codes.ts";
import { describeFailure } from "../failure.ts";
import { cut } from "../terminal/output.ts";
import type { Asker } from "./asked-by.ts";
import { askTest, type NotAnswered } from "./asking.ts";
import { causesOf } from "./causes.ts";
import { problemsIn, shownIn } from "./judge.ts";
import { problemWords } from "./words.ts";
import { type CitedThen, foundLast, type TestRecord, type TestRun, wasJudged } from "./record.ts";
import { Lookup } from "./standing.ts";
import type { AnswerTest, TestSettings } from "./test-model.ts";

/** What a run is made of. */
export interface RunPlan {
  readonly tests: readonly AnswerTest[];
  readonly askers: ReadonlyMap<string | undefined, Asker>;
  readonly personas: ReadonlyMap<string, number>;
  /** The run it is compared with. */
  readonly before: TestRun | undefined;
  readonly atOnce: number;
  readonly longestMs: number;
  readonly beganAt: Date;
  readonly signal: AbortSignal;
  /** Told after each test. */
  readonly onTest: (record: TestRecord) => void;
}

/** Characters of an answer that are kept. */
const KEPT = 1_000;

/** Asks all tests, several at a time, and compares with the run before. A record for each, in the order of the file. */
export async function runTests(plan: RunPlan): Promise<readonly TestRecord[]> {
  const run = new Run(plan);
  const waiting = plan.tests.entries();
  const records: TestRecord[] = [];
  const work = async (): Promise<void> => {
    for (const [at, test] of waiting) {
      const record = await run.recordOf(test);
      records[at] = record;
      plan.onTest(record);
    }
  };
  await Promise.all(Array.from({ length: Math.min(plan.atOnce, plan.tests.length) }, work));
  return records;
}

/** Causes that every further question with a key would meet too. */
const OF_KEY: ReadonlySet<ExitCause> = new Set(["auth", "rateLimited"]);
/** Causes that may be the server's end. */
const OF_SERVER: ReadonlySet<ExitCause> = new Set(["unavailable", "partial", "protocol"]);
/** Questions in a row that a server answers none of, though it says that it is well; at least twice as many as are asked at once. */
const MAX_IN_VAIN = 8;
/** Longest wait for a sign of the server, milliseconds. */
const SIGN_MS = 10_000;

class Run {
  readonly #plan: RunPlan;
  readonly #found: ReadonlyMap<string, TestRecord>;
  readonly #known: ReadonlyMap<string, CitedThen>;
  readonly #lookup: Lookup;
  readonly #runAsker: Asker;
  /** Why nothing is asked any more: at all, or with one key. */
  #over: NotAnswered | undefined;
  readonly #overFor = new Map<string | undefined, NotAnswered>();
  /** Questions since the last answer that the server is to blame for. */
  #inVain = 0;

  constructor(plan: RunPlan) {
    const asker = plan.askers.get(undefined);
    if (asker === undefined) throw new Error("A run has a key of its own.");
    this.#plan = plan;
    this.#runAsker = asker;
    this.#found = foundLast(plan.before);
    this.#known = new Map([...this.#found.values()].flatMap(({ cites }) => cites.map((one) => [one.document_id, one])));
    this.#lookup = new Lookup(asker, plan.signal);
  }

  async recordOf(test: AnswerTest): Promise<TestRecord> {
    const { askers, personas, signal, longestMs } = this.#plan;
    const blank = this.#blank(test);
    if (test.skip !== undefined)
      return { ...blank, outcome: "skipped", error: { cause: "skipped", message: test.skip } };
    const asker = askers.get(test.settings.key) ?? this.#runAsker;
    if (signal.aborted) return { ...blank, error: { cause: "interrupted", message: "Stopped before it was asked." } };
    const over = this.#over ?? this.#overFor.get(asker.key);
    if (over !== undefined) return { ...blank, error: { cause: over.cause, message: `Not asked: ${over.message}` } };
    const begun = performance.now();
    const asked = await askTest(test, { asker, personas, signal, longestMs });
    const ms = Math.round(performance.now() - begun);
    if ("answer" in asked) {
      this.#inVain = 0;
      return this.#judged(test, asker, asked.answer, { ...blank, ms });
    }
    await this.#noteFailure(asked.error, asker);
    const outcome = asked.error.cause === "interrupted" ? "not_asked" : "error";
    return { ...blank, outcome, error: asked.error, ms };
  }

  async #judged(test: AnswerTest, asker: Asker, answer: Answer, blank: TestRecord): Promise<TestRecord> {
    const problems = problemsIn(answer, test.expected);
    const cites = await Promise.all(
      answer.citations.map(async ({ source: { documentId, title, link, updatedAt } }) => ({
        document_id: documentId,
        title,
        link: link ?? null,
        updated_at: updatedAt ?? null,
        hash: await this.#lookup.hashOf(asker, documentId),
      })),
    );
    const before = this.#found.get(test.id);
    const now: TestRecord = {
      ...blank,
      outcome: problems.length === 0 ? "passed" : "failed",
      problems: problems.map((problem) => ({
        kind: problem.kind,
        expected: [...problem.expected],
        words: problemWords(problem),
      })),
      answer: cut(shownIn(answer), KEPT),
      nothing_found: saysNothingFound(answer),
      cites,
    };
    const compared = { test, now, before, known: this.#known, asker, lookup: this.#lookup };
    const causes = [...(await causesOf(compared))];
    const isAsBefore = before?.outcome === now.outcome;
    return { ...now, causes, ...(isAsBefore && { since: before.since, runs: before.runs + 1 }) };
  }

  /** After a failure that others would meet too, nobody is asked in vain, one long wait after the other. */
  async #noteFailure(error: NotAnswered, asker: Asker): Promise<void> {
    if (OF_KEY.has(error.cause)) this.#overFor.set(asker.key, error);
    if (!OF_SERVER.has(error.cause)) return;
    this.#inVain += 1;
    // A server that hangs would have each of thousands waited for to its end.
    const isHopeless = this.#inVain >= Math.max(MAX_IN_VAIN, 2 * this.#plan.atOnce);
    if (isHopeless)
      this.#over ??= { cause: error.cause, message: `${this.#inVain} in a row had no answer. ${error.message}` };
    if (this.#over !== undefined) return;
    try {
      const signal = AbortSignal.any([this.#plan.signal, AbortSignal.timeout(SIGN_MS)]);
      await this.#runAsker.health({ signal });
    } catch (unhealthy) {
      if (this.#plan.signal.aborted) return;
      this.#over ??= { cause: "unavailable", message: describeFailure(unhealthy).lines[0] ?? error.message };
    }
  }

  /** A test of which nothing is known yet. */
  #blank(test: AnswerTest): TestRecord {
    return {
      id: test.id,
      name: test.name,
      ask: test.ask,
      outcome: "not_asked",
      before: this.#found.get(test.id)?.outcome ?? null,
      problems: [],
      error: null,
      answer: "",
      nothing_found: false,
      cites: [],
      causes: [],
      settings: recordedSettings(test.settings),
      expectation: createHash("sha256").update(JSON.stringify(test.expected)).digest("hex").slice(0, 16),
      since: this.#plan.beganAt.toISOString(),
      runs: 1,
      ms: 0,
    };
  }
}

function recordedSettings(settings: TestSettings): TestRecord["settings"] {
  return {
    persona: settings.persona ?? null,
    document_sets: [...settings.documentSets],
    sources: [...settings.sources],
    tags: [...settings.tags],
    changed_since: settings.changedSince ?? null,
    key: settings.key ?? null,
  };
}

/** What earlier runs found of tests that are still in the file, and that this one did not judge. */
export function leftOver(
  before: TestRun | undefined,
  records: readonly TestRecord[],
  ids: ReadonlySet<string>,
): TestRecord[] {
  const judged = new Set(records.filter(wasJudged).map(({ id }) => id));
  return [...foundLast(before).values()].filter(({ id }) => ids.has(id) && !judged.has(id));
}
