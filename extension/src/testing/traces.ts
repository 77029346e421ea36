import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Files below a folder that hold a word, as UTF-8 or UTF-16. */
export async function tracesOf(folder: string, words: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const file of files.filter((one) => one.isFile())) {
    const path = join(file.parentPath, file.name);
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    for (const word of words) {
      const spellings = [word, word.toLowerCase()].flatMap((one) => [Buffer.from(one), Buffer.from(one, "utf16le")]);
      if (spellings.some((spelling) => bytes.includes(spelling))) found.push(`${word} in ${path}`);
    }
  }
  return found;
}
