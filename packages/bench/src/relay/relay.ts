import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { median } from "../measure.ts";
import type { Manner } from "./relay-answer.ts";
import { type FirstWords, measureFirstWords, type Relaying, RELAYS } from "./relay-first-words.ts";
import { type Delays, measureRefusal } from "./relay-refused.ts";
import type { StreamsCost, StreamsSize } from "./relay-streams.ts";
import type { Column, Group } from "../report.ts";

/** How much is measured: the published figures, or enough to see that the bench works. */
export interface RelaySize extends StreamsSize {
  /** For each relay and manner of answering. */
  readonly questions: number;
}

/** What the bot is held to: the most a figure may be, by its column. */
const BARS: Readonly<Record<string, number>> = {
  "own p95 ms": 5,
  "peak MB": 200,
  "loop delay p99 ms": 50,
  "others p95 ms": 100,
};

const MANNERS: readonly (Manner & { readonly name: string })[] = [
  {
    name: "a model: 5 characters every 20 ms, from 1.5 s on",
    firstTextMs: 1500,
    characters: 5,
    everyMs: 20,
    length: 900,
  },
  {
    name: "sentences: 100 characters every 100 ms, from 1.5 s on",
    firstTextMs: 1500,
    characters: 100,
    everyMs: 100,
    length: 900,
  },
  {
    name: "at once: 100 characters every 100 ms, from 0.1 s on",
    firstTextMs: 100,
    characters: 100,
    everyMs: 100,
    length: 900,
  },
];

const FIRST_WORDS: readonly Column[] = [
  { title: "own p50 ms", digits: 2 },
  { title: "own p95 ms", digits: 2 },
  { title: "own p99 ms", digits: 2 },
  { title: "times the SDK's", digits: 2 },
  { title: "waits p50 ms", digits: 0 },
  { title: "waits p95 ms", digits: 0 },
  { title: "calls per answer", digits: 1 },
];

const COSTS: readonly Column[] = [
  { title: "kept MB", digits: 0 },
  { title: "peak MB", digits: 0 },
  { title: "heap MB", digits: 0 },
  { title: "heap kB each", digits: 0 },
  { title: "cores", digits: 2 },
  { title: "loop delay p99 ms", digits: 1 },
  { title: "appends a minute", digits: 0 },
];

const REFUSALS: readonly Column[] = [
  { title: "others p95 ms", digits: 0 },
  { title: "others most ms", digits: 0 },
  { title: "itself most ms", digits: 0 },
];

/** Contestants where a call per packet would be more than Slack takes from twenty answers. */
const LASTING = RELAYS.filter(({ name }) => !name.includes("1 character"));
/** Answers at once in the workspace that refuses, and for how long they grow, seconds. */
const REFUSED = { streams: 20, workspaces: 1, seconds: 60 } as const;

/** From packets to calls: the bot and the SDK's own streamer, over the same answers. */
export async function benchRelay(size: RelaySize): Promise<{ groups: Group[]; missed: string[] }> {
  const firstWords: Group[] = [];
  for (const manner of MANNERS) {
    firstWords.push(firstWordsGroup(manner.name, await measureFirstWords(RELAYS, manner, size.questions)));
  }
  const costs: (readonly [Relaying, StreamsCost])[] = [];
  const runs: Record<string, StreamsCost[]> = {};
  for (let round = 0; round < MEMORY_ROUNDS; round += 1) {
    for (const relaying of LASTING) (runs[relaying.name] ??= []).push(await costOf(relaying, size));
  }
  for (const relaying of LASTING) costs.push([relaying, middle(runs[relaying.name] ?? [])]);
  const delays: (readonly [Relaying, Delays])[] = [];
  const refused = { ...REFUSED, seconds: Math.max(30, Math.min(REFUSED.seconds, size.seconds)) };
  for (const relaying of LASTING) delays.push([relaying, await measureRefusal(relaying, refused)]);
  const groups = [...firstWords, costsGroup(size, costs), refusalsGroup(refused.streams, delays)];
  return { groups, missed: missedBars(groups) };
}

/** Which bars our rows miss, in plain words. */
export function missedBars(groups: readonly Group[]): string[] {
  return groups.flatMap(({ name, columns, rows }) =>
    columns.flatMap(({ title }) => {
      const most = BARS[title];
      if (most === undefined) return [];
      return rows.flatMap(({ ours, figures }) => {
        const figure = figures[title] ?? Number.NaN;
        return !ours || figure <= most ? [] : [`${name}: ${title} ${figure.toFixed(2)}, where ${most} is the most.`];
      });
    }),
  );
}

/** Figures in the order of their columns, by title. */
function byTitle(columns: readonly Column[], figures: readonly number[]): Record<string, number> {
  return Object.fromEntries(columns.map(({ title }, index) => [title, figures[index] ?? Number.NaN]));
}

function firstWordsGroup(name: string, measured: ReadonlyMap<string, readonly FirstWords[]>): Group {
  const own = (relay: string): number[] => (measured.get(relay) ?? []).map(({ ownMs }) => ownMs);
  const peer = median(own(RELAYS.find(({ ours }) => !ours)?.name ?? ""));
  const rows = RELAYS.map((relaying) => {
    const waits = (measured.get(relaying.name) ?? []).map(({ waitedMs }) => waitedMs);
    const calls = (measured.get(relaying.name) ?? []).map((one) => one.calls);
    const times = own(relaying.name);
    return {
      name: relaying.name,
      ours: relaying.ours,
      figures: byTitle(FIRST_WORDS, [
        ...[0.5, 0.95, 0.99].map((share) => percentile(times, share)),
        median(times) / peer,
        ...[0.5, 0.95].map((share) => percentile(waits, share)),
        calls.reduce((sum, count) => sum + count, 0) / calls.length,
      ]),
    };
  });
  return { name, columns: FIRST_WORDS, rows };
}

const MEGABYTE = 1e6;

/** How the bot is run by what its documentation installs: without them the engine keeps much room for garbage. */
const MEMORY_FLAGS = ["--max-old-space-size=256", "--max-semi-space-size=4"];

function costsGroup(size: RelaySize, costs: readonly (readonly [Relaying, StreamsCost])[]): Group {
  return {
    name: `${size.streams} answers at once in ${size.workspaces} workspaces, 10 packets a second each, ${size.seconds} s`,
    columns: COSTS,
    rows: costs.map(([{ name, ours }, cost]) => ({
      name,
      ours,
      figures: byTitle(COSTS, [
        cost.keptBytes / MEGABYTE,
        cost.peakBytes / MEGABYTE,
        cost.heapBytes / MEGABYTE,
        cost.heapBytes / size.streams / 1000,
        cost.coreShare,
        cost.loopDelayMs,
        cost.appendsPerMinute,
      ]),
    })),
  };
}

function refusalsGroup(streams: number, delays: readonly (readonly [Relaying, Delays])[]): Group {
  return {
    name: `one append of ${streams} answers refused for 30 s: how much later text is seen`,
    columns: REFUSALS,
    rows: delays.map(([{ name, ours }, { others, itself }]) => ({
      name,
      ours,
      figures: byTitle(REFUSALS, [percentile(others, 0.95), percentile(others, 1), percentile(itself, 1)]),
    })),
  };
}

/** The smallest value that so large a share of all values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** How often memory is measured: what the engine keeps differs by a fifth between runs of the same. */
const MEMORY_ROUNDS = 3;

/** Of each figure the median. */
function middle(costs: readonly StreamsCost[]): StreamsCost {
  const of = (figure: keyof StreamsCost): number => median(costs.map((cost) => cost[figure]));
  return {
    keptBytes: of("keptBytes"),
    peakBytes: of("peakBytes"),
    heapBytes: of("heapBytes"),
    coreShare: of("coreShare"),
    loopDelayMs: of("loopDelayMs"),
    appendsPerMinute: of("appendsPerMinute"),
  };
}

const run = promisify(execFile);

/** Measured in a process of its own. */
async function costOf({ name }: Relaying, { streams, workspaces, seconds }: StreamsSize): Promise<StreamsCost> {
  const child = join(import.meta.dirname, "relay-streams-child.harness.ts");
  const { stdout } = await run(process.execPath, [
    ...MEMORY_FLAGS,
    child,
    name,
    `${streams}`,
    `${workspaces}`,
    `${seconds}`,
  ]);
  return JSON.parse(stdout) as StreamsCost;
}
