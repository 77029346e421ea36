/** Small files of the kinds people have, made for tests. */
export { pptxOf, relationships, shape, sheetRows, xlsxOf } from "./fixtures/office-files.ts";
export { epubOf, openDocumentOf } from "./fixtures/open-files.ts";
export { LOCKED, pdfOf, pdfOfObjects } from "./fixtures/pdf-file.ts";
export { column, pdfInScript, type PdfLine, type PdfStyle } from "./fixtures/pdf-in-script.ts";
export { docxOf, packedTimes, paragraph, table, zipOf } from "./fixtures/word-file.ts";
