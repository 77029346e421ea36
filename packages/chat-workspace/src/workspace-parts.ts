import type { Acts } from "./acts.ts";
import type { Delivery } from "./delivery/delivery.ts";
import type { Sockets } from "./delivery/sockets.ts";
import type { Faults } from "./faults.ts";
import type { State } from "./state.ts";
import type { RateLimits } from "./web-api/rate-limits.ts";
import type { ApiCall } from "./workspace.ts";

/** What a workspace is made of. */
export interface Parts {
  readonly state: State;
  readonly sockets: Sockets;
  readonly delivery: Delivery;
  /** Everything that changes the workspace and tells the app of it. */
  readonly acts: Acts;
  readonly faults: Faults;
  /** Absent: no limits. */
  readonly limits?: RateLimits;
  /** Everything the app called, oldest first. */
  readonly calls: readonly ApiCall[];
  readonly record: (call: ApiCall) => void;
  readonly ackTimeoutMs: number;
}
