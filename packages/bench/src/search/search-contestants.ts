import { DatabaseSync } from "node:sqlite";
import { search, type Search } from "@threadlore/service/search";
import { foldedWordsOf, isFunctionWord } from "@threadlore/language";
import { Database, SqliteStore } from "@threadlore/service";
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
/** With feedback while the collection is not too large for it. */
export const SERVED = "threadlore, as it answers";

/**
 * What searches a service's database itself: one statement over the index, for any word of the question and the best
 * rows with what is shown of them; and Threadlore, with and without a second look by what the first finds say.
 */
export function enginesOver(path: string): { readonly engines: Engine[]; close(): void } {
  const db = new Database(path);
  const reader: Search["caller"] = { user: "bench", role: "ordinary", groups: [], documentSets: null };
  const find =
    (feedbackUpTo?: number): Engine["find"] =>
    async (text, limit) => {
      const { passages } = await search(
        { db, store: new SqliteStore(db) },
        { text, caller: reader, limit, ...(feedbackUpTo !== undefined && { feedbackUpTo }) },
      );
      return [...new Set(passages.map(({ documentId }) => documentId))];
    };
  const bare = bareIndex(path);
  const statement = bare.prepare(
    `SELECT id, title, text, bm25(passages_index, 2.0, 1.0) AS cost FROM passages_index
     WHERE passages_index MATCH ? ORDER BY cost LIMIT ?`,
  );
  const state: Engine["find"] = (question, limit) => {
    const words = tellingWords(question).map((word) => `"${word}"`);
    const rows = statement.all(words.join(" OR "), limit);
    return [...new Set(rows.map((row) => String(row["id"])))];
  };
  return {
    engines: [
      { name: BARE, ours: false, find: state },
      { name: PLAIN, ours: true, find: find(0) },
      { name: WIDENED, ours: true, find: find(Number.MAX_SAFE_INTEGER) },
      { name: SERVED, ours: true, find: find() },
    ],
    close() {
      db.close();
      bare.close();
    },
  };
}

/** The same passages as SQLite's own full-text search keeps them. */
function bareIndex(path: string): DatabaseSync {
  const bare = new DatabaseSync(`${path}.control`);
  // As much memory for pages of the file as the service takes.
  bare.exec("PRAGMA cache_size = -64000");
  bare.exec("CREATE VIRTUAL TABLE passages_index USING fts5(title, text, id UNINDEXED, tokenize = 'porter unicode61')");
  bare.prepare("ATTACH ? AS service").run(path);
  bare.prepare("ATTACH ? AS found").run(`${path}.search.sqlite`);
  bare.exec(`
    INSERT INTO passages_index (title, text, id)
    SELECT found.documents.title, text, service.documents.id
    FROM found.passages JOIN found.documents ON found.documents.number = document
    JOIN service.documents ON service.documents.number = document`);
  return bare;
}

/** Search libraries that keep their index in memory, with the settings they come with; stop words left out likewise. */
export async function otherEngines(pages: readonly Page[]): Promise<Engine[]> {
  const { peerEngines } = await loadPeers<{
    peerEngines(pages: readonly Page[], telling: (question: string) => string): Promise<Engine[]>;
  }>("engines.ts");
  return peerEngines(pages, (question) => tellingWords(question).join(" "));
}

/** A question without its function words, as it is written: each engine has its own way with endings. */
export function tellingWords(question: string): string[] {
  return [...new Set(foldedWordsOf(question))].filter((word) => !isFunctionWord(word, "en"));
}
