/** A question's life: packets to immutable answers, citations, the markdown tree. Renderers: `./terminal`, `./html`. */
export type { Answer } from "./answer/answer.ts";
export { emptyAnswer, reduce } from "./answer/answer.ts";
export { NO_ANSWER } from "./answer/no-answer.ts";
export type { AskedBefore, AskingClient, AskOptions } from "./ask.ts";
export { ask, isStillAnswered, resumeAnswer } from "./ask.ts";
export type { Citation, LinkOptions, Links, ReaderMark } from "./answer/citations.ts";
export { addressNote, allowedLinks, linksOf, noLinks } from "./answer/citations.ts";
export type { ConversationRef, ConversationStore } from "./answer/conversation.ts";
export type { Failure } from "./failure/failure.ts";
export type { FailureCause } from "./failure/failure-cause.ts";
export { askerWords, failureCause } from "./failure/failure-cause.ts";
export type { Growth } from "./markdown/growth.ts";
export { growthOf } from "./markdown/growth.ts";
export type { Markdown, MarkdownOptions } from "./markdown/markdown.ts";
export { createMarkdown } from "./markdown/markdown.ts";
export type { Recovery } from "./recovery/recovery.ts";
export { sessionName } from "./recovery/session-name.ts";
export type { Source } from "./answer/sources.ts";
export type { AnswerStatus } from "./answer/status.ts";
export { isFinal } from "./answer/status.ts";
export type { Step, StepKind } from "./answer/steps.ts";
export type {
  Alignment,
  Block,
  CitationMark,
  CodeBlock,
  CodeSpan,
  Divider,
  Emphasis,
  Heading,
  Image,
  Inline,
  LineBreak,
  Link,
  List,
  ListItem,
  Mark,
  Paragraph,
  Quote,
  Table,
  TextRun,
} from "./markdown/tree.ts";
export { plainText } from "./markdown/tree.ts";
export { visibleLine, visibleText } from "./visible.ts";
