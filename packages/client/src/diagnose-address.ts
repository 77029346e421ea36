import { baseUrlCandidates, normalizeBaseUrl } from "./base-url.ts";
import { readable } from "./error-body.ts";
import { InvalidRequestError, UnsupportedError } from "./errors.ts";
import type { Finding } from "./finding.ts";
import { askHealth } from "./health.ts";
import type { ConnectionOptions } from "./http.ts";

/** Where the service answers, and how its clock differs from ours. */
export interface Address {
  finding: Finding;
  /** Absent: nothing more can be tried. */
  baseUrl?: string;
  /** How far the local clock is ahead of the server's, milliseconds; absent where the server tells no time. */
  skewMs?: number;
  /** What the service says is wrong with what it keeps; absent: nothing. */
  storage?: Finding;
}

const WHAT = "base URL";

/** Looks for the service at the base URL as it was given, then with `/api` added or taken away. */
export async function findAddress(
  options: ConnectionOptions,
  now: () => number,
  signal?: AbortSignal,
): Promise<Address> {
  let given: string;
  try {
    given = normalizeBaseUrl(options.baseUrl, options);
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    return { finding: { what: WHAT, ok: false, evidence: error.message, fix: "Correct the base URL." } };
  }
  const asGiven = await probe(given, options, now, signal);
  if (!("failure" in asGiven)) return found(given, asGiven);
  for (const other of baseUrlCandidates(given, options).filter((candidate) => candidate !== given)) {
    const answer = await probe(other, options, now, signal);
    if ("failure" in answer) continue;
    const evidence = `${asGiven.failure} The service answers at ${other}.`;
    const finding = {
      what: WHAT,
      ok: false,
      evidence,
      fix: `Set the base URL to ${other}`,
      proposal: { baseUrl: other },
    };
    return { ...found(other, answer), finding };
  }
  return nowhere(given, asGiven);
}

interface Answering {
  skewMs?: number;
  storage?: Finding;
}

interface NoAnswer {
  failure: string;
  /** A service is there, only it has no health operation: the specification does not ask for one. */
  silent: boolean;
}

async function probe(
  baseUrl: string,
  options: ConnectionOptions,
  now: () => number,
  signal: AbortSignal | undefined,
): Promise<Answering | NoAnswer> {
  const start = now();
  const answer = await askHealth({ ...options, baseUrl }, signal);
  const middle = (start + now()) / 2;
  if ("error" in answer) {
    return { failure: answer.error.message, silent: answer.error instanceof UnsupportedError };
  }
  const serverTime = Date.parse(answer.headers.get("date") ?? "");
  return {
    ...(!Number.isNaN(serverTime) && { skewMs: middle - serverTime }),
    ...(answer.trouble !== undefined && { storage: storageOf(answer.trouble) }),
  };
}

function found(baseUrl: string, answering: Answering): Address {
  const finding: Finding = { what: WHAT, ok: true, evidence: `The service answers at ${baseUrl}.`, fix: "" };
  return { finding, baseUrl, ...answering };
}

function storageOf({ state, message }: { state: string; message: string }): Finding {
  const fix =
    state === "damaged"
      ? "Stop the service and restore a backup with `threadlore restore`."
      : state === "disk_full"
        ? "Make room on the service's disk, or delete documents."
        : "";
  return { what: "storage", ok: false, evidence: `${readable(message)} (${readable(state)})`, fix };
}

function nowhere(given: string, { failure, silent }: NoAnswer): Address {
  if (silent) {
    const evidence = `${new URL(given).host} answers, but has no health operation. ${failure}`;
    const fix = "If the checks below fail too, correct the base URL: many servers answer below /api.";
    return { finding: { what: WHAT, ok: "unknown", evidence, fix }, baseUrl: given };
  }
  const fix = "Check the address, whether the service runs, and whether a proxy or firewall stands between.";
  return { finding: { what: WHAT, ok: false, evidence: failure, fix } };
}
