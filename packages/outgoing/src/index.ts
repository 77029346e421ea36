/** How calls leave this machine: by which proxy, and which certificates are trusted. */
export { readOutgoing, type Outgoing } from "./outgoing.ts";
export { type Way, wayTo } from "./proxies.ts";
export { lookAtWays, type Destination } from "./ways.ts";
