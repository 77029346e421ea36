/** The knowledge of any server of the interface, for assistants: tools, resources, prompts. Transports: `./stdio`, `./http`. */
export { DOCUMENT_TEMPLATE, documentIdOf, documentUri, SOURCES_URI } from "./documents-uri.ts";
export {
  type Knowledge,
  KnowledgeMissing,
  knowledgeOf,
  type KnowledgeOptions,
  type KnowledgeSource,
} from "./knowledge.ts";
export { knowledgeServer, type ServerOptions } from "./server.ts";
export type { Report } from "./words/telling.ts";
