import { rmSync } from "node:fs";
import { join } from "node:path";
import { createService } from "@threadlore/service";
import { type Bar, missedOf } from "../bars.ts";
import { API_KEY } from "../filled-service.ts";
import { percentile } from "../measure.ts";
import { columnsOf, type Group, type Outcome, type Row } from "../report.ts";
import { WARM_UP } from "../search/search.ts";
import { withFolder } from "../with-folder.ts";
import { crowd, sendOver, sendPages, untilIndexed, type Waits, withServed } from "./crowd.ts";
import { measureOneAsker, missedByOneAsker } from "./one-asker.ts";
import { realPages } from "./pages.ts";

const RATE = "passages a second";
const QUESTION = "question p95 ms";
export const INGEST = "ingest: documents of 5 passages of prose, 32 at a time";
const INGEST_COLUMNS = columnsOf({ [RATE]: 0, [QUESTION]: 0 });
const ALONE = "alone";
const BESIDE = "beside 8 askers";
/** The same askers while nothing is added. */
const WITHOUT = "8 askers, nothing added";

const FIRST = "first packet p95 ms";
const LOOP = "event loop p99 ms";
const CROWD_COLUMNS = columnsOf({ [FIRST]: 0, "answer p95 ms": 0, "answers a second": 1, [LOOP]: 0, "MB resident": 0 });
export const CROWD = "64 askers at once";

const MORE = "p95, ms more";
const ANEW_COLUMNS = columnsOf({ questions: 0, "p50 ms": 0, "p95 ms": 0, "longest ms": 0, [MORE]: 0 });
export const ANEW = "one asker beside indexing";
const MAKING = "the index is made anew";
/** The same asker when the index is whole. */
const MADE = "nothing is indexed";

const BARS: readonly Bar[] = [
  { group: INGEST, row: ALONE, column: RATE, least: 10_000 },
  { group: INGEST, row: BESIDE, column: RATE, least: 5_000 },
  { group: CROWD, row: "threadlore", column: FIRST, most: 400 },
  { group: CROWD, row: "threadlore", column: LOOP, most: 20 },
  { group: ANEW, row: MAKING, column: MORE, most: 50 },
];

/** How much is measured: the published figures, or enough to see that the bench works. */
export interface ScaleSize {
  /** Passages of each collection one asker searches. */
  readonly collections: readonly number[];
  /** Largest collection a library that keeps its index in memory is given. */
  readonly inMemoryUpTo: number;
  /** Questions one asker asks, and how often each. */
  readonly questions: number;
  readonly rounds: number;
  /** Passages of the collection a crowd asks, and that are added beside askers. */
  readonly asked: number;
  readonly added: number;
  /** For how long a crowd asks, milliseconds. */
  readonly crowdMs: number;
}

/** One asker, adding documents alone and beside askers, and 64 askers at once; over real prose. */
export function benchScale(size: ScaleSize): Promise<Outcome> {
  return withFolder(async (folder) => {
    const groups: Group[] = [];
    for (const passages of size.collections) {
      console.log(`… ${passages.toLocaleString("en")} passages`);
      groups.push(await searched(join(folder, `searched-${passages}`), passages, size));
    }
    const path = join(folder, "asked.db");
    const { pages, questions } = await realPages(size.asked + size.added);
    const alone = await filled(path, pages.slice(0, size.asked));
    const measured = await withServed(path, async (served) => {
      const until = performance.now() + size.crowdMs / 2;
      const before = await crowd(served.url, 8, questions, () => performance.now() >= until);
      const crowded = await sixtyFour(served, questions, size.crowdMs);
      const beside = await besideAskers(served.url, path, pages.slice(size.asked), questions);
      const rows: Row[] = [
        { name: ALONE, ours: true, figures: { [RATE]: alone } },
        { name: BESIDE, ours: true, figures: { [RATE]: beside.rate, [QUESTION]: wholeP95(beside.waits) } },
        { name: WITHOUT, ours: true, figures: { [QUESTION]: wholeP95(before) } },
      ];
      return { rows, crowded };
    });
    groups.push({ name: INGEST, columns: INGEST_COLUMNS, rows: measured.rows });
    groups.push({
      name: `${CROWD}, ${size.asked.toLocaleString("en")} passages`,
      columns: CROWD_COLUMNS,
      rows: [measured.crowded],
    });
    groups.push({
      name: `${ANEW}, ${(size.asked + size.added).toLocaleString("en")} passages`,
      columns: ANEW_COLUMNS,
      rows: await besideIndexing(path, questions, size.crowdMs),
    });
    return { groups, missed: [...missedByOneAsker(groups), ...missedOf(groups, BARS)] };
  });
}

async function searched(path: string, passages: number, size: ScaleSize): Promise<Group> {
  const real = await realPages(passages);
  const database = `${path}.db`;
  await filled(database, real.pages);
  const more = {
    path: database,
    folder: `${path}-lance`,
    inMemory: passages <= size.inMemoryUpTo,
    counted: size.questions,
    rounds: size.rounds,
  };
  const group = await measureOneAsker(real, more);
  const put = passages - real.asWritten;
  if (put > 0) console.log(`${put.toLocaleString("en")} of these are two halves of paragraphs put together.`);
  return group;
}

/** Has a new service store and index pages; answers how many in a second. */
export async function filled(database: string, pages: Parameters<typeof sendPages>[0]): Promise<number> {
  const service = createService({ database, apiKey: API_KEY });
  const begun = performance.now();
  const post = async (url: string, body: unknown): Promise<number> => {
    const headers = { authorization: `Bearer ${API_KEY}`, "content-type": "application/json" };
    const reply = await service.fetch(new Request(url, { method: "POST", headers, body: JSON.stringify(body) }));
    await reply.text();
    return reply.status;
  };
  await sendPages(pages, post, { url: "http://127.0.0.1:8411", prefix: "" });
  await service.drain();
  const seconds = (performance.now() - begun) / 1_000;
  await service.close();
  return pages.length / seconds;
}

async function sixtyFour(
  { url, begin, tell }: Parameters<Parameters<typeof withServed>[1]>[0],
  questions: readonly string[],
  lastsMs: number,
): Promise<Row> {
  begin();
  const begun = performance.now();
  const waits = await crowd(url, 64, questions, () => performance.now() >= begun + lastsMs);
  const seconds = (performance.now() - begun) / 1_000;
  const { loopMs, megabytes } = await tell();
  const first = waits.map((one) => one.first);
  return {
    name: "threadlore",
    ours: true,
    figures: {
      [FIRST]: percentile(first, 0.95),
      "answer p95 ms": wholeP95(waits),
      "answers a second": waits.length / seconds,
      [LOOP]: loopMs,
      "MB resident": megabytes,
    },
  };
}

async function besideAskers(
  url: string,
  database: string,
  pages: Parameters<typeof sendPages>[0],
  questions: readonly string[],
) {
  let isOver = false;
  const asking = crowd(url, 8, questions, () => isOver);
  const begun = performance.now();
  await sendPages(pages, sendOver, { url, prefix: "added-" });
  await untilIndexed(database);
  const seconds = (performance.now() - begun) / 1_000;
  isOver = true;
  return { rate: pages.length / seconds, waits: await asking };
}

/** A database whose index is gone answers from what there is of the one that is made. */
async function besideIndexing(database: string, questions: readonly string[], lastsMs: number): Promise<Row[]> {
  for (const end of ["", "-wal", "-shm"]) rmSync(`${database}.search.sqlite${end}`, { force: true });
  return withServed(database, async ({ url }) => {
    let isMade = false;
    const made = untilIndexed(database).then(() => (isMade = true));
    const [during] = await Promise.all([crowd(url, 1, questions, () => isMade), made]);
    const until = performance.now() + lastsMs;
    const after = await crowd(url, 1, questions, () => performance.now() >= until);
    const whole = (waits: readonly Waits[]) => waits.map((one) => one.whole);
    // The first ones wait for threads to begin.
    const [busy, quiet] = [whole(during.slice(WARM_UP)), whole(after)];
    const rowOf = (name: string, waits: readonly number[], more: Row["figures"] = {}): Row => ({
      name,
      ours: true,
      figures: {
        questions: waits.length,
        "p50 ms": percentile(waits, 0.5),
        "p95 ms": percentile(waits, 0.95),
        "longest ms": Math.max(...waits),
        ...more,
      },
    });
    const more = percentile(busy, 0.95) - percentile(quiet, 0.95);
    return [rowOf(MAKING, busy, { [MORE]: more }), rowOf(MADE, quiet)];
  });
}

function wholeP95(waits: readonly Waits[]): number {
  return percentile(
    waits.map(({ whole }) => whole),
    0.95,
  );
}
