import type { PrivacySign } from "./page-snapshot.ts";

/**
 * Signs of privacy in the headers a page came with: `noindex` (`X-Robots-Tag`, whichever robot it names) and
 * `not-to-be-stored` (`Cache-Control: private` or `no-store`).
 */
export function headerSigns(headers: Pick<Headers, "get">): PrivacySign[] {
  const robots = headers.get("x-robots-tag") ?? "";
  const caching = headers.get("cache-control") ?? "";
  return [
    ...(/(?:^|[\s,:])(?:noindex|none)\s*(?:,|$)/i.test(robots) ? (["noindex"] as const) : []),
    ...(/(?:^|[\s,])(?:private|no-store)\s*(?:[,=]|$)/i.test(caching) ? (["not-to-be-stored"] as const) : []),
  ];
}
