/** Tabs that a person has added to what is asked, as they change and close. */
import { signal } from "@preact/signals";
import { browser } from "wxt/browser";
import { showTab } from "./front-tab.ts";
import type { ShownTab } from "./tabs.ts";

/** Most tabs of one question. */
export const MAX_ASKED = 8;

/** Follows those that will be added. */
export function followAddedTabs() {
  const added = signal<readonly ShownTab[]>([]);
  const updated = async (tabId: number) => {
    if (!added.peek().some((tab) => tab.tabId === tabId)) return;
    const now = await showTab(tabId);
    added.value = added.peek().flatMap((tab) => (tab.tabId !== tabId ? [tab] : now === undefined ? [] : [now]));
  };
  const changed = (tabId: number) => void updated(tabId);
  browser.tabs.onUpdated.addListener(changed);
  browser.tabs.onRemoved.addListener(changed);

  return {
    tabs: added,
    /** Adds a tab; one too many is not asked. */
    add(tab: ShownTab) {
      if (added.peek().length >= MAX_ASKED - 1) return;
      added.value = [...added.peek().filter(({ tabId }) => tabId !== tab.tabId), tab];
    },
    drop(tabId: number) {
      added.value = added.peek().filter((tab) => tab.tabId !== tabId);
    },
  };
}
