/** What is in a file that somebody gave: its bytes become parts of text. Runs in Node, in a page and in a worker alike. */
export { fileText, isQuickToRead } from "./file-text.ts";
export type { FileText, GivenFile, ReadLimits } from "./given-file.ts";
export { asRefusal, FileRefusedError, noTextIn, type RefusalReason } from "./refusal.ts";
export type { Part, PdfPages } from "./part.ts";
export { type FileKind, fileKind } from "./kinds/file-kind.ts";
export { partsOfPdf, type PdfFile, type PdfLimits } from "./kinds/pdf.ts";
export { tableRows } from "./kinds/csv.ts";
export { oneLine, shortened, type VisibleText, visibleText } from "./text/visible-text.ts";
