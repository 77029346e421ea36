import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { browserProgram, CHROMIUM_FLAGS } from "@threadlore/testkit/browser";
import { chromium, type Browser, type BrowserContext, type Page, type Worker } from "playwright-core";
import { builtExtension } from "./build-once.ts";
import { until } from "./until.ts";

/** A real Chromium without a window, with the extension in it as it is shipped. */
export interface ExtensionBrowser {
  readonly context: BrowserContext;
  /** The extension's id, and so the origin its requests come from. */
  readonly id: string;
  readonly origin: string;
  readonly profile: string;
  /** The worker as it runs now; it is woken where it sleeps. */
  worker(): Promise<Worker>;
  /** A click on the extension's icon while this page is in front: opens the panel and gives access to the page. */
  clickAction(page: Page): Promise<void>;
  /** A click on the icon where the extension may not read this page yet; where it may, one would close the panel. */
  giveAccess(page: Page): Promise<void>;
  /** A click on the icon, and the real side panel it opens, or leaves open; to be driven like any page. */
  openPanel(page: Page): Promise<Page>;
  /** A page in a window of its own, in front. */
  openWindow(url: string): Promise<Page>;
  /** The same in a private one. */
  openPrivate(url: string): Promise<Page>;
  /** A page of the extension in a tab, such as `options.html`. */
  openOwnPage(path: string): Promise<Page>;
  /** Ends the worker at once, as the browser does when it idles; false where none ran. */
  killWorker(): Promise<boolean>;
  /** Ends the browser as the power button would; its profile stays. */
  kill(): Promise<void>;
  /** Ends the browser; with its profile, unless that was given. */
  close(): Promise<void>;
  /** Deletes the profile of a browser that has ended. */
  forget(): Promise<void>;
}

/** Longest a test waits for something in the browser; it ends only what would never end, on a busy machine too. */
const PATIENCE_MS = 90_000;

const FLAGS = [
  ...CHROMIUM_FLAGS,
  // Test pages have names of the open web, as pages of this machine count as private; the store is in vain looked for.
  "--host-resolver-rules=MAP *.example 127.0.0.1, MAP chromewebstore.google.com ~NOTFOUND",
  // A port for a second connection: pages opened by the browser itself, as the panel is, show up only in a new one.
  "--remote-debugging-port=0",
];

/** Whether there is a Chromium to test with; installs one where that can be done, so ask outside of a test's time. */
export async function hasChromium(): Promise<boolean> {
  return (await browserProgram()) !== undefined;
}

/** How the browser is started. */
export interface LaunchOptions {
  /** A profile to go on with; default: a new one, deleted at the end. */
  readonly profile?: string;
  /** Folder of the extension. Default: as it is built from the sources now. */
  readonly folder?: string;
  /** Leaves the profile where it is at the end, for another start. Default: only one that was given. */
  readonly keepProfile?: boolean;
  /** Sites the person has allowed for good, such as `http://pages.example/*`; for a new profile only. */
  readonly allowedSites?: readonly string[];
  /** The person has allowed the extension in private windows; for a new profile only. */
  readonly allowedInPrivate?: boolean;
  /** Language of the browser, and so of the extension. Default: en-US. */
  readonly language?: string;
  /** X display to show its window on, such as `:1`. Default: none, there is no window. */
  readonly display?: string;
  /** The window fills the display, of this many points. Default: pages are 1000 wide, whatever their window. */
  readonly fills?: { readonly width: number; readonly height: number };
  readonly flags?: readonly string[];
}

/** In the worker: whether its program has run. What is clicked before would be heard by nobody. */
function listens(): boolean {
  const { chrome } = globalThis as unknown as { chrome: { action: { onClicked: { hasListeners(): boolean } } } };
  return chrome.action.onClicked.hasListeners();
}

/** In the worker: the address of the page in front, told where it may be read. A click would close the panel there. */
async function readableInFront(): Promise<string | undefined> {
  const { chrome } = globalThis as unknown as {
    chrome: { tabs: { query(filter: object): Promise<{ url?: string }[]> } };
  };
  const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
  return tab?.url;
}

/** The id an extension has by where its folder is. */
export function extensionId(folder: string): string {
  const digest = createHash("sha256").update(folder).digest("hex").slice(0, 32);
  return Array.from(digest, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16))).join("");
}

/**
 * Writes into a new profile what was allowed, as the browser itself does after its question; a browser without a window
 * cannot ask.
 */
async function allow(
  profile: string,
  folder: string,
  { allowedSites: sites = [], allowedInPrivate = false }: LaunchOptions,
): Promise<void> {
  const granted = { api: [], explicit_host: sites, manifest_permissions: [], scriptable_host: [] };
  const permissions = {
    runtime_granted_permissions: granted,
    granted_permissions: granted,
    active_permissions: granted,
  };
  const settings = { ...(sites.length > 0 && permissions), incognito: allowedInPrivate };
  await mkdir(join(profile, "Default"), { recursive: true });
  const preferences = { extensions: { settings: { [extensionId(folder)]: settings } } };
  await writeFile(join(profile, "Default", "Preferences"), JSON.stringify(preferences));
}

/** Starts Chromium with the extension. Throws where there is none. */
export async function launchExtension(options: LaunchOptions = {}): Promise<ExtensionBrowser> {
  const executablePath = await browserProgram();
  if (executablePath === undefined) throw new Error("There is no Chromium to test with.");
  const folder = options.folder ?? (await builtExtension());
  const profile = options.profile ?? (await mkdtemp(join(tmpdir(), "threadlore-extension-")));
  if (options.allowedSites !== undefined || options.allowedInPrivate === true) await allow(profile, folder, options);
  const portFile = join(profile, "DevToolsActivePort");
  await rm(portFile, { force: true });
  const language = options.language ?? "en-US";
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: options.display === undefined,
    viewport: options.fills === undefined ? { width: 1000, height: options.display === undefined ? 800 : 600 } : null,
    env: { ...process.env, LANGUAGE: language.replace("-", "_"), ...(options.display && { DISPLAY: options.display }) },
    args: [
      ...FLAGS,
      `--lang=${language}`,
      `--disable-extensions-except=${folder}`,
      `--load-extension=${folder}`,
      ...(options.fills === undefined
        ? []
        : [`--window-size=${options.fills.width},${options.fills.height}`, "--window-position=0,0"]),
      ...(options.flags ?? []),
    ],
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const program = context.browser();
  if (program === null) throw new Error("Playwright gave no browser.");
  const browser = await program.newBrowserCDPSession();
  const views: Browser[] = [];
  const first = await until("the extension's worker runs", () => context.serviceWorkers()[0]);
  const id = new URL(first.url()).host;
  const origin = `chrome-extension://${id}`;

  async function targets(): Promise<{ targetId: string; type: string; url: string }[]> {
    return (await browser.send("Target.getTargets", { filter: [{}] })).targetInfos;
  }

  const [blank] = context.pages();
  const scopes = blank === undefined ? undefined : await context.newCDPSession(blank);
  await scopes?.send("ServiceWorker.enable");

  /** Pages have workers too. */
  function ownWorkers(): Worker[] {
    return context.serviceWorkers().filter((one) => one.url().startsWith(origin));
  }

  async function worker(): Promise<Worker> {
    return until("the worker answers", async () => {
      // One that has ended is silent until something starts it; to one that runs this is nothing.
      await scopes?.send("ServiceWorker.startWorker", { scopeURL: `${origin}/` }).catch(() => {});
      for (const one of ownWorkers().toReversed()) {
        const answer = await Promise.race([
          one.evaluate(listens).catch(() => false),
          new Promise<false>((resolve) => setTimeout(() => resolve(false), 1_000)),
        ]);
        if (answer) return one;
      }
      return undefined;
    });
  }

  async function clickAction(page: Page): Promise<void> {
    await page.bringToFront();
    const session = await page.context().newCDPSession(page);
    const tab = await until("the tab is there", async () => {
      // Asked each time: where a page could not be loaded, its address changes late.
      const { targetInfo } = await session.send("Target.getTargetInfo");
      const urls = [targetInfo.url, page.url(), `view-source:${page.url()}`];
      return (await targets()).find((target) => target.type === "tab" && urls.includes(target.url));
    });
    await session.detach();
    // Newer than the protocol the types were made from.
    await (browser as { send(method: string, parameters: object): Promise<unknown> }).send("Extensions.triggerAction", {
      id,
      targetId: tab.targetId,
    });
  }

  async function giveAccess(page: Page): Promise<void> {
    await page.bringToFront();
    // The page before may be taken for the one in front for a moment; some addresses are told otherwise for good.
    const late = performance.now() + 2_000;
    const inFront = await until("the page is in front", async () => {
      const url = await (await worker()).evaluate(readableInFront);
      return url !== undefined && url !== page.url() && performance.now() < late ? undefined : { url };
    });
    if (inFront.url === undefined) await clickAction(page);
  }

  async function openPanel(page: Page): Promise<Page> {
    const panels = async () => (await targets()).filter((target) => target.url === `${origin}/sidepanel.html`);
    // A window beside this one may have its own; and where this one's is open already, no other comes.
    const before = new Set((await panels()).map(({ targetId }) => targetId));
    await clickAction(page);
    const late = performance.now() + 3_000;
    await until("the side panel is open", async () => {
      const open = await panels();
      if (open.some(({ targetId }) => !before.has(targetId))) return true;
      if (open.length < before.size) {
        // It was open, and the click has closed it.
        before.clear();
        for (const { targetId } of open) before.add(targetId);
        await clickAction(page);
      }
      if (open.length > 0 && performance.now() > late) before.clear();
      return before.size === 0 && open.length > 0;
    });
    const port = await until("the browser has a port", () =>
      existsSync(portFile) ? readFileSync(portFile, "utf8").split("\n")[0] : undefined,
    );
    const view = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    views.push(view);
    for (const one of view.contexts()) one.setDefaultTimeout(PATIENCE_MS);
    return until("the panel can be driven", async () => {
      for (const one of view.contexts().flatMap((found) => found.pages())) {
        if (one.url() !== `${origin}/sidepanel.html`) continue;
        const session = await one.context().newCDPSession(one);
        const { targetInfo } = await session.send("Target.getTargetInfo");
        await session.detach();
        if (!before.has(targetInfo.targetId)) return one;
      }
      return undefined;
    });
  }

  async function openWindow(url: string, isPrivate: boolean): Promise<Page> {
    const opening = context.waitForEvent("page", (page) => page.url() === url || page.url() === "about:blank");
    await (
      await worker()
    ).evaluate(
      async ([address, incognito]) => {
        const { chrome } = globalThis as unknown as {
          chrome: { windows: { create(window: object): Promise<unknown> } };
        };
        await chrome.windows.create({ incognito, focused: true, url: address });
      },
      [url, isPrivate] as const,
    );
    const page = await opening;
    await page.waitForURL(url);
    await page.waitForLoadState();
    return page;
  }

  async function close(): Promise<void> {
    await Promise.all(views.map((view) => view.close().catch(() => {})));
    await context.close();
    if (options.profile === undefined && options.keepProfile !== true) await forget();
  }

  function forget(): Promise<void> {
    return rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }

  await worker();
  return {
    context,
    id,
    origin,
    profile,
    worker,
    clickAction,
    giveAccess,
    openPanel,
    close,
    forget,
    openWindow: (url) => openWindow(url, false),
    openPrivate: (url) => openWindow(url, true),
    async openOwnPage(path) {
      const page = await context.newPage();
      await page.goto(`${origin}/${path}`);
      return page;
    },
    async killWorker() {
      const running = (await targets()).filter(({ type, url }) => type === "service_worker" && url.startsWith(origin));
      if (running.length === 0) return false;
      // It answers for some milliseconds more, and what it is asked then fails: it is gone once it breaks off this.
      const gone = ownWorkers().map((one) => one.evaluate(() => new Promise<never>(() => {})).catch(() => {}));
      await Promise.all(
        running.map(({ targetId }) => browser.send("Target.closeTarget", { targetId }).catch(() => {})),
      );
      // One that has not begun to run breaks off nothing.
      await Promise.race([Promise.all(gone), new Promise((resolve) => setTimeout(resolve, 300))]);
      return true;
    },
    async kill() {
      const { processInfo } = await browser.send("SystemInfo.getProcessInfo");
      const main = processInfo.find(({ type }) => type === "browser");
      if (main === undefined) throw new Error("The browser has no process.");
      const ended = new Promise<void>((resolve) => context.once("close", () => resolve()));
      process.kill(main.id, "SIGKILL");
      await ended;
    },
  };
}
