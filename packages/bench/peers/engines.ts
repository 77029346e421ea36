import { create, insertMultiple, search } from "@orama/orama";
import { Document } from "flexsearch";
import MiniSearch from "minisearch";
import type { Engine } from "../src/search/search-contestants.ts";
import type { Page } from "../src/search/search-corpus.ts";

/**
 * Search libraries that keep their index in memory, with the settings they come with.
 *
 * @param telling leaves out of a question what ours leaves out
 */
export async function peerEngines(pages: readonly Page[], telling: (question: string) => string): Promise<Engine[]> {
  const mini = new MiniSearch<Page>({ fields: ["title", "text"], searchOptions: { boost: { title: 2 } } });
  mini.addAll(pages);
  const orama = create({ schema: { id: "string", title: "string", text: "string" } });
  await insertMultiple(orama, [...pages]);
  const flex = new Document({ document: { id: "id", index: ["title", "text"] } });
  for (const { id, title, text } of pages) flex.add({ id, title, text });
  return [
    {
      name: "MiniSearch",
      ours: false,
      find: (question, limit) =>
        mini
          .search(telling(question))
          .slice(0, limit)
          .map(({ id }) => String(id)),
    },
    {
      name: "Orama",
      ours: false,
      find: async (question, limit) => {
        const { hits } = await search(orama, { term: telling(question), limit, boost: { title: 2 }, threshold: 1 });
        return hits.map(({ id }) => id);
      },
    },
    {
      name: "FlexSearch",
      ours: false,
      find: (question, limit) => {
        const fields = flex.search(telling(question), { limit, suggest: true });
        return [...new Set(fields.flatMap(({ result }) => result.map(String)))].slice(0, limit);
      },
    },
  ];
}
