/**
 * What the weights of answers are fitted over: a collection of its own, and what answering sees of a question to it. For
 * the bench; the service itself has no use for it.
 */
import type { Caller } from "../context.ts";
import { createLog } from "../log.ts";
import { startIndexer } from "../search/indexer.ts";
import { upsertDocument } from "../store/documents.ts";
import { Database } from "../store/sqlite/database.ts";
import { SqliteStore } from "../store/sqlite/sqlite-store.ts";
import { answerFeatures } from "./extracted/weighing/answerable.ts";
import { type QuestionWord, understand, type AskedQuestion } from "./extracted/asked.ts";
import { type Candidate, candidatesOf } from "./extracted/candidates.ts";
import { areApart } from "./extracted/conflict/apart.ts";
import { differencesOf } from "./extracted/conflict/conflict.ts";
import type { Given } from "./extracted/conflict/readings.ts";
import { type Sign, signsOf } from "./extracted/conflict/signs.ts";
import { sortsFor } from "./extracted/conflict/values.ts";
import { ranked } from "./extracted/weighing/ranking.ts";
import { searchEvidence, statisticsOf } from "./retrieve.ts";
import type { Evidence } from "./source.ts";

export { SIGNS } from "./extracted/conflict/signs.ts";
export { ANSWER_FEATURES, CANDIDATE_FEATURES } from "./extracted/weighing/features.ts";
export type { AskedQuestion, Candidate, Evidence, QuestionWord };
export { answerFeatures, candidatesOf, ranked };

/** Two answers of two sources to a question that differ, as they are weighed. */
export interface SeenDifference {
  readonly documents: readonly [one: string, other: string];
  readonly signs: Readonly<Record<Sign, number>>;
}

/** What differs in the answers to a question, but for what is outright of different things. */
export function seenDifferences({ question, candidates }: SeenQuestion): SeenDifference[] {
  const all = sortsFor(question).flatMap((sort) => differencesOf(question, ranked(candidates), sort));
  const of = ({ candidate }: Given) => candidate.passage.evidence.source.documentId;
  return all
    .filter((differing) => !areApart(question, differing))
    .map((differing) => ({
      documents: [of(differing.one), of(differing.other)],
      signs: signsOf(question, differing),
    }));
}

/** A question as answering sees it. */
export interface SeenQuestion {
  readonly question: AskedQuestion;
  /** As search found it, the best first. */
  readonly evidence: readonly Evidence[];
  readonly candidates: readonly Candidate[];
}

const READER: Caller = { user: "reader", role: "ordinary", groups: [], documentSets: null };

/** A collection in memory that holds these documents alone. */
export async function fittingCollection(
  documents: readonly {
    readonly id: string;
    readonly title: string;
    readonly text: string;
    /** When it was last changed, as YYYY-MM-DD. Default: not known. */
    readonly date?: string;
  }[],
): Promise<{ see(text: string): Promise<SeenQuestion> }> {
  const db = new Database(":memory:");
  const store = new SqliteStore(db);
  const log = createLog("warn");
  for (const { id, title, text, date } of documents) {
    const document = {
      id,
      semantic_identifier: title,
      sections: [{ text }],
      source: "file",
      metadata: {},
      ...(date !== undefined && { doc_updated_at: `${date}T00:00:00Z` }),
    };
    db.transaction(() => db.perform(upsertDocument(document, 1, 0)));
  }
  await startIndexer({ db, log }).drain();
  return {
    async see(text) {
      const question = understand(text, await statisticsOf({ db, store }, READER, text));
      const evidence = await searchEvidence(
        { db, store, log, now: () => 0, embeddings: undefined },
        text,
        null,
        READER,
      );
      return { question, evidence, candidates: candidatesOf(question, evidence) };
    },
  };
}
