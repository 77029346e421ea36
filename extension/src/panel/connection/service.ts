import type { AskingClient, Recovery } from "@threadlore/ask";
import type { KeyWatch } from "./standing.ts";

/**
 * Why a question with a page along may not search the company's documents.
 *
 * - `forbidden`: the key may not list the service's tools.
 * - `unlisted`: the service has no such list.
 * - `none`: there is no tool in it that only searches.
 * - `unknown`: it could not be read just now.
 */
export type SearchOff = "forbidden" | "unlisted" | "none" | "unknown";

/** What a question may use that has a page along. */
export interface SearchTools {
  /** Ids of the tools that only search the company's documents; empty where `off` says why. */
  readonly ids: readonly number[];
  readonly off?: SearchOff;
}

/** What answers come over. */
export interface Wire {
  readonly client: AskingClient;
  /** What finishes an answer that broke off. */
  readonly deployment: Recovery;
}

/** The service as a conversation needs it. */
export interface Service {
  /** To where it answers by now; loaded with the first question. */
  wire(): Promise<Wire>;
  /** How the extension names itself to this service. */
  readonly extensionOrigin: string;
  /** Persona that answers; null: the service's own choice. */
  readonly personaId: number | null;
  /** Names of the document sets that are searched; empty: all. */
  readonly documentSets: readonly string[];
  /** Looked up once; after a failure again with the next question. Never throws. */
  searchTools(signal: AbortSignal): Promise<SearchTools>;
  readonly key: Pick<KeyWatch, "look">;
  /** Throws the client's errors. */
  giveFeedback(feedback: { messageId: number; isPositive: boolean; text?: string }): Promise<void>;
}
