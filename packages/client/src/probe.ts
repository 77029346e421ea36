import { baseUrlCandidates, type BaseUrlRules } from "./base-url.ts";
import type { ClientError } from "./errors.ts";
import { askHealth } from "./health.ts";
import type { ConnectionOptions } from "./http.ts";

/** What a probe needs. It never sends a key: the address may turn out to be somebody else's. */
export interface BaseUrlProbe extends BaseUrlRules, Pick<ConnectionOptions, "fetch"> {
  /** What a person typed: an origin, with or without `/api`. */
  baseUrl: string;
  signal?: AbortSignal;
  /** Longest wait for each address, in milliseconds. Default 10,000. */
  timeoutMs?: number;
}

/** Where the service was found, and what each address tried had to say. */
export interface ResolvedBaseUrl {
  /** The base URL whose health answered; undefined when none did. */
  baseUrl: string | undefined;
  tried: readonly { baseUrl: string; error?: ClientError }[];
}

/**
 * Finds the base URL behind what a person typed by asking for its health: first with `/api` at the end, then without
 * (facts: wire section 0). A website answers such paths too, so the answer must be JSON with `success: true`.
 *
 * Throws InvalidRequestError for what can be no base URL, AbortedError when stopped; an unreachable server is a result.
 */
export async function resolveBaseUrl(probe: BaseUrlProbe): Promise<ResolvedBaseUrl> {
  const { signal, timeoutMs = 10_000, ...connection } = probe;
  const patience = { timeouts: { totalMs: timeoutMs }, retries: { retries: 0 } };
  const tried: { baseUrl: string; error?: ClientError }[] = [];
  for (const baseUrl of baseUrlCandidates(probe.baseUrl, probe)) {
    const answer = await askHealth({ ...connection, ...patience, baseUrl }, signal);
    if (!("error" in answer)) return { baseUrl, tried: [...tried, { baseUrl }] };
    tried.push({ baseUrl, error: answer.error });
  }
  return { baseUrl: undefined, tried };
}
