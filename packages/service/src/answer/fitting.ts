/**
 * What the weights of answers are fitted over: a collection of its own, and what answering sees of a question to it. For
 * the bench; the service itself has no use for it.
 */
import type { Caller } from "../context.ts";
import { createLog } from "../log.ts";
import { startIndexer } from "../search/indexer.ts";
import { upsertDocument } from "../store/documents.ts";
import { Database } from "../store/sqlite/database.ts";
import { answerFeatures } from "./extracted/weighing/answerable.ts";
import { type QuestionWord, understand, type AskedQuestion } from "./extracted/asked.ts";
import { type Candidate, candidatesOf } from "./extracted/candidates.ts";
import { ranked } from "./extracted/weighing/ranking.ts";
import { searchEvidence, statisticsOf } from "./retrieve.ts";
import type { Evidence } from "./source.ts";

export { ANSWER_FEATURES, CANDIDATE_FEATURES } from "./extracted/weighing/features.ts";
export type { AskedQuestion, Candidate, Evidence, QuestionWord };
export { answerFeatures, candidatesOf, ranked };

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
  documents: readonly { readonly id: string; readonly title: string; readonly text: string }[],
): Promise<{ see(text: string): Promise<SeenQuestion> }> {
  const db = new Database(":memory:");
  const log = createLog("warn");
  for (const { id, title, text } of documents) {
    const document = { id, semantic_identifier: title, sections: [{ text }], source: "file", metadata: {} };
    upsertDocument(db, document, 1, 0);
  }
  await startIndexer({ db, log }).drain();
  return {
    async see(text) {
      const question = understand(text, await statisticsOf({ db }, READER, text));
      const evidence = await searchEvidence({ db, log, now: () => 0, embeddings: undefined }, text, null, READER);
      return { question, evidence, candidates: candidatesOf(question, evidence) };
    },
  };
}
