/** Small files of the kinds people have, made for tests. */
export { LOCKED, pdfOf, pdfOfObjects } from "./fixtures/pdf-file.ts";
export { column, pdfInScript, type PdfLine, type PdfStyle } from "./fixtures/pdf-in-script.ts";
export { docxOf, paragraph, table, zipOf } from "./fixtures/word-file.ts";
