import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { firefoxProgram } from "@threadlore/testkit/browser";
import { builtExtension } from "./build-once.ts";
import { type Bidi, connectBidi } from "./firefox-bidi.ts";
import { type FirefoxWindow, firefoxWindow, type Spot } from "./firefox-window.ts";
import { until } from "./until.ts";

/** A tab, named as WebDriver BiDi names it. */
export type FirefoxTab = string;

/** A window of the browser, and the sidebar in it. */
export interface FirefoxPlace {
  readonly window: FirefoxWindow;
  /** Runs a function on the document of the sidebar, which is open. */
  inSidebar<Words extends readonly unknown[], Result>(
    work: (document: Document, ...words: Words) => Result | Promise<Result>,
    ...words: Words
  ): Promise<Result>;
  /** Waits until the sidebar is open and can be used. */
  sidebarIsOpen(): Promise<void>;
  /** A click of the mouse on what the selector finds in the sidebar; the last of several. */
  clickInSidebar(selector: string): Promise<void>;
  /** Presses the sidebar's button of this name, once there is one that can be pressed; the last of several. */
  pressInSidebar(name: string): Promise<void>;
  /** Types into the sidebar's question box, key by key. */
  type(keys: readonly string[]): Promise<void>;
  /** Types a question into the sidebar, key by key, sends it, and gives the whole turn's text when it is answered. */
  ask(question: string): Promise<string>;
}

/** A real Firefox without a window, with the extension in it as it is shipped; a place is its first window. */
export interface FirefoxBrowser extends FirefoxPlace {
  readonly profile: string;
  /** Opens an address in a tab of its own, in front, and waits until it has loaded. */
  openTab(url: string): Promise<FirefoxTab>;
  closeTab(tab: FirefoxTab): Promise<void>;
  /** Brings a tab to the front. */
  bringToFront(tab: FirefoxTab): Promise<void>;
  /** The tabs with this address, such as one the extension has opened. */
  tabsAt(url: string): Promise<readonly FirefoxTab[]>;
  /** The tabs whose address begins so, also those of windows the extension has opened. */
  tabsUnder(start: string): Promise<readonly FirefoxTab[]>;
  /** Runs a function in a tab's page; it knows nothing but the page and its words. */
  inPage<Words extends readonly unknown[], Result>(
    tab: FirefoxTab,
    work: (...words: Words) => Result | Promise<Result>,
    ...words: Words
  ): Promise<Result>;
  /** The same for a page of the extension: given its document, as what is run in a sidebar is. */
  onPage<Words extends readonly unknown[], Result>(
    tab: FirefoxTab,
    work: (document: Document, ...words: Words) => Result | Promise<Result>,
    ...words: Words
  ): Promise<Result>;
  /** What a tab's page shows, as a PNG. */
  pictureOf(tab: FirefoxTab): Promise<Buffer>;
  /** Runs a text as a script of a tab's page, whatever its policy says. */
  addScript(tab: FirefoxTab, script: string): Promise<void>;
  /** A click of the mouse on what the selector finds in a tab's page. */
  clickInPage(tab: FirefoxTab, selector: string): Promise<void>;
  /** Types into what has the focus in a tab's page. */
  typeInPage(tab: FirefoxTab, text: string): Promise<void>;
  /** Makes a tab's page so large, in points. */
  resizePage(tab: FirefoxTab, size: { readonly width: number; readonly height: number }): Promise<void>;
  /** A page of the extension in a tab of its own, such as `options.html`. */
  openOwnPage(path: string): Promise<FirefoxTab>;
  /** A private window with this address, in front. */
  openPrivate(url: string): Promise<FirefoxPlace>;
  /** One more ordinary window with this address, in front. */
  openWindow(url: string): Promise<FirefoxPlace>;
  /** Puts the extension that lies in this folder in place of the one that runs, as an update does. */
  update(folder: string): Promise<void>;
  /** Clicks with the right button on what the selector finds, and chooses the extension's entry with this label. */
  chooseFromMenu(tab: FirefoxTab, selector: string, label: string): Promise<void>;
  /** Runs a function inside a page of the extension, with its API as the global `browser`. It knows only its words. */
  inExtension<Words extends readonly unknown[], Result>(
    work: (...words: Words) => Result | Promise<Result>,
    ...words: Words
  ): Promise<Result>;
  /** Ends the browser as the power button would; its profile stays. */
  kill(): Promise<void>;
  /** Ends the browser; with its profile, unless that is to be kept. */
  close(): Promise<void>;
}

/** How Firefox is started. */
export interface FirefoxOptions {
  /** Folder of the extension. Default: as it is built from the sources now. */
  readonly folder?: string;
  /** The person has allowed the extension in private windows. Default: they have not. */
  readonly allowedInPrivate?: boolean;
  /** Sites the person has allowed for good, such as `http://pages.example/*`. Default: none. */
  readonly allowedSites?: readonly string[];
  /** A profile to go on with, which stays. Default: a new one. */
  readonly profile?: string;
  /** Leaves the profile where it is at the end. */
  readonly keepProfile?: boolean;
}

const ID = "extension@threadlore.dev";

/** Random in every profile otherwise; fixed, so that pages of the extension have an address. */
const HOST = "11111111-2222-4333-8444-555555555555";

/** Such as a page of the open web that is on this machine. */
const NAMES = ["pages.example", "wiki.example"];

const PREFERENCES = {
  "extensions.webextensions.uuids": JSON.stringify({ [ID]: HOST }),
  "network.dns.localDomains": NAMES.join(","),
  "dom.security.https_first": false,
  "intl.locale.requested": "en-US",
  // What is loaded for a time counts as removed at the next start; an extension of the store would be there still.
  "extensions.webextensions.keepStorageOnUninstall": true,
};

/** Whether there is a Firefox to test with; installs one where that can be done, so ask outside of a test's time. */
export async function hasFirefox(): Promise<boolean> {
  return (await firefoxProgram()) !== undefined;
}

/** Starts Firefox with the extension, just installed. Throws where there is none. */
export async function launchFirefox(options: FirefoxOptions = {}): Promise<FirefoxBrowser> {
  const program = await firefoxProgram();
  if (program === undefined) throw new Error("There is no Firefox to test with.");
  const folder = options.folder ?? (await builtExtension("firefox"));
  const profile = options.profile ?? mkdtempSync(join(tmpdir(), "threadlore-firefox-"));
  const preferences = Object.entries(PREFERENCES).map((pair) => `user_pref(${JSON.stringify(pair).slice(1, -1)});`);
  writeFileSync(join(profile, "user.js"), `${preferences.join("\n")}\n`);
  const flags = ["--headless", "--no-remote", "--remote-debugging-port=0", "--remote-allow-system-access"];
  const child = spawn(program, [...flags, "--profile", profile, "about:blank"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const endWithUs = () => child.kill("SIGKILL");
  process.once("exit", endWithUs);
  const bidi = await connectBidi(await addressOf(child));
  const windows = () => contexts(bidi, { "moz:scope": "chrome" });
  const [main] = await windows();
  if (main === undefined) throw new Error("Firefox has no window.");
  const window = firefoxWindow(bidi, main.context, ID);
  if (options.allowedInPrivate === true) await window.allowInPrivate();
  if (options.allowedSites !== undefined) await window.allowSites(options.allowedSites);
  const install = (path: string) => bidi.send("webExtension.install", { extensionData: { type: "path", path } });
  await install(folder);
  // The first-run page it opens by itself is the place its API is used from.
  let own = await until("the first-run page is there", async () => {
    const tabs = await contexts(bidi, {});
    const found = tabs.find(({ url }) => url === `moz-extension://${HOST}/welcome.html`);
    const isReady = found && (await bidi.evaluate(found.context, "document.readyState === 'complete'"));
    return isReady === true && found?.context;
  });

  /** Over the sidebar of the window with this id, which the first-run page sees. */
  const inSidebarOf =
    (id: number): FirefoxPlace["inSidebar"] =>
    (work, ...words) => {
      const view = `browser.extension.getViews({ type: "sidebar", windowId: ${id} })[0].document`;
      return bidi.evaluate(own, `(${String(work)})(${view}, ...${JSON.stringify(words)})`);
    };
  const lastWindow = () => bidi.evaluate<number>(own, "browser.windows.getLastFocused().then(({ id }) => id)");

  /** A window beside the first. */
  async function openBeside(url: string, isPrivate: boolean): Promise<FirefoxWindow> {
    const before = new Set((await windows()).map(({ context }) => context));
    await window.openWindow(url, isPrivate);
    const opened = await until("the window is open", async () =>
      (await windows()).find(({ context }) => !before.has(context)),
    );
    const beside = firefoxWindow(bidi, opened.context, ID);
    // At first there is a window and nothing in it to ask.
    await until("its page is there", () => beside.shows(url).catch(() => false));
    return beside;
  }

  async function openTab(url: string): Promise<FirefoxTab> {
    const { context } = await bidi.send<{ context: string }>("browsingContext.create", { type: "tab" });
    await bidi.send("browsingContext.navigate", { context, url, wait: "complete" });
    await bidi.send("browsingContext.activate", { context });
    return context;
  }

  /** Moves the mouse onto what the selector finds in a tab's page, and presses one of its buttons. */
  async function clickOn(context: FirefoxTab, selector: string, button: 0 | 2): Promise<void> {
    let before: unknown;
    // What is drawn above it later moves it away from under the pointer.
    await until(`the page has ${selector}, and it stands still`, async () => {
      const now = await bidi.evaluate<string>(
        context,
        `(() => {
          const found = document.querySelector(${JSON.stringify(selector)});
          found?.scrollIntoView({ block: "nearest" });
          return JSON.stringify(found?.getBoundingClientRect() ?? null);
        })()`,
      );
      const isStill = now !== "null" && now === before;
      before = now;
      return isStill;
    });
    const { nodes } = await bidi.send<{ nodes: { sharedId: string }[] }>("browsingContext.locateNodes", {
      context,
      locator: { type: "css", value: selector },
    });
    const [element] = nodes;
    if (element === undefined) throw new Error(`The page has no ${selector}.`);
    const onIt = { type: "pointerMove", x: 0, y: 0, origin: { type: "element", element } };
    const press = [onIt, { type: "pointerDown", button }, { type: "pointerUp", button }];
    await bidi.send("input.performActions", { context, actions: [{ type: "pointer", id: "mouse", actions: press }] });
  }

  return {
    ...placeIn(window, inSidebarOf(await lastWindow())),
    profile,
    openTab,
    bringToFront: async (context) => void (await bidi.send("browsingContext.activate", { context })),
    tabsAt: async (url) => (await contexts(bidi, {})).filter((one) => one.url === url).map(({ context }) => context),
    tabsUnder: async (start) =>
      (await contexts(bidi, {})).filter((one) => one.url.startsWith(start)).map(({ context }) => context),
    openOwnPage: (path) => openTab(`moz-extension://${HOST}/${path}`),
    async openPrivate(url) {
      const hidden = await openBeside(url, true);
      // The ordinary windows' pages do not see its sidebar.
      return placeIn(hidden, hidden.inSidebar);
    },
    async openWindow(url) {
      const beside = await openBeside(url, false);
      return placeIn(beside, inSidebarOf(await lastWindow()));
    },
    async update(path) {
      await install(path);
      // The pages of the version before are gone.
      own = await openTab(`moz-extension://${HOST}/welcome.html`);
    },
    inPage: (context, work, ...words) => bidi.evaluate(context, `(${String(work)})(...${JSON.stringify(words)})`),
    onPage: (context, work, ...words) =>
      bidi.evaluate(context, `(${String(work)})(document, ...${JSON.stringify(words)})`),
    async pictureOf(context) {
      const { data } = await bidi.send<{ data: string }>("browsingContext.captureScreenshot", { context });
      return Buffer.from(data, "base64");
    },
    addScript: async (context, script) => {
      await bidi.evaluate(context, `(() => { ${script}\n })()`);
    },
    clickInPage: (context, selector) => clickOn(context, selector, 0),
    async typeInPage(context, text) {
      const actions = Array.from(text, (value) => [
        { type: "keyDown", value },
        { type: "keyUp", value },
      ]).flat();
      await bidi.send("input.performActions", { context, actions: [{ type: "key", id: "keys", actions }] });
    },
    resizePage: async (context, viewport) => {
      await bidi.send("browsingContext.setViewport", { context, viewport });
    },
    closeTab: async (context) => void (await bidi.send("browsingContext.close", { context })),
    async chooseFromMenu(context, selector, label) {
      await clickOn(context, selector, 2);
      await until(`the menu has “${label}”`, async () => (await window.menuEntries()).includes(label));
      await window.chooseFromMenu(label);
    },
    inExtension: (work, ...words) => bidi.evaluate(own, `(${String(work)})(...${JSON.stringify(words)})`),
    async kill() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      process.off("exit", endWithUs);
    },
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      await bidi.send("browser.close", {}).catch(() => child.kill("SIGKILL"));
      const late = setTimeout(() => child.kill("SIGKILL"), 10_000);
      await ended;
      clearTimeout(late);
      process.off("exit", endWithUs);
      if (options.keepProfile !== true && options.profile === undefined) {
        await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
      }
    },
  };
}

/** How long a click is given to reach what it was meant for, milliseconds. */
const CLICK_MS = 1_500;

/** What is done in one window's sidebar, given how its document is reached. */
function placeIn(window: FirefoxWindow, inSidebar: FirefoxPlace["inSidebar"]): FirefoxPlace {
  async function sidebarIsOpen(): Promise<void> {
    await until("the sidebar is open", () => window.sidebarCorner());
    await until("the sidebar is ready", () =>
      inSidebar((document) => document.querySelector("textarea") !== null).catch(() => false),
    );
  }

  /**
   * Clicks where something stands still, and again where the click has not reached it: what has just come may push it on,
   * or be drawn anew in another place. `look` has it say so when it is clicked.
   */
  async function clickAt(what: string, look: () => Promise<Spot | false>): Promise<void> {
    await until(`a click reaches ${what}`, async () => {
      await inSidebar((document) => document.documentElement.removeAttribute("data-clicked"));
      let before = "";
      const spot = await until(`the sidebar has ${what}, and it stands still`, async () => {
        const found = await look();
        const now = JSON.stringify(found);
        const isStill = now === before;
        before = now;
        return isStill && found;
      });
      const corner = await until("the sidebar is open", () => window.sidebarCorner());
      await window.click({ x: corner.x + spot.x, y: corner.y + spot.y });
      const late = performance.now() + CLICK_MS;
      while (performance.now() < late) {
        // What was clicked can have closed the sidebar.
        const isReached = await inSidebar((document) => document.documentElement.hasAttribute("data-clicked")).catch(
          () => true,
        );
        if (isReached) return true;
        await delay(20);
      }
      return false;
    });
  }

  /**
   * Where the last element that a selector names is, or the last of those with this name; it says on its document when it
   * is clicked. False: there is none to be seen.
   */
  const spotOf = (selector: string, name?: string): Promise<Spot | false> =>
    inSidebar(
      (document, wanted, called) => {
        const isCalled = (one: HTMLElement) =>
          called === null || (one.getAttribute("aria-label") ?? one.textContent?.trim()) === called;
        const found = Array.from(document.querySelectorAll<HTMLElement>(wanted)).findLast(isCalled);
        found?.scrollIntoView({ block: "nearest" });
        const heard = () => document.documentElement.setAttribute("data-clicked", "");
        found?.addEventListener("click", heard, { once: true });
        const box = found?.getBoundingClientRect();
        return box !== undefined && box.width > 0 && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      },
      selector,
      // As JSON has it.
      name ?? null,
    );

  const clickInSidebar = (selector: string): Promise<void> => clickAt(selector, () => spotOf(selector));

  const pressInSidebar = (name: string): Promise<void> =>
    clickAt(`a button “${name}”`, () => spotOf("button:enabled", name));

  async function type(keys: readonly string[]): Promise<void> {
    await clickInSidebar("textarea");
    await until("the sidebar has the focus", () =>
      inSidebar((document) => document.hasFocus() && document.activeElement?.localName === "textarea"),
    );
    await window.press(keys);
  }

  return {
    window,
    inSidebar,
    sidebarIsOpen,
    clickInSidebar,
    pressInSidebar,
    type,
    async ask(question) {
      const before = await inSidebar((document) => document.querySelectorAll(".turn").length);
      await type([...question, "Enter"]);
      return until(`“${question}” is answered`, () =>
        inSidebar(
          (document, { asked, known }) => {
            // What was shown before is there again, with the same question in it perhaps.
            const turn = Array.from(document.querySelectorAll<HTMLElement>(".turn")).slice(known).at(-1);
            const isAnswered = turn?.getAttribute("aria-busy") === "false" && turn.innerText.includes(asked);
            return isAnswered && turn.innerText;
          },
          { asked: question, known: before ?? 0 },
        ),
      );
    },
  };
}

/** Where it listens, once it says so. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const said: string[] = [];
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`Firefox did not start:\n${said.join("\n")}`)));
    if (child.stderr === null) return;
    // Read on afterwards too: a full pipe would stop the browser.
    createInterface({ input: child.stderr }).on("line", (line) => {
      if (said.push(line) > 100) said.shift();
      const [, address] = /^WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? [];
      if (address !== undefined) resolve(address);
    });
  });
}

async function contexts(bidi: Bidi, scope: object): Promise<readonly { context: string; url: string }[]> {
  return (await bidi.send<{ contexts: { context: string; url: string }[] }>("browsingContext.getTree", scope)).contexts;
}
