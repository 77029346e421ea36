import { pdfOfObjects } from "@threadlore/testkit/files";

/** A line of a PDF page: where it begins, in points from the lower left corner, and whether it is white on white. */
export interface PdfLine {
  readonly text: string;
  readonly x?: number;
  readonly y: number;
  readonly white?: boolean;
}

/** How a PDF is written. */
export interface PdfStyle {
  readonly title?: string;
  /** Its lines are written as they are seen, from the left, as programs write right-to-left lines. Default: false. */
  readonly rightToLeft?: boolean;
}

/**
 * A PDF in any script: each letter is a glyph of a font that is not in the file, and a table says which letter it is, as
 * in the files that word processors make.
 */
export function pdfInScript(pages: readonly (readonly PdfLine[])[], style: PdfStyle = {}): Uint8Array {
  const letters = [...new Set(pages.flat().flatMap(({ text }) => Array.from(text)))];
  const code = new Map(letters.map((letter, at) => [letter, hex(at + 1)]));
  const coded = (text: string) => Array.from(text, (letter) => code.get(letter) ?? "").join("");
  const line = ({ text, x = 60, y, white = false }: PdfLine) => {
    const seen = style.rightToLeft === true ? asSeen(text) : text;
    return `${white ? 1 : 0} g BT /F1 12 Tf ${x} ${y} Td <${coded(seen)}> Tj ET`;
  };
  const content = (lines: readonly PdfLine[]) => lines.map(line).join("\n");
  const table = [
    "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def",
    "1 begincodespacerange <0000> <FFFF> endcodespacerange",
    ...chunks(letters).map(
      (some) =>
        `${some.length} beginbfchar\n${some.map((letter) => `<${code.get(letter)}> <${utf16(letter)}>`).join("\n")}\nendbfchar`,
    ),
    "endcmap end end",
  ].join("\n");
  const box = "/MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>";
  const title = style.title === undefined ? "" : `/Title <FEFF${utf16(style.title)}>`;
  return pdfOfObjects(
    [
      "<< /Type /Catalog /Pages 2 0 R >>",
      `<< /Type /Pages /Kids [${pages.map((_, at) => `${8 + 2 * at} 0 R`).join(" ")}] /Count ${pages.length} >>`,
      "<< /Type /Font /Subtype /Type0 /BaseFont /Absent /Encoding /Identity-H /DescendantFonts [4 0 R] /ToUnicode 6 0 R >>",
      "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Absent /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 5 0 R /DW 600 >>",
      "<< /Type /FontDescriptor /FontName /Absent /Flags 4 /FontBBox [0 -200 1000 800] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>",
      stream(table),
      `<< ${title} >>`,
      ...pages.flatMap((lines, at) => [
        `<< /Type /Page /Parent 2 0 R ${box} /Contents ${9 + 2 * at} 0 R >>`,
        stream(content(lines)),
      ]),
    ],
    "/Info 7 0 R",
  );
}

/** Lines below each other from the top of a page. */
export const column = (lines: readonly string[], x = 60, top = 720): PdfLine[] =>
  lines.map((text, at) => ({ text, x, y: top - 18 * at }));

const stream = (text: string) => `<< /Length ${text.length} >>\nstream\n${text}\nendstream`;
const hex = (code: number) => code.toString(16).padStart(4, "0");
const utf16 = (text: string) => Array.from({ length: text.length }, (_, at) => hex(text.charCodeAt(at))).join("");

/** A table takes a hundred entries at a time. */
function chunks(letters: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(letters.length / 100) }, (_, at) => letters.slice(100 * at, 100 * (at + 1)));
}

/** A right-to-left line as it is seen from the left; numbers run from the left in it all the same. */
function asSeen(text: string): string {
  return Array.from(text)
    .toReversed()
    .join("")
    .replaceAll(/\d[\d.,:]*\d|\d/g, (number) => Array.from(number).toReversed().join(""));
}
