/** The tab in front, followed as the person moves from one to another. */
import { signal } from "@preact/signals";
import { type Browser, browser } from "wxt/browser";
import { accessTo, patternOf, watchAllowed } from "../../settings/permissions.ts";
import { leaveReason } from "../../capture/policy.ts";
import { inTime } from "../../capture/read-tab.ts";
import { readSettings } from "../../settings/settings.ts";
import type { Closed, ShownTab } from "./tabs.ts";

/** The tab in front, as it is followed. */
export type FrontTab = ReturnType<typeof followFrontTab>;

/** Follows the tab in front of the panel's own window. */
export function followFrontTab() {
  /** Undefined while it is not known, or while the panel itself is the tab in front. */
  const tab = signal<ShownTab | undefined>(undefined);
  let asked = 0;
  let again: ReturnType<typeof setTimeout> | undefined;
  /** Looks again now. */
  const refresh = async () => {
    clearTimeout(again);
    const turn = (asked += 1);
    const show = (found: ShownTab | undefined) => {
      // A later look has begun meanwhile; it knows better.
      if (turn !== asked) return;
      if (JSON.stringify(found) !== JSON.stringify(tab.peek())) tab.value = found;
      // Pages that write themselves are empty at first, and nothing tells when they are not any more.
      if (found?.closed === "no-text") again = setTimeout(look, EMPTY_MS);
    };
    show(await frontTab(show));
  };
  const look = () => void refresh();
  /** Counts what may have changed the page without changing the tab: it was loaded anew. */
  const loads = signal(0);
  const updated = (tabId: number, { status }: { status?: string }) => {
    if (tabId !== tab.peek()?.tabId && tab.peek() !== undefined) return;
    if (status === "complete") void refresh().then(() => (loads.value += 1));
    else look();
  };
  browser.tabs.onActivated.addListener(look);
  browser.tabs.onUpdated.addListener(updated);
  // A click on the icon, or a site that was allowed, opens the page to the panel.
  browser.action.onClicked.addListener(look);
  watchAllowed(look);
  addEventListener("focus", look);
  // What was selected meanwhile is there to be asked about before anything is clicked.
  document.documentElement.addEventListener("pointerenter", look);
  look();
  return { tab, loads, refresh };
}

/** A tab as the panel may know it now; undefined when it is gone. */
export async function showTab(tabId: number): Promise<ShownTab | undefined> {
  const found = await browser.tabs.get(tabId).catch(() => undefined);
  return found === undefined ? undefined : shown(found);
}

/** Longest a page is waited for to say what it shows, milliseconds: one that hangs is still the one in front. */
const LOOK_MS = 1_000;

/** After how long an empty page is looked at again, milliseconds. */
const EMPTY_MS = 2_000;

type Late = (tab: ShownTab | undefined) => void;

/** The tab in front, as far as it answers at once; `late` gets the rest when it comes. */
async function frontTab(late: Late): Promise<ShownTab | undefined> {
  const [found] = await browser.tabs.query({ active: true, currentWindow: true });
  // The panel's page can be opened as a tab of its own; that is no page to ask about.
  if (found === undefined || found.url?.startsWith(browser.runtime.getURL("/" as never)) === true) return undefined;
  return shown(found, late);
}

/** Every tab of the panel's window but the extension's own, as far as it is known without a look inside. */
export async function windowTabs(): Promise<readonly ShownTab[]> {
  const [tabs, { denyList }] = await Promise.all([browser.tabs.query({ currentWindow: true }), readSettings()]);
  const shownTabs = await Promise.all(
    tabs.map((tab) => tabOf(tab, tab.url ? leaveReason(tab.url, denyList) : ("not-allowed" as const))),
  );
  return shownTabs.filter(({ closed }) => closed !== "extension-page");
}

type FoundTab = Pick<Browser.tabs.Tab, "id" | "url" | "title" | "incognito">;

async function shown(found: FoundTab, late?: Late): Promise<ShownTab | undefined> {
  const { id, url } = found;
  if (id === undefined) return undefined;
  const { denyList } = await readSettings();
  // Without access to a tab its address is not told.
  const closed = url === undefined || url === "" ? ("not-allowed" as const) : leaveReason(url, denyList);
  if (closed !== undefined) return tabOf(found, closed);
  const looking = lookInside(id);
  const seen = await inTime(looking, AbortSignal.timeout(LOOK_MS), "late" as const);
  if (seen !== "late") return tabOf(found, undefined, seen);
  if (late !== undefined) void looking.then(async (then) => late(await tabOf(found, undefined, then)));
  return tabOf(found);
}

/** @param seen what the page shows, as far as that can be seen */
async function tabOf(found: FoundTab, closed?: Closed, seen?: Seen): Promise<ShownTab> {
  const { id = -1, url = "", title = "", incognito } = found;
  const isPdf = seen?.isPdf ?? /\.pdf$/i.test(URL.parse(url)?.pathname ?? "");
  const allowed = await accessTo(url);
  const isAllowed = allowed !== "none";
  // Some browsers let no extension into their PDF viewer; the file can be had where its site is allowed.
  const canAllow = !incognito && patternOf(url) !== undefined && !isAllowed;
  const isShut = isPdf && seen === undefined && !isAllowed;
  return {
    tabId: id,
    url,
    title,
    isPdf,
    selected: isPdf ? 0 : (seen?.selected ?? 0),
    isWord: seen?.isWord === true,
    // A browser tells the address of what may be read, and of nothing else.
    access: isAllowed ? allowed : url === "" ? "none" : "once",
    canAllow,
    closed: closed ?? (isShut ? "pdf-site" : seen?.isEmpty === true ? "no-text" : undefined),
  };
}

interface Seen {
  readonly isPdf: boolean;
  /** Characters that are selected, in the page or in frames of its site. */
  readonly selected: number;
  readonly isWord: boolean;
  /** A picture, a film, or a page without a word. */
  readonly isEmpty: boolean;
}

/** What kind of page a tab shows and how much of it is selected; undefined where that cannot be seen. */
async function lookInside(tabId: number): Promise<Seen | undefined> {
  try {
    const func = (): Seen => {
      const { body, contentType } = document;
      const frames = Array.from(document.querySelectorAll("iframe"), ({ contentDocument }) => contentDocument);
      const marked = [document, ...frames]
        .map((one) => one?.getSelection()?.toString().trim() ?? "")
        .join(" ")
        .trim();
      const parts = new Intl.Segmenter(undefined, { granularity: "word" }).segment(marked.slice(0, 500));
      const words = Array.from(parts).filter(({ isWordLike }) => isWordLike === true).length;
      const inside = body === null ? [] : Array.from(body.getElementsByTagName("*")).slice(0, 60);
      // What has more in it, frames, or a tree of its own, is for the reading to judge.
      const isSmall =
        inside.length < 60 && !inside.some((one) => one.shadowRoot !== null || /^i?frame$/i.test(one.tagName));
      const saysMore = document.querySelector("script[type='application/ld+json' i]") !== null;
      const isPicture = /^(?:image|video|audio)\//.test(contentType);
      return {
        isPdf: contentType === "application/pdf",
        selected: marked.length,
        isWord: words === 1,
        isEmpty: isPicture || (isSmall && !saysMore && contentType === "text/html" && body.innerText.trim() === ""),
      };
    };
    const [result] = await browser.scripting.executeScript({ target: { tabId }, func });
    return result?.result ?? undefined;
  } catch {
    return undefined;
  }
}
