import { join } from "node:path";
import { connect, Index } from "@lancedb/lancedb";
import MiniSearch from "minisearch";
import type { Engine } from "../src/search/search-contestants.ts";
import type { Page } from "../src/search/search-corpus.ts";

/** Rows that are handed over at a time. */
const AT_ONCE = 50_000;

/** LanceDB with its full-text index, stems and stop words of English. */
export async function lanceEngine(pages: readonly Page[], folder: string): Promise<Engine> {
  const database = await connect(join(folder, "lance"));
  const rows = (from: number) => pages.slice(from, from + AT_ONCE).map((page) => ({ ...page }));
  const table = await database.createTable("pages", rows(0));
  for (let from = AT_ONCE; from < pages.length; from += AT_ONCE) await table.add(rows(from));
  const config = Index.fts({ language: "English", stem: true, removeStopWords: true, withPosition: false });
  await table.createIndex("text", { config });
  return {
    name: "LanceDB",
    ours: false,
    find: async (question, limit) => {
      const found = await table
        .query()
        .fullTextSearch(question, { columns: "text" })
        .select(["id", "title", "text", "_score"])
        .limit(limit)
        .toArray();
      return found.map((row: { readonly id: string }) => row.id);
    },
  };
}

/** MiniSearch with the settings it comes with. */
export function miniSearch(pages: readonly Page[]): Engine {
  const mini = new MiniSearch<Page>({ fields: ["title", "text"], searchOptions: { boost: { title: 2 } } });
  mini.addAll(pages);
  return {
    name: "MiniSearch",
    ours: false,
    find: (question, limit) =>
      mini
        .search(question)
        .slice(0, limit)
        .map(({ id }) => String(id)),
  };
}
