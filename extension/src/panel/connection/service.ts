/** The service as a conversation needs it, and what is known of the key it is asked with. */
import type { AskingClient, Failure, Recovery } from "@threadlore/ask";

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

/** What the service says of the key. */
export interface Standing {
  /** The key is not known any more, or nobody can say so just now: why nothing should be sent. */
  readonly failure?: Failure;
  /** The service gave an answer of its own, whatever it was. */
  readonly isThere: boolean;
  /**
   * Whether the service keeps a memory of whoever has the key, which it adds to whatever tools a question allows.
   * `agreed`: it does, and the person has agreed to that. `unknown`: it does not say.
   */
  readonly memory: "off" | "on" | "agreed" | "unknown";
}

/** The service as a conversation needs it. */
export interface Service {
  readonly client: AskingClient;
  /** What finishes an answer that broke off. */
  readonly recovery: Recovery;
  /** How the extension names itself to this service. */
  readonly extensionOrigin: string;
  /** Persona that answers; null: the service's own choice. */
  readonly personaId: number | null;
  /** Names of the document sets that are searched; empty: all. */
  readonly documentSets: readonly string[];
  /** Looked up once; after a failure again with the next question. Never throws. */
  searchTools(signal: AbortSignal): Promise<SearchTools>;
  /**
   * What the service says of the key. Never throws.
   * @param maxAgeMs how old what it said may be, milliseconds; 0: it is asked
   */
  standing(maxAgeMs: number, signal: AbortSignal): Promise<Standing>;
  /** Throws the client's errors. */
  giveFeedback(feedback: { messageId: number; isPositive: boolean; text?: string }): Promise<void>;
}
