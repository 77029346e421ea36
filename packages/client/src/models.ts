/**
 * Every resource of the interface (specification section 2) as a schema and a type, in the wire's own field names.
 *
 * Schemas describe what a server accepts: parsing a request fills in the specification's defaults. Types named
 * `…Input` are what a caller may write, with every defaulted field optional. Requests and responses are open: unknown
 * keys are kept, and enumerations of responses are read as strings, because deployed servers add both between releases.
 */
export { parseMoment } from "./models/moment.ts";
export {
  CHAT_FILE_TYPES,
  ChatFileType,
  DOCUMENT_SOURCES,
  DocumentSource,
  JsonObject,
  MESSAGE_ORIGINS,
  MessageOrigin,
  type Open,
} from "./models/values.ts";
export * from "./models/administration.ts";
export * from "./models/asks.ts";
export * from "./models/chat.ts";
export * from "./models/finding.ts";
export * from "./models/gap-questions.ts";
export * from "./models/gaps.ts";
export * from "./models/good-answers.ts";
export * from "./models/ingestion.ts";
export * from "./models/kept.ts";
export * from "./models/kept-judgements.ts";
export * from "./models/kept-maybe.ts";
export * from "./models/new-asks.ts";
export * from "./models/packets.ts";
export * from "./models/validation-error.ts";
