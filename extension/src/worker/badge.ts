/** What the toolbar icon says: of the page in front, and of sending as a whole. */
import { browser } from "wxt/browser";
import { keptPage } from "../keep/kept.ts";
import { message } from "./message.ts";
import { PAUSE } from "../outbox/pause.ts";

const RED = "#b3261e";

/** Signs, by the key of the message that stands in the icon's tooltip. */
const SIGNS = {
  action_title: { text: "", color: undefined },
  badge_changed: { text: "↻", color: "#8a5a00" },
  badge_kept: { text: "✓", color: "#1a7f4b" },
  badge_refused: { text: "!", color: RED },
  badge_paused: { text: "!", color: RED },
} as const;

/**
 * Marks a tab whose page was kept: a tick, or an arrow where the page has changed since. Only tabs the extension may
 * see are looked at; nobody else's address is known here, and none is sent anywhere.
 */
export async function markTab(tabId: number): Promise<void> {
  const tab = await browser.tabs.get(tabId).catch(() => undefined);
  if (tab?.url === undefined) return;
  const kept = await keptPage(tabId, tab.url);
  if (kept === undefined) return show("action_title", tabId);
  return show(kept.changed === true ? "badge_changed" : "badge_kept", tabId);
}

/** Says on a tab that its page was not kept; the panel says why. */
export function markRefused(tabId: number): Promise<void> {
  return show("badge_refused", tabId);
}

/** Says on every tab that sending is paused, or no more. */
export async function markPause(): Promise<void> {
  return show((await PAUSE.read()) === undefined ? "action_title" : "badge_paused");
}

/** The tab may be gone by now, which is no news to anybody. */
async function show(sign: keyof typeof SIGNS, tabId?: number): Promise<void> {
  const { text, color } = SIGNS[sign];
  await Promise.all([
    browser.action.setBadgeText({ tabId, text }),
    browser.action.setTitle({ tabId, title: message(sign) }),
    color === undefined ? undefined : browser.action.setBadgeBackgroundColor({ tabId, color }),
  ]).catch(() => {});
}
