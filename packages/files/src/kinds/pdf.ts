import { isHopelessPdf } from "./pdf-damage.ts";
import { FileRefusedError } from "../refusal.ts";
import type { KindText, Part, PdfPages } from "../part.ts";

/** A PDF as it was given. No path is opened: the bytes are all there is. */
export interface PdfFile {
  /** File name with extension; a path is fine, its last segment counts. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The bytes are of no use afterwards, so that they need not be in memory twice. Default false: they stay as they are. */
  readonly takeOver?: boolean;
}

/** How long a PDF is read. */
export interface PdfLimits {
  /** Default 5,000. */
  readonly pages: number;
  /** Asked between pages, since a page cannot be interrupted; the first one is always read. Default 20,000. */
  readonly milliseconds: number;
}

const defaultLimits: PdfLimits = { pages: 5_000, milliseconds: 20_000 };

/**
 * Reads a PDF's text with pdf.js, which is loaded on first use so that it stays out of bundles that never need it: one
 * part per page that has any, and what it says about itself. Pages beyond `characters` and `limits` are not read. Throws FileRefusedError for what has a password or is damaged; what
 * holds no text has no parts.
 */
export async function partsOfPdf(
  { bytes, name, takeOver = false }: PdfFile,
  characters: number,
  limits: Partial<PdfLimits> = {},
): Promise<KindText & { pages: PdfPages }> {
  if (isHopelessPdf(bytes)) throw new FileRefusedError("damaged", name);
  const { pages, milliseconds } = { ...defaultLimits, ...limits };
  const until = performance.now() + milliseconds;
  const { getDocumentProxy } = await import("unpdf");
  try {
    // pdf.js takes the bytes over, so it gets a copy; and it refuses Node's Buffer, whose slice() is neither.
    const own = takeOver ? bytes : new Uint8Array(bytes);
    const document = await getDocumentProxy(own, { verbosity: 0, stopAtErrors: false });
    try {
      return {
        ...(await readPages(document, { characters, pages, until })),
        ...described(await document.getMetadata()),
      };
    } finally {
      await document.loadingTask.destroy();
    }
  } catch (error) {
    throw refusalFor(error, name);
  }
}

type PdfDocument = Awaited<ReturnType<(typeof import("unpdf"))["getDocumentProxy"]>>;

interface PageLimits {
  readonly characters: number;
  readonly pages: number;
  /** As `performance.now()` tells it. */
  readonly until: number;
}

async function readPages(document: PdfDocument, { characters, pages, until }: PageLimits) {
  const last = Math.min(document.numPages, pages);
  const parts: Part[] = [];
  let read = 0;
  let number = 0;
  let late = false;
  while (number < last && read < characters && !late) {
    number++;
    const page = await document.getPage(number);
    const text = linesOf((await page.getTextContent()).items);
    page.cleanup();
    read += text.length;
    if (text !== "") parts.push({ level: 0, heading: "", fragment: `page=${number}`, text });
    late = performance.now() >= until;
  }
  const { numPages: all } = document;
  return {
    parts,
    pages: { all, read: number, withText: parts.length, late },
    metadata: { pages: String(all) },
    cut: number < all,
  };
}

interface TextItem {
  readonly str: string;
  readonly hasEOL: boolean;
  readonly height: number;
  /** Which way its letters run. */
  readonly dir: string;
  /** Scale, rotation and, as its last two numbers, position. */
  readonly transform: readonly number[];
}

/** Items are runs of one font on one line; a gap of more than a line and a half begins a paragraph. */
function linesOf(items: readonly object[]): string {
  const pieces: string[] = [];
  let baseline: number | undefined;
  let line: TextItem[] = [];
  const endLine = (end: string) => {
    pieces.push(...inReadingOrder(line).map(({ str }) => str), end);
    line = [];
  };
  for (const item of items) {
    if (!isTextItem(item)) continue;
    const y = item.transform[5] ?? 0;
    const paragraph = baseline !== undefined && item.height > 0 && Math.abs(baseline - y) > 1.8 * item.height;
    if (paragraph && line.length === 0 && pieces.at(-1) === "\n" && item.str.trim() !== "") pieces.push("\n");
    if (item.str !== "") baseline = y;
    line.push(item);
    if (item.hasEOL) endLine("\n");
  }
  endLine("");
  const lines = pieces
    .join("")
    .replaceAll(SHAPED, (letters) => letters.normalize("NFKC"))
    .split("\n")
    .map((one) => one.trimEnd());
  const text = lines.join("\n").replace(/\n{3,}/g, "\n\n");
  // A word broken at the end of a line is one word again.
  return text.replace(/(\p{L})[-\u2010]\n(\p{Ll})/gu, "$1$2").trim();
}

/** Hebrew and Arabic letters in the forms they have inside of words; a search looks for the letters. */
const SHAPED = /[\uFB1D-\uFDFF\uFE70-\uFEFC]+/g;

const isWordFromLeft = ({ dir, str }: TextItem): boolean => dir !== "rtl" && /\p{L}/u.test(str);

/**
 * Programs write right-to-left lines as they are seen, from the left: such a line is read from its other end, but for
 * the words in it that run from the left.
 */
function inReadingOrder(line: readonly TextItem[]): readonly TextItem[] {
  const fromRight = line.filter(({ dir }) => dir === "rtl").length;
  if (fromRight === 0 || fromRight < line.filter(isWordFromLeft).length) return line;
  const left = ({ transform }: TextItem) => transform[4] ?? 0;
  const ordered = line.filter(({ str }) => str !== "").toSorted((one, other) => left(other) - left(one));
  let first = -1;
  let last = -1;
  for (const [at, item] of [...ordered, undefined].entries()) {
    if (item !== undefined && isWordFromLeft(item)) [first, last] = [first === -1 ? at : first, at];
    if (item !== undefined && item.dir !== "rtl") continue;
    if (first !== -1) ordered.splice(first, last - first + 1, ...ordered.slice(first, last + 1).toReversed());
    first = -1;
  }
  return ordered;
}

function isTextItem(item: object): item is TextItem {
  return "str" in item && typeof item.str === "string" && "transform" in item && Array.isArray(item.transform);
}

/** What it says about itself. Dates are as PDFs write them: `D:20260131100000+02'00'`. */
function described({ info }: { info: object }): Pick<KindText, "title" | "authors" | "updated"> {
  const fields: Readonly<Record<string, unknown>> = { ...info };
  const text = (key: string) => {
    const value = fields[key];
    return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
  };
  const author = text("Author");
  return {
    title: text("Title"),
    authors: author === undefined ? [] : [author],
    updated: text("ModDate") ?? text("CreationDate"),
  };
}

function refusalFor(error: unknown, name: string): FileRefusedError {
  const kind = error instanceof Error ? error.name : "";
  return new FileRefusedError(kind === "PasswordException" ? "encrypted" : "damaged", name, { cause: error });
}
