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

/** Takes access to the host of this address back. */
export async function takeAccessBack(address: string): Promise<void> {
  const pattern = patternOf(address);
  if (pattern !== undefined) await browser.permissions.remove({ origins: [pattern] });
}

/** Calls `listener` when access was given or taken back, wherever that was done. */
export function watchAllowed(listener: () => void): void {
  browser.permissions.onAdded.addListener(listener);
  browser.permissions.onRemoved.addListener(listener);
}

/** Whether the person has allowed the host of this address already. */
export async function mayReach(address: string): Promise<boolean> {
  const pattern = patternOf(address);
  return pattern !== undefined && browser.permissions.contains({ origins: [pattern] });
}
