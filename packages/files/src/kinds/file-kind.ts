import { type ArchiveKind, zipKind } from "./archive/zip-kind.ts";
import { FileRefusedError } from "../refusal.ts";
import { holds } from "../text/bytes.ts";

/** How a file is read. `text`: as it stands. */
export type FileKind = ArchiveKind | "pdf" | "rtf" | "eml" | "notebook" | "html" | "markdown" | "csv" | "text";

const BY_NAME: readonly (readonly [RegExp, FileKind])[] = [
  [/\.(?:html?|xhtml)$/i, "html"],
  [/\.(?:md|mdown|markdown)$/i, "markdown"],
  [/\.[ct]sv$/i, "csv"],
  [/\.eml$/i, "eml"],
  [/\.ipynb$/i, "notebook"],
];

/** Kinds that are read in a moment, however they are made: a text, a little more than itself. */
const QUICK: ReadonlySet<FileKind> = new Set(["html", "markdown", "csv", "text", "rtf", "notebook"]);

/** Names of what is a ZIP archive, and damaged where it is none. */
const ARCHIVED = /\.(?:docx|docm|dotx|xlsx|xlsm|xltx|pptx|pptm|ppsx|potx|odt|ods|odp|ott|ots|otp|epub)$/i;

const ZIP = "PK\u0003\u0004";
/** A container of streams: office documents before 2007, and later ones behind a password. */
const COMPOUND = "\u00d0\u00cf\u0011\u00e0";
/** The stream that holds an office document behind a password, as its directory spells it: two bytes to a letter. */
const PROTECTED = wide("EncryptedPackage");
/** What else such a container is, by a stream it has. */
const FORMER: readonly (readonly [string, string])[] = [
  [wide("WordDocument"), "a Word document of the old kind (DOC), which Word and LibreOffice save anew as DOCX"],
  [wide("Workbook"), "a workbook of the old kind (XLS), which Excel and LibreOffice save anew as XLSX"],
  [
    wide("PowerPoint Document"),
    "a presentation of the old kind (PPT), which PowerPoint and LibreOffice save anew as PPTX",
  ],
  [wide("__properties_version1.0"), "a message of Outlook (MSG), which mail programs save anew as EML"],
];

/** Kinds told by their first bytes that hold text this version cannot read, or none. */
const SIGNATURES: readonly (readonly [string, string])[] = [
  ["\u0089PNG", "a picture"],
  ["\u00ff\u00d8\u00ff", "a picture"],
  ["GIF8", "a picture"],
  ["\u001f\u008b", "a compressed file"],
  ["SQLite format 3", "a database"],
  ["%!PS", "a PostScript file"],
  [COMPOUND, "an office document of the old format"],
];

/** Names of what begins with `MZ` and is a program. */
const PROGRAM = /\.(?:com|dll|exe|ocx|scr|sys)$/i;

/**
 * Tells how to read a file: PDF, rich text, office documents and books by their bytes, everything else by its name, and HTML
 * under another name by how it begins. Throws FileRefusedError for kinds that are recognised and cannot be read.
 */
export function fileKind(name: string, bytes: Uint8Array): FileKind {
  const head = headOf(bytes);
  const known = BY_NAME.find(([pattern]) => pattern.test(name))?.[1];
  // Behind its first line a message may hold anything, also a PDF.
  if (known === "eml" && /^(?:From |[\w-]+:)/.test(head)) return known;
  if (head.includes("%PDF-")) return "pdf";
  if (head.startsWith("{\\rtf")) return "rtf";
  if (head.startsWith(ZIP)) return archivedKind(name, bytes);
  if (head.startsWith(COMPOUND) && holds(bytes, PROTECTED)) throw new FileRefusedError("encrypted", name);
  // Two letters could begin any text: the name has to say the same.
  const program = head.startsWith("MZ") && PROGRAM.test(name) ? "a program" : undefined;
  const former = head.startsWith(COMPOUND) ? FORMER.find(([stream]) => holds(bytes, stream))?.[1] : undefined;
  const other = former ?? SIGNATURES.find(([mark]) => head.startsWith(mark))?.[1] ?? program;
  if (other !== undefined) throw new FileRefusedError("unsupported", name, { detail: `this is ${other}` });
  const isPage = /^(?:\u00ef\u00bb\u00bf)?\s*(?:<!doctype html|<html[\s>])/i.test(head);
  if (known !== undefined && !(known === "eml" && isPage)) return known;
  return isPage ? "html" : "text";
}

/** Throws FileRefusedError for an archive of something else. */
function archivedKind(name: string, bytes: Uint8Array): FileKind {
  const told = zipKind(bytes, name);
  if (told !== "damaged" && "kind" in told) return told.kind;
  if (told === "damaged" && ARCHIVED.test(name)) throw new FileRefusedError("damaged", name);
  const detail = `this is ${told === "damaged" ? "a ZIP archive" : told.words}`;
  throw new FileRefusedError("unsupported", name, { detail });
}

/** Letters as such containers write names: two bytes each. */
function wide(text: string): string {
  return text.replaceAll(/./g, "$&\0");
}

/** Whether a file of this kind, where it is told, is read in a moment. */
export const isQuickKind = (kind: FileKind | undefined): boolean => kind === undefined || QUICK.has(kind);

/** Whether it is of a kind, by its name and first bytes, of which a little can unfold to much. */
export function mayUnfold(name: string, bytes: Uint8Array): boolean {
  if (/\.(?:pdf|eml)$/i.test(name)) return true;
  const head = headOf(bytes);
  return head.startsWith(ZIP) || head.includes("%PDF-");
}

/** The first bytes, a character each. */
function headOf(bytes: Uint8Array): string {
  return Array.from(bytes.subarray(0, 1024), (byte) => String.fromCharCode(byte)).join("");
}
