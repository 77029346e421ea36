/** Trying a service before, and while, it is set: address, keys, permissions, in the order things go wrong. */
import { isLoopback } from "@threadlore/client";
import { diagnose, type Finding, type Need } from "@threadlore/client/diagnose";
import { askToReach } from "../permissions.ts";
import { reachableUrl } from "../reachable-url.ts";
import { changeSettings, originOf, readKeys, readSettings, type Settings, storeKeys } from "../settings.ts";

/** What a person filled in. */
export interface ServiceForm {
  readonly baseUrl: string;
  /** "" leaves the key that is there. */
  readonly askKey: string;
  /** A key of its own for keeping pages; "" leaves what is there. */
  readonly ingestKey: string;
  readonly keyStorage: Settings["keyStorage"];
}

/** What became of saving and trying. */
export type ConnectOutcome =
  | { readonly kind: "tried"; readonly findings: readonly Finding[] }
  /** The address can be none; `message` says why. */
  | { readonly kind: "bad-address"; readonly message: string }
  /** The person did not let the extension reach the host. */
  | { readonly kind: "not-allowed"; readonly host: string }
  /** There is no key yet. */
  | { readonly kind: "no-key" };

/**
 * Asks for access to the service's host, saves the form and tries the connection. Call it first thing in a click's
 * handler: browsers ask for access only then. A service on this machine lets a paired extension in by itself.
 */
export async function connect(form: ServiceForm, signal?: AbortSignal): Promise<ConnectOutcome> {
  let baseUrl: string;
  try {
    baseUrl = reachableUrl(form.baseUrl);
  } catch (error) {
    return { kind: "bad-address", message: error instanceof Error ? error.message : String(error) };
  }
  const { hostname, host } = new URL(baseUrl);
  if (!isLoopback(hostname) && !(await askToReach(baseUrl).catch(() => false))) return { kind: "not-allowed", host };
  await changeSettings({ baseUrl, keyStorage: form.keyStorage });
  const before = await readKeys();
  const askKey = form.askKey.trim() || before?.askKey || "";
  if (askKey === "") return { kind: "no-key" };
  const ingestKey = form.ingestKey.trim() || before?.ingestKey || "";
  await storeKeys({ askKey, ingestKey });
  const findings = await tryService(signal);
  await applyProposals(findings);
  return { kind: "tried", findings };
}

/** Tries the service as it is set. No findings: it is not set. Throws the client's AbortedError when stopped. */
export async function tryService(signal?: AbortSignal): Promise<Finding[]> {
  const [settings, keys] = await Promise.all([readSettings(), readKeys()]);
  if (keys === undefined) return [];
  const { baseUrl, ingestionPath, pairId } = settings;
  const ask = (apiKey: string, needs: readonly Need[]) =>
    diagnose({
      baseUrl,
      apiKey,
      needs,
      profile: { ingestionPath },
      ...(pairId === null ? {} : { ccPairId: pairId }),
      ...(signal === undefined ? {} : { signal }),
    });
  if (keys.ingestKey === "") return ask(keys.askKey, ["ask", "ingest"]);
  const [asking, keeping] = await Promise.all([ask(keys.askKey, ["ask"]), ask(keys.ingestKey, ["ingest"])]);
  const known = new Set(asking.map(({ what, evidence }) => `${what} ${evidence}`));
  return [...asking, ...keeping.filter(({ what, evidence }) => !known.has(`${what} ${evidence}`))];
}

/** Takes over what was found to be right: only on the same origin, for keys belong to one. */
async function applyProposals(findings: readonly Finding[]): Promise<void> {
  const { baseUrl } = await readSettings();
  for (const { proposal } of findings) {
    const proposed = proposal?.baseUrl;
    if (proposed !== undefined && originOf(proposed) === originOf(baseUrl)) await changeSettings({ baseUrl: proposed });
    const ingestionPath = proposal?.profile?.ingestionPath;
    if (ingestionPath !== undefined) await changeSettings({ ingestionPath });
  }
}
