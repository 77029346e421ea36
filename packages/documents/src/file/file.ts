import { IngestionDocument, type Metadata } from "@threadlore/client/models";
import { FileRefusedError, fileText, type FileText, type GivenFile, noTextIn } from "@threadlore/files";
import { shownLine } from "../text.ts";
import { fileId } from "../document/identity.ts";
import { moment } from "../document/moment.ts";
import { CUT_NOTE, defaultLimits, type MadeDocument, type SectionLimits, sectionsOf } from "../document/sections.ts";

/** A file, and what its place in the world says about it. */
export interface SourceFile extends GivenFile {
  /** Path relative to the folder it was found in; makes the id, together with `namespace`. Default: `name`. */
  readonly path?: string;
  /** Keeps equal paths of different folders apart in ids. Default: "". */
  readonly namespace?: string;
  /** Id to use instead, such as `await webId(url)` for a fetched page. */
  readonly id?: string;
  /** Where a reader can open it. Sections link to their place in it. Default: no links. */
  readonly link?: string;
  /** Last change, when the file itself does not say. Default: not sent, and servers take the moment of ingestion. */
  readonly modifiedAt?: Date;
  /** Origin system. Default: `file`. */
  readonly source?: string;
  /** Added to the metadata found in the file, and stronger than it. */
  readonly metadata?: Metadata;
  readonly limits?: Partial<FileLimits>;
}

/** How much of a file is taken. */
export interface FileLimits extends SectionLimits {
  /** Largest file, in bytes; default 50,000,000. */
  readonly bytes: number;
}

/**
 * Makes a document of a file of any kind that `@threadlore/files` reads. It passes the IngestionDocument model, holds only
 * text a person could see, and its time has an offset.
 *
 * Throws FileRefusedError for what cannot be read, with the reason and what to do.
 */
export async function documentFromFile(file: SourceFile): Promise<MadeDocument> {
  const limits = { ...defaultLimits, bytes: 50_000_000, ...file.limits };
  if (file.bytes.length > limits.bytes) {
    const detail = `${file.bytes.length} bytes where ${limits.bytes} are allowed`;
    throw new FileRefusedError("too-large", file.name, { detail });
  }
  const read = await fileText(file, { characters: limits.totalCharacters });
  const { sections, cut } = sectionsOf(read.parts, { link: file.link, limits, more: read.cut });
  if (sections.length === 0) throw noTextIn(file.name, read.pages);
  const document = IngestionDocument.parse({
    id: file.id ?? (await fileId(file.path ?? file.name, file.namespace)),
    semantic_identifier: shown(read.title) || baseName(file.name),
    sections,
    source: file.source ?? "file",
    metadata: { ...foundMetadata(read, file), ...file.metadata },
    doc_updated_at: moment(read.updated ?? "") ?? file.modifiedAt?.toISOString(),
    ...(read.authors.length > 0 && { primary_owners: read.authors.map((name) => ({ display_name: shown(name) })) }),
  });
  return { document, notes: notesOf(read, cut) };
}

/** What was left out of a document, and what was guessed. */
function notesOf(read: FileText, cut: boolean): string[] {
  const { guessedEncoding, hiddenCharacters, hiddenPages, invisibleCharacters, macros, pages } = read;
  const blank = pages === undefined ? 0 : pages.read - pages.withText;
  return [
    guessedEncoding !== undefined && `Its encoding is not declared; it was read as ${guessedEncoding}.`,
    hiddenCharacters > 0 && `${hiddenCharacters} characters in elements that are not shown were left out.`,
    hiddenPages > 0 && `Hidden slides or sheets were left out: ${hiddenPages}.`,
    macros && "It holds macros, which were left out.",
    blank > 0 && `${blank} of ${pages?.all} pages hold no text; they may be pictures or scans.`,
    invisibleCharacters > 0 && `${invisibleCharacters} invisible characters were left out.`,
    cut && CUT_NOTE,
  ].filter((note) => note !== false);
}

const MAX_ATTRIBUTES = 30;
const MAX_LIST = 50;

/** Words a search can filter by; texts of a file are shortened to what fits a line. */
function foundMetadata(read: FileText, file: SourceFile): Metadata {
  const entries = Object.entries(read.metadata).flatMap(([key, value]): [string, string | string[]][] => {
    if (value === undefined || value.length === 0) return [];
    return [[shown(key), typeof value === "string" ? shown(value) : value.slice(0, MAX_LIST).map(shown)]];
  });
  const path = (file.path ?? file.name).replaceAll("\\", "/");
  return {
    ...Object.fromEntries(entries.slice(0, MAX_ATTRIBUTES)),
    path,
    ...(read.authors.length > 0 && { author: read.authors.slice(0, MAX_LIST).map(shown) }),
  };
}

const shown = (text: string | undefined): string => shownLine(text ?? "", 300, 300);

const baseName = (path: string): string => path.split(/[\\/]/).findLast((segment) => segment !== "") ?? "untitled";
