/** Takes what nobody foresaw, and what callers are not told: for a log. */
export type Report = (error: unknown) => void;

/** How failures are told. */
export interface Telling {
  readonly report: Report;
  /**
   * True: many people ask with one key, and whoever calls is none of those who run the server. They read one of a few
   * sentences; the server's own words, its address and the state of the key are reported.
   */
  readonly isShared: boolean;
}
