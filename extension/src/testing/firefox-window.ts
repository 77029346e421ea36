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
  readonly gBrowser: {
    readonly currentURI: { readonly spec: string };
    readonly selectedBrowser: { readonly messageManager: { loadFrameScript(url: string, late: boolean): void } };
  };
  openTrustedLinkIn(url: string, where: "window", options: { private: boolean }): void;
  readonly navigator: Navigator;
  readonly Services: { readonly prefs: { setIntPref(name: string, value: number): void } };
  close(): void;
  focus(): void;
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
  readonly browsingContext: {
    readonly currentWindowGlobal: {
      drawSnapshot(part: null, scale: number, paper: string): Promise<ImageBitmap>;
    };
  };
  readonly messageManager: {
    addMessageListener(name: string, heard: (message: { data: string }) => void): void;
    removeMessageListener(name: string, heard: (message: { data: string }) => void): void;
    loadFrameScript(url: string, late: boolean): void;
  };
};

type Menu = HTMLElement & { readonly state: string; activateItem(entry: Element): void };

type MenuOpener = HTMLElement & { openMenu(isOpen: boolean): void };

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
  /** Makes the sidebar so many points wide, and what is shown in it so many high. */
  resizeSidebar(size: { readonly width: number; readonly height?: number }): Promise<void>;
  /** How much larger everything in the sidebar is; 1 is as it comes. */
  zoomSidebar(factor: number): Promise<void>;
  /** As the person's desktop is set: every page of the browser follows it. */
  colorScheme(look: "light" | "dark"): Promise<void>;
  /** The text that was copied last. */
  clipboard(): Promise<string>;
  /** What the sidebar shows, as a PNG. */
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
  /** One more window, with this address. */
  openWindow(url: string, isPrivate: boolean): Promise<void>;
  /** Has the page in front hang for so long, milliseconds: nothing else happens in it, and no processor works for it. */
  hangPage(ms: number): Promise<void>;
  /** Whether this address is in front. */
  shows(url: string): Promise<boolean>;
  /** Runs a function on the document of the sidebar in this window, whatever process that is in. */
  inSidebar<Words extends readonly unknown[], Result>(
    work: (document: Document, ...words: Words) => Result | Promise<Result>,
    ...words: Words
  ): Promise<Result>;
  /** Runs a text as a script of the sidebar, whatever the extension's policy says. */
  addScript(script: string): Promise<void>;
  close(): Promise<void>;
  /** Ends the extension's background as the browser does when it idles. */
  killBackground(): Promise<void>;
}

/** In the process of a page: its thread sleeps for so long, milliseconds; where it can be told to by nobody, it works. */
const SLEEP = (ms: number): string => `{
  const end = Date.now() + ${ms};
  try {
    const { ctypes } = ChromeUtils.importESModule("resource://gre/modules/ctypes.sys.mjs");
    const [kind, none, number, count] = [ctypes.default_abi, ctypes.voidptr_t, ctypes.int, ctypes.unsigned_long];
    const poll = ctypes.open("libc.so.6").declare("poll", kind, number, none, count, number);
    for (let left = ${ms}; left > 0; left = end - Date.now()) poll(null, 0, left);
  } catch {
    while (Date.now() < end);
  }
}`;

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

  /** Evaluates an expression in the process of the sidebar, which knows its window as `content`. */
  async function inView(expression: string): Promise<unknown> {
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
          view.messageManager.loadFrameScript(`data:;charset=utf-8,${encodeURIComponent(script)}`, false);
        }),
      expression,
    );
    const { value, error } = JSON.parse(told) as { value?: unknown; error?: string };
    if (error !== undefined) throw new Error(`Firefox: ${error}`);
    return value;
  }

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
    resizeSidebar: ({ width, height }) =>
      run(
        (window, wide, high) => {
          const box = window.document.getElementById("sidebar-box");
          const frame = window.document.getElementById("sidebar") as HTMLIFrameElement | null;
          if (box === null || frame === null) return;
          Object.assign(box.style, { width: `${wide}px`, minWidth: `${wide}px`, maxWidth: `${wide}px` });
          if (high === null) return;
          // The browser's own bar above it, or what another version draws around it, is not the panel's.
          const around = box.getBoundingClientRect().height - frame.getBoundingClientRect().height;
          Object.assign(box.style, { height: `${high + around}px`, maxHeight: `${high + around}px` });
        },
        width,
        height ?? null,
      ),
    zoomSidebar: (factor) =>
      run((window, zoom) => {
        const frame = window.document.getElementById("sidebar") as HTMLIFrameElement | null;
        Object.assign(frame?.contentDocument?.getElementById("webext-panels-browser") ?? {}, { fullZoom: zoom });
      }, factor),
    colorScheme: (look) =>
      run((window, dark) => window.Services.prefs.setIntPref("ui.systemUsesDarkTheme", dark), look === "dark" ? 1 : 0),
    clipboard: () => run((window) => window.navigator.clipboard.readText()),
    async picture() {
      const data = await run(async (window) => {
        const frame = window.document.getElementById("sidebar") as HTMLIFrameElement | null;
        const view = frame?.contentDocument?.getElementById("webext-panels-browser") as SidebarView | null | undefined;
        if (view == null) throw new Error("The sidebar is not open.");
        const drawn = await view.browsingContext.currentWindowGlobal.drawSnapshot(null, 1, "white");
        const canvas = window.document.createElementNS("http://www.w3.org/1999/xhtml", "canvas") as HTMLCanvasElement;
        Object.assign(canvas, { width: drawn.width, height: drawn.height });
        canvas.getContext("2d")?.drawImage(drawn, 0, 0);
        return canvas.toDataURL().split(",")[1] ?? "";
      });
      return Buffer.from(data, "base64");
    },
    async clickAction() {
      // A hand would have brought its window to the front.
      await run((window) => window.focus());
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
      await until(`“${label}” can be chosen`, () =>
        run(
          (window, prefix, wanted) => {
            const menu = window.document.getElementById("contentAreaContextMenu") as Menu;
            const entries = Array.from(menu.querySelectorAll(`[id^="${prefix}-menuitem-"]`));
            const entry = entries.find((one) => one.getAttribute("label") === wanted);
            const holder = entry?.closest("menupopup") as Menu | null | undefined;
            if (entry === undefined || holder == null) throw new Error(`The menu has no “${wanted}”.`);
            if (holder.state === "open") {
              holder.activateItem(entry);
              return true;
            }
            // Several entries stand in a menu of their own, which opens beside the first.
            if (holder.state === "closed") (holder.parentElement as MenuOpener | null)?.openMenu(true);
            return false;
          },
          widget,
          label,
        ),
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
    openWindow: (url, isPrivate) =>
      run(
        (window, address, hidden) => window.openTrustedLinkIn(address, "window", { private: hidden }),
        url,
        isPrivate,
      ),
    hangPage: (ms) =>
      run(
        (window, url) => window.gBrowser.selectedBrowser.messageManager.loadFrameScript(url, false),
        `data:;charset=utf-8,${encodeURIComponent(SLEEP(ms))}`,
      ),
    shows: (url) => run((window, address) => window.gBrowser.currentURI.spec === address, url),
    inSidebar: (work, ...words) =>
      inView(`(${String(work)})(content.document, ...${JSON.stringify(words)})`) as Promise<never>,
    addScript: async (script) => {
      // As if the page's own scripts did it; a script element would be refused.
      const scope = "{ sandboxPrototype: content, wantXrays: false }";
      await inView(`void Cu.evalInSandbox(${JSON.stringify(script)}, Cu.Sandbox(content, ${scope}))`);
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
