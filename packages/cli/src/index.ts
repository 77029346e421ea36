/** What `threadlore` is made of, for programs that run it as a part of themselves. */
export { type AnswerView, createAnswerView } from "./ask/answer-view.ts";
export { fileCandidate, type FileOptions } from "./ingest/candidates.ts";
export type { FileIdentity } from "./ingest/collections.ts";
export {
  dataFiles,
  type DataFiles,
  EMBEDDED_NAME,
  EMBEDDED_PORT,
  type RunningService,
  runningIn,
} from "./embedded/embedded.ts";
export { EXIT_CODES, UsageError } from "./exit-codes.ts";
export { describeFailure, type Failure } from "./failure.ts";
export { type FoundFile, type Refusal, walkFiles, type WalkOptions } from "./ingest/file-walk.ts";
export {
  type Candidate,
  type Fate,
  ingestAll,
  type IngestionPlan,
  type IngestionReport,
  ingestionSummary,
  type DocumentOutcome,
} from "./ingest/ingestion.ts";
export { type Indexing, type IndexingWait, waitUntilIndexed } from "./ingest/indexing.ts";
export { type Journal, openJournal } from "./ingest/journal.ts";
export { askInstance } from "./server/connection.ts";
export { modelFromEnvironment } from "./embedded/serve-settings.ts";
export { oneLine, type Screen, styled, type Terminal, wrapped } from "./terminal/output.ts";
export { type Owner, withOwner } from "./embedded/owner.ts";
export { leave, processTerminal } from "./terminal/process-terminal.ts";
export { run } from "./program.ts";
export { type Progress, type ProgressOptions, startProgress } from "./terminal/progress.ts";
export { type Serving, type ServingOptions, startServing } from "./embedded/serving.ts";
