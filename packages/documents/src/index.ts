/** Anything a person points at, made into a valid ingestion document. */
export { documentFromFile, type FileDocument, type FileLimits, type SourceFile } from "./file.ts";
export type { FileKind } from "./file-kind.ts";
export { FileRefusedError, type RefusalReason } from "./refusal.ts";
export { canonicalUrl, contentHash, fileId, webId } from "./identity.ts";
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
