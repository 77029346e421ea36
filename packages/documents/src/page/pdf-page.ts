import { moment } from "../document/moment.ts";
import { addressSigns } from "./page-address.ts";
import { fileNameOf } from "./file-name.ts";
import type { PageSnapshot } from "./page-snapshot.ts";
import { FileRefusedError, noTextIn, partsOfPdf, visibleText } from "@threadlore/files";
import { shownLine } from "../text.ts";

/** How a PDF is read. */
export interface PdfPageOptions {
  /** Address it is open under. */
  readonly url: string;
  /** Moment of reading. */
  readonly readAt: Date;
  /** Most characters of text; default 2,000,000 (docs/threats.md, T26). */
  readonly characters?: number;
}

/** Largest PDF that is read, in bytes. */
const MAX_BYTES = 50_000_000;

/**
 * A PDF that is open in a tab, as the page it is: one part for each page of it that has text, under `page=N`, which
 * browsers open it at. Throws FileRefusedError, with the reason, for what cannot be read.
 */
export async function pdfPage(
  bytes: Uint8Array,
  { url, readAt, characters = 2_000_000 }: PdfPageOptions,
): Promise<PageSnapshot> {
  const name = fileNameOf(url);
  if (bytes.length > MAX_BYTES) throw new FileRefusedError("too-large", name);
  // Not as any file: what reads the other kinds would weigh more than all else of this.
  const pdf = await partsOfPdf({ name, bytes }, characters);
  let invisibleCharacters = 0;
  const seen = (text: string): string => {
    const visible = visibleText(text);
    invisibleCharacters += visible.dropped;
    return visible.text.trim();
  };
  const parts = pdf.parts.map((part) => ({ ...part, text: seen(part.text) })).filter(({ text }) => text !== "");
  if (parts.length === 0) throw noTextIn(name, pdf.pages);
  const author = shortLine(seen(pdf.authors?.[0] ?? ""));
  return {
    url,
    contentType: "application/pdf",
    title: shortLine(seen(pdf.title ?? "")) || name,
    authors: author === "" ? [] : [author],
    modified: moment(pdf.updated ?? ""),
    parts,
    extent: "whole",
    characters: parts.reduce((sum, { text }) => sum + text.length, 0),
    hiddenCharacters: 0,
    editedCharacters: 0,
    invisibleCharacters,
    unreadFrames: 0,
    cut: pdf.cut === true,
    privacy: addressSigns(url),
    readAt: readAt.toISOString(),
  };
}

const shortLine = (text: string): string => shownLine(text, 300, text.length);
