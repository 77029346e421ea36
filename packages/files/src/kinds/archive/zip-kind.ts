import { archiveBytes, type ZipEntry, zipEntries } from "./zip.ts";

/** Kinds of files that are a ZIP archive of parts. */
export type ArchiveKind = "docx" | "pptx" | "xlsx" | "odt" | "ods" | "odp" | "epub";

/** The part that makes an archive an office document of a kind. */
const PARTS: readonly (readonly [RegExp, ArchiveKind])[] = [
  [/^word\/document\.xml$/i, "docx"],
  [/^xl\/workbook\.xml$/i, "xlsx"],
  [/^ppt\/presentation\.xml$/i, "pptx"],
];

/** What is written, unpacked, in the first part of OpenDocument files and of books. */
const TYPES: readonly (readonly [string, ArchiveKind])[] = [
  ["application/vnd.oasis.opendocument.text", "odt"],
  ["application/vnd.oasis.opendocument.spreadsheet", "ods"],
  ["application/vnd.oasis.opendocument.presentation", "odp"],
  ["application/epub+zip", "epub"],
];

/** What else can be told by a part. */
const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/^xl\/workbook\.bin$/i, "a workbook of the binary kind (XLSB), which Excel and LibreOffice save anew as XLSX"],
  [/^index\/(?:document|metadata)\.iwa$|^index\.zip$/i, "a document of Pages, Numbers or Keynote"],
  [/^content\.xml$/i, "an OpenDocument file of another kind"],
];

/** What a ZIP archive is: a kind that is read; else what it is, in words; `damaged`: it has no sound directory. */
export type ZipKind = { readonly kind: ArchiveKind } | { readonly words: string } | "damaged";

/** Tells what a ZIP archive is, by the parts it has and by what it says of itself. */
export function zipKind(bytes: Uint8Array, name: string): ZipKind {
  const entries = zipEntries(archiveBytes(bytes));
  if (entries === undefined) return "damaged";
  if (entries === "too many") return { words: "a ZIP archive of over 10,000 files" };
  const part = (pattern: RegExp) => entries.some((entry) => pattern.test(entry.name.replace(/^\/+/, "")));
  const kind = PARTS.find(([pattern]) => part(pattern))?.[1] ?? typedKind(entries, name);
  if (kind !== undefined) return { kind };
  return { words: OTHERS.find(([pattern]) => part(pattern))?.[1] ?? "a ZIP archive" };
}

const NAMED = /\.(odt|ott|ods|ots|odp|otp|epub)$/i;

function typedKind(entries: readonly ZipEntry[], name: string): ArchiveKind | undefined {
  const told = entries.find((entry) => entry.name === "mimetype" && entry.method === 0);
  const type = told === undefined ? "" : new TextDecoder().decode(told.packed.subarray(0, 100)).trim();
  // A template is written as the document it is made into.
  const typed = TYPES.find(([one]) => type === one || type === `${one}-template`)?.[1];
  if (typed !== undefined || type !== "") return typed;
  // Some programs leave that part out.
  const named = NAMED.exec(name)?.[1]?.toLowerCase().replace(/^ot/, "od");
  const has = (path: string) => entries.some((entry) => entry.name === path);
  if (named === "epub") return has("META-INF/container.xml") ? "epub" : undefined;
  return has("content.xml") ? (named as ArchiveKind | undefined) : undefined;
}
