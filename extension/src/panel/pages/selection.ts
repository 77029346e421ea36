/** Whether a question is about the page in front, or only about what is selected on it: as the person has said. */
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { ShownTab } from "./tabs.ts";

/** What is selected on the page in front, and whether it is what is asked about. */
export type Selection = ReturnType<typeof followSelection>;

/** Follows what is selected on the tab in front. Another page is asked about as a whole, until somebody says otherwise. */
export function followSelection(front: ReadonlySignal<ShownTab | undefined>) {
  const chosen = signal<{ readonly tabId: number; readonly url?: string; readonly text: string } | undefined>();
  const isOf = (tab: ShownTab | undefined) => {
    const one = chosen.value;
    return one !== undefined && tab?.tabId === one.tabId && (one.url ?? tab.url) === tab.url;
  };
  // Where it is gone, what is selected next is another matter.
  front.subscribe((tab) => {
    if (isOf(tab) && tab?.selected === 0 && chosen.peek()?.text === "") chosen.value = undefined;
  });
  return {
    /** Something is selected that could be asked about, and is not. */
    isOffered: computed(() => {
      const tab = front.value;
      return tab !== undefined && tab.closed === undefined && tab.selected > 0 && !tab.isWord && !isOf(tab);
    }),
    /** Only what is selected is asked about. */
    isChosen: computed(() => isOf(front.value) && (front.value?.selected !== 0 || chosen.value?.text !== "")),
    /** What the browser said is selected, where no script may reach it; "" where it said nothing. */
    said: computed(() => (isOf(front.value) ? (chosen.value?.text ?? "") : "")),
    /** Asks about what is selected on a tab; without one, on that in front. */
    choose(tab: { readonly tabId: number; readonly text: string } | undefined = undefined) {
      const { tabId, url } = front.peek() ?? {};
      if (tab !== undefined) chosen.value = tab.tabId === tabId ? { ...tab, url } : tab;
      else if (tabId !== undefined) chosen.value = { tabId, url, text: "" };
    },
    /** Asks about all of the page again. */
    whole() {
      chosen.value = undefined;
    },
  };
}
