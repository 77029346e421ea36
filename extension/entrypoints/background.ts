import { browser } from "wxt/browser";
import { defineBackground } from "wxt/utils/define-background";
import { markPause, markTab } from "../src/worker/badge.ts";
import { keepClicked, keepLink, resumeClicked } from "../src/keep/keep-clicked.ts";
import { noteUpdate } from "../src/news/news.ts";
import { makeMenus, type MenuItemId } from "../src/worker/menus.ts";
import { runOutbox } from "../src/outbox/outbox-loop.ts";
import { PAUSE } from "../src/outbox/pause.ts";
import { isOwnPage } from "../src/worker/sender.ts";
import { closeStorage, watchKeys } from "../src/settings/settings.ts";
import { openPanel } from "../src/worker/side-panel.ts";
import { OUTBOX_ALARM, WAKE, wakeHere } from "../src/outbox/wake.ts";
import { wish } from "../src/worker/wish.ts";
import { forgetWindow, type Wish } from "../src/storage/window-memory.ts";
import { openWelcome } from "../src/ui/open-pages.ts";

/**
 * The worker: listeners, and nothing that outlives them. It may be ended between any two steps; whatever must not be
 * lost is in the outbox by then, and every start looks there first.
 */
export default defineBackground(() => {
  void closeStorage();
  wakeHere(lookAtOutbox);

  browser.runtime.onInstalled.addListener(({ reason, previousVersion }) => {
    void makeMenus();
    if (reason === "install") openWelcome();
    if (previousVersion !== undefined) void noteUpdate(previousVersion);
  });
  browser.runtime.onStartup.addListener(() => void makeMenus());

  browser.action.onClicked.addListener((tab) => {
    openPanel(tab);
    if (tab.id !== undefined) void markTab(tab.id);
  });
  browser.contextMenus.onClicked.addListener((clicked, tab) => {
    if (tab === undefined) return;
    openPanel(tab);
    const entry = clicked.menuItemId as MenuItemId;
    if (entry === "keep-link") void keepLink(clicked.linkUrl ?? "", tab);
    else if (entry === "keep-page" || entry === "keep-selection") void keepClicked(tab, entry === "keep-selection");
    else void wish(entry, tab, clicked);
  });
  browser.commands.onCommand.addListener((command, tab) => {
    if (tab === undefined) return;
    openPanel(tab);
    if (command === "keep-page") void keepClicked(tab, false);
    else void wish(command as Wish["what"], tab);
  });

  browser.tabs.onUpdated.addListener((tabId, { status }, { url }) => {
    if (status === "complete" && url !== undefined) void markTab(tabId);
  });
  browser.windows.onRemoved.addListener((windowId) => void forgetWindow(windowId));
  browser.alarms.onAlarm.addListener(({ name }) => {
    if (name === OUTBOX_ALARM) lookAtOutbox();
  });
  browser.runtime.onMessage.addListener((message, sender) => {
    if (message === WAKE && isOwnPage(sender)) lookAtOutbox();
  });
  watchKeys(() => void PAUSE.clear().then(lookAtOutbox));
  globalThis.addEventListener("online", lookAtOutbox);

  // Every start is perhaps one after an end in the middle of something.
  void resumeClicked();
  lookAtOutbox();
});

function lookAtOutbox(): void {
  void runOutbox(async ({ arrived }) => {
    await markPause();
    if (arrived.length === 0) return;
    const [tab] = await browser.tabs.query({ active: true, lastFocusedWindow: true });
    if (tab?.id !== undefined) await markTab(tab.id);
  });
}
