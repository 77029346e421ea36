import { IngestionDocument, type IngestionDocumentInput, type Metadata } from "@threadlore/client/models";
import { partsOfCsv } from "./csv.ts";
import { partsOfDocx } from "./docx.ts";
import { decodeText, looksBinary } from "./encoding.ts";
import { fileKind, type FileKind } from "./file-kind.ts";
import { partsOfHtml } from "./html.ts";
import { fileId } from "./identity.ts";
import { visibleText } from "./invisible.ts";
import { partsOfMarkdown } from "./markdown.ts";
import { moment } from "./moment.ts";
import { partsOfPdf } from "./pdf.ts";
import { FileRefusedError } from "./refusal.ts";
import { defaultLimits, type Part, type SectionLimits, sectionsOf } from "./sections.ts";

/** A file, and what its place in the world says about it. No path is opened: the bytes are all there is. */
export interface SourceFile {
  /** File name with extension; a path is fine, its last segment counts. */
  readonly name: string;
  readonly bytes: Uint8Array;
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
  /** How to read it. Default: told by first bytes and name. */
  readonly kind?: FileKind;
  /** Added to the metadata found in the file, and stronger than it. */
  readonly metadata?: Metadata;
  readonly limits?: Partial<FileLimits>;
}

/** How much of a file is taken. */
export interface FileLimits extends SectionLimits {
  /** Largest file, in bytes; default 50,000,000. */
  readonly bytes: number;
}

/** A document ready to be ingested. */
export interface FileDocument {
  readonly document: IngestionDocumentInput;
  /** What a person should know about how it came about, in plain words; usually none. */
  readonly notes: readonly string[];
}

/**
 * Makes a document of a Markdown, HTML, PDF, Word (DOCX), CSV or plain text file. It passes the IngestionDocument model, holds only
 * text a person could see, and its time has an offset.
 *
 * Throws FileRefusedError for what cannot be read, with the reason and what to do.
 */
export async function documentFromFile(file: SourceFile): Promise<FileDocument> {
  const limits = { ...defaultLimits, bytes: 50_000_000, ...file.limits };
  if (file.bytes.length > limits.bytes) throw tooLarge(file, limits.bytes);
  const read = await readFile(file, file.kind ?? fileKind(file.name, file.bytes), limits);
  const { parts, dropped } = visibleParts(read.parts);
  const { sections, cut } = sectionsOf(parts, { link: file.link, limits, more: read.cut });
  if (sections.length === 0) throw new FileRefusedError("empty", file.name);
  const document = IngestionDocument.parse({
    id: file.id ?? (await fileId(file.path ?? file.name, file.namespace)),
    semantic_identifier: shown(read.title) || baseName(file.name),
    sections,
    source: file.source ?? "file",
    metadata: { ...foundMetadata(read, file), ...file.metadata },
    ...updatedAt(read.updated, file.modifiedAt),
    ...(read.authors.length === 0
      ? {}
      : { primary_owners: read.authors.map((name) => ({ display_name: shown(name) })) }),
  });
  return { document, notes: [...read.notes, ...textNotes(dropped, cut)] };
}

/** What one kind of file tells. */
interface FileText {
  readonly parts: readonly Part[];
  readonly title?: string | undefined;
  readonly authors: readonly string[];
  readonly updated?: string | undefined;
  readonly metadata: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly notes: readonly string[];
  readonly cut: boolean;
}

const nothingElse = { authors: [], metadata: {}, notes: [], cut: false } as const;

async function readFile(file: SourceFile, kind: FileKind, limits: FileLimits): Promise<FileText> {
  if (kind === "pdf") return readPdf(file, limits);
  if (kind === "docx") return readDocx(file);
  const decoded = decodeText(file.bytes);
  if (decoded === undefined) throw new FileRefusedError(looksBinary(file.bytes) ? "binary" : "encoding", file.name);
  const notes = decoded.guessed ? [`Its encoding is not declared; it was read as ${decoded.encoding}.`] : [];
  const whole = decoded.text.replace(/\r\n?/g, "\n");
  if (kind === "html") {
    const html = readHtml(whole);
    return { ...html, notes: [...notes, ...html.notes] };
  }
  // Beyond this nothing could be kept; HTML is mostly markup, so it has to be read to the end.
  const text = whole.slice(0, 2 * limits.totalCharacters).toWellFormed();
  const cut = text.length < whole.length;
  if (kind === "markdown") return { ...readMarkdown(text), notes, cut };
  if (kind === "csv") {
    const table = partsOfCsv(text, limits.totalCharacters);
    return { ...nothingElse, parts: table.parts, notes, cut: cut || table.cut };
  }
  return { ...nothingElse, parts: [{ level: 0, heading: "", text }], notes, cut };
}

function readMarkdown(text: string): FileText {
  const { frontMatter, title, parts } = partsOfMarkdown(text);
  const first = (...keys: string[]) => keys.map((key) => frontMatter.get(key)).find((value) => value !== undefined);
  const one = (value: string | readonly string[] | undefined) => (typeof value === "string" ? value : value?.[0]);
  const several = (value: string | readonly string[] | undefined) =>
    typeof value === "string" ? commaSeparated(value) : (value ?? []);
  const tags = several(first("tags", "keywords", "categories"));
  const known = ["title", "author", "authors", "tags", "keywords", "categories"];
  return {
    ...nothingElse,
    parts,
    title: one(first("title")) ?? title,
    authors: several(first("authors", "author")),
    updated: one(first("updated", "lastmod", "modified", "last_updated", "last_modified", "date")),
    metadata: {
      ...Object.fromEntries([...frontMatter].filter(([key]) => !known.includes(key))),
      tags: tags.length === 0 ? undefined : tags,
    },
  };
}

function readHtml(text: string): FileText {
  const { parts, title, language, meta, hiddenCharacters, tooDeep } = partsOfHtml(text);
  const keywords = commaSeparated(meta.get("keywords") ?? "");
  const hidden = `${hiddenCharacters} characters in elements that are not shown were left out.`;
  return {
    parts,
    title: title ?? meta.get("og:title"),
    authors: [meta.get("author") ?? ""].filter((name) => name !== ""),
    updated: meta.get("article:modified_time") ?? meta.get("last-modified") ?? meta.get("article:published_time"),
    metadata: {
      language,
      description: meta.get("description") ?? meta.get("og:description"),
      tags: keywords.length === 0 ? undefined : keywords,
    },
    notes: hiddenCharacters === 0 ? [] : [hidden],
    cut: tooDeep,
  };
}

async function readDocx(file: SourceFile): Promise<FileText> {
  const { parts, title, author, modified, macros, tooDeep } = await partsOfDocx(file.bytes, file.name);
  return {
    ...nothingElse,
    parts,
    title,
    authors: author === undefined ? [] : commaSeparated(author.replaceAll(";", ",")),
    updated: modified,
    notes: macros ? ["It holds macros, which were left out."] : [],
    cut: tooDeep,
  };
}

async function readPdf(file: SourceFile, limits: FileLimits): Promise<FileText> {
  const pdf = await partsOfPdf(file.bytes, file.name, limits.totalCharacters);
  const blank = `${pdf.pagesWithoutText} of ${pdf.pages} pages hold no text; they may be pictures or scans.`;
  return {
    parts: pdf.parts,
    title: pdf.title,
    authors: pdf.author === undefined ? [] : [pdf.author],
    updated: pdf.modified,
    metadata: { pages: String(pdf.pages) },
    notes: pdf.pagesWithoutText === 0 ? [] : [blank],
    cut: pdf.cut,
  };
}

function visibleParts(parts: readonly Part[]): { parts: Part[]; dropped: number } {
  let dropped = 0;
  const clean = (text: string) => {
    const visible = visibleText(text);
    dropped += visible.dropped;
    return visible.text;
  };
  return { parts: parts.map((part) => ({ ...part, heading: clean(part.heading), text: clean(part.text) })), dropped };
}

function textNotes(dropped: number, cut: boolean): string[] {
  return [
    ...(dropped === 0 ? [] : [`${dropped} invisible characters were left out.`]),
    ...(cut ? ["It is longer than the limit; only its beginning was kept, and its end says so."] : []),
  ];
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

function updatedAt(written: string | undefined, modifiedAt: Date | undefined): { doc_updated_at?: string } {
  const time = (written === undefined ? undefined : moment(written)) ?? modifiedAt?.toISOString();
  return time === undefined ? {} : { doc_updated_at: time };
}

const shown = (text: string | undefined): string =>
  visibleText((text ?? "").slice(0, 300))
    .text.replace(/\s+/g, " ")
    .trim();

const commaSeparated = (text: string): string[] =>
  text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");

const baseName = (path: string): string => path.split(/[\\/]/).findLast((segment) => segment !== "") ?? "untitled";

function tooLarge(file: SourceFile, limit: number): FileRefusedError {
  const detail = `${file.bytes.length} bytes where ${limit} are allowed`;
  return new FileRefusedError("too-large", file.name, { detail });
}
