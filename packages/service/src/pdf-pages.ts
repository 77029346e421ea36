/** What could be read out of an uploaded file, and what could not. */
export interface ReadText {
  /** null: nothing. */
  readonly text: string | null;
  /** Says in a sentence or two what of it was not read, why, and what to do; null: everything was. */
  readonly gap: string | null;
}

/** How much of a PDF is read. */
export interface PdfLimits {
  /** Default 1,000. */
  readonly pages: number;
  /** Default 2,000,000. */
  readonly characters: number;
  /** Looked at between pages, milliseconds. Default 10,000. */
  readonly budgetMs: number;
}

const SCANNED =
  "It holds pictures of pages and no text (a scan). Run text recognition (OCR) over it, then send it again.";
const ENCRYPTED = "It is locked with a password. Save it without one, then send it again.";
/** What is said of a PDF that cannot be read as it is. */
export const DAMAGED = "It is damaged or incomplete. Save or download it anew, then send it again.";

/**
 * The text of a PDF, pages apart, read with pdf.js. A page that takes long, or much memory, cannot be interrupted.
 * @param bytes of no use afterwards: pdf.js takes them over
 */
export async function readPdf(bytes: Uint8Array, limits: PdfLimits): Promise<ReadText> {
  const { getDocumentProxy } = await import("unpdf");
  try {
    const document = await getDocumentProxy(bytes, { verbosity: 0, stopAtErrors: false });
    try {
      return await readPages(document, limits);
    } finally {
      await document.loadingTask.destroy();
    }
  } catch (error) {
    // Of what no memory was left for, nothing can be said but that.
    if (error instanceof Error && /array buffer allocation failed/i.test(error.message)) throw error;
    const isLocked = error instanceof Error && error.name === "PasswordException";
    return { text: null, gap: isLocked ? ENCRYPTED : DAMAGED };
  }
}

type PdfDocument = Awaited<ReturnType<(typeof import("unpdf"))["getDocumentProxy"]>>;

async function readPages(document: PdfDocument, { pages, characters, budgetMs }: PdfLimits): Promise<ReadText> {
  const end = performance.now() + budgetMs;
  const texts: string[] = [];
  let read = 0;
  let length = 0;
  do {
    const page = await document.getPage(++read);
    const text = linesOf((await page.getTextContent()).items);
    page.cleanup();
    length += text.length;
    if (text !== "") texts.push(text);
  } while (read < Math.min(document.numPages, pages) && length < characters && performance.now() < end);
  if (texts.length === 0) {
    const unread = `Its first ${read} pages hold no text, and the other ${document.numPages - read} were not read.`;
    return { text: null, gap: read < document.numPages ? unread : SCANNED };
  }
  return {
    text: texts.join("\n\n").slice(0, characters).toWellFormed(),
    gap: gapOf(document.numPages, read, texts.length),
  };
}

function gapOf(pages: number, read: number, withText: number): string | null {
  if (read < pages)
    return `Only the first ${read} of its ${pages} pages were read. Send the others as a file of their own.`;
  return withText < read
    ? `${read - withText} of its ${pages} pages hold no text (scans, pictures, or nothing).`
    : null;
}

/** Pieces of text as pdf.js gives them: most are part of a line; a bigger step down begins a paragraph. */
function linesOf(pieces: readonly object[]): string {
  let text = "";
  let last: number | undefined;
  for (const piece of pieces) {
    if (!isTextPiece(piece)) continue;
    const { str, hasEOL, height, transform } = piece;
    const y = transform[5] ?? 0;
    if (str.trim() !== "") {
      if (last !== undefined && height > 0 && Math.abs(last - y) > 1.8 * height) text = `${text.trimEnd()}\n\n`;
      last = y;
    }
    text += hasEOL ? `${str}\n` : str;
  }
  // A word broken at the end of a line is one word again.
  return text.replace(/(\p{L})[-\u2010]\n(\p{Ll})/gu, "$1$2").trim();
}

interface TextPiece {
  readonly str: string;
  /** A line ends behind it. */
  readonly hasEOL: boolean;
  readonly height: number;
  /** Scale, rotation and, as its last two numbers, position. */
  readonly transform: readonly number[];
}

function isTextPiece(piece: object): piece is TextPiece {
  return "str" in piece && typeof piece.str === "string" && "transform" in piece && Array.isArray(piece.transform);
}
