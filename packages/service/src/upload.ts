import { extname } from "node:path";
import { type Place, ReadingError, type ReadingFailure } from "@threadlore/files/child";
import { type FormFile, type FormFiles, filesOfForm } from "./multipart.ts";
import { DAMAGED, type PdfLimits, type ReadText } from "./pdf-pages.ts";
import type { UploadWork } from "./upload-reader.ts";
import { textOfUpload, type UploadText } from "./upload-text.ts";

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
  /** Time of one file, milliseconds. Default: the pool's. */
  readonly mostMs?: number;
  readonly limits?: Partial<PdfLimits>;
}

/** Up to so many bytes, what is no PDF is read at once: the worst of it takes some milliseconds. */
const SMALL_BYTES = 65_536;
/** The form field that holds the files. */
const FIELD = "files";
/** Files of one upload. */
export const MOST_FILES = 100;
/** A form has a few fields besides its files. */
const MOST_PARTS = MOST_FILES + 20;

/** Why a file was kept without its text. */
const WHY: Readonly<Record<Exclude<ReadingFailure, "closed">, string>> = {
  memory: "It takes more memory than reading it may take. Split it, or send its text, then send it again.",
  slow: "Reading it took too long and was given up. Save it anew in another program, or send its text, then send it again.",
  output: "It holds more than can be taken out of one file. Split it, then send it again.",
  ended: "Reading it was interrupted. Send it again; if that happens again, save it anew in another program first.",
  failed: DAMAGED,
  crowded: "Too many of your files wait to be read. Send it again when they are done.",
  full: "Too many files wait to be read. Send it again in a minute.",
};

/** An upload as it is kept: what kind of file it is, and what could be read of it. */
export interface ReadUpload extends ReadText {
  /** image, document, plain_text or csv. */
  readonly chatFileType: string;
  /** Such as "text/plain". */
  readonly mediaType: string;
}

/** Kinds of files by the end of their name. What is not here is not kept. */
const KINDS: Readonly<Record<string, readonly [chatFileType: string, mediaType: string]>> = {
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
  ".png": ["image", "image/png"],
  ".jpg": ["image", "image/jpeg"],
  ".jpeg": ["image", "image/jpeg"],
  ".gif": ["image", "image/gif"],
  ".webp": ["image", "image/webp"],
};

const MEDIA_TYPES = new Map(Object.values(KINDS).map((kind) => [kind[1], kind]));

/** Reads an uploaded file by the end of its name, else by the type it was sent with; a text says why it is not kept. */
export async function readUpload(
  name: string,
  type: string,
  bytes: Uint8Array,
  reading: UploadReading,
): Promise<ReadUpload | string> {
  const kind = KINDS[extname(name).toLowerCase()] ?? MEDIA_TYPES.get(type.split(";")[0]?.trim().toLowerCase() ?? "");
  if (kind === undefined) return "Files of this kind cannot be kept. Send text, Markdown, CSV, HTML, PDF or an image.";
  if (bytes.byteLength === 0) return "The file is empty.";
  const [chatFileType, mediaType] = kind;
  if (chatFileType === "image") return { chatFileType, mediaType, text: null, gap: "Pictures are not read here." };
  const isSmall = bytes.byteLength <= SMALL_BYTES && mediaType !== "application/pdf";
  const read = isSmall
    ? await textOfUpload(mediaType, new Uint8Array(bytes))
    : await textFromReader(mediaType, bytes, reading);
  return "rejected" in read ? read.rejected : { chatFileType, mediaType, text: read.text, gap: read.gap };
}

/** The text of a file, read by a process that has a limit; where it was not, the gap says why. */
async function textFromReader(
  mediaType: string,
  bytes: Uint8Array,
  { place, signal, mostMs, limits }: UploadReading,
): Promise<UploadText> {
  const work: UploadWork = { mediaType, ...(limits !== undefined && { limits }) };
  try {
    const read = await place.read({ bytes, about: work, signal, mostMs });
    return isUploadText(read) ? read : { text: null, gap: WHY.ended };
  } catch (error) {
    if (error instanceof ReadingError && error.failure !== "closed") return { text: null, gap: WHY[error.failure] };
    throw error;
  }
}

/** The files of an upload's form. Throws ReadingError where a large one could not be taken apart. */
export async function filesOfUpload(
  body: Uint8Array<ArrayBuffer>,
  contentType: string,
  { place, signal, mostMs }: UploadReading,
): Promise<FormFiles> {
  if (body.byteLength <= SMALL_BYTES) return filesOfForm(Buffer.from(body.buffer), contentType, FIELD, MOST_PARTS);
  const work: UploadWork = { contentType, field: FIELD, most: MOST_PARTS };
  const found = await place.read({ bytes: body, about: work, signal, mostMs });
  return isFormFiles(found, body.byteLength) ? found : { wrong: "no form" };
}

// What a reader answers was made of a stranger's file by another process.

function isUploadText(value: unknown): value is UploadText {
  if (typeof value !== "object" || value === null) return false;
  if ("rejected" in value) return typeof value.rejected === "string";
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
