import { join } from "node:path";
import { mean, ndcg10, seededRandom } from "@threadlore/testkit";
import { createService } from "@threadlore/service";
import { type Bar, missedOf } from "../bars.ts";
import { API_KEY, fill } from "../filled-service.ts";
import { percentile, takeTurns, withRatio } from "../measure.ts";
import { columnsOf, type Group, type Outcome, type Row } from "../report.ts";
import { withFolder } from "../with-folder.ts";
import { type Abstracts, readAbstracts } from "./search-abstracts.ts";
import { BARE, type Engine, enginesOver, otherEngines, PLAIN, SERVED, WIDENED } from "./search-contestants.ts";
import { generateCorpus, type Page } from "./search-corpus.ts";

const LATENCY = columnsOf({ "p50 ms": 2, "p95 ms": 2, "times the statement": 2 });
const QUALITY = columnsOf({
  "nDCG@10": 3,
  "recall@10": 3,
  "recall@100": 3,
  "nDCG@10, tuned on": 3,
  "nDCG@10, kept back": 3,
});

const latencyName = (passages: number): string => `time: ${passages.toLocaleString("en")} passages, top 10`;

/** Questions before those that are timed: what a program does first takes longer than it ever does again. */
export const WARM_UP = 20;

/** The ratios decide: milliseconds depend on the machine and stand beside them. */
export const SEARCH_BARS: readonly Bar[] = [
  { group: "quality", row: WIDENED, column: "nDCG@10", least: 0.42 },
  { group: "quality", row: WIDENED, column: "recall@100", least: 0.76 },
  { group: latencyName(10_000), row: WIDENED, column: "times the statement", most: 5 },
  { group: latencyName(10_000), row: PLAIN, column: "times the statement", most: 1.4 },
  { group: latencyName(100_000), row: PLAIN, column: "times the statement", most: 1.4 },
];

/** How much is measured: the published figures, or enough to see that the bench works. */
export interface SearchSize {
  /** Passages of each collection that is timed. */
  readonly collections: readonly number[];
  /**
   * Largest collection that libraries which keep their index in memory are given, and that is searched with feedback: the
   * service itself leaves it out in larger ones.
   */
  readonly peersUpTo: number;
  /** Questions that are asked for quality; all at most. */
  readonly questions: number;
  /** Questions that are timed. */
  readonly timed: number;
  /** Times each question is asked; the median counts. */
  readonly rounds: number;
}

/** Quality on public abstracts, and time on collections of growing size. */
export async function benchSearch(size: SearchSize): Promise<Outcome> {
  const abstracts = readAbstracts();
  if (abstracts === undefined) {
    console.log("The public abstracts are not there: quality is not measured, and all text and questions are seeded.");
  }
  const groups: Group[] = [];
  if (abstracts !== undefined) groups.push(await quality(abstracts, size));
  for (const passages of size.collections) {
    console.log(`… ${passages.toLocaleString("en")} passages`);
    groups.push(await latency(passages, abstracts, size));
  }
  return { groups, missed: missedOf(groups, SEARCH_BARS) };
}

/** Runs `work` with every engine over the same pages, which a service has stored and indexed. */
function withEngines(
  pages: readonly Page[],
  withPeers: boolean,
  work: (engines: readonly Engine[]) => Promise<Group>,
): Promise<Group> {
  return withFolder(async (folder) => {
    const path = join(folder, "search.db");
    const service = createService({ database: path, apiKey: API_KEY });
    await fill(service, pages).finally(() => service.close());
    const own = enginesOver(path);
    try {
      const engines = own.engines.filter(({ name }) => name !== SERVED && (withPeers || name !== WIDENED));
      return await work([...engines, ...(withPeers ? await otherEngines(pages) : [])]);
    } finally {
      own.close();
    }
  });
}

async function quality({ documents, questions: all, relevant }: Abstracts, size: SearchSize): Promise<Group> {
  const questions = all.slice(0, size.questions);
  return withEngines(documents, true, async (engines) => {
    const rows: Row[] = [];
    for (const { name, ours, find } of engines) {
      const scores: { readonly ndcg: number; readonly recall10: number; readonly recall100: number }[] = [];
      for (const [index, question] of questions.entries()) {
        const found = await find(question, 200);
        const answers = relevant[index] ?? new Set();
        const recall = (depth: number): number =>
          found.slice(0, depth).filter((id) => answers.has(id)).length / answers.size;
        scores.push({ ndcg: ndcg10(found, answers), recall10: recall(10), recall100: recall(100) });
      }
      const ndcgOf = (keep: (index: number) => boolean): number =>
        mean(scores.filter((_, index) => keep(index)).map(({ ndcg }) => ndcg));
      rows.push({
        name,
        ours,
        figures: {
          "nDCG@10": ndcgOf(() => true),
          "recall@10": mean(scores.map(({ recall10 }) => recall10)),
          "recall@100": mean(scores.map(({ recall100 }) => recall100)),
          "nDCG@10, tuned on": ndcgOf((index) => index % 3 !== 2),
          "nDCG@10, kept back": ndcgOf((index) => index % 3 === 2),
        },
      });
    }
    return { name: `quality: ${documents.length} abstracts, ${questions.length} questions`, columns: QUALITY, rows };
  });
}

async function latency(passages: number, abstracts: Abstracts | undefined, size: SearchSize): Promise<Group> {
  const { pages, questions } = generateCorpus(passages, abstracts);
  return withEngines(pages, passages <= size.peersUpTo, async (engines) => {
    const random = seededRandom(3);
    const times = new Map<string, number[]>(engines.map(({ name }) => [name, []]));
    for (const question of questions.slice(size.timed, size.timed + WARM_UP)) {
      for (const { find } of engines) await find(question, 10);
    }
    for (const question of questions.slice(0, size.timed)) {
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
      const taken = await takeTurns(asked, size.rounds, { random });
      // Another program's turn on the processor hits one round, not the median of several.
      for (const [{ name }, own] of taken) times.get(name)?.push(percentile(own, 0.5));
    }
    const rows = engines.map(({ name, ours }): Row => {
      const list = times.get(name) ?? [];
      return { name, ours, figures: { "p50 ms": percentile(list, 0.5), "p95 ms": percentile(list, 0.95) } };
    });
    const besideControl = withRatio(rows, "times the statement", "p95 ms", BARE);
    return { name: latencyName(passages), columns: LATENCY, rows: besideControl };
  });
}
