import { createHash } from "node:crypto";
import type { Source } from "@threadlore/ask";
import { folded } from "./folded.ts";

/** What a document is known by. */
export type Nameable = Pick<Source, "documentId" | "title" | "link">;

/** Whether a document is meant by a name: its id or link as they are, its title, or its path where it is a file. */
export function isCalled({ documentId, title, link }: Nameable, name: string): boolean {
  return documentId === name || link === name || folded(title) === folded(name) || isFileAt(documentId, name);
}

/**
 * Whether `threadlore ingest` made an id for the file at this path of the folder it read. Such an id begins with the name of
 * the folder's collection and ends with a hash of that and the path, so that nothing is taken for another file.
 */
function isFileAt(id: string, path: string): boolean {
  const [, readable, hash] = /^file_(.{1,60})_([0-9a-f]{24})$/.exec(id) ?? [];
  if (readable === undefined || hash === undefined) return false;
  const clean = path
    .normalize()
    .replaceAll("\\", "/")
    .replace(/^(?:\.\/)+/, "");
  return ["", ...beginnings(readable)].some((collection) => {
    const made = createHash("sha256").update(`${collection.normalize()}\0${clean}`).digest("hex");
    return made.startsWith(hash);
  });
}

/** What stands before each dash of a text. */
function beginnings(text: string): string[] {
  return [...text.matchAll(/-/g)].map(({ index }) => text.slice(0, index));
}
