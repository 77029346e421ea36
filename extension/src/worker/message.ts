import { browser } from "wxt/browser";

/** What an entry of the menu is called, as it stands in its message's key. */
export type MenuWord = "ask_selection" | "highlight" | `keep_${"link" | "page" | "selection" | "tabs"}`;

/** Keys of what the worker says, as the browser knows them: the locale files' with `_` for the dot. */
type WorkerMessage = "action_title" | `badge_${"changed" | "kept" | "paused" | "refused"}` | `menu_${MenuWord}`;

/** What the worker says, in the person's language. The pages say more, with more help, and more code. */
export function message(key: WorkerMessage): string {
  return (browser.i18n.getMessage as (key: string) => string)(key);
}
