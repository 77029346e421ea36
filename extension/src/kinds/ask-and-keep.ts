import type { Page } from "playwright-core";
import { type ExtensionBrowser, launchExtension } from "../testing/chromium.ts";
import { pairExtension, startService, type TestService } from "../testing/service.ts";
import { until } from "../testing/until.ts";
import { letTimePass, readEntries, waitingIn } from "../testing/worker-state.ts";
import type { KindPage } from "./kind-page.ts";
import type { SeenPage } from "./outcome.ts";
import { overhear, type Overheard } from "./overhearing.ts";
import { PanelHand, type SeenAnswer } from "./panel-hand.ts";
import { type KindSites, serveKinds } from "./serve-kinds.ts";

/**
 * Has every page asked about in the side panel of a real browser, and kept; then asks the company the same questions,
 * once all of them are there. `onPage` hears of each that is done. The service has no language model.
 */
export async function askAndKeep(
  pages: readonly KindPage[],
  onPage: (seen: SeenPage) => void = () => {},
): Promise<SeenPage[]> {
  const [service, sites] = await Promise.all([startService(), serveKinds(pages)]);
  const overheard = await overhear(service.url);
  const browser = await launchExtension({ allowedSites: ["http://*.example/*"] });
  try {
    return await walk(pages, { service, overheard, sites, browser }, onPage);
  } finally {
    await browser.close();
    await Promise.all([overheard.close(), sites.close()]);
    await service.close();
  }
}

interface Stage {
  readonly service: TestService;
  readonly overheard: Overheard;
  readonly sites: KindSites;
  readonly browser: ExtensionBrowser;
}

async function walk(
  pages: readonly KindPage[],
  { service, overheard, sites, browser }: Stage,
  onPage: (seen: SeenPage) => void,
): Promise<SeenPage[]> {
  await pairExtension(browser, { ...service, url: overheard.url });
  const tab = await browser.context.newPage();
  await tab.goto("about:blank");
  const first = pages[0];
  if (first !== undefined) await show(tab, first, sites);
  const hand = new PanelHand(browser, await browser.openPanel(tab));
  await hand.choose("page");
  const seen: SeenPage[] = [];
  for (const page of pages) {
    const url = await show(tab, page, sites);
    await hand.sees(new URL(url).host);
    overheard.forget();
    const asked = await hand.ask(page.question).catch(noAnswer);
    const keeping = await hand.keep();
    const sent = overheard.lastContext();
    const one = { page, url, sent, asked, keeping, kept: keeping.isKept ? await lastKept(browser) : undefined };
    seen.push(one);
    onPage(one);
  }
  await until("everything was sent", async () => {
    await letTimePass(browser);
    return (await waitingIn(browser)) === 0;
  });
  await service.drain();
  await hand.choose("company");
  for (const [at, one] of seen.entries()) {
    if (one.kept === undefined) continue;
    seen[at] = { ...one, found: await hand.ask(one.page.question).catch(noAnswer) };
    onPage(seen[at]);
  }
  return seen;
}

/** What is seen of a question whose answer did not come. */
const noAnswer = (error: unknown): SeenAnswer => ({ text: String(error), notes: "", citations: [] });

/** Opens a page as somebody who is signed in there, and gives its address. */
async function show(tab: Page, page: KindPage, sites: KindSites): Promise<string> {
  const url = sites.address(page);
  if (page.strangersSee !== undefined) {
    await tab.context().addCookies([{ name: "member", value: "yes", url: new URL(url).origin }]);
  }
  await tab.goto(url);
  return url;
}

async function lastKept(browser: ExtensionBrowser): Promise<SeenPage["kept"]> {
  const entries = await readEntries(browser);
  const newest = entries.toSorted((one, other) => one.entry.sendAfter - other.entry.sendAfter).at(-1);
  if (newest === undefined) return undefined;
  const { semantic_identifier: title, sections } = JSON.parse(newest.document) as {
    semantic_identifier: string;
    sections: { text?: string }[];
  };
  return { title, text: sections.map(({ text = "" }) => text).join("\n") };
}
