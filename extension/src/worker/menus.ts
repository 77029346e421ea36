import { browser } from "wxt/browser";
import { message } from "./message.ts";

type MenuEntry = Exclude<Parameters<typeof browser.contextMenus.create>[0], { type: "separator" }>;

/** The entries of the context menu. */
export type MenuItemId = "keep-page" | "keep-selection" | "keep-link";

const WEB = ["https://*/*", "http://*/*"];

/** Makes the context menu anew; browsers keep it between runs. */
export async function makeMenus(): Promise<void> {
  await browser.contextMenus.removeAll();
  const page = { documentUrlPatterns: WEB };
  create("keep-page", { ...page, title: message("menu_page"), contexts: ["page", "action"] });
  create("keep-selection", { ...page, title: message("menu_selection"), contexts: ["selection"] });
  create("keep-link", { ...page, title: message("menu_link"), contexts: ["link"], targetUrlPatterns: WEB });
}

function create(id: MenuItemId, entry: Omit<MenuEntry, "id" | "type">): void {
  browser.contextMenus.create({ id, ...entry }, () => {
    // Read, so that the browser does not report it as unseen: an entry may be there from another start.
    void browser.runtime.lastError;
  });
}
