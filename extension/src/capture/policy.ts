/** Pages that are left alone, and why. */

/** Why a page is neither read nor kept. */
export type LeaveReason =
  /** The browser lets no extension read it: its own pages, its store, source views. */
  | "browser-page"
  /** Its host is on the deny-list. */
  | "denied"
  /** It is the service itself, or an extension. */
  | "extension-page";

/** Why a page of this address is left alone; undefined: it may be read. */
export function leaveReason(address: string | undefined, denyList: readonly string[]): LeaveReason | undefined {
  const url = address === undefined ? null : URL.parse(address);
  // Without access to a tab its address is not told either; reading it will say so.
  if (url === null) return undefined;
  if (/^(?:chrome|moz|safari-web)-extension:$/.test(url.protocol)) return "extension-page";
  if (url.protocol !== "https:" && url.protocol !== "http:" && url.protocol !== "file:") return "browser-page";
  if (STORES.test(url.hostname)) return "browser-page";
  return isDenied(url.hostname, denyList) ? "denied" : undefined;
}

const STORES = /^(?:chromewebstore\.google\.com|addons\.mozilla\.org|microsoftedge\.microsoft\.com)$/;

/**
 * Whether a host is on the list: `example.com` means it and every subdomain, `*.internal` only what is below. A rule may
 * be written as an address, and in any spelling the browser would take for the same host.
 */
export function isDenied(host: string, denyList: readonly string[]): boolean {
  const name = withoutDot(host);
  return denyList.some((written) => {
    const rule = withoutDot(URL.parse(`http://${written.replace(/^\s*(\w+:\/\/)?(\*?\.)?/, "")}`)?.hostname ?? "");
    return rule !== "" && (name.endsWith(`.${rule}`) || (name === rule && !written.includes("*.")));
  });
}

/** `example.com.` is the same host as `example.com`. */
const withoutDot = (host: string): string => host.replace(/\.$/, "");
