import type { StoreName } from "../storage/database.ts";
import type { TestService } from "./service.ts";
import { until } from "./until.ts";

/** How large the panel is, in points. */
export interface PanelSize {
  readonly width: number;
  readonly height?: number;
}

/** A page in front with the panel beside it, in whichever browser: what a person does there, by the words they see. */
export interface Beside {
  /** Opens a page in a tab of its own in place of the one before, clicks on the icon, and waits until the panel can be used. */
  open(url: string): Promise<void>;
  /** Opens one more page in a tab of its own, in front; the panel is left as it is. */
  openTab(url: string): Promise<void>;
  /** Brings the tab that was opened with this address to the front. */
  goTo(url: string): Promise<void>;
  /** How many tabs show this address. */
  tabsAt(url: string): Promise<number>;
  /** Whether the tab that was opened with this address is in front. */
  isInFront(url: string): Promise<boolean>;
  /** Runs a function in the page that was opened or gone to last; it knows nothing but the page and its words. */
  inPage<Words extends readonly unknown[], Result>(
    work: (...words: Words) => Result | Promise<Result>,
    ...words: Words
  ): Promise<Result>;
  /** Chooses this entry from the page's menu, over what the selector finds; default: its first paragraph. */
  chooseFromMenu(entry: MenuEntry, selector?: string): Promise<void>;
  pressShortcut(shortcut: "keep-page" | "ask-selection"): Promise<void>;
  /** A click on the extension's icon. */
  clickIcon(): Promise<void>;
  /** Whether the panel is open. */
  isOpen(): Promise<boolean>;
  /** Runs a function on the panel's document. It knows only its words. */
  inPanel<Words extends readonly unknown[], Result>(
    work: (document: Document, ...words: Words) => Result | Promise<Result>,
    ...words: Words
  ): Promise<Result>;
  /** Clicks on what the selector finds in the panel, once that stands still; the last of several. */
  click(selector: string): Promise<void>;
  /** Presses the panel's button of this name, once there is one that can be pressed; the last of several. */
  press(name: string): Promise<void>;
  /** Keys, as `KeyboardEvent.key` names them, to what has the focus in the panel. */
  keys(...names: readonly string[]): Promise<void>;
  /** Types into a field, by default the box for the question, in place of what is there. */
  write(text: string, field?: string): Promise<void>;
  /** Types into the panel's field with this label, in place of what is there. */
  fill(label: string, text: string): Promise<void>;
  /** Sends what is written. */
  send(question: string): Promise<void>;
  /** Everything the panel shows, with what is written. */
  text(): Promise<string>;
  /** Waits until the last answer is whole; gives its turn's text. */
  answered(): Promise<string>;
  /** Addresses that the last answer links to. */
  links(): Promise<readonly string[]>;
  /** Closes the panel, and opens it again. */
  reopen(): Promise<void>;
  resize(size: PanelSize): Promise<void>;
  /** As the person's desktop is set. */
  colorScheme(look: "light" | "dark"): Promise<void>;
  /** What the panel shows, as a PNG. */
  picture(): Promise<Buffer>;
  /** Runs a script in the panel, as no page of the extension would let itself be told to. */
  addScript(script: string): Promise<void>;
  /** A page of the extension in a tab of its own, in front. */
  ownPage(path: "options.html" | "welcome.html"): Promise<OwnPage>;
  /** What was copied last. */
  clipboard(): Promise<string>;
  /** Has the page hang for so long, milliseconds: it does nothing that it is asked for. Resolves when it hangs. */
  hang(ms: number): Promise<void>;
  /** One more window of the browser with this page, and the panel open in it. */
  inAnotherWindow(url: string): Promise<Beside>;
  /** Waits until something waits to be sent, makes all of it due, and has it sent. */
  letTimePass(): Promise<void>;
  /** Writes into the extension's stored values. */
  setStored(values: object): Promise<void>;
  /** Everything in one store of the extension's database. */
  store(name: StoreName): Promise<unknown[]>;
  close(): Promise<void>;
}

/** A page of the extension that is open in a tab. */
export type OwnPage = Pick<Beside, "resize" | "colorScheme" | "picture" | "addScript" | "close"> & {
  /** Runs a function on its document. It knows only its words. */
  readonly inPanel: Beside["inPanel"];
};

/** What the extension adds to the browser's menus: where it stands, and what it says. */
export const MENU = {
  "keep-page": "Keep this page",
  "keep-selection": "Keep the selected text",
  "ask-selection": "Ask about the selected text",
  highlight: "Highlight the selected text",
} as const;

/** One of the extension's entries. */
export type MenuEntry = keyof typeof MENU;

/** How it is begun. */
export interface BesideOptions {
  /** The service it is paired with, or one that says what a test wants, with settings beside it; none: nothing is set. */
  readonly service?: TestService | { readonly url: string; readonly settings?: Record<string, unknown> };
  /** Sites the person has allowed for good, such as `http://pages.example/*`. */
  readonly allowedSites?: readonly string[];
}

/** What is stored where the person has named a service that takes any key. */
export function settingsFor(url: string, settings: Record<string, unknown> = {}): object {
  return {
    settings: { version: 1, baseUrl: url, pairId: 1, pairName: "Pages", pairIsPublic: false, ...settings },
    keys: { origin: url, askKey: "tl_TEST_panel", ingestKey: "" },
  };
}

/** Waits until the panel shows these words. */
export async function shows(beside: Beside, words: string | RegExp): Promise<void> {
  await until(`the panel shows ${words}`, async () => {
    const text = await beside.text();
    return typeof words === "string" ? text.includes(words) : words.test(text);
  });
}

/** Waits until the panel has what the selector finds, with these words in it; gives all of its text. */
export function has(beside: Beside, selector: string, words = ""): Promise<string> {
  return until(`the panel has ${selector} with “${words}”`, () =>
    beside.inPanel(
      (document, wanted, said) => {
        const all = Array.from(document.querySelectorAll<HTMLElement>(wanted));
        return all.find(({ innerText }) => innerText.includes(said))?.innerText ?? false;
      },
      selector,
      words,
    ),
  );
}

/** The texts of all that the selector finds in the panel, in order. */
export function textsOf(beside: Beside, selector: string): Promise<string[]> {
  return beside.inPanel(
    (document, wanted) =>
      Array.from(document.querySelectorAll<HTMLElement>(wanted), ({ innerText }) => innerText.trim()),
    selector,
  );
}

/** Clicks on the label, or the box with a name, that has these words. */
export async function choose(beside: Beside, words: string): Promise<void> {
  await until(`there is “${words}” to choose`, () =>
    beside.inPanel((document, wanted) => {
      for (const marked of document.querySelectorAll("[data-chosen]")) marked.removeAttribute("data-chosen");
      const labels = Array.from(document.querySelectorAll<HTMLElement>("label, [role=tab], summary"));
      const found = labels.find(({ innerText }) => innerText.trim().startsWith(wanted));
      found?.setAttribute("data-chosen", "");
      return found !== undefined;
    }, words),
  );
  await beside.click("[data-chosen]");
}
