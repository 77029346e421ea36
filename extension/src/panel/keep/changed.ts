import { browser } from "wxt/browser";
import { keptPage } from "../../keep/kept.ts";

/** Most open tabs that are looked at. */
const MAX_TABS = 20;

/** Keys of kept pages that have changed since, of those that are open in ordinary windows and may be read. */
export async function changedOf(origin: string): Promise<ReadonlySet<string>> {
  const tabs = await browser.tabs.query({ discarded: false, status: "complete" }).catch(() => []);
  const told = tabs.filter(({ incognito, url }) => !incognito && url !== undefined && /^https?:/.test(url));
  const looks = told.slice(0, MAX_TABS).map(async ({ id, url }) => {
    const kept = id === undefined || url === undefined ? undefined : await keptPage(id, url).catch(() => undefined);
    return kept?.changed === true && kept.record.origin === origin ? [kept.record.key] : [];
  });
  return new Set((await Promise.all(looks)).flat());
}
