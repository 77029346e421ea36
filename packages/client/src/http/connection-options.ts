import type { BaseUrlRules } from "../address/base-url.ts";
import type { Fetch } from "../ambient.ts";

/** What every client of a server is made of. */
export interface ConnectionOptions extends BaseUrlRules {
  /** Where the service answers, with or without `/api` at the end, as the server is set up. */
  baseUrl: string;
  /** Sent as `Authorization: Bearer …`. Absent or empty: no credential is sent. */
  apiKey?: string;
  /** Used instead of the global `fetch`: a test's, or an embedded service's own. */
  fetch?: Fetch;
  /** Longest waits; what is absent has its default. */
  timeouts?: Partial<Timeouts>;
  /** When calls are repeated; what is absent has its default. */
  retries?: Partial<RetryLimits>;
  /**
   * Called with the server's origin when it refuses the key, once until a call succeeds again, however many calls fail
   * together. The key is not cleared.
   */
  onAuthFailure?: (origin: string) => void;
}

/** Longest waits, in milliseconds. Every one can be set; a wait that runs out ends the call with UnavailableError. */
export interface Timeouts {
  /** Until the head of a reply. Default 60,000. */
  firstByteMs: number;
  /** The same, and the rest of the reply, for operations that work in silence: complete answers, ingestion, swap. Default 300,000. */
  slowFirstByteMs: number;
  /** Between two events of a stream that sends heartbeats. Default 45,000. */
  idleMs: number;
  /** Between two events of a stream that sends none: older servers think for minutes. Default 300,000. */
  quietIdleMs: number;
  /** The whole call, with every retry and wait. Default 600,000. */
  totalMs: number;
}

export const DEFAULT_TIMEOUTS: Timeouts = {
  firstByteMs: 60_000,
  slowFirstByteMs: 300_000,
  idleMs: 45_000,
  quietIdleMs: 300_000,
  totalMs: 600_000,
};

/** When calls are repeated. */
export interface RetryLimits {
  /** Repetitions after the first attempt. Default 2; 0 turns repeating off. */
  retries: number;
  /** Upper bound of the first pause, in milliseconds; it doubles each time. Default 500. */
  baseMs: number;
  /** Upper bound of any pause of our own choosing. Default 8,000. */
  capMs: number;
  /** Longest wait a server may ask for that is sat out; a longer one is shown instead. Default 60,000. */
  longestWaitMs: number;
  /** How long an unreachable server is tried altogether. Default 20,000. */
  unreachableMs: number;
}
