/** What a conversation needs of its surroundings. */
import type { ConversationRef } from "@threadlore/ask";
import type { Service } from "../connection/service.ts";
import type { Frame } from "./frame.ts";
import type { HeldTurn, Scope, TurnPages, Waiting } from "./turn.ts";

/** What reading the chosen pages came to. */
export interface PagesRead {
  /** For `additional_context`; "" where there is no page. */
  readonly context: string;
  readonly pages: TurnPages;
}

/** Whatever it asks for: the service, the pages, the window, and where it is kept. */
export interface ConversationWorld {
  /** The service as it is set now; undefined while none is. */
  service(): Service | undefined;
  /** Resolves when it is known what IT has set: with the scope as that leaves it. Nothing is read or sent before. */
  settle(scope: Scope): Promise<Scope>;
  /**
   * Reads the pages the person has chosen, as they are on screen now, for this question. When `enough` is aborted it
   * resolves with those that have answered by then.
   */
  readPages(question: string, enough: AbortSignal, scope: Scope): Promise<PagesRead>;
  /** Whether what is asked here is asked in a private window. */
  isPrivate(): Promise<boolean>;
  /**
   * Called with all turns and the questions that wait when a turn begins, now and then while its answer comes, when it is
   * over, when it is judged, and when other questions wait than before.
   */
  keep(turns: readonly HeldTurn[], conversation: ConversationRef, waiting: readonly Waiting[]): void;
  readonly frame: Frame;
  /** How long pages may take before it is offered to ask without them, milliseconds. Default: 5,000. */
  readonly slowMs?: number;
  /** How long the service is waited for after its last sign, milliseconds. Default: 60,000. */
  readonly patienceMs?: number;
}
