import type { PdfPages } from "./part.ts";

const ADVICE = {
  empty: "there is no text in it. Nothing can be found in an empty document.",
  binary:
    "it is not text. Give the text itself, as a text, Markdown, HTML, CSV, PDF or office file (DOCX, XLSX, PPTX).",
  encoding: "it does not say how its letters are encoded, and nothing fits. Save it as UTF-8 and give that file.",
  unsupported:
    "this kind of file cannot be read. Save it as PDF, DOCX, XLSX, PPTX, HTML, Markdown or plain text and give that file.",
  encrypted: "it is protected by a password. Save a copy without one and give that file.",
  scanned: "it holds pictures of pages and no text. Run text recognition (OCR) over it and give the result.",
  damaged: "it is damaged or incomplete. Open it in its own program, save it again and give that file.",
  "too-large": "it is too large. Split it, or raise the limit.",
};

/** Why the text of a file cannot be had. */
export type RefusalReason = keyof typeof ADVICE;

/** A file that cannot be read. The message names the file, says why, and what to do. */
export class FileRefusedError extends Error {
  override readonly name = "FileRefusedError";
  readonly reason: RefusalReason;
  /** Name of the file, as it was given. */
  readonly file: string;

  /** `detail` is put before the advice, such as the kind of file that was recognised. */
  constructor(reason: RefusalReason, file: string, options: { detail?: string; cause?: unknown } = {}) {
    const { detail, cause } = options;
    super(`${file}: ${detail === undefined ? "" : `${detail}: `}${ADVICE[reason]}`, { cause });
    this.reason = reason;
    this.file = file;
  }
}

/** The refusal of a file that was read and holds no text. @param pages how far it was read, where it is a PDF */
export function noTextIn(file: string, pages?: PdfPages): FileRefusedError {
  if (pages === undefined) return new FileRefusedError("empty", file);
  if (!pages.late || pages.read === pages.all) return new FileRefusedError("scanned", file);
  return new FileRefusedError("too-large", file, { detail: `its first ${pages.read} pages took too long to read` });
}

/**
 * The refusal that reading a file ended with. Throws whatever else an error is, and the lack of memory that a library took
 * for damage: "damaged" would be wrong then.
 */
export function asRefusal(error: unknown): FileRefusedError {
  if (!(error instanceof FileRefusedError)) throw error;
  if (error.cause instanceof Error && /array buffer allocation failed/i.test(error.cause.message)) throw error.cause;
  return error;
}
