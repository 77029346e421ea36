import { execFile } from "node:child_process";
import { parseArgs, promisify } from "node:util";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { barChart } from "./chart.ts";
import { describeMachine } from "./machine.ts";
import { type Group, type Outcome, type Result, tableOf, withTable } from "./report.ts";

/** A bench: how it is run, and what of it is drawn. */
interface Bench {
  readonly note: string;
  /** Of the drawing. */
  readonly title: string;
  /** Which column is drawn, and of which groups (default: all): the others are on another scale and stand in the table only. */
  readonly column: string;
  drawn?(groups: readonly Group[]): readonly Group[];
  run(options: Options): Promise<Outcome>;
}

/**
 * What benches can be told. Answers: to measure less, or the service of another checkout. Scale: how many passages one
 * asker searches. Instances: that too, and to measure a part of it only (`search`, `catching-up`, `ingestion`).
 */
interface Options {
  readonly passages?: string[] | undefined;
  readonly only?: string[] | undefined;
  readonly checkout?: string | undefined;
  readonly others?: string[] | undefined;
  readonly sample?: string | undefined;
  readonly json?: boolean | undefined;
  readonly losses?: boolean | undefined;
}

/**
 * Every bench by the name it is called with. Each is loaded when it is run, so that what one of them cannot load does
 * not keep the others from running.
 */
const BENCHES: Readonly<Record<string, Bench>> = {
  decode: {
    note: "Medians of CPU time.",
    title: "Time to decode 50,000 packets, as a multiple of JSON.parse alone",
    column: "times the limit",
    drawn: (groups) => groups.slice(0, -1),
    run: async () =>
      (await import("./decode/decode.ts")).benchDecode({ packets: 50_000, rounds: 9, largeBytes: 8_000_000 }),
  },
  markdown: {
    note: "Medians of the processor time of the page's main thread. Empty: given up after 5 s, or nothing to ask.",
    title: "Milliseconds to show an answer of 20 kB as it streams, a push per frame",
    column: "ms",
    // The others are on a scale of their own.
    drawn: (groups) =>
      groups
        .slice(0, -1)
        .map((group) => ({ ...group, rows: group.rows.filter(({ figures }) => (figures["ms"] ?? 1_000) < 1_000) })),
    run: async () =>
      (await import("./markdown/markdown.ts")).benchMarkdown({
        length: 20_000,
        rounds: 5,
        mostMs: 5_000,
        examples: 588,
        attacks: 1_000,
      }),
  },
  relay: {
    note: "Own time is time of the machine's clock; waits are simulated.",
    title: "From the first text to the first call that holds any, p50: milliseconds of waiting",
    column: "waits p50 ms",
    drawn: (groups) => groups.slice(0, -2),
    run: async () =>
      (await import("./relay/relay.ts")).benchRelay({ questions: 500, streams: 1000, workspaces: 50, seconds: 60 }),
  },
  capture: {
    note: "Time is of the machine's clock.",
    title: "The page's content found, and nothing else: mean F1 per set and kind of page",
    column: "F1",
    drawn: (groups) => groups.slice(0, 13),
    run: async () => (await import("./capture/capture.ts")).benchCapture({ largeBytes: 10_000_000 }),
  },
  excerpt: {
    note: "Of pages of 23,000 to 75,000 characters 12,000 go along. Time is the processor's.",
    title: "Questions to long pages whose passage goes along, percent",
    column: "percent",
    drawn: (groups) => groups.slice(0, -1),
    run: async () =>
      (await import("./excerpt/excerpt.ts")).benchExcerpt({
        budget: 12_000,
        every: 1,
        timed: [79_000, 2_000_000],
        rounds: 9,
      }),
  },
  search: {
    note: "Each question's median of several rounds counts; p95 is over the questions.",
    title: "A question's p95, as a multiple of the bare SQL statement's",
    column: "times the statement",
    drawn: (groups) => groups.filter(({ name }) => name.startsWith("time")),
    run: async () =>
      (await import("./search/search.ts")).benchSearch({
        collections: [1_000, 10_000, 100_000],
        peersUpTo: 10_000,
        questions: 225,
        timed: 100,
        rounds: 3,
      }),
  },
  scale: {
    note: "Milliseconds of the machine's clock. Paragraphs of manuals; beyond those there are, halves of two put together.",
    title: "A search of one asker, p95, milliseconds",
    column: "p95 ms",
    drawn: (groups) => groups.filter(({ name }) => name.startsWith("one asker")),
    run: async ({ passages = ["10000", "100000", "1000000"] }) =>
      (await import("./scale/scale.ts")).benchScale({
        collections: passages.map(Number),
        inMemoryUpTo: 100_000,
        questions: 60,
        rounds: 3,
        asked: 100_000,
        added: 40_000,
        crowdMs: 15_000,
      }),
  },
  answers: {
    note: "Without a model. Closest: no answer is quoted, and the right document is among the first three shown.",
    title: "Questions to a handbook that are answered, percent",
    column: "answered %",
    drawn: (groups) =>
      groups
        .filter(({ name }) => name.startsWith("handbook"))
        .map((group) => ({ ...group, rows: group.rows.filter(({ figures }) => figures["answered %"] !== undefined) })),
    run: async ({ only, checkout, others = ["0", "1000", "10000", "50000"], sample = "200", losses }) => {
      const { benchAnswers, tellLoss } = await import("./answers/answers.ts");
      const size = { only, checkout, others: others.map(Number), sample: Number(sample) };
      return benchAnswers({ ...size, lost: losses ? tellLoss : undefined });
    },
  },
  kept: {
    note: "Without a model. Kept answers beside 10,000 passages of other prose and a handbook; documents are newer than what is kept. Told: their owner is, by rules. Shown: whoever brings the newer document is. Listed: whoever looks after kept answers is, where no rule is sure. Kept back: nothing was chosen by them.",
    title: "Questions in other words that a kept answer answers, percent",
    column: "right %",
    drawn: (groups) => groups.slice(0, 1),
    run: async ({ only, others = ["10000"] }) =>
      (await import("./kept/kept.ts")).benchKept({ others: Number(others[0]), only }),
  },
  panel: {
    note: "Starts are medians of thread time.",
    title: "Weight of the extension's parts, kB compressed",
    column: "kB gzip",
    drawn: (groups) => groups.slice(0, 1),
    run: async () => (await import("./start/panel-weight.ts")).benchPanel(15),
  },
  ingest: {
    note: "Medians of the machine's clock.",
    title: "Passages stored and indexed in a second",
    column: "passages a second",
    run: async () => (await import("./ingest-throughput.ts")).benchIngest({ documents: 2_000, rounds: 3 }),
  },
  instances: {
    note: "Milliseconds of the machine's clock. Everything PostgreSQL acknowledges is on the disk. Questions: of each the median of the rounds.",
    title: "Documents acknowledged in a second",
    column: "documents a second",
    drawn: (groups) => groups.slice(0, 1),
    run: async ({ passages = ["100000"], only }) =>
      (await import("./instances/instances.ts")).benchInstances({
        only,
        collections: passages.map(Number),
        questions: 60,
        rounds: 3,
        behind: 1_000,
        runs: 3,
        documents: 2_000,
        senders: [8, 64],
        instances: [1, 3],
        ingestions: 3,
      }),
  },
  hidden: {
    note: "Medians of the machine's clock, milliseconds. Told apart: the best of three classifiers on what it did not learn from; 50 is guessing.",
    title: "Requests of which can be told whether much is hidden, percent; 50 is guessing",
    column: "told apart %",
    run: async () =>
      (await import("./hidden/hidden.ts")).benchHidden({ hidden: 100_000, seen: 300, asks: 200, withPostgres: true }),
  },
  capacity: {
    note: "Bytes and memory, which do not depend on what else the machine does; the service is behind a proxy on this machine.",
    title: "Memory of a service with open connections and people who ask, MB",
    column: "MB asked",
    drawn: (groups) => groups.slice(1),
    run: async () =>
      (await import("./capacity/capacity.ts")).benchCapacity({
        collections: [1_000, 10_000, 100_000],
        connections: 1_000,
        askers: 64,
        lastsMs: 60_000,
      }),
  },
  fairness: {
    note: "The longest wait during each of three requests, their median, milliseconds of the machine's clock beyond what is usual.",
    title: "The longest wait of a question while another caller sends one request, milliseconds more",
    column: "question, ms more",
    run: async () => (await import("./fairness.ts")).benchFairness({ passages: 10_000 }),
  },
  mcp: {
    note: "Milliseconds of the machine's clock; of each question the median of three runs.",
    title: "An answer for one assistant, p95, milliseconds",
    column: "p95 ms",
    drawn: (groups) => groups.slice(0, 1),
    run: async () =>
      (await import("./assistants/assistants.ts")).benchAssistants({
        passages: 1_000,
        questions: 60,
        runs: 3,
        askers: 100,
      }),
  },
  "answer-tests": {
    note: "Medians of the machine's clock, and of the processor time of the service.",
    title: "500 answer tests over 10,000 passages, seconds",
    column: "s",
    run: async () =>
      (await import("./answer-tests/answer-tests.ts")).benchAnswerTests({ tests: 500, passages: 10_000, rounds: 3 }),
  },
  regressions: {
    note: "60 tests are asked after each, and again once it is put right.",
    title: "Seeded regressions that answer tests find",
    column: "found",
    drawn: (groups) => groups.map((group) => ({ ...group, rows: group.rows.slice(0, -1) })),
    run: async () => (await import("./answer-tests/answer-tests.ts")).benchRegressions({ regressions: 100, asked: 60 }),
  },
  "cold-start": {
    note: "Medians of the machine's clock.",
    title: "From the command to the end of a short answer, milliseconds",
    column: "ms",
    run: async () => (await import("./start/cold-start.ts")).benchColdStart(9),
  },
};

/** Which options are understood by which bench. */
const OPTIONS_OF: Readonly<Record<string, readonly (keyof Options)[]>> = {
  answers: ["only", "checkout", "others", "sample", "json", "losses"],
  kept: ["only", "others"],
  scale: ["passages"],
  instances: ["passages", "only", "json"],
};

const FOLDER = join(import.meta.dirname, "..");

async function runOne(name: string, bench: Bench, options: Options): Promise<void> {
  const { note, title, column, drawn = (all: readonly Group[]) => all, run } = bench;
  const machine = describeMachine();
  console.error(`${name}: ${machine.processor}, ${machine.cores} cores, Node ${machine.node}, load ${machine.load}`);
  const { groups, missed } = await run(options);
  const result: Result = { bench: name, measuredOn: new Date().toISOString().slice(0, 10), machine, note, groups };
  console.log(options.json ? JSON.stringify({ ...result, missed }) : tableOf(result));
  // A part of the figures, or those of another version, are for whoever asked alone.
  if (groups.length > 0 && Object.keys(options).length === 0) {
    const bars = drawn(groups).map((group) => ({
      name: group.name,
      bars: group.rows.map((row) => ({ label: row.name, value: row.figures[column] ?? 0, ours: row.ours })),
    }));
    writeFileSync(join(FOLDER, "results", `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
    writeFileSync(join(FOLDER, "results", `${name}.svg`), barChart(title, bars));
    withTable(join(FOLDER, "FIGURES.md"), result);
  }
  for (const words of missed) console.error(`Missed: ${words}`);
  if (missed.length > 0) process.exitCode = 1;
}

const all = Object.keys(BENCHES);
const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", multiple: true },
    checkout: { type: "string" },
    others: { type: "string", multiple: true },
    sample: { type: "string" },
    json: { type: "boolean" },
    losses: { type: "boolean" },
    passages: { type: "string", multiple: true },
  },
});
const unknown = names.find((name) => !all.includes(name));
if (unknown !== undefined) {
  console.error(`There is no bench "${unknown}". There are: ${all.join(", ")}.`);
  process.exitCode = 2;
} else if (Object.keys(options).some((option) => !OPTIONS_OF[names.join()]?.some((known) => known === option))) {
  const known = Object.entries(OPTIONS_OF).map(([name, own]) => `${name} (--${own.join(", --")})`);
  console.error(`Options are of one bench each, which is named alone: ${known.join("; ")}.`);
  process.exitCode = 2;
} else {
  // The extension's own tsconfig.json stands on one its build tool writes, which a clone that was only installed lacks.
  await promisify(execFile)(process.execPath, [join(FOLDER, "../../extension/src/building/prepare.ts")]);
  for (const name of names.length === 0 ? all : names) {
    const bench = BENCHES[name];
    if (bench !== undefined) await runOne(name, bench, { ...options });
  }
}
