import { createHash } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Terminal } from "@threadlore/cli";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import type { Reachable } from "./handbook.ts";
import { pairExtension } from "./pair-extension.ts";

/** How long the extension's first page is waited for: it opens by itself, a moment after the extension is there. */
const WELCOME_MS = 5_000;

/** How to open one. */
export interface BrowserOptions {
  /** Path of the program. */
  readonly program: string;
  /** The built extension's folder. */
  readonly extension: string;
  readonly service: Reachable;
  /** Address of the page to show. */
  readonly page: string;
}

/**
 * Opens a Chromium that has the extension as it is built, pairs the extension with the service, and shows a page. The
 * profile lies beside the service's data and is nobody's own. Throws what the browser says when it does not start.
 */
export async function openBrowser(terminal: Terminal, options: BrowserOptions) {
  const { service } = options;
  const isHeadless = !hasDisplay(terminal.env);
  const context = await chromium.launchPersistentContext(profileFor(options), {
    executablePath: options.program,
    headless: isHeadless,
    viewport: null,
    // Root has no sandbox to give.
    chromiumSandbox: process.getuid?.() !== 0,
    // A person is at the wheel, and extensions are what this is about.
    ignoreDefaultArgs: ["--enable-automation", "--disable-extensions"],
    // Wide enough for a page with the panel beside it.
    args: [
      "--enable-unsafe-extension-debugging",
      "--no-first-run",
      "--no-default-browser-check",
      "--window-size=1360,900",
    ],
    // Whoever called ends it, in order.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  const closed = new Promise<void>((ended) => void context.once("close", () => ended()));
  try {
    const origin = await load(context, options.extension);
    await pairExtension(terminal, { context, origin, service });
    await show(context, options.page);
  } catch (error) {
    await context.close();
    throw error;
  }
  return {
    /** It has no window: there is no display. */
    isHeadless,
    /** Resolves when the person closes it, or it ends otherwise. */
    closed,
    /** Ends it. Its profile is kept: conversations, and what waits to be sent. */
    close: () => context.close(),
  };
}

/** Whether a window can be opened here. */
function hasDisplay({ DISPLAY = "", WAYLAND_DISPLAY = "" }: NodeJS.ProcessEnv): boolean {
  return process.platform !== "linux" || DISPLAY !== "" || WAYLAND_DISPLAY !== "";
}

/** The profile's folder. In a new one the extension's icon is put beside the address, where it can be seen. */
function profileFor({ service, extension }: BrowserOptions): string {
  const profile = join(service.files.folder, "browser");
  const preferences = join(profile, "Default/Preferences");
  if (!existsSync(preferences)) {
    mkdirSync(join(profile, "Default"), { recursive: true, mode: 0o700 });
    writeFileSync(preferences, JSON.stringify({ extensions: { pinned_extensions: [idOf(extension)] } }));
  }
  return profile;
}

/** The id Chromium gives an extension that is loaded from this folder. */
function idOf(folder: string): string {
  const digits = createHash("sha256").update(folder).digest("hex").slice(0, 32);
  return Array.from(digits, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16))).join("");
}

/** Puts the extension in, over the pipe: Chrome itself no longer takes one from its command line. Returns its origin. */
async function load(context: BrowserContext, folder: string): Promise<string> {
  const browser = await context.browser()?.newBrowserCDPSession();
  if (browser === undefined) throw new Error("The browser takes no commands.");
  // Newer than the protocol the types were made from.
  const send = browser.send.bind(browser) as unknown as (method: string, given: object) => Promise<{ id: string }>;
  const { id } = await send("Extensions.loadUnpacked", { path: folder });
  return `chrome-extension://${id}`;
}

/** Shows the page in the first tab, and closes the one in which a newly loaded extension asks to be set up. */
async function show(context: BrowserContext, url: string): Promise<void> {
  const isWelcome = (page: Page): boolean => page.url().endsWith("/welcome.html");
  const welcome =
    context.pages().find(isWelcome) ??
    (await context.waitForEvent("page", { predicate: isWelcome, timeout: WELCOME_MS }).catch(() => undefined));
  const page = context.pages().find((one) => one !== welcome) ?? (await context.newPage());
  await page.goto(url);
  await welcome?.close();
  await page.bringToFront();
}
