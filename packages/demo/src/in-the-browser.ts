import { describeFailure, EMBEDDED_PORT, oneLine, startProgress, type Terminal, withOwner } from "@threadlore/cli";
import { buildExtension, LOADED_FROM } from "./built-extension.ts";
import { findBrowser } from "./find-browser.ts";
import type { Reachable } from "./handbook.ts";
import { openHandbookSite } from "./handbook-site.ts";
import { speech } from "./speech.ts";

/** Where the handbook is shown as web pages: two above the service. */
const SITE_PORT = EMBEDDED_PORT + 2;

/** What is there of the browser. */
export interface InTheBrowser {
  /** Resolves when the person closes the browser that was opened; undefined: none was. */
  readonly closed: Promise<void> | undefined;
  close(): Promise<void>;
}

/** What to do about the browser. */
export interface BrowserWishes {
  readonly service: Reachable;
  /** Data folder of the service, for commands that name it. */
  readonly folder: string;
  /** Open one, with the extension in it. */
  readonly open: boolean;
  /** The program that builds. Default: the extension's own. */
  readonly build?: string;
}

/**
 * Builds the extension where that is due, and says how to load and pair it, or opens a browser that has it. What fails
 * is said, and stops nothing else.
 */
export async function offerExtension(terminal: Terminal, wishes: BrowserWishes): Promise<InTheBrowser> {
  const { say, fitted } = speech(terminal);
  const progress = startProgress(terminal.err, 1);
  progress.show("Building the browser extension");
  const extension = await buildExtension(terminal, wishes.build).finally(() => progress.end());
  if (terminal.interrupted.aborted) return NOTHING;
  if (!extension.built) {
    say(fitted("The browser extension could not be built; everything else works. What the build says:"));
    say(...extension.lines.map((line) => `  ${oneLine(line)}`), "  `npx -y pnpm@12 build` tries again.", "");
    return NOTHING;
  }
  let opened: InTheBrowser | undefined;
  try {
    if (wishes.open) opened = await openWith(terminal, wishes.service, extension.folder);
  } catch (error) {
    say("The browser could not be opened; everything else works.");
    say(...describeFailure(error).lines.map((line) => `  ${oneLine(line)}`), "");
  }
  if (opened === undefined) await sayHowToLoad(terminal, wishes);
  return opened ?? NOTHING;
}

const NOTHING: InTheBrowser = { closed: undefined, close: async () => {} };

async function sayHowToLoad(terminal: Terminal, { service, folder }: BrowserWishes): Promise<void> {
  const { say, bold, cyan, fitted, typed } = speech(terminal);
  say(
    `${bold("Ask from the browser:")} the extension is built. To load it,`,
    `  in Chrome or Edge open ${cyan("chrome://extensions")}, switch developer mode on,`,
    `    choose Load unpacked, and take ${cyan(LOADED_FROM.chromium)}`,
    `  in Firefox open ${cyan("about:debugging#/runtime/this-firefox")},`,
    `    choose Load Temporary Add-on, and take ${cyan(LOADED_FROM.firefox)}`,
  );
  if (new URL(service.url).port === String(EMBEDDED_PORT)) {
    const code = await withOwner(terminal, service.files.folder, (owner) => owner.createPairing());
    say(`  Its first page asks for a code: ${bold(code)}, good for ten minutes. For another one:`);
    say(`  ${typed(folder, "serve --pair-extension")}`);
  } else {
    say(fitted(`  It pairs with a service on port ${EMBEDDED_PORT}, and this one has another.`, 2));
  }
  say(`  Or let this command open a browser that has it: ${cyan("npx -y pnpm@12 start --browser")}`, "");
}

/** Undefined where there is no browser to open, which has been said. */
async function openWith(terminal: Terminal, service: Reachable, extension: string): Promise<InTheBrowser | undefined> {
  const { say, bold, cyan, fitted } = speech(terminal);
  const program = findBrowser(terminal.env);
  if (program === undefined) {
    say(fitted("No Chromium, Chrome or Edge was found to open. Install one, or name it in CHROME_PATH."), "");
    return undefined;
  }
  const site = await openHandbookSite(SITE_PORT);
  try {
    // Loaded here, since nothing else needs what drives a browser.
    const { openBrowser } = await import("./browser.ts");
    const browser = await openBrowser(terminal, { program, extension, service, page: site.url });
    say(
      `${bold("Ask from the browser:")} it is open, with the extension, paired with this service.`,
      `  It shows a notice that the service does not know, at ${cyan(site.url)}.`,
      "  Click the Threadlore icon (or press Alt+Shift+Y) and ask: When does the test basin run?",
      "  Then keep the page, and ask the same of your company.",
    );
    if (browser.isHeadless)
      say(fitted("  There is no display here, so the browser has no window, and only a program can use it.", 2));
    say("");
    const close = () => browser.close().then(() => site.close());
    return { closed: browser.closed, close };
  } catch (error) {
    await site.close();
    throw error;
  }
}
