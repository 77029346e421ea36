import { extname } from "node:path";
import { textOfHtml } from "./html-text.ts";
import type { ReadText } from "./pdf-pages.ts";
import { textOfPdf } from "./pdf-text.ts";

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
export async function readUpload(name: string, type: string, bytes: Uint8Array): Promise<ReadUpload | string> {
  const kind = KINDS[extname(name).toLowerCase()] ?? MEDIA_TYPES.get(type.split(";")[0]?.trim().toLowerCase() ?? "");
  if (kind === undefined) return "Files of this kind cannot be kept. Send text, Markdown, CSV, HTML, PDF or an image.";
  if (bytes.byteLength === 0) return "The file is empty.";
  const [chatFileType, mediaType] = kind;
  if (chatFileType === "image") return { chatFileType, mediaType, text: null, gap: "Pictures are not read here." };
  if (mediaType === "application/pdf") return { chatFileType, mediaType, ...(await textOfPdf(bytes)) };
  const text = decoded(bytes);
  if (text === null) return "The file is not UTF-8 text. Save it as UTF-8, then send it again.";
  return { chatFileType, mediaType, text: mediaType === "text/html" ? textOfHtml(text) : text, gap: null };
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
