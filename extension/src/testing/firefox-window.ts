/** Hands on Firefox's own window: what belongs to the browser and not to a page, reached by its privileged scripts. */
import type { Bidi } from "./firefox-bidi.ts";
import { until } from "./until.ts";

/** The browser's own window, as far as tests look into it. */
interface BrowserWindow {
  readonly document: Document;
  readonly SidebarController: {
    readonly isOpen: boolean;
    readonly currentID: string;
    hide(): void;
  };
  readonly gBrowser: { readonly currentURI: { readonly spec: string } };
  openTrustedLinkIn(url: string, where: "window", options: { private: boolean }): void;
  close(): void;
  synthesizeMouseEvent(type: string, x: number, y: number, mouse: object, options: object): void;
  readonly KeyboardEvent: typeof KeyboardEvent;
  readonly Cc: Record<string, { createInstance(what: unknown): InputProcessor }>;
  readonly Ci: { readonly nsITextInputProcessor: unknown };
  readonly ChromeUtils: {
    importESModule(url: string): {
      ExtensionParent: { GlobalManager: { extensionMap: Map<string, BackgroundOwner> } };
      ExtensionPermissions: { add(id: string, added: { permissions: string[]; origins: string[] }): Promise<void> };
    };
  };
}

interface InputProcessor {
  beginInputTransactionForTests(window: unknown, callback: () => boolean): boolean;
  keydown(event: KeyboardEvent): void;
  keyup(event: KeyboardEvent): void;
}

interface BackgroundOwner {
  readonly backgroundState: string;
  terminateBackground(): Promise<void>;
}

type SidebarView = HTMLElement & {
  readonly messageManager: {
    addMessageListener(name: string, heard: (message: { data: string }) => void): void;
    removeMessageListener(name: string, heard: (message: { data: string }) => void): void;
    loadFrameScript(url: string, late: boolean): void;
  };
};

type Menu = HTMLElement & { readonly state: string; activateItem(entry: Element): void };

/** Where something is on the window, CSS pixels. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** The browser's own window. */
export interface FirefoxWindow {
  /** A click of the mouse. */
  click(spot: Spot): Promise<void>;
  /** Keys, as `KeyboardEvent.key` names them, to whatever has the focus. */
  press(keys: readonly string[]): Promise<void>;
  /** A click on the extension's button in the toolbar. */
  clickAction(): Promise<void>;
  /** The extension's shortcut that ends in this key, as it stands in its manifest. */
  pressShortcut(key: string): Promise<void>;
  /** Makes the sidebar so many points wide. */
  widenSidebar(width: number): Promise<void>;
  /** What the window shows, as a PNG. */
  picture(): Promise<Buffer>;
  /** Labels of the extension's entries in the page's menu, once that is open. */
  menuEntries(): Promise<readonly string[]>;
  /** Chooses the extension's entry with this label from the page's menu, which is open. */
  chooseFromMenu(label: string): Promise<void>;
  /** Where the extension's sidebar begins; undefined: it is not open. */
  sidebarCorner(): Promise<Spot | undefined>;
  hideSidebar(): Promise<void>;
  /** Answers the browser's question for a permission once it is asked. Gives its words. */
  answerPermission(allowed: boolean): Promise<string>;
  /** Lets the extension into private windows, as the person does in its settings. Before it is installed. */
  allowInPrivate(): Promise<void>;
  /** Allows sites for good, as the person does when they are asked. Before it is installed. */
  allowSites(sites: readonly string[]): Promise<void>;
  openPrivate(url: string): Promise<void>;
  /** Whether this address is in front. */
  shows(url: string): Promise<boolean>;
  /** Runs a function on the document of the sidebar in this window, whatever process that is in. */
  inSidebar<Words extends readonly unknown[], Result>(
    work: (document: Document, ...words: Words) => Result,
    ...words: Words
  ): Promise<Result>;
  close(): Promise<void>;
  /** Ends the extension's background as the browser does when it idles. */
  killBackground(): Promise<void>;
}

/** The window over its privileged context, for the extension with this id. */
export function firefoxWindow(bidi: Bidi, context: string, extensionId: string): FirefoxWindow {
  const widget = extensionId.replace(/[^a-z0-9]/gi, "_");

  /** Runs a function in the window; it knows nothing but what it is given. */
  function run<Words extends readonly unknown[], Result>(
    work: (window: BrowserWindow, ...words: Words) => Result | Promise<Result>,
    ...words: Words
  ): Promise<Result> {
    return bidi.evaluate(context, `(${String(work)})(window, ...${JSON.stringify(words)})`);
  }

  async function click({ x, y }: Spot): Promise<void> {
    await run(
      (window, left, top) => {
        window.synthesizeMouseEvent("mousemove", left, top, {}, {});
        window.synthesizeMouseEvent("mousedown", left, top, { button: 0, buttons: 1, clickCount: 1 }, {});
        window.synthesizeMouseEvent("mouseup", left, top, { button: 0, buttons: 0, clickCount: 1 }, {});
      },
      x,
      y,
    );
  }

  /** Writes down what the person has allowed the extension. */
  function allow(permissions: readonly string[], sites: readonly string[]): Promise<void> {
    return run(
      async (window, id, allowed, origins) => {
        const url = "resource://gre/modules/ExtensionPermissions.sys.mjs";
        const { ExtensionPermissions } = window.ChromeUtils.importESModule(url);
        await ExtensionPermissions.add(id, { permissions: [...allowed], origins: [...origins] });
      },
      extensionId,
      permissions,
      sites,
    );
  }

  /** Runs in the window. */
  const entriesOf = (window: BrowserWindow, prefix: string): string[] => {
    const menu = window.document.getElementById("contentAreaContextMenu") as Menu | null;
    if (menu?.state !== "open") return [];
    return Array.from(
      menu.querySelectorAll(`[id^="${prefix}-menuitem-"]`),
      (entry) => entry.getAttribute("label") ?? "",
    );
  };

  return {
    click,
    async press(keys) {
      await run((window, names) => {
        const { nsITextInputProcessor } = window.Ci;
        const hand = window.Cc["@mozilla.org/text-input-processor;1"]?.createInstance(nsITextInputProcessor);
        if (hand?.beginInputTransactionForTests(window, () => true) !== true)
          throw new Error("No keys can be pressed.");
        for (const key of names) {
          const event = new window.KeyboardEvent("", { key, code: key.length > 1 ? key : "" });
          hand.keydown(event);
          hand.keyup(event);
        }
      }, keys);
    },
    async pressShortcut(key) {
      await until("the shortcut is there", () =>
        run((window, name) => {
          const shortcuts = window.document.querySelectorAll('keyset[id^="ext-keyset-id-"] key');
          const found = Array.from(shortcuts).find((one) => one.getAttribute("key")?.toUpperCase() === name);
          (found as (Element & { doCommand(): void }) | undefined)?.doCommand();
          return found !== undefined;
        }, key),
      );
    },
    widenSidebar: (width) =>
      run((window, wanted) => {
        const box = window.document.getElementById("sidebar-box");
        if (box !== null)
          Object.assign(box.style, { width: `${wanted}px`, minWidth: `${wanted}px`, maxWidth: `${wanted}px` });
      }, width),
    async picture() {
      const { data } = await bidi.send<{ data: string }>("browsingContext.captureScreenshot", { context });
      return Buffer.from(data, "base64");
    },
    async clickAction() {
      const spot = await until("the button is in the toolbar", () =>
        run((window, id) => {
          const box = window.document.getElementById(id)?.getBoundingClientRect();
          return box !== undefined && box.width > 0 && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
        }, `${widget}-BAP`),
      );
      await click(spot);
    },
    menuEntries: () => run(entriesOf, widget),
    async chooseFromMenu(label) {
      await run(
        async (window, prefix, wanted) => {
          const menu = window.document.getElementById("contentAreaContextMenu") as Menu;
          const entries = Array.from(menu.querySelectorAll(`[id^="${prefix}-menuitem-"]`));
          const entry = entries.find((one) => one.getAttribute("label") === wanted);
          if (entry === undefined) throw new Error(`The menu has no “${wanted}”.`);
          // Several entries of an extension stand in a menu of their own.
          const inner = entry.closest("menupopup") as Menu;
          if (inner !== menu) (inner.parentElement as unknown as { openMenu(isOpen: boolean): void }).openMenu(true);
          const isOpen = () => inner.state === "open";
          for (let look = 0; !isOpen() && look < 100; look++) await new Promise((resolve) => setTimeout(resolve, 50));
          inner.activateItem(entry);
        },
        widget,
        label,
      );
    },
    sidebarCorner: () =>
      run((window, id) => {
        const { isOpen, currentID } = window.SidebarController;
        const frame = window.document.getElementById("sidebar") as HTMLIFrameElement | null;
        const view = frame?.contentDocument?.getElementById("webext-panels-browser");
        if (!isOpen || currentID !== id || frame == null || view == null) return undefined;
        const [outer, inner] = [frame.getBoundingClientRect(), view.getBoundingClientRect()];
        return { x: outer.x + inner.x, y: outer.y + inner.y };
      }, `${widget}-sidebar-action`),
    hideSidebar: () => run((window) => window.SidebarController.hide()),
    answerPermission: (allowed) =>
      until("the browser asks for a permission", () =>
        run((window, yes) => {
          const question = window.document.querySelector("#notification-popup popupnotification");
          const buttons = question as (Element & Record<"button" | "secondaryButton", HTMLElement | null>) | null;
          const button = yes ? buttons?.button : buttons?.secondaryButton;
          if (question === null || button == null || button.getBoundingClientRect().width === 0) return undefined;
          const words = (question.textContent ?? "").trim() || (question.getAttribute("label") ?? "");
          button.click();
          return words;
        }, allowed),
      ),
    allowInPrivate: () => allow(["internal:privateBrowsingAllowed"], []),
    allowSites: (sites) => allow([], sites),
    openPrivate: (url) => run((window, address) => window.openTrustedLinkIn(address, "window", { private: true }), url),
    shows: (url) => run((window, address) => window.gBrowser.currentURI.spec === address, url),
    async inSidebar(work, ...words) {
      const told = await run(
        (window, call) =>
          new Promise<string>((resolve, reject) => {
            const frame = window.document.getElementById("sidebar") as HTMLIFrameElement | null;
            const view = frame?.contentDocument?.getElementById("webext-panels-browser") as
              | SidebarView
              | null
              | undefined;
            if (view == null) return reject(new Error("The sidebar is not open."));
            const name = `sidebar:${Math.random()}`;
            const heard = ({ data }: { data: string }) => {
              view.messageManager.removeMessageListener(name, heard);
              resolve(data);
            };
            view.messageManager.addMessageListener(name, heard);
            const script = `let told;
              try { told = { value: ${call} }; } catch (error) { told = { error: String(error) }; }
              sendAsyncMessage(${JSON.stringify(name)}, JSON.stringify(told));`;
            view.messageManager.loadFrameScript(`data:,${encodeURIComponent(script)}`, false);
          }),
        `(${String(work)})(content.document, ...${JSON.stringify(words)})`,
      );
      const { value, error } = JSON.parse(told) as { value: ReturnType<typeof work>; error?: string };
      if (error !== undefined) throw new Error(`Firefox: ${error}`);
      return value;
    },
    close: () => run((window) => window.close()),
    killBackground: async () => {
      await until("the background is ended", () =>
        run(async (window, id) => {
          const url = "resource://gre/modules/ExtensionParent.sys.mjs";
          const background = window.ChromeUtils.importESModule(url).ExtensionParent.GlobalManager.extensionMap.get(id);
          await background?.terminateBackground();
          // What was on its way to it may have begun it again.
          return background?.backgroundState === "stopped";
        }, extensionId),
      );
    },
  };
}
