/**
 * What a person, or their IT department, has set. Three places: `storage.local` for settings and, unless the person
 * wants it forgotten, the key; `storage.session` for a key that lives as long as the browser; `storage.managed`, which
 * only IT can write and which wins. Nothing is ever put into `storage.sync`.
 */
import { browser } from "wxt/browser";
import { slot, watchStorage } from "../storage/slots.ts";

/** Everything that can be set but the keys. Versioned, so that an update can carry it over. */
export interface Settings {
  /** Where the service answers, without a slash at the end; "" until one is named. */
  readonly baseUrl: string;
  /** Path of the ingestion operation, from the base URL on. */
  readonly ingestionPath: string;
  /** Connector/credential pair that kept pages go to; null: ask, never the public default in silence. */
  readonly pairId: number | null;
  /** What the pair is called, as last seen in the service's list; "" where nobody listed it. */
  readonly pairName: string;
  /** Whether everybody who can ask the service sees what is kept in the pair; null: not known. */
  readonly pairIsPublic: boolean | null;
  /** Persona that answers; null: the service's own choice. */
  readonly personaId: number | null;
  /** Names of the document sets that are searched; empty: all the key may see. */
  readonly documentSets: readonly string[];
  /** Hosts whose pages are neither asked about nor kept: `example.com` with its subdomains, or `*.internal`. */
  readonly denyList: readonly string[];
  /** Where the key is kept: on this machine, or in memory until the browser ends. */
  readonly keyStorage: "local" | "session";
  /** The two switches of the composer, as they were left. */
  readonly askPage: boolean;
  readonly askCompany: boolean;
}

/** Name of one setting. */
export type SettingName = keyof Settings;

/** Settings as they hold: IT's where IT has set them, else the person's, else the default. */
export interface EffectiveSettings extends Settings {
  /** What IT has set; the options page shows these and lets nobody change them. */
  readonly managed: ReadonlySet<SettingName>;
}

/** The keys of one service. */
export interface Keys {
  /** Origin of the service they were given for. They are never sent to another. */
  readonly origin: string;
  /** Asks, and keeps pages where there is no key of its own for that. */
  readonly askKey: string;
  /** Keeps pages; "" where `askKey` does. */
  readonly ingestKey: string;
}

/** A service and what it takes to talk to it; addresses and keys belong to the same origin. */
export interface Connection {
  /** Where the service was found; until then, as it was set. */
  readonly baseUrl: string;
  /** As it was set: IT or an older version may have left `/api` out. */
  readonly given: string;
  /** Somebody has looked: the service answers at `baseUrl`. */
  readonly isFound: boolean;
  readonly origin: string;
  readonly ingestionPath: string;
  readonly askKey: string;
  /** The key that keeps pages. */
  readonly ingestKey: string;
}

/** No pair is chosen. */
export const NO_PAIR = { pairId: null, pairName: "", pairIsPublic: null } as const;

/** Settings before anybody has set anything. */
export const DEFAULT_SETTINGS: Settings = Object.freeze({
  baseUrl: "",
  ingestionPath: "/service-api/ingestion",
  ...NO_PAIR,
  personaId: null,
  documentSets: [],
  denyList: [],
  keyStorage: "local",
  askPage: true,
  askCompany: true,
});

const VERSION = 1;
const SETTINGS = slot<unknown>("local", "settings");
/** The keys: in memory, which is read first, or on the disk. */
const KEYS = { session: slot<Keys>("session", "keys"), local: slot<Keys>("local", "keys") };
const ADDRESS = slot<{ readonly given: unknown; readonly baseUrl: string }>("local", "address");

/** Closes every area to scripts in web pages. Firefox knows this for `session` only, and keeps the others closed anyway. */
export async function closeStorage(): Promise<void> {
  const level = { accessLevel: "TRUSTED_CONTEXTS" } as const;
  const areas = [browser.storage.local, browser.storage.session, browser.storage.sync, browser.storage.managed];
  await Promise.all(areas.map(async (area) => area?.setAccessLevel?.(level)?.catch(() => {})));
}

/** The settings as they hold now. */
export async function readSettings(): Promise<EffectiveSettings> {
  const [own, managed] = await Promise.all([readOwn(), readManaged()]);
  // What is known of the person's pair says nothing of IT's.
  const isOther = (managed.pairId ?? own.pairId) !== own.pairId;
  return { ...own, ...(isOther && NO_PAIR), ...managed, managed: new Set(Object.keys(managed) as SettingName[]) };
}

/**
 * Changes some settings. What IT has set stays as it is. Another origin in `baseUrl` forgets the keys: they were given
 * for the old one. So was the pair, whose number means another one elsewhere.
 */
export async function changeSettings(change: Partial<Settings>): Promise<void> {
  const settings = await readOwn();
  const moves = change.baseUrl !== undefined && originOf(change.baseUrl) !== originOf(settings.baseUrl);
  await SETTINGS.write({ version: VERSION, ...settings, ...(moves && NO_PAIR), ...change });
  if (change.baseUrl === undefined) return;
  const keys = await readStoredKeys();
  if (keys !== undefined && keys.origin !== originOf((await readSettings()).baseUrl)) await forgetKeys();
}

/** Calls `listener` whenever settings or keys have changed, in whatever window. */
export function watchSettings(listener: () => void): void {
  watchStorage((changes, area) => {
    if (area === "managed" || SETTINGS.key in changes || KEYS.local.key in changes) listener();
  });
}

/** Calls `listener` whenever there are other keys than before. */
export function watchKeys(listener: () => void): void {
  watchStorage((changes) => {
    if (changes[KEYS.local.key]?.newValue !== undefined) listener();
  });
}

/**
 * What the person has set, and the origin of the service they have a key for, "" where there is none: to draw with while
 * the browser does not say yet what IT has set, which after its start takes seconds. Nothing may be sent by it.
 */
export async function readDrawn(): Promise<{ readonly settings: Settings; readonly origin: string }> {
  const [settings, keys] = await Promise.all([readOwn(), readStoredKeys()]);
  const origin = originOf(settings.baseUrl);
  return { settings, origin: keys?.origin === origin ? origin : "" };
}

async function readOwn(): Promise<Settings> {
  return { ...DEFAULT_SETTINGS, ...pickSettings(await SETTINGS.read()) };
}

async function readManaged(): Promise<Partial<Settings>> {
  // Firefox rejects where no policy was installed; Chromium answers with nothing.
  return pickSettings(await browser.storage.managed?.get(null).catch(() => ({})));
}

/** The known settings of a stored object whose values are of the right kind. What an older version wrote is no error. */
export function pickSettings(stored: unknown): Partial<Settings> {
  if (typeof stored !== "object" || stored === null) return {};
  return Object.fromEntries(
    Object.entries(stored).filter(
      ([name, value]) => Object.hasOwn(KIND_OF, name) && KIND_OF[name as SettingName](value),
    ),
  );
}

const isText = (value: unknown) => typeof value === "string";
const isFlag = (value: unknown) => typeof value === "boolean";
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);
const isNumberOrNull = (value: unknown) => value === null || Number.isSafeInteger(value);

const KIND_OF: Record<SettingName, (value: unknown) => boolean> = {
  baseUrl: (value) => value === "" || originOf(value) !== "",
  ingestionPath: (value) => typeof value === "string" && /^\/[\w/-]+$/.test(value),
  pairId: isNumberOrNull,
  pairName: isText,
  pairIsPublic: (value) => value === null || isFlag(value),
  personaId: isNumberOrNull,
  documentSets: isTexts,
  denyList: isTexts,
  keyStorage: (value) => value === "local" || value === "session",
  askPage: isFlag,
  askCompany: isFlag,
};

/** Origin of a base URL; "" for what is none. */
export function originOf(baseUrl: unknown): string {
  const url = typeof baseUrl === "string" ? URL.parse(baseUrl) : null;
  return url?.protocol === "https:" || url?.protocol === "http:" ? url.origin : "";
}

/** Keeps the keys of the service that is set now, where `keyStorage` says. Throws TypeError when none is set. */
export async function storeKeys(keys: { askKey: string; ingestKey?: string }): Promise<void> {
  const { baseUrl, keyStorage } = await readSettings();
  const origin = originOf(baseUrl);
  if (origin === "") throw new TypeError("Name the service before its key.");
  const stored: Keys = { origin, askKey: keys.askKey.trim(), ingestKey: keys.ingestKey?.trim() ?? "" };
  // Into memory first, which is read before the disk. Without any key for a moment, the panel would take the service for
  // gone and end an answer that is on its way; with the old one for a moment, the worker would send with it.
  await KEYS.session.write(stored);
  if (keyStorage === "local") await KEYS.local.write(stored);
  await KEYS[keyStorage === "local" ? "session" : "local"].clear();
}

/** Forgets every key. */
export async function forgetKeys(): Promise<void> {
  await Promise.all([KEYS.local.clear(), KEYS.session.clear()]);
}

/** The keys of the service that is set now; undefined where there are none. */
export async function readKeys(): Promise<Keys | undefined> {
  const [keys, { baseUrl }] = await Promise.all([readStoredKeys(), readSettings()]);
  return keys?.origin === originOf(baseUrl) ? keys : undefined;
}

async function readStoredKeys(): Promise<Keys | undefined> {
  const [session, local] = await Promise.all([KEYS.session.read(), KEYS.local.read()]);
  return session ?? local;
}

/** The service with its keys; undefined while the extension is not set up. */
export async function readConnection(): Promise<Connection | undefined> {
  const [settings, keys] = await Promise.all([readSettings(), readKeys()]);
  if (keys === undefined) return undefined;
  const { baseUrl: given, ingestionPath } = settings;
  const { origin, askKey } = keys;
  const found = await readAddress(given);
  const baseUrl = found ?? given.replace(/\/+$/, "");
  const isFound = found !== undefined;
  return { baseUrl, given, isFound, origin, ingestionPath, askKey, ingestKey: keys.ingestKey || askKey };
}

/** Remembers where on its origin the service was found that was set as `given`. */
export async function rememberAddress(given: string, baseUrl: string): Promise<void> {
  await ADDRESS.write({ given, baseUrl });
}

/** Undefined where nobody has looked, and for what is on another origin: keys are for the one that was set. */
async function readAddress(given: string): Promise<string | undefined> {
  const found = await ADDRESS.read();
  return found?.given === given && originOf(found.baseUrl) === originOf(given) ? found.baseUrl : undefined;
}
