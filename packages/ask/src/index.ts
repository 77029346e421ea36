/** A question's life: packets to immutable answers, citations, the markdown tree. Renderers: `./terminal`, `./html`. */
export type { Answer } from "./answer.ts";
export { emptyAnswer, reduce } from "./answer.ts";
export type { AskedBefore, AskingClient, AskOptions } from "./ask.ts";
export { ask, isStillAnswered, resumeAnswer } from "./ask.ts";
export type { Citation, LinkOptions, Links, ReaderMark } from "./citations.ts";
export { addressNote, allowedLinks, linksOf, noLinks } from "./citations.ts";
export type { ConversationRef, ConversationStore } from "./conversation.ts";
export type { Failure } from "./failure.ts";
export type { FailureCause } from "./failure-cause.ts";
export { askerWords, failureCause } from "./failure-cause.ts";
export type { Growth } from "./growth.ts";
export { growthOf } from "./growth.ts";
export type { Markdown, MarkdownOptions } from "./markdown.ts";
export { createMarkdown } from "./markdown.ts";
export type { Recovery } from "./recovery.ts";
export { sessionName } from "./session-name.ts";
export type { Source } from "./sources.ts";
export type { AnswerStatus } from "./status.ts";
export { isFinal } from "./status.ts";
export type { Step, StepKind } from "./steps.ts";
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
} from "./tree.ts";
export { plainText } from "./tree.ts";
export { visibleLine, visibleText } from "./visible.ts";
