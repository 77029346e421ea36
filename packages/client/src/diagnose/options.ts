import type { Need } from "./finding.ts";
import type { ConnectionOptions } from "../http/connection-options.ts";
import type { Profile } from "../profile.ts";

/** What is to be looked at of a connection. */
export interface ConnectionDiagnosis extends ConnectionOptions {
  /** The profile in use; what is absent follows the specification. */
  profile?: Partial<Profile>;
  /** What the caller is going to do. Default: ask and ingest. */
  needs?: readonly Need[];
  /** What it may also come to do: that the key may not, or the server does not, is told and is no failure. Default: none. */
  wishes?: readonly Need[];
  /** The connector/credential pair documents will belong to. Absent: ingestion names none. */
  ccPairId?: number;
  /** The local clock, milliseconds since 1970. Default: Date.now. */
  now?: () => number;
  /** Ends the diagnosis; it then throws AbortedError. */
  signal?: AbortSignal;
}
