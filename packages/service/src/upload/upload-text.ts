import {
  asRefusal,
  fileKind,
  type FileKind,
  fileText,
  type FileText,
  type ReadLimits,
  type RefusalReason,
} from "@threadlore/files";
import { type Gap, gapOf } from "./gap.ts";

/** What could be read out of an uploaded file, and what could not. */
export interface ReadText {
  /** null: nothing. */
  readonly text: string | null;
  /** What of it was not read; null: everything was. */
  readonly gap: Gap | null;
}

/** A file that was read, and as what; absent: it shows no kind. Or why it is not kept. */
export type UploadText = (ReadText & { readonly kind?: FileKind }) | { readonly rejected: string };

/** A file to be read. */
export interface UploadedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Where its name or the type it was sent with says so. Default: told by its bytes and name. */
  readonly kind?: FileKind | undefined;
}

/** Characters that are kept of one text: as much as an answer reads of it. */
const MAX_CHARACTERS = 2_000_000;
const USUAL: ReadLimits = { characters: MAX_CHARACTERS, pdf: { pages: 1_000, milliseconds: 10_000 } };

const UNKNOWN_KIND =
  "Files of this kind cannot be kept. Send text, Markdown, CSV, HTML, PDF, an office file (DOCX, XLSX, PPTX, ODT, ODS, ODP), " +
  "EPUB, RTF, mail (EML), a notebook (IPYNB) or an image.";

const EMPTY = { rejected: "The file is empty." };

/** Why a file cannot be read: one that is not kept, and one that is kept without its text. */
const REFUSED: Readonly<Record<RefusalReason, { readonly rejected: string } | { readonly gap: Gap }>> = {
  empty: EMPTY,
  binary: { rejected: UNKNOWN_KIND },
  unsupported: { rejected: UNKNOWN_KIND },
  encoding: { rejected: "The file is not UTF-8 text. Save it as UTF-8, then send it again." },
  encrypted: { gap: gapOf("locked") },
  scanned: { gap: gapOf("scanned") },
  damaged: { gap: gapOf("damaged") },
  "too-large": { gap: gapOf("unfolds") },
};

/**
 * The text of an uploaded file. It may take much memory and time: what is not sure to be read in a moment is read by a
 * reader. Markdown and tables stay as they were written: a model reads them so, and an answer takes a table apart itself.
 * @param bytes of no use afterwards: they are taken over
 */
export async function textOfUpload(file: UploadedFile, limits: ReadLimits = USUAL): Promise<UploadText> {
  try {
    const told = file.kind ?? fileKind(file.name, file.bytes);
    const kind = told === "markdown" || told === "csv" ? "text" : told;
    return textOf(await fileText({ ...file, kind, takeOver: true }, limits), limits.characters);
  } catch (error) {
    const why = REFUSED[asRefusal(error).reason];
    return "gap" in why ? { text: null, ...why } : why;
  }
}

function textOf(read: FileText, characters: number): UploadText {
  const { kind, parts } = read;
  const text = parts
    .map(({ level, heading, text: words }) => (level === 0 ? words : `${"#".repeat(level)} ${heading}\n\n${words}`))
    .join("\n\n")
    .trim();
  if (kind === "text" && text === "") return EMPTY;
  if (text === "") return { kind, text: null, gap: read.pages === undefined ? gapOf("empty") : gapOfPages(read) };
  const cut = read.cut || text.length > characters;
  return {
    kind,
    text: text.slice(0, characters).toWellFormed(),
    gap: gapOfPages(read) ?? (cut ? gapOf("cut", MAX_CHARACTERS) : null),
  };
}

/** What of a PDF was not read; null: everything was, or it is none. */
function gapOfPages({ pages }: FileText): Gap | null {
  if (pages === undefined) return null;
  const { all, read, withText } = pages;
  if (withText === 0) return read < all ? gapOf("blank-beginning", read, all - read) : gapOf("scanned");
  if (read < all) return gapOf("beginning", read, all);
  return withText < read ? gapOf("blank-pages", read - withText, all) : null;
}
