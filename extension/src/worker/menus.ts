import { type Browser, browser } from "wxt/browser";
import type { Wish } from "../storage/window-memory.ts";
import { type MenuWord, message } from "./message.ts";

type Contexts = NonNullable<Browser.contextMenus.CreateProperties["contexts"]>;

/** The entries of the context menu: those the worker carries out, and wishes for the panel. */
export type MenuItemId = "keep-page" | "keep-selection" | "keep-link" | Wish["what"];

/** Where each is shown. Their words stand under their names. */
const ENTRIES = {
  "keep-page": ["page", "action"],
  "keep-tabs": ["action"],
  "ask-selection": ["selection"],
  highlight: ["selection"],
  "keep-selection": ["selection"],
  "keep-link": ["link"],
} as const satisfies Record<MenuItemId, readonly string[]>;

const WEB = ["https://*/*", "http://*/*"];

/** Makes the context menu anew; browsers keep it between runs. */
export async function makeMenus(): Promise<void> {
  await browser.contextMenus.removeAll();
  for (const [id, where] of Object.entries(ENTRIES)) {
    const contexts = [...where] as Contexts;
    const title = message(`menu_${id.replace("-", "_") as MenuWord}`);
    const targetUrlPatterns = contexts.includes("link") ? WEB : undefined;
    browser.contextMenus.create({ id, title, contexts, targetUrlPatterns, documentUrlPatterns: WEB }, () => {
      // Read, so that the browser does not report it as unseen: an entry may be there from another start.
      void browser.runtime.lastError;
    });
  }
}
