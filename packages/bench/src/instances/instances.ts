import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { DatabaseSync } from "node:sqlite";
import { startPostgres } from "@threadlore/testkit/postgres";
import { seededRandom } from "@threadlore/testkit";
import { type Bar, missedOf } from "../bars.ts";
import { type Contestant, median, medianRows, percentile, shuffled, withRatio } from "../measure.ts";
import { columnsOf, type Group, type Outcome, type Row } from "../report.ts";
import type { SearchCorpus } from "../search/search-corpus.ts";
import { WARM_UP } from "../search/search.ts";
import { askOver, sendOver, sendPages, type ServedApart, withServed } from "../scale/crowd.ts";
import { realPages } from "../scale/pages.ts";
import { withFolder } from "../with-folder.ts";

const SQLITE = "SQLite";
const POSTGRES = "PostgreSQL";

const TIMES = "times SQLite";
const SEARCH_COLUMNS = columnsOf({ "p50 ms": 2, "p95 ms": 2, [TIMES]: 2 });
const SEARCH = "one asker over HTTP";

const CAUGHT = "all found ms";
const CATCH_COLUMNS = columnsOf({ [CAUGHT]: 0, "longest ms": 0 });
const CATCH_UP = "from the last acknowledgement at one instance to all found at another";

const RATE = "documents a second";
const INGEST_COLUMNS = columnsOf({ [RATE]: 0, "p95 ms": 1, [TIMES]: 2 });
const INGEST = "documents of one paragraph, acknowledged";

const BARS: readonly Bar[] = [
  { group: SEARCH, row: POSTGRES, column: TIMES, most: 1.2 },
  { group: CATCH_UP, row: POSTGRES, column: CAUGHT, most: 2_000 },
];

/** How much is measured: the published figures, or enough to see that the bench works. */
interface InstancesSize {
  /** Which parts are measured; absent: all. */
  readonly only?: readonly string[] | undefined;
  /** Where texts and questions are from. Default: manuals people wrote. */
  readonly pagesOf?: (count: number) => Promise<SearchCorpus>;
  /** Passages of each collection that is searched. */
  readonly collections: readonly number[];
  readonly questions: number;
  readonly rounds: number;
  /** Documents another instance has to catch up with, and how often. */
  readonly behind: number;
  readonly runs: number;
  /** Documents that are ingested for each row, how many are sent at one time, to how many instances, and how often all of it. */
  readonly documents: number;
  readonly senders: readonly number[];
  readonly instances: readonly number[];
  readonly ingestions: number;
}

/** Instances over one PostgreSQL, whose writes are on the disk, beside a service over SQLite. */
export function benchInstances(size: InstancesSize): Promise<Outcome> {
  return withFolder(async (folder) => {
    // What people run, as far as it decides how long a commit takes.
    const settings = { fsync: "on", full_page_writes: "on", shared_buffers: "128MB" };
    const postgres = await startPostgres(undefined, undefined, settings);
    if ("missing" in postgres) throw new Error(`There is no PostgreSQL here: ${postgres.missing}`);
    try {
      const { createDatabase } = postgres;
      const parts: Readonly<Record<Part, () => Promise<Group[]>>> = {
        ingestion: async () => [await ingested(folder, createDatabase, size)],
        "catching-up": async () => [await caughtUp(folder, createDatabase, size)],
        search: () =>
          inTurn(size.collections, async (passages) => searched(folder, await createDatabase(), passages, size)),
      };
      const groups = (await inTurn(partsOf(size.only), (part) => parts[part]())).flat();
      return { groups, missed: missedOf(groups, size.only === undefined ? BARS : []) };
    } finally {
      await postgres.stop();
    }
  });
}

/** What can be measured by itself. */
const PARTS = ["ingestion", "catching-up", "search"] as const;
type Part = (typeof PARTS)[number];

/** Throws where a part that is named does not exist. */
function partsOf(only: readonly string[] | undefined): readonly Part[] {
  const unknown = only?.find((name) => !PARTS.some((part) => part === name));
  if (unknown !== undefined) throw new Error(`There is no part "${unknown}". There are: ${PARTS.join(", ")}.`);
  return PARTS.filter((part) => only?.includes(part) ?? true);
}

async function inTurn<One, Result>(
  all: readonly One[],
  work: (one: One) => Promise<Result>,
): Promise<Awaited<Result>[]> {
  const results: Awaited<Result>[] = [];
  for (const one of all) results.push(await work(one));
  return results;
}

async function searched(
  folder: string,
  url: string,
  passages: number,
  { questions: count, rounds, pagesOf = realPages }: InstancesSize,
): Promise<Group> {
  const { pages, questions } = await pagesOf(passages);
  const [alone, copy] = [join(folder, `searched-${passages}.db`), join(folder, `searched-${passages}-copy.db`)];
  const [asking, warming] = [questions.slice(0, count), questions.slice(count, count + WARM_UP)];
  const over = (served: readonly ServedApart[]): Promise<Row[]> =>
    Promise.all(served.map(({ url: of }) => sendPages(pages, sendOver, { url: of, prefix: "" }))).then(async () => {
      await untilAll(alone, pages.length);
      await untilAll(copy, pages.length);
      const random = seededRandom(3);
      for (const question of warming) for (const { url: of } of served) await timed(of, question);
      const times = served.map(() => asking.map((): number[] => []));
      // All questions, and then all again: what is read for one is not still at hand for the same one.
      for (let round = 0; round < rounds; round++) {
        for (const [at, question] of asking.entries()) {
          for (const [place, one] of shuffled([...served.entries()], random)) {
            times[place]?.[at]?.push(await timed(one.url, question));
          }
        }
      }
      return times.map((each, place): Row => {
        const all = each.map((waits) => median(waits));
        const figures = { "p50 ms": percentile(all, 0.5), "p95 ms": percentile(all, 0.95) };
        return { name: place === 0 ? SQLITE : POSTGRES, ours: true, figures };
      });
    });
  const rows = await withServed(alone, (one) => withServed(copy, (two) => over([one, two]), url));
  const name = `${SEARCH}: ${passages.toLocaleString("en")} passages`;
  return { name, columns: SEARCH_COLUMNS, rows: withRatio(rows, TIMES, "p95 ms", SQLITE) };
}

/** Milliseconds of one search. Finding nothing is no fast search. */
async function timed(url: string, query: string): Promise<number> {
  const begun = performance.now();
  const text = await askOver(`${url}/search`, { query });
  const took = performance.now() - begun;
  if (!text.includes('"document_id"')) throw new Error(`nothing was found for "${query}": ${text.slice(0, 200)}`);
  return took;
}

async function caughtUp(
  folder: string,
  createDatabase: () => Promise<string>,
  { behind, runs, pagesOf = realPages }: InstancesSize,
) {
  const { pages } = await pagesOf(behind);
  const took: number[] = [];
  for (let run = 0; run < runs; run++) {
    const url = await createDatabase();
    const [first, second] = [join(folder, `first-${run}.db`), join(folder, `second-${run}.db`)];
    await withServed(
      first,
      (one) =>
        withServed(
          second,
          async (two) => {
            await send(one.url, pages, 32);
            const begun = performance.now();
            await untilAll(second, pages.length);
            took.push(performance.now() - begun);
            const found = await askOver(`${two.url}/search`, { query: pages.at(-1)?.text.slice(0, 200) ?? "" });
            if (!found.includes(`"${pages.at(-1)?.id}"`)) throw new Error("The last document is not found.");
          },
          url,
        ),
      url,
    );
  }
  const figures = { [CAUGHT]: median(took), "longest ms": Math.max(...took) };
  const name = `${CATCH_UP}: ${behind.toLocaleString("en")} documents`;
  return { name, columns: CATCH_COLUMNS, rows: [{ name: POSTGRES, ours: true, figures }] };
}

/** Until the index beside a database has so many passages. */
async function untilAll(database: string, passages: number): Promise<void> {
  const index = new DatabaseSync(`${database}.search.sqlite`, { readOnly: true });
  try {
    const count = index.prepare("SELECT count(*) AS passages FROM passages");
    while (Number(count.get()?.["passages"]) < passages) await pause(10);
  } finally {
    index.close();
  }
}

async function ingested(folder: string, createDatabase: () => Promise<string>, size: InstancesSize): Promise<Group> {
  const { documents, senders: crowds, instances, ingestions, pagesOf = realPages } = size;
  const { pages } = await pagesOf(documents);
  const rows: Row[] = [];
  let databases = 0;
  for (const senders of crowds) {
    const contestant = (what: string, count: number, isOnPostgres: boolean): Contestant => ({
      name: `${what}, ${senders} senders`,
      ours: true,
      run: async () => {
        const url = isOnPostgres ? await createDatabase() : undefined;
        const paths = Array.from({ length: count }, () => join(folder, `ingested-${databases++}.db`));
        return withAll(paths, url, async (urls) => {
          const begun = performance.now();
          const waits = await send(urls, pages, senders);
          const seconds = (performance.now() - begun) / 1_000;
          return { [RATE]: pages.length / seconds, "p95 ms": percentile(waits, 0.95) };
        });
      },
    });
    const alone = contestant(SQLITE, 1, false);
    const told = (count: number): string => `${POSTGRES}, ${count} ${count === 1 ? "instance" : "instances"}`;
    const all = [alone, ...instances.map((count) => contestant(told(count), count, true))];
    rows.push(...withRatio(await medianRows(all, ingestions, 0), TIMES, RATE, alone.name));
  }
  return { name: INGEST, columns: INGEST_COLUMNS, rows };
}

/** Does something with services that are there at one time, each with its own database or copy. */
async function withAll<Result>(
  paths: readonly string[],
  url: string | undefined,
  work: (urls: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const [first, ...rest] = paths;
  if (first === undefined) return work([]);
  return withServed(first, (one) => withAll(rest, url, (urls) => work([one.url, ...urls])), url);
}

/** Sends pages, each a document, to instances in turn; answers how long each took, milliseconds. */
async function send(to: string | readonly string[], pages: SearchCorpus["pages"], senders: number): Promise<number[]> {
  const urls = [to].flat();
  const waits: number[] = [];
  const rest = pages.entries();
  const one = async (): Promise<void> => {
    for (const [at, { id, title, text }] of rest) {
      const document = { id, semantic_identifier: title, sections: [{ text }], source: "file" };
      const begun = performance.now();
      const post = (): Promise<number> => sendOver(`${urls[at % urls.length]}/service-api/ingestion`, { document });
      let status = await post();
      // "Later": it is sent again, as clients do, and the wait counts.
      while (status === 503) status = await post();
      if (status !== 200) throw new Error(`A document was answered with status ${status}.`);
      waits.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: senders }, one));
  return waits;
}
