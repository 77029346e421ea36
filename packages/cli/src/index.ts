/** What `threadlore` is made of, for programs that run it as a part of themselves. */
export { type AnswerView, createAnswerView } from "./answer-view.ts";
export { fileCandidate, type FileOptions } from "./candidates.ts";
export type { FileIdentity } from "./collections.ts";
export { withOwner } from "./data-owner.ts";
export { dataFiles, type DataFiles, EMBEDDED_NAME, EMBEDDED_PORT, type RunningService, runningIn } from "./embedded.ts";
export { EXIT_CODES, UsageError } from "./exit-codes.ts";
export { describeFailure, type Failure } from "./failure.ts";
export { type FoundFile, type Refusal, walkFiles, type WalkOptions } from "./file-walk.ts";
export {
  type Candidate,
  type Fate,
  ingestAll,
  type IngestionPlan,
  type IngestionReport,
  ingestionSummary,
  type Outcome,
} from "./ingestion.ts";
export { type Indexing, type IndexingWait, waitUntilIndexed } from "./indexing.ts";
export { type Journal, openJournal } from "./journal.ts";
export { askInstance } from "./server-instance.ts";
export { modelFromEnvironment } from "./model-settings.ts";
export { oneLine, type Screen, styled, type Terminal, wrapped } from "./output.ts";
export type { Owner } from "./owner.ts";
export { leave, processTerminal } from "./process-terminal.ts";
export { run } from "./program.ts";
export { type Progress, type ProgressOptions, startProgress } from "./progress.ts";
export { type Serving, type ServingOptions, startServing } from "./serving.ts";
