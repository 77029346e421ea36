/** Anything a person points at, made into a valid ingestion document. */
export { documentFromFile, type FileDocument, type FileLimits, type SourceFile } from "./file.ts";
export type { FileKind } from "./file-kind.ts";
export { headerSigns } from "./header-signs.ts";
export { FileRefusedError, type RefusalReason } from "./refusal.ts";
export { canonicalUrl, contentHash, fileId, webId } from "./identity.ts";
export { documentFromPage, type PageDocument, type PageOptions } from "./page.ts";
export {
  type ContextOptions,
  type ContextPage,
  type ContextPassage,
  type LeftOut,
  pageContext,
  type PageContext,
} from "./page-context.ts";
export type { PageSnapshot, PrivacySign } from "./page-snapshot.ts";
export { pdfPage, type PdfPageOptions } from "./pdf-page.ts";
export type { Part } from "./sections.ts";
export { termsOf } from "./terms.ts";
export {
  type ChatPerson,
  type ChatThread,
  documentFromThread,
  EmptyThreadError,
  type QuotedMessage,
  type ThreadDocument,
  threadId,
  type ThreadMessage,
  tombstone,
  type TombstoneFacts,
} from "./thread.ts";
