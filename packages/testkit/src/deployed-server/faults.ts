import type { Question } from "./answer/question.ts";

/** A place in a reply. Lines and packets are those of an answer; any other reply is a single line. */
export type Place =
  /** The connection ends without a word, not even a status. */
  | "before-head"
  /** The head arrives, and nothing of the body. */
  | "after-head"
  /** Everything arrives, `stop` too, but not the end of the body. */
  | "before-end"
  /** After so many whole lines; the session's line and that of the ids count. */
  | { lines: number }
  /** After so many packets; with 0, when the first would come. */
  | { packets: number }
  /** In the middle of this line, counted from 0. */
  | { insideLine: number }
  /** In the middle of this packet, counted from 0. */
  | { insidePacket: number }
  /** After so many bytes of the body. */
  | { bytes: number };

/** A reply that does not arrive whole. The server knows nothing of it: it goes on writing, and stores what it wrote. */
export interface ReplyCut {
  at: Place;
  /**
   * What becomes of the connection: `close` (the default) and `reset` break it, `clean` ends the reply as if that had
   * been all of it, `stall` leaves it open and silent, without heartbeats.
   */
  how?: "close" | "reset" | "clean" | "stall";
}

/** What is about to be sent. */
export interface Sending {
  /** `answer`: the stream of the request that asked; `resumed`: the same answer once more; `other`: anything else. */
  kind: "answer" | "resumed" | "other";
  method: string;
  /** Below the service's address, without query. */
  path: string;
  /** The question whose answer it is. */
  question?: Question;
  /** How many replies of this kind there were before. */
  number: number;
}

/** A usage budget that is used up: every question is refused with 429. */
export interface RateLimit {
  /** Default `global`. */
  scope?: "global" | "user" | "user_group";
  /** When the budget is new again. With it the reply has `reset_at`, `retry_after_seconds` and `Retry-After`. */
  resetAt?: Date | string;
  /** Seconds, instead of those until `resetAt`; alone it is told in `Retry-After` only. */
  retryAfter?: number;
  /** How many questions are refused. Default: all while it stands. */
  times?: number;
}

/** A model that does not answer. */
export interface ModelFault {
  /** `RATE_LIMIT`, `AUTH_ERROR`, `CONNECTION_ERROR`, … */
  code: string;
  /** What is told. Default: what servers say with this code. */
  message?: string;
  /** Default `before`: no word of the answer is there. Or once so many packets are. */
  when?: "before" | { packets: number };
  /** How many answers it strikes. Default: all while it stands. */
  times?: number;
}

/** Nothing wrong. */
export function noFaults() {
  return {
    /**
     * `down`: documents are taken (200, `already_existed: true`), get a row, and are never found. A function says so
     * document by document (the id as sent, and how many were ingested before it): true is a lost one.
     */
    embedder: "up" as "up" | "down" | ((document: string, number: number) => boolean),
    /** `down`: every call with a key is answered with 500. */
    database: "up" as "up" | "down",
    /** The proxy's own page, with this status, for everything below the service's address: the server is not there. */
    gateway: undefined as 502 | 503 | 504 | undefined,
    /** `broken`: `POST /search` answers 500. */
    search: "on" as "on" | "broken",
    /** `missing`: a server without search: ingestion, `/search` and the connectors answer 501. */
    ingestion: "on" as "on" | "missing",
    /** Paths below the service's address that are no routes here; a string stands for what begins with it, too. */
    missing: [] as (string | RegExp)[],
    /**
     * Replies that do not arrive whole: the next answer (asked or resumed), the next ones in turn, or, as a function,
     * any reply. Cuts are used up; a function stays.
     */
    cut: undefined as ReplyCut | ReplyCut[] | ((sending: Sending) => ReplyCut | undefined) | undefined,
    /** Every answer is silent for so long after so many packets. */
    silence: undefined as { packets: number; ms: number } | undefined,
    /** Whether silence is broken by heartbeats. */
    heartbeats: true,
    rateLimit: undefined as RateLimit | undefined,
    model: undefined as ModelFault | undefined,
    /** `lines`: each line of an answer arrives twice. `replies`: each whole reply is sent twice over its connection. */
    duplicate: undefined as "lines" | "replies" | undefined,
  };
}

/** What is wrong with the server right now. Each can be set and cleared at any time. */
export type Faults = ReturnType<typeof noFaults>;

/** The cut this reply gets, which is used up by it. */
export function takeCut(faults: Faults, sending: Sending): ReplyCut | undefined {
  if (typeof faults.cut === "function") return faults.cut(sending);
  if (sending.kind === "other" || faults.cut === undefined) return undefined;
  if (Array.isArray(faults.cut)) return faults.cut.shift();
  const { cut } = faults;
  faults.cut = undefined;
  return cut;
}

/** Whether this fault strikes now, and one time less from then on. */
export function strikes(fault: { times?: number } | undefined): boolean {
  if (fault === undefined) return false;
  if (fault.times === undefined) return true;
  if (fault.times <= 0) return false;
  fault.times--;
  return true;
}
