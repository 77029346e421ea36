/** Tabs that a person has added to what is asked, as they change and close. */
import { type ReadonlySignal, signal } from "@preact/signals";
import { browser } from "wxt/browser";
import { showTab } from "./front-tab.ts";
import type { ShownTab } from "./tabs.ts";

/** The added tabs. */
export interface AddedTabs {
  readonly tabs: ReadonlySignal<readonly ShownTab[]>;
  add(tab: ShownTab): void;
  drop(tabId: number): void;
  stop(): void;
}

/** Follows those that will be added. */
export function followAddedTabs(): AddedTabs {
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
    add(tab) {
      added.value = [...added.peek().filter(({ tabId }) => tabId !== tab.tabId), tab];
    },
    drop(tabId) {
      added.value = added.peek().filter((tab) => tab.tabId !== tabId);
    },
    stop() {
      browser.tabs.onUpdated.removeListener(changed);
      browser.tabs.onRemoved.removeListener(changed);
    },
  };
}
