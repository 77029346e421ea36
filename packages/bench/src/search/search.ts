import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mean, ndcg10, seededRandom } from "@threadlore/testkit";
import { createService } from "@threadlore/service";
import { shuffled } from "../measure.ts";
import { percentile } from "../relay/relay.ts";
import type { Column, Group, Row } from "../report.ts";
import { type Abstracts, readAbstracts } from "./search-abstracts.ts";
import { BARE, bareStatement, type Engine, ourEngines, otherEngines, PLAIN, WIDENED } from "./search-contestants.ts";
import { generateCorpus, type Page } from "./search-corpus.ts";

const LATENCY: readonly Column[] = [
  { title: "p50 ms", digits: 2 },
  { title: "p95 ms", digits: 2 },
  { title: "times the statement", digits: 2 },
];
const QUALITY: readonly Column[] = [
  { title: "nDCG@10", digits: 3 },
  { title: "recall@10", digits: 3 },
  { title: "recall@100", digits: 3 },
  { title: "nDCG@10, tuned on", digits: 3 },
  { title: "nDCG@10, kept back", digits: 3 },
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
export async function benchSearch(
  size: SearchSize,
): Promise<{ readonly groups: readonly Group[]; readonly missed: readonly string[] }> {
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
  return { groups, missed: missedBars(groups) };
}

/** Runs `work` with every engine over the same pages, which a service has stored and indexed. */
async function withEngines<Result>(
  pages: readonly Page[],
  withPeers: boolean,
  work: (engines: readonly Engine[]) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "threadlore-bench-"));
  const path = join(folder, "search.db");
  try {
    await ingest(path, pages);
    const control = bareStatement(path);
    const ours = ourEngines(path);
    try {
      const peers = withPeers ? await otherEngines(pages) : [];
      const engines = ours.engines.filter(({ name }) => withPeers || name !== WIDENED);
      return await work([control.engine, ...engines, ...peers]);
    } finally {
      control.close();
      ours.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Requests on their way at one time: filling is not what is measured, and the service lets 96 of one caller wait. */
const AT_ONCE = 64;

async function ingest(path: string, pages: readonly Page[]): Promise<void> {
  const apiKey = ["tl", "BENCH"].join("_");
  const service = createService({ database: path, apiKey });
  const rest = pages.values();
  const send = async (): Promise<void> => {
    for (const { id, title, text } of rest) {
      const document = { id, semantic_identifier: title, sections: [{ text }], source: "file", metadata: {} };
      const response = await service.fetch(
        new Request("http://127.0.0.1/service-api/ingestion", {
          method: "POST",
          headers: { "content-type": "application/json", authorization: `Bearer ${apiKey}` },
          body: JSON.stringify({ document }),
        }),
      );
      if (!response.ok) throw new Error(`${id} was not stored: ${await response.text()}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, send));
    await service.drain();
  } finally {
    await service.close();
  }
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

const latencyName = (passages: number): string => `time: ${passages.toLocaleString("en")} passages, top 10`;

async function latency(passages: number, abstracts: Abstracts | undefined, size: SearchSize): Promise<Group> {
  const { pages, questions } = generateCorpus(passages, abstracts);
  return withEngines(pages, passages <= size.peersUpTo, async (engines) => {
    const random = seededRandom(3);
    const times = new Map(engines.map((engine) => [engine, [] as number[]]));
    for (const question of questions.slice(0, size.timed)) {
      const own = new Map(engines.map((engine) => [engine, [] as number[]]));
      for (let round = 0; round < size.rounds; round++) {
        for (const engine of shuffled(engines, random)) {
          const start = performance.now();
          const found = await engine.find(question, 10);
          own.get(engine)?.push(performance.now() - start);
          if (found.length === 0) throw new Error(`${engine.name} found nothing for "${question}"`);
        }
      }
      // Another program's turn on the processor hits one round, not the median of several.
      for (const [engine, list] of own) times.get(engine)?.push(percentile(list, 0.5));
    }
    const control = engines.find(({ name }) => name === BARE);
    const floor = percentile((control && times.get(control)) ?? [], 0.95);
    const rows = [...times].map(([{ name, ours }, list]): Row => {
      const p95 = percentile(list, 0.95);
      return {
        name,
        ours,
        figures: { "p50 ms": percentile(list, 0.5), "p95 ms": p95, "times the statement": p95 / floor },
      };
    });
    return { name: latencyName(passages), columns: LATENCY, rows };
  });
}

interface Bar {
  readonly group: string;
  readonly row: string;
  readonly column: string;
  readonly least?: number;
  readonly most?: number;
}

/** The ratios decide: milliseconds depend on the machine and stand beside them. */
const BARS: readonly Bar[] = [
  { group: "quality", row: WIDENED, column: "nDCG@10", least: 0.41 },
  { group: "quality", row: WIDENED, column: "recall@100", least: 0.76 },
  { group: latencyName(10_000), row: WIDENED, column: "times the statement", most: 5 },
  { group: latencyName(10_000), row: PLAIN, column: "times the statement", most: 1.4 },
  { group: latencyName(100_000), row: PLAIN, column: "times the statement", most: 1.4 },
];

/** The bars that were not met, in plain words. */
export function missedBars(groups: readonly Group[]): string[] {
  return BARS.flatMap(({ group, row, column, least = -Infinity, most = Infinity }) => {
    const measured = groups.find(({ name }) => name.startsWith(group))?.rows.find(({ name }) => name === row);
    if (measured === undefined) return [];
    const figure = measured.figures[column] ?? Number.NaN;
    if (figure >= least && figure <= most) return [];
    const limit = least > -Infinity ? `${least} is the least` : `${most} is the most`;
    return [`${group}, ${row}: ${column} ${figure.toFixed(3)}, where ${limit}`];
  });
}
