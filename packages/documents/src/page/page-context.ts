/**
 * Pages as `additional_context`: what a person sees goes along with their question as fenced material, within a budget,
 * and what had to be left out is told to whoever answers and to the person. Pure.
 */
import { drawMark, type PageFence, pageFence, withoutMark } from "@threadlore/client/fence";
import { oneLine } from "@threadlore/files";
import { withoutTokens } from "./page-address.ts";
import type { PageSnapshot } from "./page-snapshot.ts";
import { excerptOf, lengthOf, type Piece } from "./excerpt.ts";

/** What of a page goes along with a question. */
export type ContextPage = Pick<PageSnapshot, "title" | "url" | "parts" | "extent" | "cut">;

/** What of a page did not fit. Counted in characters. */
export interface LeftOut {
  readonly title: string;
  readonly left: number;
  readonly of: number;
}

/** A piece of a page's text that goes along. */
export interface ContextPassage {
  readonly text: string;
  /** Where on the page it is, for the end of a link after `#`; absent where the page does not say. */
  readonly fragment?: string;
}

/** Text for `additional_context`, and what of the pages it holds and does not hold. */
export interface PageContext {
  /** "" for no pages. */
  readonly text: string;
  readonly leftOut: readonly LeftOut[];
  /** What of each page went along, in the order of the pages; headings are not among it. */
  readonly passages: readonly (readonly ContextPassage[])[];
  /** The address each page goes by, in their order: its own without what looks like a key or a session, on one line. */
  readonly addresses: readonly string[];
}

/** How pages are made to fit. */
export interface ContextOptions {
  /**
   * Most characters of the whole text: pages, fences, notes and the lines between them; default 48,000, about 12,000
   * tokens: every model takes that. Title, address and fence of each page are never cut, so that a budget smaller than
   * they (120 characters for notes included) is exceeded, and gives them without the pages' text.
   */
  readonly budget?: number;
  /** What the fence is made of; default: 96 random bits, drawn anew for every question. */
  readonly mark?: string;
}

const BUDGET = 48_000;
const MAX_TITLE = 300;
/** Room for the sentence that says what was left out, and for the blank lines around it and the page. */
const NOTE = 120;

/**
 * The pages as one context, each with its name and address in front, where servers look for what they cite, and then
 * its text between two headings that carry a mark no page can hold (docs/threats.md, T6).
 *
 * Of a page that is too long, the beginning and the headings are kept, and then the paragraphs that have most to do with
 * the question: those that share words with it which are rare in the page. A short page leaves its room to the longer ones.
 */
export function pageContext(
  pages: readonly ContextPage[],
  question: string,
  { budget = BUDGET, mark = drawMark() }: ContextOptions = {},
): PageContext {
  const texts = pages.map(({ parts }) => piecesOf(parts, mark));
  const addresses = addressesOf(pages);
  const fences = pages.map((page, index) => fenceOf(page, addresses[index] ?? "", mark));
  const taken = fences.reduce((sum, { head, foot }) => sum + head.length + foot.length + NOTE, 0);
  const rooms = share(texts.map(lengthOf), Math.max(0, budget - taken));
  const leftOut: LeftOut[] = [];
  const passages: ContextPassage[][] = [];
  const written = pages.map(({ title, cut }, index) => {
    const pieces = texts[index] ?? [];
    const { head, foot } = fences[index] ?? { head: "", foot: "" };
    const kept = excerptOf(pieces, question, rooms[index] ?? 0);
    const of = lengthOf(pieces);
    if (kept.left > 0) leftOut.push({ title, left: kept.left, of });
    passages.push(kept.pieces.filter(({ level }) => level === 0).map(passageOf));
    return [head, kept.text, ...noteOf(kept.left, of, cut), foot].join("\n\n");
  });
  return { text: written.join("\n\n"), leftOut, passages, addresses };
}

type PagePiece = Piece & ContextPassage;

const passageOf = ({ text, fragment }: PagePiece): ContextPassage => ({ text, fragment });

const MAX_PIECE = 2_000;

/** The paragraphs of a page, and its headings as markdown, which every model reads. */
function piecesOf(parts: ContextPage["parts"], mark: string): PagePiece[] {
  const clean = (text: string) => withoutMark(text, mark).trim();
  return parts.flatMap(({ level, heading, text, fragment }) => {
    const depth = Math.min(6, Math.max(1, level));
    const title = `${"#".repeat(depth)} ${clean(heading)}`;
    const paragraphs = clean(text)
      .split(/\n{2,}/)
      .flatMap(inPieces);
    return [
      ...(clean(heading) === "" ? [] : [{ fragment, text: title, level: depth }]),
      ...paragraphs.filter((one) => one !== "").map((one) => ({ fragment, text: one, level: 0 })),
    ];
  });
}

/** A text without blank lines, such as a transcript, in pieces that can be chosen from. */
function inPieces(paragraph: string): string[] {
  if (paragraph.length <= MAX_PIECE) return [paragraph];
  const pieces: string[] = [];
  let piece = "";
  for (const line of paragraph.split(/(?<=\n|[.!?]\s|[。！？])/)) {
    if (piece !== "" && piece.length + line.length > MAX_PIECE) {
      pieces.push(piece.trimEnd());
      piece = "";
    }
    piece += line;
  }
  return [...pieces, piece.trimEnd()];
}

/** Addresses without keys. Pages that only their keys tell apart are numbered, so that it is told which of them is cited. */
function addressesOf(pages: readonly ContextPage[]): string[] {
  const seen = new Map<string, string[]>();
  return pages.map(({ url }) => {
    const address = oneLine(URL.canParse(url) ? withoutTokens(url) : url);
    const same = seen.get(address) ?? [];
    if (!same.includes(url)) same.push(url);
    seen.set(address, same);
    const number = same.indexOf(url) + 1;
    return number === 1 ? address : `${address}${address.includes("#") ? "&" : "#"}${number}`;
  });
}

function fenceOf({ title, url, extent }: ContextPage, address: string, mark: string): PageFence {
  const name = (nameOf(oneLine(title), url) || address).slice(0, MAX_TITLE).toWellFormed();
  const what = extent === "selection" ? "the part of the page that was selected" : "page";
  return pageFence(mark, [`Title: ${name}`, `URL: ${address}`], what);
}

/** Browsers call a page without a title by its address: that is no name, and would carry the keys along. */
function nameOf(title: string, url: string): string {
  const bare = (address: string) => address.replace(/^[a-z]+:\/\/(?:www\.)?/i, "").replace(/\/$/, "");
  return [url, decodedOf(url)].some((address) => bare(title) === bare(address)) ? "" : title;
}

/** An address as browsers show it. */
function decodedOf(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}

function noteOf(left: number, of: number, cut: boolean): string[] {
  if (left > 0) return [`[Left out here: ${left} of ${of} characters of this page${cut ? ", and what follows" : ""}.]`];
  return cut ? ["[Left out here: the page goes on.]"] : [];
}

/** How much of the budget each length gets: all it needs, or an equal part of what the smaller ones leave. */
function share(lengths: readonly number[], budget: number): number[] {
  const rooms = lengths.map(() => 0);
  let left = budget;
  const order = lengths.map((length, index) => ({ length, index })).toSorted((one, other) => one.length - other.length);
  for (const [at, { length, index }] of order.entries()) {
    const room = Math.min(length, Math.floor(left / (order.length - at)));
    rooms[index] = room;
    left -= room;
  }
  return rooms;
}
