/**
 * Documents of kept pages as they were read, so that a title or a tag can be changed later: a service takes a document
 * as a whole, and gives none back. They stay in this browser, the newest only.
 */
import { transact } from "../storage/database.ts";
import { settled } from "../storage/open-database.ts";

/** Most texts, and most characters of each as JSON; a longer one does not stay. */
export const TEXT_LIMITS = { texts: 1_000, characters: 200_000 } as const;

/** The document of a kept page, as JSON and without its additions; undefined: it is here no more. */
export async function readText(key: string): Promise<string | undefined> {
  const kept = await transact("readonly", (store) =>
    settled<{ document: string } | undefined>(store("texts").get(key)),
  );
  return kept?.document;
}

/** Keeps a text in place of an older one of its page, in a transaction that is going on. */
export async function keepText(texts: IDBObjectStore, key: string, document: string, keptAt: number): Promise<void> {
  const isShort = document.length <= TEXT_LIMITS.characters;
  await settled<unknown>(isShort ? texts.put({ key, document, keptAt }) : texts.delete(key));
}

/** Lets the oldest texts go where there are too many. For the panel, which every page that is kept opens. */
export async function pruneTexts(): Promise<void> {
  const surplus = (await transact("readonly", (store) => settled(store("texts").count()))) - TEXT_LIMITS.texts;
  if (surplus <= 0) return;
  await transact("readwrite", async (store) => {
    const texts = store("texts");
    // The index gives the keys of what was kept first, in front.
    const oldest = await settled(texts.index("keptAt").getAllKeys(null, surplus));
    await Promise.all(oldest.map((one) => settled(texts.delete(one))));
  });
}
