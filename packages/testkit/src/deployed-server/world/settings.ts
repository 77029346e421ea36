/** How a deployed server is set up, by default. All of it can be changed while it runs. */
export const USUAL_SETTINGS = {
  /** Whether people without a key, or with a wrong one, are let in as the anonymous user. */
  allowAnonymous: false,
  /** Silence after which an answer's stream gets a heartbeat, in milliseconds. */
  heartbeatMs: 15_000,
  /**
   * How long an answer can be resumed after it has ended, in milliseconds. With 0 it cannot: what has ended is only
   * found in the session then.
   */
  bufferMs: 600_000,
  /** What `/version` says. */
  version: "v4.7.0",
  /**
   * What stands outside `/api`: pages, or nothing behind the proxy (502). `unproxied` has no proxy: the pages alone are
   * there, and they refuse what is below `/api`.
   */
  frontEnd: "pages" as "pages" | "down" | "unproxied",
  /** What becomes of an uploaded file. */
  uploads: "COMPLETED" as "COMPLETED" | "PROCESSING" | "FAILED",
};

/** How a deployed server is set up. */
export type Settings = typeof USUAL_SETTINGS;
