import { DatabaseSync } from "node:sqlite";
import { search, type Search } from "@threadlore/service/search";
import { termsOf } from "@threadlore/service/search/terms";
import { Database } from "@threadlore/service";
import { loadPeers } from "../peer-folder.ts";
import type { Page } from "./search-corpus.ts";

/** Something that can be searched; what it answers are ids of pages, best first. */
export interface Engine {
  readonly name: string;
  readonly ours: boolean;
  find(question: string, limit: number): Promise<readonly string[]> | readonly string[];
}

export const BARE = "bare SQL statement (control)";
export const PLAIN = "threadlore, without feedback";
export const WIDENED = "threadlore, with feedback";

/**
 * What searches a service's database itself: one statement over the index, for any word of the question and the best
 * rows with what is shown of them; and Threadlore, with and without a second look by what the first finds say.
 */
export function enginesOver(path: string): { readonly engines: Engine[]; close(): void } {
  const db = new Database(path);
  const reader: Search["caller"] = { user: "bench", role: "ordinary", groups: [], documentSets: null };
  const find =
    (feedbackUpTo: number): Engine["find"] =>
    async (text, limit) => {
      const { passages } = await search({ db }, { text, caller: reader, limit, feedbackUpTo });
      return [...new Set(passages.map(({ documentId }) => documentId))];
    };
  const bare = new DatabaseSync(path, { readOnly: true });
  // As much memory for pages of the file as the service takes.
  bare.exec("PRAGMA cache_size = -16000");
  const statement = bare.prepare(
    `WITH found AS MATERIALIZED (
       SELECT rowid AS id, bm25(passages_index, 2.0, 1.5, 1.0, 0.7) AS cost FROM passages_index
       WHERE passages_index MATCH ? ORDER BY cost LIMIT ?)
     SELECT *, documents.id AS document_id FROM found JOIN passages ON passages.id = found.id JOIN documents ON documents.number = document
     ORDER BY cost`,
  );
  const state: Engine["find"] = (question, limit) => {
    const words = termsOf(question).words.map((word) => `"${word}"`);
    const rows = statement.all(words.join(" OR "), limit);
    return [...new Set(rows.map((row) => String(row["document_id"])))];
  };
  return {
    engines: [
      { name: BARE, ours: false, find: state },
      { name: PLAIN, ours: true, find: find(0) },
      { name: WIDENED, ours: true, find: find(Number.MAX_SAFE_INTEGER) },
    ],
    close() {
      db.close();
      bare.close();
    },
  };
}

/** Search libraries that keep their index in memory, with the settings they come with; stop words left out likewise. */
export async function otherEngines(pages: readonly Page[]): Promise<Engine[]> {
  const { peerEngines } = await loadPeers<{
    peerEngines(pages: readonly Page[], telling: (question: string) => string): Promise<Engine[]>;
  }>("engines.ts");
  return peerEngines(pages, (question) => termsOf(question).words.join(" "));
}
