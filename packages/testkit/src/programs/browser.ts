import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type BrowserContext } from "playwright-core";
import { browserProgram } from "./browser-program.ts";

export { browserProgram, firefoxProgram } from "./browser-program.ts";
export { unseenTexts } from "../unseen-texts.ts";

/** A real Chromium without a window, with a profile of its own. */
export interface TestBrowser {
  /** Opens pages (`newPage`) and knows service workers. */
  context: BrowserContext;
  /** Such as `156.0.8078.79`. */
  version: string;
  /** Ends the program and deletes its profile. */
  close(): Promise<void>;
}

/** What Playwright switches off in Chromium; of two lists the browser heeds the last, so ours has to hold all of it. */
const OFF_BY_PLAYWRIGHT: readonly string[] = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "TcpPortRandomizationWin",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
  "msForceBrowserSignIn",
  "msEdgeUpdateLaunchServicesPreferredVersion",
];

/** Pages that hold what drops down from the address bar, loaded for every window: half of what a start costs. */
const OFF_BY_US: readonly string[] = [
  "PreloadTopChromeWebUI",
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "WebUIOmniboxFullPopup",
];

/** No sandbox: tests also run as root, and open only what they serve themselves. The rest keeps it off the network. */
export const CHROMIUM_FLAGS: readonly string[] = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  `--disable-features=${[...OFF_BY_PLAYWRIGHT, ...OFF_BY_US].join(",")}`,
];

/**
 * Starts a Chromium for tests, the one of {@link browserProgram}. Await it at the top of a test file, where no time
 * limit counts: on Debian as root a missing Chromium is installed first.
 *
 * Returns undefined where there is none, after saying aloud once what is skipped and how to install one; a test then
 * leaves itself out with `describe.runIf(browser)`. Throws when a Chromium is there and does not start.
 */
export async function startBrowser(): Promise<TestBrowser | undefined> {
  const executablePath = await browserProgram();
  if (executablePath === undefined) return undefined;
  const profile = await mkdtemp(join(tmpdir(), "threadlore-browser-"));
  const forget = () => rm(profile, { recursive: true, force: true, maxRetries: 5 });
  try {
    const context = await chromium.launchPersistentContext(profile, {
      executablePath,
      headless: true,
      args: [...CHROMIUM_FLAGS],
    });
    context.setDefaultTimeout(90_000);
    const close = async () => {
      await context.close();
      await forget();
    };
    return { context, version: context.browser()?.version() ?? "unknown", close };
  } catch (error) {
    await forget();
    throw error;
  }
}
