import { seededRandom } from "@threadlore/testkit";
import { type Bar, missedOf } from "../bars.ts";
import { percentile, shuffled, withRatio } from "../measure.ts";
import { loadPeers } from "../peer-folder.ts";
import { columnsOf, type Group, type Row } from "../report.ts";
import { BARE, type Engine, enginesOver, SERVED } from "../search/search-contestants.ts";
import { WARM_UP } from "../search/search.ts";
import type { Page } from "../search/search-corpus.ts";
import type { RealPages } from "./pages.ts";

const COLUMNS = columnsOf({ "p50 ms": 2, "p95 ms": 2, "times the statement": 2 });

export const oneAsker = (passages: number): string => `one asker: ${passages.toLocaleString("en")} passages, top 10`;

/** Milliseconds of the machine's clock: nobody waits for a search. */
const ONE_ASKER_BARS: readonly Bar[] = [
  { group: oneAsker(10_000), row: SERVED, column: "p95 ms", most: 10 },
  { group: oneAsker(100_000), row: SERVED, column: "p95 ms", most: 25 },
  { group: oneAsker(1_000_000), row: SERVED, column: "p95 ms", most: 60 },
];

/** Which of them were measured and are missed. The largest is measured for whoever asks for it. */
export function missedByOneAsker(groups: readonly Group[]): string[] {
  const bars = ONE_ASKER_BARS.filter(({ group }) => groups.some(({ name }) => name === group));
  return missedOf(groups, bars);
}

/** What one asker searches, and how. */
interface OneAsker {
  /** Of a service's database that has the pages. */
  readonly path: string;
  readonly folder: string;
  /** Whether a library that keeps its index in memory is asked as well. */
  readonly inMemory: boolean;
  /** Questions that count, and how often each is asked. */
  readonly counted: number;
  readonly rounds: number;
}

/** How long a search takes whoever asks alone, beside SQLite's own full-text search and libraries. */
export async function measureOneAsker(
  { pages, questions }: RealPages,
  { path, folder, inMemory, counted, rounds }: OneAsker,
): Promise<Group> {
  const own = enginesOver(path);
  try {
    const { lanceEngine, miniSearch } = await loadPeers<{
      lanceEngine(pages: readonly Page[], folder: string): Promise<Engine>;
      miniSearch(pages: readonly Page[]): Engine;
    }>("at-scale.ts");
    const others = [await lanceEngine(pages, folder), ...(inMemory ? [miniSearch(pages)] : [])];
    const engines = [...own.engines.filter(({ name }) => name === BARE || name === SERVED), ...others];
    const random = seededRandom(3);
    const asking = questions.slice(0, counted);
    for (const question of questions.slice(counted, counted + WARM_UP)) {
      for (const engine of engines) await timed(engine, question);
    }
    const times = engines.map(() => asking.map((): number[] => []));
    // All questions, and then all again: what is read for one is not still at hand for the same one.
    for (let round = 0; round < rounds; round++) {
      for (const [at, question] of asking.entries()) {
        for (const [place, engine] of shuffled([...engines.entries()], random)) {
          times[place]?.[at]?.push(await timed(engine, question));
        }
      }
    }
    const rows = engines.map(({ name, ours }, place): Row => {
      // Another program's turn on the processor hits one round, not the median of several.
      const all = (times[place] ?? []).map((each) => percentile(each, 0.5));
      return { name, ours, figures: { "p50 ms": percentile(all, 0.5), "p95 ms": percentile(all, 0.95) } };
    });
    return {
      name: oneAsker(pages.length),
      columns: COLUMNS,
      rows: withRatio(rows, "times the statement", "p95 ms", BARE),
    };
  } finally {
    own.close();
  }
}

async function timed({ name, find }: Engine, question: string): Promise<number> {
  const start = performance.now();
  const found = await find(question, 10);
  const milliseconds = performance.now() - start;
  if (found.length === 0) throw new Error(`${name} found nothing for "${question}"`);
  return milliseconds;
}
