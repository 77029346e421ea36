/** A question's life: packets to immutable answers, citations, the markdown tree. Renderers: `./terminal`, `./html`. */
export { type Answer, emptyAnswer, reduce } from "./answer/answer.ts";
export { withAsides } from "./answer/asides.ts";
export {
  addressNote,
  allowedLinks,
  type Citation,
  type LinkOptions,
  type LinkedAnswer,
  type Links,
  linksOf,
  noLinks,
  type ReaderMark,
} from "./answer/citations.ts";
export type { ConversationRef, ConversationStore } from "./answer/conversation.ts";
export { type FollowUp, followUps, type FollowUpServer } from "./answer/follow-ups.ts";
export {
  type ClosestDocument,
  type DifferingSource,
  type Finding,
  hasAsides,
  type NamedDocument,
  type SaidAnswer,
  saysNothingFound,
} from "./answer/finding.ts";
export { findingOf } from "./answer/finding-from-server.ts";
export { NO_ANSWER } from "./answer/no-answer.ts";
export type { Source } from "./answer/sources.ts";
export { answerSaying, saysAll, type Statement, statementsOf } from "./answer/statements.ts";
export { type AnswerStatus, isFinal } from "./answer/status.ts";
export type { Step, StepKind } from "./answer/steps.ts";
export * from "./ask.ts";
export * from "./find-passages.ts";
export { failureOf } from "./failure/described.ts";
export type { Failure } from "./failure/failure.ts";
export { askerWords, failureCause } from "./failure/asker-words.ts";
export type { FailureCause } from "./failure/failure-cause.ts";
export { type Growth, growthOf } from "./markdown/growth.ts";
export { createMarkdown, type Markdown, type MarkdownOptions } from "./markdown/markdown.ts";
export * from "./markdown/tree.ts";
export type { Recovery } from "./recovery/recovery.ts";
export { sessionName } from "./recovery/session-name.ts";
export { visibleLine, visibleText } from "./visible.ts";
export { wordsOfAddress } from "./words-of-address.ts";
