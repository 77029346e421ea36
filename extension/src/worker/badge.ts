/** What the toolbar icon says: of the page in front, and of sending as a whole. */
import { browser } from "wxt/browser";
import { keptPage } from "../keep/kept.ts";
import { message } from "./message.ts";
import { PAUSE } from "../outbox/pause.ts";

const GREEN = "#1a7f4b";
const AMBER = "#8a5a00";
const RED = "#b3261e";

/**
 * Marks a tab whose page was kept: a tick, or an arrow where the page has changed since. Only tabs the extension may
 * see are looked at; nobody else's address is known here, and none is sent anywhere.
 */
export async function markTab(tabId: number): Promise<void> {
  const tab = await browser.tabs.get(tabId).catch(() => undefined);
  if (tab?.url === undefined) return;
  const kept = await keptPage(tabId, tab.url);
  if (kept === undefined) return show({ text: "", title: "action_title" }, tabId);
  if (kept.changed === true) return show({ text: "↻", color: AMBER, title: "badge_changed" }, tabId);
  return show({ text: "✓", color: GREEN, title: "badge_kept" }, tabId);
}

/** Says on a tab that its page was not kept; the panel says why. */
export function markRefused(tabId: number): Promise<void> {
  return show({ text: "!", color: RED, title: "badge_refused" }, tabId);
}

/** Says on every tab that sending is paused, or no more. */
export async function markPause(): Promise<void> {
  if ((await PAUSE.read()) === undefined) return show({ text: "", title: "action_title" });
  return show({ text: "!", color: RED, title: "badge_paused" });
}

interface Sign {
  readonly text: string;
  readonly color?: string;
  /** Key of the message that stands in the icon's tooltip. */
  readonly title: "action_title" | "badge_changed" | "badge_kept" | "badge_refused" | "badge_paused";
}

/** The tab may be gone by now, which is no news to anybody. */
async function show({ text, color, title }: Sign, tabId?: number): Promise<void> {
  const of = tabId === undefined ? {} : { tabId };
  await Promise.all([
    browser.action.setBadgeText({ ...of, text }),
    browser.action.setTitle({ ...of, title: message(title) }),
    color === undefined ? undefined : browser.action.setBadgeBackgroundColor({ ...of, color }),
  ]).catch(() => {});
}
