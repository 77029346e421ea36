import { zipKind } from "./docx.ts";
import { FileRefusedError } from "../refusal.ts";

/** How a file is read. `text`: as it stands. */
export type FileKind = "pdf" | "docx" | "html" | "markdown" | "csv" | "text";

const BY_EXTENSION: Readonly<Record<string, FileKind>> = {
  htm: "html",
  html: "html",
  xhtml: "html",
  md: "markdown",
  mdown: "markdown",
  markdown: "markdown",
  csv: "csv",
  tsv: "csv",
};

/** Kinds told by their first bytes that hold text this version cannot read, or none. */
const SIGNATURES: readonly (readonly [string, string])[] = [
  ["{\\rtf", "a rich text document"],
  ["\u0089PNG", "a picture"],
  ["\u00ff\u00d8\u00ff", "a picture"],
  ["GIF8", "a picture"],
  ["\u001f\u008b", "a compressed file"],
  ["SQLite format 3", "a database"],
  ["%!PS", "a PostScript file"],
];

/** Names of what begins with `MZ` and is a program. */
const PROGRAM = /\.(?:com|dll|exe|ocx|scr|sys)$/i;

const ZIP = "PK\u0003\u0004";
/** A container of streams: office documents before 2007, and later ones behind a password. */
const COMPOUND = "\u00d0\u00cf\u0011\u00e0";
/** The stream that holds an office document behind a password, as its directory spells it. */
const PROTECTED = "EncryptedPackage";

/**
 * Tells how to read a file: a PDF and a Word document by their bytes, everything else by its name, and HTML under another
 * name by how it begins. Throws FileRefusedError for kinds that are recognised and cannot be read.
 */
export function fileKind(name: string, bytes: Uint8Array): FileKind {
  const head = headOf(bytes);
  if (head.includes("%PDF-")) return "pdf";
  if (head.startsWith(ZIP)) {
    const kind = zipKind(bytes);
    if (kind === "docx") return kind;
    throw new FileRefusedError("unsupported", name, { detail: kind.other });
  }
  if (head.startsWith(COMPOUND)) {
    if (holdsWide(bytes, PROTECTED)) throw new FileRefusedError("encrypted", name);
    throw new FileRefusedError("unsupported", name, { detail: "this is an office document of the old format" });
  }
  const found = SIGNATURES.find(([mark]) => head.startsWith(mark));
  if (found !== undefined) throw new FileRefusedError("unsupported", name, { detail: `this is ${found[1]}` });
  // Two letters could begin any text: the name has to say the same.
  if (head.startsWith("MZ") && PROGRAM.test(name)) {
    throw new FileRefusedError("unsupported", name, { detail: "this is a program" });
  }
  const extension = /\.([A-Za-z0-9]{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? "";
  const known = Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined;
  if (known !== undefined) return known;
  return /^(?:\u00ef\u00bb\u00bf)?\s*(?:<!doctype html|<html[\s>])/i.test(head) ? "html" : "text";
}

/** Whether it is of a kind, by its first bytes, of which a little can unfold to much. */
export function mayUnfold(bytes: Uint8Array): boolean {
  const head = headOf(bytes);
  return head.startsWith(ZIP) || head.includes("%PDF-");
}

/** The first bytes, a character each. */
function headOf(bytes: Uint8Array): string {
  return Array.from(bytes.subarray(0, 1024), (byte) => String.fromCharCode(byte)).join("");
}

/** Whether a word stands in the bytes, two bytes to a letter. */
function holdsWide(bytes: Uint8Array, word: string): boolean {
  const wide = Array.from(word, (letter) => [letter.charCodeAt(0), 0]).flat();
  for (let at = bytes.indexOf(wide[0] ?? 0); at !== -1; at = bytes.indexOf(wide[0] ?? 0, at + 1)) {
    if (wide.every((byte, index) => bytes[at + index] === byte)) return true;
  }
  return false;
}
