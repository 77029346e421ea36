import type { KindText, Part } from "../../part.ts";
import { FileRefusedError } from "../../refusal.ts";
import { decodeText } from "../../text/encoding.ts";
import { Archive, partAt } from "../archive/archive.ts";
import { partsOfHtml } from "../html.ts";
import { BookReading, LabelReading, LockedParts } from "./book.ts";

/** Elements without content, closed in themselves as XML allows; to HTML the first of them would never end. */
const CLOSED_IN_ITSELF = /<([a-z][\w:-]{0,40})((?:\s[^<>]{0,2000})?)\/>/gi;
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;

/**
 * Reads a book (EPUB): its chapters in the order in which they are read, each under its headings; one that has none is
 * under what the table of contents calls it. Chapters beyond `characters` are not read. Throws FileRefusedError for one
 * that only its seller's program opens.
 */
export async function partsOfEpub(bytes: Uint8Array, file: string, characters: number): Promise<KindText> {
  const archive = new Archive(bytes, file);
  const place = new LabelReading("rootfile", "full-path");
  await archive.read("META-INF/container.xml", place);
  const [root = ""] = place.labels.keys();
  const book = new BookReading();
  if (!(await archive.read(root, book))) throw new FileRefusedError("damaged", file);
  const locked = new LockedParts();
  await archive.read("META-INF/encryption.xml", locked);
  const labels = await labelsOf(archive, root, book);
  const parts: Part[] = [];
  let hiddenCharacters = 0;
  let left = characters;
  for (const { href } of book.chapters()) {
    if (left <= 0) break;
    const path = partAt(decoded(href), root);
    if (locked.has(path)) throw new FileRefusedError("encrypted", file);
    const chapter = await archive.bytes(path);
    const source = chapter === undefined ? undefined : decodeText(chapter)?.text;
    if (source === undefined) continue;
    const read = partsOfHtml(asHtml(source), left);
    const named = underLabel(read.parts, labels.get(path.toLowerCase()));
    parts.push(...named);
    hiddenCharacters += read.hiddenCharacters ?? 0;
    left -= named.reduce((sum, { text }) => sum + text.length, read.cut === true ? left : 0);
  }
  return { ...book.described(), parts, hiddenCharacters, cut: left <= 0 };
}

/** What the table of contents calls each chapter, by the chapter's path. The newer kind of table is a page itself. */
async function labelsOf(archive: Archive, root: string, book: BookReading): Promise<Map<string, string>> {
  const labels = new Map<string, string>();
  for (const [href, reading] of [
    [book.navigation(), new LabelReading("a", "href")],
    [book.formerNavigation(), new LabelReading("content", "src", "navPoint")],
  ] as const) {
    if (href === undefined) continue;
    const table = partAt(decoded(href), root);
    await archive.read(table, reading);
    for (const [reference, label] of reading.labels) {
      const path = partAt(decoded(reference.split("#", 1)[0] ?? ""), table).toLowerCase();
      if (label !== "" && !labels.has(path)) labels.set(path, label);
    }
  }
  return labels;
}

/** The chapter's parts, without places that no link leads to; under its label where it has no heading. */
function underLabel(parts: readonly Part[], label: string | undefined): Part[] {
  const bare = parts.map(({ level, heading, text }) => ({ level, heading, text }));
  const first = bare.find(({ level, text }) => level > 0 || text.trim() !== "");
  if (label === undefined || first === undefined || first.level > 0) return bare;
  return bare.map((part) => (part === first ? { level: 1, heading: label, text: part.text } : part));
}

function asHtml(source: string): string {
  return source.replace(CLOSED_IN_ITSELF, (whole, name: string, attributes: string) =>
    VOID.test(name) ? whole : `<${name}${attributes}></${name}>`,
  );
}

function decoded(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}
