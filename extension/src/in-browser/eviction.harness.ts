import type { Page } from "playwright-core";
import { launchExtension, type ExtensionBrowser } from "../testing/chromium.ts";
import { article, servePages } from "../testing/pages.ts";
import { pairExtension, startService } from "../testing/service.ts";
import { until } from "../testing/until.ts";
import { clickMenu, makeDue, storeIn } from "../testing/worker-state.ts";

/** What was there after a run with a worker that kept being ended. */
export interface EvictionReport {
  /** How many pages were kept. */
  readonly pages: number;
  /** Titles of the documents the service has, sorted. */
  readonly documents: readonly string[];
  /** Records in the ledger. */
  readonly ledger: number;
  /** Entries that still waited. */
  readonly waiting: number;
  /** How often the worker was ended. */
  readonly kills: number;
  /** Longest a worker was left alive, milliseconds: more than 200 only where the machine cannot start one in that time. */
  readonly longestLifeMs: number;
}

/** How often the worker is ended, milliseconds. */
const EVERY_MS = 200;
/** So many workers ended in vain, and the next ones may live a little longer. */
const PATIENCE = 10;
/** How many pages are kept before all of them are sent, while the worker keeps being ended. */
const SENT_TOGETHER = 5;

/**
 * Keeps pages, one after the other, while the worker is ended five times a second: at least `least.pages`, and on until it
 * was ended more than `least.kills` times, since a quick machine keeps a page in fewer lives of its worker.
 */
export async function keepWhileEvicted(least: { pages: number; kills: number }): Promise<EvictionReport> {
  const pages = await servePages((path) => article(`Page ${path.slice(1)}`, `What page ${path.slice(1)} says.`));
  const service = await startService();
  const browser = await launchExtension();
  let killing: ReturnType<typeof keepKilling> | undefined;
  try {
    await pairExtension(browser, service);
    // The panel is open meanwhile, as it is when somebody keeps pages; it tells the worker to go on.
    const own = await browser.openOwnPage("sidepanel.html");
    const page = await browser.context.newPage();
    await page.goto(pages.url);
    await browser.giveAccess(page);
    const killer = keepKilling(browser);
    killing = killer;
    let kept = 0;
    while (kept < least.pages || killer.kills() <= least.kills) {
      const url = `${pages.url}/${String(kept).padStart(3, "0")}`;
      await page.goto(url);
      await until("the page is kept", async () => {
        if (await isKept(own, url)) return true;
        // A click the worker died of before it could note it is one the person sees nothing of, and makes again.
        if (!(await isNoted(own, url))) {
          await killer.handOver(async () => {
            await goOn(own);
            await clickMenu(browser, page, "keep-page");
          });
        }
        return goOn(own);
      });
      killer.moved();
      kept++;
      if (kept % SENT_TOGETHER === 0) await makeDue(own);
    }
    await makeDue(own);
    await until("nothing waits", async () => {
      await goOn(own);
      return (await storeIn(own, "outbox")).length === 0;
    });
    return {
      ...(await killer.end()),
      pages: kept,
      documents: (await service.documents()).map(({ semantic_id }) => semantic_id).toSorted(),
      ledger: (await storeIn(own, "ledger")).length,
      waiting: (await storeIn(own, "outbox")).length,
    };
  } finally {
    await killing?.end();
    await browser.close();
    await service.close();
    await pages.close();
  }
}

/** Ends the worker over and over. */
function keepKilling(browser: ExtensionBrowser) {
  let kills = 0;
  let inVain = 0;
  let longestLifeMs = EVERY_MS;
  const ended = new AbortController();
  let last: Promise<unknown> = Promise.resolve();
  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  /** One at a time: a kill, or a click that is handed over. */
  const alone = (work: () => Promise<unknown>): Promise<unknown> => {
    last = last.then(work).catch(() => {});
    return last;
  };
  const loop = (async () => {
    while (!ended.signal.aborted) {
      const life = EVERY_MS * (1 + Math.floor(inVain / PATIENCE) / 2);
      longestLifeMs = Math.max(longestLifeMs, life);
      const before = last;
      await sleep(life);
      // A click was handed over meanwhile: the worker dies at any moment from then on.
      if (last !== before) await last.then(() => sleep(Math.random() * life));
      await alone(async () => {
        if (await browser.killWorker()) kills++;
      });
      inVain++;
    }
  })();
  return {
    /** The browser itself hands a real click to a worker that runs; a test needs it to live until then. */
    handOver: alone,
    /** How often it was ended until now. */
    kills: () => kills,
    /** Something came of it: workers live no longer than before. */
    moved() {
      inVain = 0;
    },
    async end(): Promise<Pick<EvictionReport, "kills" | "longestLifeMs">> {
      ended.abort();
      await loop;
      return { kills, longestLifeMs };
    },
  };
}

/** Starts the worker where it was ended. */
async function goOn(own: Page): Promise<undefined> {
  await own.evaluate(() => chrome.runtime.sendMessage("outbox-changed").catch(() => {}));
}

async function isNoted(own: Page, url: string): Promise<boolean> {
  return own.evaluate(async (wanted) => {
    const held = Object.values(await chrome.storage.session.get(null));
    return held.some((value) => JSON.stringify(value).includes(wanted));
  }, url);
}

async function isKept(own: Page, url: string): Promise<boolean> {
  const [waiting, sent] = await Promise.all([storeIn(own, "outbox"), storeIn(own, "ledger")]);
  return [...waiting, ...sent].some((record) => (record as { link: string }).link.split("#")[0] === url);
}

/** The browser's own extension API, in a page of the extension. */
interface OwnPageScope {
  runtime: { sendMessage(message: unknown): Promise<unknown> };
  storage: { session: { get(keys: null): Promise<Record<string, unknown>> } };
}

declare const chrome: OwnPageScope;
