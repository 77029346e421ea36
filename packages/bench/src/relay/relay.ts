import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Bar, missedOf } from "../bars.ts";
import { mean } from "@threadlore/testkit";
import { median, medianRows, percentile, withRatio } from "../measure.ts";
import { columnsOf, type Group, type Outcome, type Row } from "../report.ts";
import type { Manner } from "./relay-answer.ts";
import { measureFirstWords, RELAYS } from "./relay-first-words.ts";
import { measureRefusal } from "./relay-refused.ts";
import type { StreamsSize } from "./relay-streams.ts";

/** How much is measured: the published figures, or enough to see that the bench works. */
export interface RelaySize extends StreamsSize {
  /** For each relay and manner of answering. */
  readonly questions: number;
}

const FAST = { characters: 100, everyMs: 100, length: 900 };
const MANNERS: readonly (Manner & { readonly name: string })[] = [
  {
    name: "a model: 5 characters every 20 ms, from 1.5 s on",
    firstTextMs: 1500,
    characters: 5,
    everyMs: 20,
    length: 900,
  },
  { name: "sentences: 100 characters every 100 ms, from 1.5 s on", firstTextMs: 1500, ...FAST },
  { name: "at once: 100 characters every 100 ms, from 0.1 s on", firstTextMs: 100, ...FAST },
];

const OURS = "threadlore bot";
/** What the bot is held to. */
export const RELAY_BARS: readonly Bar[] = [
  ...MANNERS.map(({ name: group }) => ({ group, row: OURS, column: "own p95 ms", most: 5 })),
  { group: "answers at once", row: OURS, column: "peak MB", most: 200 },
  { group: "answers at once", row: OURS, column: "loop delay p99 ms", most: 50 },
  { group: "refused for 30 s", row: OURS, column: "others p95 ms", most: 100 },
];

const FIRST_WORDS = columnsOf({
  "own p50 ms": 2,
  "own p95 ms": 2,
  "own p99 ms": 2,
  "times the SDK's": 2,
  "waits p50 ms": 0,
  "waits p95 ms": 0,
  "calls per answer": 1,
});
const COSTS = columnsOf({
  "kept MB": 0,
  "peak MB": 0,
  "heap MB": 0,
  "heap kB each": 0,
  cores: 2,
  "loop delay p99 ms": 1,
  "appends a minute": 0,
});
const REFUSALS = columnsOf({ "others p95 ms": 0, "others most ms": 0, "itself most ms": 0 });

/** Contestants where a call per packet would be more than Slack takes from twenty answers. */
const LASTING = RELAYS.filter(({ name }) => !name.includes("1 character"));
/** Answers at once in the workspace that refuses, and for how long they grow, seconds. */
const REFUSED = { streams: 20, workspaces: 1, seconds: 60 } as const;
/** How often memory is measured: what the engine keeps differs by a fifth between runs of the same. */
const MEMORY_ROUNDS = 3;
/** How the bot is run by what its documentation installs: without them the engine keeps much room for garbage. */
const MEMORY_FLAGS = ["--max-old-space-size=256", "--max-semi-space-size=4"];

/** From packets to calls: the bot and the SDK's own streamer, over the same answers. */
export async function benchRelay(size: RelaySize): Promise<Outcome> {
  const groups: Group[] = [];
  for (const { name, ...manner } of MANNERS) {
    groups.push({ name, columns: FIRST_WORDS, rows: await firstWordsRows(manner, size.questions) });
  }
  const { streams, workspaces, seconds } = size;
  const costs = LASTING.map(({ name, ours }) => ({ name, ours, run: () => costOf(name, size) }));
  groups.push({
    name: `${streams} answers at once in ${workspaces} workspaces, 10 packets a second each, ${seconds} s`,
    columns: COSTS,
    rows: await medianRows(costs, MEMORY_ROUNDS, 0),
  });
  const refused = { ...REFUSED, seconds: Math.max(30, Math.min(REFUSED.seconds, seconds)) };
  const rows: Row[] = [];
  for (const relaying of LASTING) {
    const { others, itself } = await measureRefusal(relaying, refused);
    const figures = {
      "others p95 ms": percentile(others, 0.95),
      "others most ms": percentile(others, 1),
      "itself most ms": percentile(itself, 1),
    };
    rows.push({ name: relaying.name, ours: relaying.ours, figures });
  }
  const name = `one append of ${refused.streams} answers refused for 30 s: how much later text is seen`;
  groups.push({ name, columns: REFUSALS, rows });
  return { groups, missed: missedOf(groups, RELAY_BARS) };
}

async function firstWordsRows(manner: Manner, questions: number): Promise<Row[]> {
  const measured = await measureFirstWords(RELAYS, manner, questions);
  const rows = [...measured].map(([{ name, ours }, all]) => {
    const own = all.map(({ ownMs }) => ownMs);
    const waits = all.map(({ waitedMs }) => waitedMs);
    return {
      name,
      ours,
      figures: {
        "own p50 ms": percentile(own, 0.5),
        "own p95 ms": percentile(own, 0.95),
        "own p99 ms": percentile(own, 0.99),
        // A median still; what it is a multiple of is known below.
        "times the SDK's": median(own),
        "waits p50 ms": percentile(waits, 0.5),
        "waits p95 ms": percentile(waits, 0.95),
        "calls per answer": mean(all.map(({ calls }) => calls)),
      },
    };
  });
  return withRatio(rows, "times the SDK's", "times the SDK's", RELAYS[0]?.name ?? "");
}

/** Measured in a process of its own, so that no other measurement's memory counts. */
async function costOf(name: string, { streams, workspaces, seconds }: StreamsSize): Promise<Record<string, number>> {
  const child = join(import.meta.dirname, "relay-streams-child.harness.ts");
  const words = [child, name, ...[streams, workspaces, seconds].map(String)];
  const { stdout } = await promisify(execFile)(process.execPath, [...MEMORY_FLAGS, ...words]);
  return JSON.parse(stdout) as Record<string, number>;
}
