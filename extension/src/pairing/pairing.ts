/**
 * Finding the embedded service on this machine and getting a key of our own from it, for a code that its terminal
 * shows. Needs no permission: until it is paired, an extension may ask for health and pair, and afterwards it may call.
 */
import { isLoopback } from "@threadlore/client";
import { plainCall } from "../settings/plain-call.ts";
import { reachableUrl } from "../settings/reachable-url.ts";
import { changeSettings, readSettings, storeKeys } from "../settings/settings.ts";

/** Where the embedded service listens unless it was told otherwise. */
export const LOCAL_SERVICE = "http://127.0.0.1:8411";

/** Why pairing did not come about. */
export type PairingFailure =
  /** Nothing answers at the address, or something else does. */
  | "no-service"
  /** The address is none on this machine, and a code goes to no other. */
  | "not-here"
  /** The code is wrong, used or older than ten minutes. */
  | "wrong-code"
  /** The service failed; trying again may help. */
  | "failed";

/** A key was given, or why not. */
export type PairingOutcome =
  | { readonly paired: true; readonly role: string }
  | { readonly paired: false; readonly why: PairingFailure };

/** Whether a service of ours answers at this address on this machine. */
export async function findLocalService(baseUrl: string = LOCAL_SERVICE, send: typeof fetch = fetch): Promise<boolean> {
  const health = await plainCall(`${baseUrl}/health`, {}, send).catch(() => undefined);
  return health?.body["success"] === true;
}

/**
 * Exchanges the code for a key and sets both service and key. Pages go to the place the service names, which is not
 * public, unless another was chosen before; where it names none, the place is left to be chosen: nothing is kept in a
 * public one unasked.
 */
export async function pairWithLocalService(
  code: string,
  address: string = LOCAL_SERVICE,
  send: typeof fetch = fetch,
): Promise<PairingOutcome> {
  const baseUrl = localUrl(address);
  if (baseUrl === undefined) return { paired: false, why: "not-here" };
  const request = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code: code.trim() }),
  };
  const reply = await plainCall(`${baseUrl}/pairing`, request, send).catch(() => undefined);
  if (reply === undefined) return { paired: false, why: "no-service" };
  const { api_key: key, role } = reply.body;
  if (reply.status === 200 && typeof key === "string") {
    await changeSettings({ baseUrl, ingestionPath: "/service-api/ingestion" });
    await storeKeys({ askKey: key });
    await takePlace(reply.body["keep_in"]);
    return { paired: true, role: typeof role === "string" ? role : "" };
  }
  return { paired: false, why: reply.status === 403 || reply.status === 422 ? "wrong-code" : "failed" };
}

async function takePlace(named: unknown): Promise<void> {
  if (typeof named !== "object" || named === null || (await readSettings()).pairId !== null) return;
  const { cc_pair_id: pairId, name } = named as Record<string, unknown>;
  if (typeof pairId !== "number" || !Number.isSafeInteger(pairId) || pairId < 1) return;
  await changeSettings({ pairId, pairName: typeof name === "string" ? name : "", pairIsPublic: false });
}

function localUrl(address: string): string | undefined {
  try {
    const baseUrl = reachableUrl(address);
    return isLoopback(new URL(baseUrl).hostname) ? baseUrl : undefined;
  } catch {
    return undefined;
  }
}
