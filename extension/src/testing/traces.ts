import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Files below a folder that hold a word, as UTF-8 or UTF-16. A running browser removes files and folders while they are
 * read: what is gone holds nothing. Throws where the folder itself is not there, and where something cannot be read.
 */
export async function tracesOf(folder: string, words: readonly string[]): Promise<string[]> {
  const spellings = words.flatMap((word) =>
    [word, word.toLowerCase()].flatMap((one) => [
      { word, bytes: Buffer.from(one) },
      { word, bytes: Buffer.from(one, "utf16le") },
    ]),
  );
  const found = new Set<string>();
  const search = async (place: string): Promise<void> => {
    for (const entry of await readdir(place, { withFileTypes: true })) {
      const path = join(place, entry.name);
      if (entry.isDirectory()) await search(path).catch(unlessGone);
      if (!entry.isFile()) continue;
      const held = await readFile(path).catch(unlessGone);
      for (const { word, bytes } of spellings) if (held?.includes(bytes) === true) found.add(`${word} in ${path}`);
    }
  };
  await search(folder);
  return [...found];
}

function unlessGone(failure: unknown): undefined {
  if ((failure as NodeJS.ErrnoException).code === "ENOENT") return undefined;
  throw failure;
}
