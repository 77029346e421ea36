import { zipKind } from "./docx.ts";
import { FileRefusedError } from "../refusal.ts";
import { holds } from "../text/bytes.ts";

/** How a file is read. `text`: as it stands. */
export type FileKind = "pdf" | "docx" | "html" | "markdown" | "csv" | "text";

const BY_NAME: readonly (readonly [RegExp, FileKind])[] = [
  [/\.(?:html?|xhtml)$/i, "html"],
  [/\.(?:md|mdown|markdown)$/i, "markdown"],
  [/\.[ct]sv$/i, "csv"],
];

const ZIP = "PK\u0003\u0004";
/** A container of streams: office documents before 2007, and later ones behind a password. */
const COMPOUND = "\u00d0\u00cf\u0011\u00e0";
/** The stream that holds an office document behind a password, as its directory spells it: two bytes to a letter. */
const PROTECTED = "EncryptedPackage".replaceAll(/./g, "$&\0");

/** Kinds told by their first bytes that hold text this version cannot read, or none. */
const SIGNATURES: readonly (readonly [string, string])[] = [
  ["{\\rtf", "a rich text document"],
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
 * Tells how to read a file: a PDF and a Word document by their bytes, everything else by its name, and HTML under another
 * name by how it begins. Throws FileRefusedError for kinds that are recognised and cannot be read.
 */
export function fileKind(name: string, bytes: Uint8Array): FileKind {
  const head = headOf(bytes);
  if (head.includes("%PDF-")) return "pdf";
  const zip = head.startsWith(ZIP) ? zipKind(bytes) : undefined;
  if (zip === "docx") return zip;
  if (head.startsWith(COMPOUND) && holds(bytes, PROTECTED)) throw new FileRefusedError("encrypted", name);
  // Two letters could begin any text: the name has to say the same.
  const program = head.startsWith("MZ") && PROGRAM.test(name) ? "a program" : undefined;
  const other = zip ?? SIGNATURES.find(([mark]) => head.startsWith(mark))?.[1] ?? program;
  if (other !== undefined) throw new FileRefusedError("unsupported", name, { detail: `this is ${other}` });
  const known = BY_NAME.find(([pattern]) => pattern.test(name))?.[1];
  return known ?? (/^(?:\u00ef\u00bb\u00bf)?\s*(?:<!doctype html|<html[\s>])/i.test(head) ? "html" : "text");
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
