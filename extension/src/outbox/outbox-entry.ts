/** What waits to be sent, as the outbox, the private outbox and whoever shows them know it. */
import type { KeptAdditions } from "../keep/additions.ts";

/** Why an entry was not taken, as far as a person can act on it. */
export type ProblemKind =
  /** The server could not be reached. */
  | "unreachable"
  /** It was reached and failed, or was busy. */
  | "failed"
  /** It asked for a pause. */
  | "rate-limited"
  /** It does not know the key. */
  | "key-refused"
  /** The key may not keep pages, or not in this pair. */
  | "not-permitted"
  /** It knows no pair of this number. */
  | "no-such-pair"
  /** The page is larger than it takes. */
  | "too-large"
  /** It found the document faulty; `detail` says where. */
  | "refused"
  /** What answered is no such service. */
  | "not-a-service"
  /** The service takes no pages at all, or removes none. */
  | "takes-none";

/** What went wrong with an entry last. */
export interface Problem {
  readonly kind: ProblemKind;
  /** HTTP status; absent where no answer came. */
  readonly status?: number;
  /** The server's own words, at most 300 characters. */
  readonly detail?: string;
}

/** A page that is kept, or is to be, as a document. */
export interface KeptDocument {
  /** Origin of the service it is for. */
  readonly origin: string;
  /** The id that is sent. */
  readonly documentId: string;
  /** The page's own. */
  readonly title: string;
  /** Address without keys, for a person to open. */
  readonly link: string;
  /** Addresses the page is known by, as `addressKey` has them, since they may hold keys; none for a marked part of it. */
  readonly addresses: readonly string[];
  /** SHA-256 of title and text; another one: the page has changed since. */
  readonly hash: string;
  readonly characters: number;
  /** null: the service's default pair, which a person has agreed to. */
  readonly pairId: number | null;
  /** What its person added; absent in what is queued: what was added before stays. */
  readonly additions?: KeptAdditions;
}

/** What a page is called: as its person named it, else as it names itself. */
export const shownTitle = ({ title, additions }: Pick<KeptDocument, "title" | "additions">): string =>
  additions?.title ?? title;

/** What is known of a document that waits; the document itself is read when it is sent. */
export interface OutboxEntry extends KeptDocument {
  readonly key: string;
  /** Characters of its document, as JSON. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly queuedAt: number;
  /** Not sent before this: the time to take it back, later the pause after a failure. */
  readonly sendAfter: number;
  readonly attempts: number;
  /** Tells a page queued again from the copy being sent. */
  readonly revision: string;
  /** "waiting": it is sent when it can be. "stopped": a person must decide, as sending it again would not help. */
  readonly state: "waiting" | "stopped";
  readonly problem?: Problem;
  /** The service has answered for it, and it is not found there: since when, milliseconds since 1970, and how often. */
  readonly unconfirmed?: { readonly since: number; readonly times: number };
  /**
   * What was added to it has changed since it was sent: the next copy is newer than this moment, milliseconds since 1970,
   * as services pass over one with the same text.
   */
  readonly newerThan?: number;
  /** It is no page to send, but one to remove from the service, by the id the service gave it. */
  readonly removal?: { readonly serverDocumentId: string };
  /** The tab it was kept from; of use while it can be taken back, as browsers give numbers anew. */
  readonly tabId?: number;
  /** Its tab was in a private window: it is held in memory. */
  readonly isPrivate?: true;
}

/** An entry that may be written to the disk: none of a private window. */
export type StoredEntry = OutboxEntry & { readonly isPrivate?: never };

/** Whether an entry may be written to the disk. */
export const isStored = (entry: OutboxEntry): entry is StoredEntry => entry.isPrivate !== true;

/** What is queued; the rest of an entry is the outbox's own. */
export interface NewEntry extends KeptDocument, Pick<OutboxEntry, "tabId" | "isPrivate" | "removal"> {
  /** The document as it was read, as JSON; "" of a removal. */
  readonly document: string;
}
