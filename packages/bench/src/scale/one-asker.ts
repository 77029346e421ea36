import { seededRandom } from "@threadlore/testkit";
import { type Bar, missedOf } from "../bars.ts";
import { percentile, takeTurns, withRatio } from "../measure.ts";
import { loadPeers } from "../peer-folder.ts";
import { columnsOf, type Group, type Row } from "../report.ts";
import { BARE, type Engine, enginesOver, SERVED } from "../search/search-contestants.ts";
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

/**
 * How long a search takes whoever asks alone, beside SQLite's own full-text search and libraries.
 * @param path of a service's database that has the pages
 * @param inMemory whether a library that keeps its index in memory is asked as well
 */
export async function measureOneAsker(
  { pages, questions }: RealPages,
  { path, folder, inMemory, rounds }: { path: string; folder: string; inMemory: boolean; rounds: number },
): Promise<Group> {
  const own = enginesOver(path);
  try {
    const { lanceEngine, miniSearch } = await loadPeers<{
      lanceEngine(pages: readonly Page[], folder: string): Promise<Engine>;
      miniSearch(pages: readonly Page[]): Engine;
    }>("at-scale.ts");
    const others = [await lanceEngine(pages, folder), ...(inMemory ? [miniSearch(pages)] : [])];
    const engines = [...own.engines.filter(({ name }) => name === BARE || name === SERVED), ...others];
    const times = new Map<string, number[]>(engines.map(({ name }) => [name, []]));
    const random = seededRandom(3);
    for (const question of questions) {
      const asked = engines.map(({ name, ours, find }) => ({
        name,
        ours,
        run: async () => {
          const start = performance.now();
          const found = await find(question, 10);
          const milliseconds = performance.now() - start;
          if (found.length === 0) throw new Error(`${name} found nothing for "${question}"`);
          return milliseconds;
        },
      }));
      const taken = await takeTurns(asked, rounds, { random });
      // Another program's turn on the processor hits one round, not the median of several.
      for (const [{ name }, all] of taken) times.get(name)?.push(percentile(all, 0.5));
    }
    const rows = engines.map(({ name, ours }): Row => {
      const all = times.get(name) ?? [];
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
