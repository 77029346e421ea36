/** Trying a service before, and while, it is set: address, keys, permissions, in the order things go wrong. */
import { isLoopback } from "@threadlore/client";
import { diagnoseConnection, type ServerFinding, type Need } from "@threadlore/client/diagnose";
import { takeAddress } from "../settings/address.ts";
import { askToReach } from "../settings/permissions.ts";
import { reachableUrl } from "../settings/reachable-url.ts";
import {
  changeSettings,
  originOf,
  readConnection,
  readKeys,
  readSettings,
  type Settings,
  storeKeys,
} from "../settings/settings.ts";

/** What a person filled in. */
export interface ServiceForm {
  readonly baseUrl: string;
  /** "" leaves the key that is there. */
  readonly askKey: string;
  /** A key of its own for keeping pages; "" leaves what is there. */
  readonly ingestKey: string;
  readonly keyStorage: Settings["keyStorage"];
}

/** A finding as it is shown. */
export interface ShownFinding extends ServerFinding {
  /** Said instead of the finding's own words: the service was found at another address than was set, which is used. */
  readonly foundAt?: string;
  /** IT has set what is wrong: nobody here can put it right. */
  readonly isManaged?: boolean;
}

/** What became of saving and trying. */
export type ConnectOutcome =
  | { readonly kind: "tried"; readonly findings: readonly ShownFinding[] }
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
  return { kind: "tried", findings: await tryService(signal) };
}

/**
 * Tries the service as it is set, and saves what turned out to be right. No findings: it is not set. Throws the client's
 * AbortedError when stopped.
 */
export async function tryService(signal?: AbortSignal): Promise<ShownFinding[]> {
  const first = await findingsOf((await readSettings()).baseUrl, signal);
  const found = await applyProposals(first);
  // What was looked at has changed: what is said must be true of what is used.
  const findings = found === undefined ? first : await findingsOf((await readConnection())?.baseUrl ?? "", signal);
  const isManaged = (await readSettings()).managed.has("baseUrl");
  // What comes with the key is said beside it, with a press that changes it.
  const shown = findings.filter(({ what }) => what !== MEMORY);
  return shown.map((finding) => {
    if (finding.what !== ADDRESS) return finding;
    if (finding.ok === true && found?.baseUrl !== undefined) return { ...finding, foundAt: found.baseUrl };
    return finding.ok === false && isManaged ? { ...finding, isManaged } : finding;
  });
}

/** What the diagnosis calls the address, and the memory of the key's account. */
const ADDRESS = "base URL";
const MEMORY = "memory";

async function findingsOf(baseUrl: string, signal?: AbortSignal): Promise<ServerFinding[]> {
  const [settings, keys] = await Promise.all([readSettings(), readKeys()]);
  if (keys === undefined) return [];
  const { ingestionPath, pairId } = settings;
  const ask = (apiKey: string, needs: readonly Need[]) =>
    diagnoseConnection({
      baseUrl,
      apiKey,
      needs,
      profile: { ingestionPath },
      ccPairId: pairId ?? undefined,
      signal,
    });
  if (keys.ingestKey === "") return ask(keys.askKey, ["ask", "ingest"]);
  const [asking, keeping] = await Promise.all([ask(keys.askKey, ["ask"]), ask(keys.ingestKey, ["ingest"])]);
  const known = new Set(asking.map(({ what, evidence }) => `${what} ${evidence}`));
  return [...asking, ...keeping.filter(({ what, evidence }) => !known.has(`${what} ${evidence}`))];
}

/**
 * Takes over what was found to be right: only on the same origin, for keys belong to one. Where IT has set the address,
 * what was found is remembered beside it. Undefined: there was nothing.
 */
async function applyProposals(findings: readonly ServerFinding[]): Promise<Partial<Settings> | undefined> {
  const { baseUrl, managed } = await readSettings();
  const found: { -readonly [Name in "baseUrl" | "ingestionPath"]?: Settings[Name] } = {};
  for (const { proposal } of findings) {
    const proposed = proposal?.baseUrl;
    if (proposed !== undefined && originOf(proposed) === originOf(baseUrl)) found.baseUrl = proposed;
    const ingestionPath = proposal?.profile?.ingestionPath;
    if (ingestionPath !== undefined && !managed.has("ingestionPath")) found.ingestionPath = ingestionPath;
  }
  if (Object.keys(found).length === 0) return undefined;
  if (found.baseUrl === undefined || !managed.has("baseUrl")) await changeSettings(found);
  else {
    const { baseUrl: elsewhere, ...change } = found;
    await changeSettings(change);
    await takeAddress(baseUrl, elsewhere);
  }
  return found;
}
