import { extname } from "node:path";
import { type FileKind, isQuickToRead } from "@threadlore/files";
import { type Place, ReadingError } from "@threadlore/files/child";
import { type FormFile, type FormFiles, filesOfForm } from "./multipart.ts";
import type { UploadWork } from "./upload-reader.ts";
import { gapOf } from "./gap.ts";
import { textOfUpload, type UploadedFile, type UploadText } from "./upload-text.ts";

/** In the sources a TypeScript file, in the published package what it was compiled to. */
export const UPLOAD_READER = new URL(
  import.meta.url.endsWith(".ts") ? "./upload-reader.ts" : "./upload-reader.js",
  import.meta.url,
);

/** How a file is read. */
export interface UploadReading {
  readonly place: Place;
  /** Ends the reading at once. */
  readonly signal?: AbortSignal;
}

/** Up to so many bytes, text and forms are read at once: the worst of them takes some milliseconds. */
const SMALL_BYTES = 65_536;
/** The form field that holds the files. */
const FIELD = "files";
/** Files of one upload. */
export const MAX_FILES = 100;
/** A form has a few fields besides its files. */
const MAX_PARTS = MAX_FILES + 20;

/** A kind of file: image, document, plain_text or csv; and such as "text/plain". */
type Described = readonly [chatFileType: string, mediaType: string];

/** Kinds of files by the end of their name. What is not here is told by its bytes. */
const KINDS: Readonly<Record<string, Described>> = {
  ".txt": ["plain_text", "text/plain"],
  ".md": ["plain_text", "text/markdown"],
  ".markdown": ["plain_text", "text/markdown"],
  ".log": ["plain_text", "text/plain"],
  ".json": ["plain_text", "application/json"],
  ".yaml": ["plain_text", "application/yaml"],
  ".yml": ["plain_text", "application/yaml"],
  ".xml": ["plain_text", "application/xml"],
  ".csv": ["csv", "text/csv"],
  ".tsv": ["csv", "text/tab-separated-values"],
  ".html": ["document", "text/html"],
  ".htm": ["document", "text/html"],
  ".pdf": ["document", "application/pdf"],
  ".docx": ["document", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  ".pptx": ["document", "application/vnd.openxmlformats-officedocument.presentationml.presentation"],
  ".xlsx": ["document", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
  ".odt": ["document", "application/vnd.oasis.opendocument.text"],
  ".ods": ["document", "application/vnd.oasis.opendocument.spreadsheet"],
  ".odp": ["document", "application/vnd.oasis.opendocument.presentation"],
  ".epub": ["document", "application/epub+zip"],
  ".rtf": ["document", "application/rtf"],
  ".eml": ["document", "message/rfc822"],
  ".ipynb": ["document", "application/x-ipynb+json"],
  ".png": ["image", "image/png"],
  ".jpg": ["image", "image/jpeg"],
  ".jpeg": ["image", "image/jpeg"],
  ".gif": ["image", "image/gif"],
  ".webp": ["image", "image/webp"],
};

const MEDIA_TYPES = new Map(Object.values(KINDS).map((kind) => [kind[1], kind]));

/** Of a file that was read, where its name says nothing. */
const READ_AS: Readonly<Record<FileKind, string>> = {
  text: ".txt",
  markdown: ".md",
  csv: ".csv",
  html: ".html",
  pdf: ".pdf",
  docx: ".docx",
  pptx: ".pptx",
  xlsx: ".xlsx",
  odt: ".odt",
  ods: ".ods",
  odp: ".odp",
  epub: ".epub",
  rtf: ".rtf",
  eml: ".eml",
  notebook: ".ipynb",
};

/** Reads an uploaded file; a text says why it is not kept. What its name and the type it was sent with do not tell, its bytes do. */
export async function readUpload(name: string, type: string, bytes: Uint8Array, reading: UploadReading) {
  const given = KINDS[extname(name).toLowerCase()] ?? MEDIA_TYPES.get(type.split(";")[0]?.trim().toLowerCase() ?? "");
  if (bytes.byteLength === 0) return "The file is empty.";
  if (given?.[0] === "image") return { ...described(given), text: null, gap: gapOf("picture") };
  const mediaType = given?.[1];
  const kind = mediaType === "application/pdf" ? "pdf" : mediaType === "text/html" ? "html" : undefined;
  const read = await textOrWhyNot({ name, bytes, kind }, reading);
  if ("rejected" in read) return read.rejected;
  const told = read.kind === undefined ? undefined : KINDS[READ_AS[read.kind]];
  // A PDF or an office document is one, whatever its name says.
  const as = told?.[0] === "document" ? told : (given ?? told ?? UNTOLD);
  return { ...described(as), text: read.text, gap: read.gap };
}

/** Of a file that could not be read, and shows no kind. */
const UNTOLD: Described = ["document", "application/octet-stream"];

function described([chatFileType, mediaType]: Described) {
  return { chatFileType, mediaType };
}

/** The text of a file, read at once or by a process that has a limit; where it was not, the gap says why. */
async function textOrWhyNot({ bytes, ...file }: UploadedFile, { place, signal }: UploadReading) {
  if (isQuickToRead({ ...file, bytes }, SMALL_BYTES))
    return await textOfUpload({ ...file, bytes: new Uint8Array(bytes) });
  const work: UploadWork = file;
  try {
    const read = await place.read({ bytes, about: work, signal });
    return isUploadText(read) ? read : { text: null, gap: gapOf("ended") };
  } catch (error) {
    if (error instanceof ReadingError && error.failure !== "closed")
      return { text: null, gap: gapOf(error.failure === "failed" ? "damaged" : error.failure) };
    throw error;
  }
}

/** The files of an upload's form. Throws ReadingError where a large one could not be taken apart. */
export async function filesOfUpload(
  body: Uint8Array<ArrayBuffer>,
  contentType: string,
  { place, signal }: UploadReading,
): Promise<FormFiles> {
  if (body.byteLength <= SMALL_BYTES) return filesOfForm(Buffer.from(body.buffer), contentType, FIELD, MAX_PARTS);
  const work: UploadWork = { contentType, field: FIELD, most: MAX_PARTS };
  const found = await place.read({ bytes: body, about: work, signal });
  return isFormFiles(found, body.byteLength) ? found : { wrong: "no form" };
}

// What a reader answers was made of a stranger's file by another process.

function isUploadText(value: unknown): value is UploadText {
  if (typeof value !== "object" || value === null) return false;
  if ("rejected" in value) return typeof value.rejected === "string";
  if ("kind" in value && (typeof value.kind !== "string" || !Object.hasOwn(READ_AS, value.kind))) return false;
  return "text" in value && isTextOrNull(value.text) && "gap" in value && isTextOrNull(value.gap);
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === "string";
}

function isFormFiles(value: unknown, length: number): value is FormFiles {
  if (typeof value !== "object" || value === null) return false;
  if ("wrong" in value) return true;
  if (!("files" in value) || !Array.isArray(value.files)) return false;
  return value.files.every(
    ({ name, type, start, end }: Partial<FormFile>) =>
      typeof name === "string" &&
      typeof type === "string" &&
      typeof start === "number" &&
      typeof end === "number" &&
      start >= 0 &&
      start <= end &&
      end <= length,
  );
}
