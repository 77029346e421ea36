import { findKept } from "../outbox/ledger.ts";
import { readTabToKeep } from "../capture/read-tab.ts";
import { originOf, readSettings } from "../settings/settings.ts";

/** Longest a page is waited for to see whether it has changed, milliseconds. */
const LOOK_MS = 5_000;

/**
 * What is known of the page in a tab: when it was kept, and whether title or text have changed since, where it can be
 * read. Undefined: never kept. The page is read only when it was kept, and nothing is sent anywhere.
 */
export async function keptPage(tabId: number, url: string) {
  const record = await findKept(originOf((await readSettings()).baseUrl), url);
  if (record === undefined) return undefined;
  const { page } = await readTabToKeep(tabId, {}, AbortSignal.timeout(LOOK_MS));
  return { record, changed: page?.made === undefined ? undefined : page.made.hash !== record.hash };
}
