import type { ConsentQuestion } from "../../keep/consent.ts";
import type { OutboxEntry, Problem } from "../../outbox/outbox-entry.ts";

/** What a page looks like to whoever is to decide whether it is sent. */
export interface Consent
  extends
    Pick<ConsentQuestion, "id" | "host" | "beginning">,
    Pick<OutboxEntry, "additions" | "key" | "title" | "characters"> {
  /** Why it is asked, each in words for a person. */
  readonly reasons: readonly string[];
  /** Where it would go; "" where nobody said what the pair is called. */
  readonly target: string;
  /** Everybody who can ask the service would see it. */
  readonly isPublic: boolean;
}

/** What is changed of a page that is kept, or waits, when its title, tags and note are written. */
export type WrittenPage = Pick<OutboxEntry, "key" | "title" | "additions">;

/** A page that is kept. */
export interface KeptView {
  readonly state: "kept";
  /** When it was sent last, milliseconds since 1970. */
  readonly since: number;
  /** Absent until the page was read again. */
  readonly changed?: boolean;
  /** Absent in a private window: what is changed of it would be written to the disk. */
  readonly page?: WrittenPage & { readonly serverDocumentId: string };
}

/** How the page in front stands to the company's knowledge. */
export type KeepView =
  /** Nothing can be said: not set up, or the page cannot be read. */
  | { readonly state: "absent" }
  /** `isSelection`: what is marked of it would be kept. */
  | { readonly state: "offered"; readonly isSelection: boolean }
  /** It is being read; `canStop`: by this panel. */
  | { readonly state: "reading"; readonly canStop: boolean }
  | { readonly state: "consent"; readonly consent: Consent }
  /**
   * It waits to be sent. `undo`: for nothing but for its person to take it back. `unconfirmed`: the service has answered
   * for it and it is not found there, so it is sent again by itself. `stopped`: a person must decide.
   */
  | { readonly state: "undo" | "queued" | "unconfirmed" | "stopped"; readonly entry: OutboxEntry }
  | KeptView
  /** It was kept from a private window; where that window ends, nothing here knows of it any more. */
  | { readonly state: "sent" }
  | { readonly state: "refused"; readonly message: string };

/** Everything that waits to be sent. */
export interface Backlog {
  readonly waiting: number;
  /** How many of them, beside the page in front, the service has answered for without their being found there. */
  readonly unconfirmed: number;
  /** Entries a person must decide about. */
  readonly stopped: readonly OutboxEntry[];
  /** The service refused the key: nothing is sent until there is another. */
  readonly isPaused: boolean;
  /** When the oldest was queued, milliseconds since 1970; absent when nothing waits. */
  readonly since?: number;
  /** What went wrong last with something that still waits. */
  readonly problem?: Problem;
}
