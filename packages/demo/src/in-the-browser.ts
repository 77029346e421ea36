import {
  describeFailure,
  EMBEDDED_PORT,
  oneLine,
  startProgress,
  styled,
  type Terminal,
  withOwner,
} from "@threadlore/cli";
import type { OpenBrowser } from "./browser.ts";
import { buildExtension, LOADED_FROM } from "./built-extension.ts";
import { findBrowser } from "./find-browser.ts";
import type { Reachable } from "./handbook.ts";
import { type HandbookSite, openHandbookSite } from "./handbook-site.ts";
import { fitted, sayOn, typed } from "./speech.ts";

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
  const { open, build } = wishes;
  const say = sayOn(terminal);
  const progress = startProgress(terminal.err, 1);
  progress.show("Building the browser extension");
  const extension = await buildExtension(terminal, build).finally(() => progress.end());
  if (terminal.interrupted.aborted) return NOTHING;
  if (!extension.built) {
    say(fitted(terminal, "The browser extension could not be built; everything else works. What the build says:"));
    for (const line of extension.lines) say(`  ${oneLine(line)}`);
    say("  `npx -y pnpm@12 build` tries again.");
    say("");
    return NOTHING;
  }
  if (!open) {
    await sayHowToLoad(terminal, wishes);
    return NOTHING;
  }
  try {
    return await openWith(terminal, wishes, extension.folder);
  } catch (error) {
    say("The browser could not be opened; everything else works.");
    for (const line of describeFailure(error).lines) say(`  ${oneLine(line)}`);
    say("");
    await sayHowToLoad(terminal, wishes);
    return NOTHING;
  }
}

const NOTHING: InTheBrowser = { closed: undefined, close: async () => {} };

async function sayHowToLoad(terminal: Terminal, { service, folder }: BrowserWishes): Promise<void> {
  const say = sayOn(terminal);
  const cyan = (text: string): string => styled(terminal.out, "cyan", text);
  say(`${styled(terminal.out, "bold", "Ask from the browser:")} the extension is built. To load it,`);
  say(`  in Chrome or Edge open ${cyan("chrome://extensions")}, switch developer mode on,`);
  say(`    choose Load unpacked, and take ${cyan(LOADED_FROM.chromium)}`);
  say(`  in Firefox open ${cyan("about:debugging#/runtime/this-firefox")},`);
  say(`    choose Load Temporary Add-on, and take ${cyan(LOADED_FROM.firefox)}`);
  if (new URL(service.url).port === String(EMBEDDED_PORT)) {
    const code = await withOwner(terminal, service.files.folder, (owner) => owner.createPairing());
    say(
      `  Its first page asks for a code: ${styled(terminal.out, "bold", code)}, good for ten minutes. For another one:`,
    );
    say(`  ${typed(terminal, folder, "serve --pair-extension")}`);
  } else {
    say(fitted(terminal, `  It pairs with a service on port ${EMBEDDED_PORT}, and this one has another.`, 2));
  }
  say(`  Or let this command open a browser that has it: ${cyan("npx -y pnpm@12 start --browser")}`);
  say("");
}

async function openWith(terminal: Terminal, wishes: BrowserWishes, extension: string): Promise<InTheBrowser> {
  const { service } = wishes;
  const say = sayOn(terminal);
  const program = findBrowser(terminal.env);
  if (program === undefined) {
    say(fitted(terminal, "No Chromium, Chrome or Edge was found to open. Install one, or name it in CHROME_PATH."));
    say("");
    await sayHowToLoad(terminal, wishes);
    return NOTHING;
  }
  const site = await openHandbookSite(SITE_PORT);
  const browser = await openIt(terminal, { service, extension, program, site });
  say(
    `${styled(terminal.out, "bold", "Ask from the browser:")} it is open, with the extension, paired with this service.`,
  );
  say(`  It shows a notice that the service does not know, at ${styled(terminal.out, "cyan", site.url)}.`);
  say("  Click the Threadlore icon (or press Alt+Shift+Y) and ask: When does the test basin run?");
  say("  Then keep the page, and ask the same of your company.");
  if (browser.isHeadless) {
    say(
      fitted(terminal, "  There is no display here, so the browser has no window, and only a program can use it.", 2),
    );
  }
  say("");
  return {
    closed: browser.closed,
    close: async () => {
      await browser.close();
      await site.close();
    },
  };
}

interface Opening {
  readonly service: Reachable;
  readonly extension: string;
  readonly program: string;
  readonly site: HandbookSite;
}

async function openIt(terminal: Terminal, { service, extension, program, site }: Opening): Promise<OpenBrowser> {
  try {
    // Loaded here, since nothing else needs what drives a browser.
    const { openBrowser } = await import("./browser.ts");
    return await openBrowser(terminal, { program, extension, service, page: site.url });
  } catch (error) {
    await site.close();
    throw error;
  }
}
