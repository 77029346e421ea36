/** How a deployed server is set up. All of it can be changed while it runs. */
export interface Settings {
  /** Whether people without a key, or with a wrong one, are let in as the anonymous user. Default false. */
  allowAnonymous: boolean;
  /** Silence after which an answer's stream gets a heartbeat, in milliseconds. Default 15000. */
  heartbeatMs: number;
  /**
   * How long an answer can be resumed after it has ended, in milliseconds. Default: ten minutes. With 0 it cannot: what
   * has ended is only found in the session then.
   */
  bufferMs: number;
  /** What `/version` says. Default `v4.7.0`. */
  version: string;
  /**
   * What stands outside `/api`: pages (the default), or nothing behind the proxy (502). `unproxied` has no proxy: the
   * pages alone are there, and they refuse what is below `/api`.
   */
  frontEnd: "pages" | "down" | "unproxied";
  /** What becomes of an uploaded file. Default `COMPLETED`. */
  uploads: "COMPLETED" | "PROCESSING" | "FAILED";
}

/** As servers are by default. */
export function settingsWith(given: Partial<Settings>): Settings {
  return {
    allowAnonymous: false,
    heartbeatMs: 15_000,
    bufferMs: 600_000,
    version: "v4.7.0",
    frontEnd: "pages",
    uploads: "COMPLETED",
    ...given,
  };
}
