import { type Browser, browser } from "wxt/browser";
import { markRefused } from "../worker/badge.ts";
import { ingestTab, type KeepOutcome } from "./ingest-tab.ts";
import { INTENTS, readIntents, type Intent } from "./intents.ts";
import { leaveNotice } from "./notices.ts";
import { askToReach, mayReach, patternOf } from "../settings/permissions.ts";
import { armAlarm } from "../outbox/wake.ts";

/** Longest wait for the page behind a link, milliseconds. */
const LOAD_MS = 30_000;

/** How long an address that is not told may stay the same before it is believed, milliseconds. */
const UNTOLD_MS = 3_000;

/** Intents this worker is busy with. */
const busy = new Set<string>();

/** Keeps the page of a tab somebody clicked in, or what they have marked of it. */
export async function keepClicked({ id: tabId, url }: Browser.tabs.Tab, selection: boolean): Promise<void> {
  if (tabId === undefined) return;
  await begin({ ...newIntent(tabId), selection, url });
}

/**
 * Keeps the page behind a link: asks for its site, opens it in a tab that is not shown, reads it there as it is for
 * this person, and closes it. A click on a link gives no access to what is behind it, so where the site is not allowed
 * the page is opened for the person instead, who can keep it there. Call it in the click itself, before any await, or
 * browsers do not ask.
 */
export async function keepLink(
  linkUrl: string,
  { id: tellTabId, windowId, incognito }: Browser.tabs.Tab,
): Promise<void> {
  // The browser writes down which sites were allowed: in a private window it is not asked.
  const allowed = await (incognito ? mayReach(linkUrl) : askToReach(linkUrl).catch(() => mayReach(linkUrl)));
  if (tellTabId === undefined || patternOf(linkUrl) === undefined) return;
  const { id: tabId } = await browser.tabs.create({ url: linkUrl, windowId, active: !allowed });
  if (tabId === undefined) return;
  if (allowed) await begin({ ...newIntent(tabId), own: true, tellTabId });
  else await leaveNotice({ tabId, kind: "refused", why: "link-not-allowed" });
}

/** Takes up what an earlier worker did not finish. */
export async function resumeClicked(): Promise<void> {
  for (const intent of await readIntents()) {
    if (intent.pdf === true || busy.has(intent.id)) continue;
    busy.add(intent.id);
    await carryOut(intent);
  }
}

function newIntent(tabId: number): Intent {
  return { id: crypto.randomUUID(), tabId, tellTabId: tabId, selection: false, own: false, at: Date.now() };
}

async function begin(intent: Intent): Promise<void> {
  busy.add(intent.id);
  await Promise.all([INTENTS.put(intent.id, intent), armAlarm()]);
  await carryOut(intent);
}

async function carryOut(intent: Intent): Promise<void> {
  const { id, tabId, selection, own, url } = intent;
  let outcome: KeepOutcome | undefined;
  if (!own) outcome = whereClicked(intent, await ingestTab(tabId, { id, selection, url }));
  else if (await loaded(tabId, intent.at + LOAD_MS)) outcome = await ingestTab(tabId);
  // The click has opened the panel, which reads it, and closes what was opened for it.
  if (outcome?.kind === "refused" && outcome.why === "pdf" && outcome.url !== undefined)
    return INTENTS.put(id, { ...intent, url: outcome.url, pdf: true });
  if (own) await browser.tabs.remove(tabId).catch(() => {});
  await tell(outcome, intent.tellTabId);
  await INTENTS.remove(id);
  busy.delete(id);
}

/** A click opens any page that can be opened: one whose address stays hidden even so is read by no extension. */
function whereClicked({ url }: Intent, outcome: KeepOutcome): KeepOutcome {
  const isClosed = url === undefined && outcome.kind === "refused" && outcome.why === "not-allowed";
  return isClosed ? { ...outcome, why: "browser-page" } : outcome;
}

async function tell(outcome: KeepOutcome | undefined, tabId: number): Promise<void> {
  if (outcome === undefined) return leaveNotice({ tabId, kind: "refused", why: "link-failed" });
  await leaveNotice({
    tabId,
    kind: outcome.kind,
    why: outcome.kind === "refused" ? outcome.why : undefined,
    key: outcome.kind === "queued" ? outcome.entry.key : undefined,
  });
  if (outcome.kind === "refused") await markRefused(tabId);
}

/**
 * Whether a tab has loaded, by `deadline` at the latest. Firefox calls a new tab complete while it is still empty, and
 * tells no address for that, nor for one that led to a site which is not allowed: the two differ in what comes next.
 */
function loaded(tabId: number, deadline: number): Promise<boolean> {
  const { promise, resolve: end } = Promise.withResolvers<boolean>();
  let untold: ReturnType<typeof setTimeout> | undefined;
  const seen = (status: string | undefined, url: string | undefined) => {
    if (status === "loading") clearTimeout(untold);
    if (status !== "complete") return;
    if (url !== undefined && url !== "about:blank") return end(true);
    clearTimeout(untold);
    untold = setTimeout(end, UNTOLD_MS, true);
  };
  const changed = (id: number, { status }: { status?: string }, { url }: { url?: string }) => {
    if (id === tabId) seen(status, url);
  };
  const closed = (id: number) => {
    if (id === tabId) end(false);
  };
  const late = setTimeout(end, Math.max(0, deadline - Date.now()), false);
  browser.tabs.onUpdated.addListener(changed);
  browser.tabs.onRemoved.addListener(closed);
  browser.tabs.get(tabId).then(
    ({ status, url }) => seen(status, url),
    () => end(false),
  );
  return promise.finally(() => {
    clearTimeout(late);
    clearTimeout(untold);
    browser.tabs.onUpdated.removeListener(changed);
    browser.tabs.onRemoved.removeListener(closed);
  });
}
