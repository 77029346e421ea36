import { addressSigns } from "../page/page-address.ts";
import type { PrivacySign } from "../page/page-snapshot.ts";
import { viewOf } from "./seen/without-names.ts";

/**
 * What about a page suggests that it is not for everyone (docs/threats.md, T12). `secretInside`: a password can be typed
 * into a shadow tree or a frame of it.
 */
export function privacySigns(page: Document, url: string, secretInside: boolean): PrivacySign[] {
  const found = new Set<PrivacySign>(addressSigns(url));
  if (secretInside || [...page.querySelectorAll("input")].some(isSecretField)) found.add("password-field");
  if (asksNotToBeListed(page)) found.add("noindex");
  return IN_ORDER.filter((sign) => found.has(sign));
}

const IN_ORDER: readonly PrivacySign[] = ["not-web", "intranet-host", "password-field", "token-in-address", "noindex"];

/** Whether a password or a code is typed into an element, also where the page shows its letters. */
export function isSecretField(element: Element): boolean {
  const says = (attribute: string) => (element.getAttribute(attribute) ?? "").toLowerCase();
  const isSecret = says("type") === "password" || /(?:-password|one-time-code)\b/.test(says("autocomplete"));
  return isSecret && (viewOf(element) === null || element.checkVisibility());
}

function asksNotToBeListed(page: Document): boolean {
  for (const meta of page.querySelectorAll("meta[name=robots i], meta[name=googlebot i]")) {
    if (/\b(?:noindex|none)\b/i.test(meta.getAttribute("content") ?? "")) return true;
  }
  return false;
}
