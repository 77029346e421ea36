/** Anything a person points at, made into a valid ingestion document. */
export { documentFromFile, type FileLimits, type SourceFile } from "./file/file.ts";
export { headerSigns } from "./page/header-signs.ts";
export { canonicalUrl, contentHash, fileId, webId } from "./document/identity.ts";
export type { MadeDocument } from "./document/sections.ts";
export { documentFromPage, type PageDocument, type PageOptions } from "./page/page.ts";
export {
  type ContextOptions,
  type ContextPage,
  type ContextPassage,
  type LeftOut,
  pageContext,
  type PageContext,
} from "./page/page-context.ts";
export type { PageSnapshot, PrivacySign, UnreadPart } from "./page/page-snapshot.ts";
export { pdfPage, type PdfPageOptions } from "./page/pdf-page.ts";
export { termsOf } from "./text.ts";
export {
  type ChatPerson,
  type ChatThread,
  documentFromThread,
  EmptyThreadError,
  type QuotedMessage,
  threadId,
  type ThreadMessage,
  tombstone,
  type TombstoneFacts,
  withoutHeading,
} from "./thread/thread.ts";
