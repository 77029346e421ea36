/** Access to sites and to the service: asked for one origin at a time, in the moment it is needed. */
import { browser } from "wxt/browser";

/** The pattern that stands for an address's host, on every port: Firefox knows no ports in patterns. */
export function patternOf(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return undefined;
  return `${url.protocol}//${url.hostname}/*`;
}

/**
 * Asks the person for access to the host of this address. Call it first thing in a click's handler, before any await:
 * browsers ask only then. False: they said no, or the address is no web address.
 */
export function askToReach(address: string): Promise<boolean> {
  const pattern = patternOf(address);
  return pattern === undefined ? Promise.resolve(false) : browser.permissions.request({ origins: [pattern] });
}

/** As `askToReach`, for a site as a person writes it: `example.com`, or an address. Undefined: it is neither. */
export function askForSite(written: string): Promise<boolean> | undefined {
  const text = written.trim();
  const address = URL.parse(/^https?:/i.test(text) ? text : `https://${text}`);
  return address === null || !/\./.test(address.hostname) ? undefined : askToReach(address.href);
}

/** Every site there is, as browsers name them. */
export const ALL_SITES = ["http://*/*", "https://*/*"];

/** Asks the person for access to every site. Call it first thing in a click's handler, before any await. */
export function askForAllSites(): Promise<boolean> {
  return browser.permissions.request({ origins: ALL_SITES });
}

/** What the person has allowed for good. */
export interface AllowedSites {
  /** Every site there is. */
  readonly all: boolean;
  /** Patterns of single sites, in the order of the alphabet. */
  readonly sites: readonly string[];
}

/** What the person has allowed for good. */
export async function readAllowed(): Promise<AllowedSites> {
  const { origins = [] } = await browser.permissions.getAll();
  // Firefox may write every site in one pattern.
  const isAll = (pattern: string) => ALL_SITES.includes(pattern) || pattern === "*://*/*" || pattern === "<all_urls>";
  return { all: origins.some(isAll), sites: origins.filter((pattern) => !isAll(pattern)).toSorted() };
}

/** Takes access to the host of this address back; where every site is allowed, no single one can be left out: all are. */
export async function takeAccessBack(address: string): Promise<void> {
  const [{ all }, pattern] = [await readAllowed(), patternOf(address)];
  const origins = [...(all ? ALL_SITES : []), ...(pattern === undefined ? [] : [pattern])];
  await browser.permissions.remove({ origins });
}

/** How much of an address's site the person has allowed: for good by itself or with all others, or not. */
export async function accessTo(address: string): Promise<"all" | "site" | "none"> {
  const pattern = patternOf(address);
  if (pattern === undefined || !(await mayReach(address))) return "none";
  return (await readAllowed()).sites.includes(pattern) ? "site" : "all";
}

/** Calls `listener` when access was given or taken back, wherever that was done; until `left` is aborted. */
export function watchAllowed(listener: () => void, left?: AbortSignal): void {
  for (const changed of [browser.permissions.onAdded, browser.permissions.onRemoved]) {
    changed.addListener(listener);
    left?.addEventListener("abort", () => changed.removeListener(listener), { once: true });
  }
}

/** Whether the person has allowed the host of this address already. */
export async function mayReach(address: string): Promise<boolean> {
  const pattern = patternOf(address);
  return pattern !== undefined && browser.permissions.contains({ origins: [pattern] });
}
