/** Encodings by the numbers of code pages; what is not here is read as Western European. */
const PAGES: Readonly<Record<number, string>> = {
  866: "ibm866",
  874: "windows-874",
  932: "shift_jis",
  936: "gb18030",
  949: "euc-kr",
  950: "big5",
  10_000: "macintosh",
  10_007: "x-mac-cyrillic",
  54_936: "gb18030",
  65_001: "utf-8",
};

/** The encoding of a code page. */
export function encodingOfPage(page: number): string {
  return page >= 1250 && page <= 1258 ? `windows-${page}` : (PAGES[page] ?? "windows-1252");
}

/** Code pages by the numbers that fonts have for their letters. 0 and 1 say nothing certain. */
const FONTS: Readonly<Record<number, number>> = {
  77: 10_000,
  128: 932,
  129: 949,
  130: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  179: 1256,
  180: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
};

/** A font whose signs are pictures: its letters are none. */
export const SYMBOLS = "symbols";
const SYMBOL_FONT = 2;

/** Which letters the bytes of each font are. */
export class FontEncodings {
  /** Of the document, where a font says nothing. */
  page = 1252;
  /** The font of text that names none. */
  usual = 0;
  readonly #charsets = new Map<number, number>();
  readonly #pages = new Map<number, number>();
  /** Some font has letters of its own. Kept, since it is asked for at every piece of text. */
  #isToldApart = false;

  tellCharset(font: number, charset: number): void {
    if (this.#charsets.size >= MAX_FONTS) return;
    this.#charsets.set(font, charset);
    this.#isToldApart ||= FONTS[charset] !== undefined;
  }

  tellPage(font: number, page: number): void {
    if (this.#pages.size < MAX_FONTS) this.#pages.set(font, page);
  }

  /** Label of the encoding of text in this font, or `SYMBOLS`. */
  of(font: number): string {
    const page = this.#pages.get(font);
    if (page !== undefined && page !== 0) return encodingOfPage(page);
    const charset = this.#charsets.get(font) ?? 1;
    if (charset === SYMBOL_FONT) return SYMBOLS;
    const known = FONTS[charset];
    if (known !== undefined) return encodingOfPage(known);
    // 0 is Western European, unless nobody who wrote the file looked at it: then all fonts have it.
    const isMeant = charset === 0 && this.#isToldApart;
    return encodingOfPage(isMeant ? 1252 : this.page);
  }
}

/** Fonts of one document. */
const MAX_FONTS = 10_000;
