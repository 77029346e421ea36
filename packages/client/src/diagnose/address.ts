import { readable } from "../errors/error-body.ts";
import { InvalidRequestError } from "../errors/errors.ts";
import { type ServerFinding, found } from "./finding.ts";
import type { Healthy } from "../address/health.ts";
import type { ConnectionOptions } from "../http/connection-options.ts";
import { addressWords, locate, type ResolvedBaseUrl } from "../address/resolve-base-url.ts";

/** Where the service answers, and how its clock differs from ours. */
export interface Address {
  finding: ServerFinding;
  /** Absent: nothing more can be tried. */
  baseUrl?: string;
  /** How far the local clock is ahead of the server's, milliseconds; absent where the server tells no time. */
  skewMs?: number;
  /** What the service says is wrong with what it keeps; absent: nothing. */
  storage?: ServerFinding;
  /** What it says of its search index; absent: all is well. */
  index?: ServerFinding;
}

const WHAT = "base URL";

/** Looks for the service at the base URL as it was given, then with `/api` added or taken away. */
export async function findAddress(
  options: ConnectionOptions,
  now: () => number,
  signal?: AbortSignal,
): Promise<Address> {
  let located: Awaited<ReturnType<typeof locate>>;
  try {
    located = await locate(options, signal);
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    return { finding: found(WHAT, false, error.message, "Correct the base URL.") };
  }
  const { address, health } = located;
  const { baseUrl } = address;
  const evidence = addressWords(address);
  if (baseUrl === undefined || health === undefined) return nowhere(address, evidence);
  return {
    finding:
      address.state === "found"
        ? found(WHAT, true, evidence)
        : found(WHAT, false, evidence, `Set the base URL to ${baseUrl}`, { proposal: { baseUrl } }),
    baseUrl,
    ...skewOf(health, now()),
    storage: health.trouble && storageOf(health.trouble),
    index: health.index && indexFinding(health.index),
  };
}

function skewOf({ headers, tookMs }: Healthy, answeredAt: number): { skewMs?: number } {
  const serverTime = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(serverTime) ? {} : { skewMs: answeredAt - tookMs / 2 - serverTime };
}

function nowhere({ state, likely }: ResolvedBaseUrl, evidence: string): Address {
  if (state === "no_health") {
    const fix = "If the checks below fail too, correct the base URL: many servers answer below /api.";
    return { finding: found(WHAT, "unknown", evidence, fix), baseUrl: likely };
  }
  const fix =
    state === "not_a_service"
      ? "Correct the base URL. Whoever runs the server knows it."
      : "Check the address, whether the service runs, and whether a proxy or firewall stands between.";
  return { finding: found(WHAT, false, evidence, fix) };
}

function storageOf({ state, message }: { state: string; message: string }): ServerFinding {
  const fix =
    state === "damaged"
      ? "Stop the service and restore a backup with `threadlore restore`."
      : state === "disk_full"
        ? "Make room on the service's disk, or delete documents."
        : "";
  return found("storage", false, `${readable(message)} (${readable(state)})`, fix);
}

/** While it is made anew nothing is to be done. */
function indexFinding({ state, message }: { state: string; message: string }): ServerFinding {
  const isPaused = state === "paused";
  return found(
    "search index",
    isPaused ? false : "unknown",
    readable(message),
    isPaused ? "Mend what it names; the service then goes on by itself." : "",
  );
}
