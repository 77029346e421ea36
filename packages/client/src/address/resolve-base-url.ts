import { baseUrlCandidates, normalizeBaseUrl, type BaseUrlRules } from "./base-url.ts";
import {
  type ClientError,
  ProtocolError,
  UnavailableError,
  UnsupportedError,
  WrongBaseUrlError,
} from "../errors/errors.ts";
import { askHealth, type Healthy } from "./health.ts";
import type { ConnectionOptions } from "../http/connection-options.ts";

/** What a probe needs. It never sends a key: the address may turn out to be somebody else's. */
export interface BaseUrlProbe extends BaseUrlRules, Pick<ConnectionOptions, "fetch"> {
  /** What a person typed: an origin, with or without `/api`. */
  baseUrl: string;
  signal?: AbortSignal;
  /** Longest wait for each address, in milliseconds. Default 10,000. */
  timeoutMs?: number;
}

/**
 * What an address that a person typed turned out to be.
 *
 * - `found`: the service answers there.
 * - `elsewhere`: not there, but with `/api` added or taken away; `baseUrl` is the address to use.
 * - `no_health`: something answers in JSON and does not tell its health, which the specification does not ask for. It
 *   may be the service at `likely`; only a call with a key tells.
 * - `unreachable`: nothing answers, or only a gateway that cannot reach the service.
 * - `not_a_service`: something else answers, such as a website.
 */
export type AddressState = "found" | "elsewhere" | "no_health" | "unreachable" | "not_a_service";

/** Where the service was found, and what each address tried had to say. */
export interface ResolvedBaseUrl {
  readonly state: AddressState;
  /** What was typed, in its one form. */
  readonly given: string;
  /** The base URL whose health answered; undefined when none did. */
  readonly baseUrl: string | undefined;
  /** What to use for want of better: `baseUrl` where it is known, else the address that looks most like the service's. */
  readonly likely: string;
  /** What stands in the way at `likely`, or, where the service was found elsewhere, at `given`. Absent: nothing. */
  readonly why?: ClientError;
  /** Every address that was asked, the likelier first. */
  readonly tried: readonly { readonly baseUrl: string; readonly error?: ClientError }[];
}

/**
 * Finds the base URL behind what a person typed, by asking for its health: as it was given, then with `/api` added or
 * taken away (docs/wire.md, section 0). A website answers such paths too, so the answer must be JSON with `success: true`.
 * Every front end and `diagnose` read addresses with this; {@link addressWords} says what came of it.
 *
 * Throws InvalidRequestError for what can be no base URL, AbortedError when stopped; an unreachable server is a result.
 */
export async function resolveBaseUrl(probe: BaseUrlProbe): Promise<ResolvedBaseUrl> {
  const { signal, timeoutMs = 10_000, ...connection } = probe;
  const patience = { timeouts: { totalMs: timeoutMs }, retries: { retries: 0 } };
  return (await locate({ ...connection, ...patience }, signal)).address;
}

/** As {@link resolveBaseUrl}, with waits as the connection has them, and what the health said. */
export async function locate(
  connection: ConnectionOptions,
  signal?: AbortSignal,
): Promise<{ address: ResolvedBaseUrl; health?: Healthy }> {
  const given = normalizeBaseUrl(connection.baseUrl, connection);
  const failed: Failed[] = [];
  for (const baseUrl of baseUrlCandidates(given, connection)) {
    const health = await askHealth({ ...connection, baseUrl }, signal);
    if ("error" in health) {
      failed.push({ baseUrl, error: health.error });
      continue;
    }
    const why = failed[0]?.error;
    const state = why === undefined ? "found" : "elsewhere";
    const tried = [{ baseUrl }, ...failed];
    return { address: { state, given, baseUrl, likely: baseUrl, why, tried }, health };
  }
  const tried = failed.toSorted((one, other) => telling(other) - telling(one));
  const [best = { baseUrl: given }] = tried;
  const why = "error" in best ? best.error : undefined;
  return { address: { state: stateOf(why), given, baseUrl: undefined, likely: best.baseUrl, why, tried } };
}

interface Failed {
  baseUrl: string;
  error: ClientError;
}

/** How much a failure looks like the service's own: of two addresses, the one that is no website is meant. */
function telling({ error }: Failed): number {
  if (error instanceof WrongBaseUrlError) return 0;
  // A gateway that answers for a path knows whom it stands for; without a status nothing was there at all.
  if (error instanceof UnavailableError) return error.status === undefined ? 1 : 4;
  return error instanceof UnsupportedError ? 2 : 3;
}

function stateOf(why: ClientError | undefined): AddressState {
  if (why instanceof UnavailableError) return "unreachable";
  return why instanceof ProtocolError ? "not_a_service" : "no_health";
}

/** What an address turned out to be, in a sentence or two for whoever typed it. */
export function addressWords({ state, given, baseUrl, likely, why }: ResolvedBaseUrl): string {
  switch (state) {
    case "found":
      return `The service answers at ${baseUrl}.`;
    case "elsewhere":
      return `The service answers at ${baseUrl}. At ${given} there is ${why instanceof WrongBaseUrlError ? "a website" : "no service"}.`;
    case "no_health":
      return `${new URL(likely).host} answers, but does not tell without a key whether it is the service.`;
    case "not_a_service":
      return why instanceof WrongBaseUrlError
        ? `There is a website at ${given}, and no service, neither there nor ${otherWay(given)}.`
        : (why?.message ?? "");
    case "unreachable":
      return why?.message ?? "";
  }
}

function otherWay(given: string): string {
  return given.endsWith("/api") ? "without /api" : "with /api at the end";
}
