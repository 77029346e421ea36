import type { ExtensionBrowser } from "../testing/chromium.ts";
import type { Notice } from "../keep/notices.ts";
import { until } from "../testing/until.ts";
import { clickMenu, readEntries, storageOf, takeAllBack } from "../testing/worker-state.ts";

/** What became of clicks on pages that were left in the same moment. */
export interface RaceReport {
  readonly kept: number;
  /** Clicks that were told that the page went away. */
  readonly gone: number;
  /** What must not be: entries whose text is not that of the page that was clicked on, and other outcomes. */
  readonly wrong: readonly string[];
}

/**
 * Clicks on a page and leaves it for another one at once, `rounds` times. The pages at `url` say their own path, as
 * "says /path."; the last one stays open.
 */
export async function raceCaptures(browser: ExtensionBrowser, url: string, rounds: number): Promise<RaceReport> {
  const page = await browser.context.newPage();
  await page.goto(url);
  await browser.giveAccess(page);
  const notice = async () => (await storageOf(browser, "session"))["notice"] as Notice | undefined;
  let kept = 0;
  let gone = 0;
  const wrong: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const path = `/race-${round}`;
    await page.goto(url + path);
    const before = await notice();
    const clicked = clickMenu(browser, page, "keep-page", { clickedUrl: url + path });
    // Somewhere between before the reading and after it.
    if (round % 3 > 0) await clicked;
    if (round % 3 > 1) await new Promise((resolve) => setTimeout(resolve, Math.random() * 1_000));
    await page.goto(`${url}/elsewhere-${round}`);
    await clicked;
    const told = await until("it is told what became of the click", async () => {
      const now = await notice();
      return now?.at !== before?.at && now;
    });
    if (told.kind === "queued") kept++;
    else if (told.why === "gone") gone++;
    else wrong.push(`${told.kind} ${told.why}`);
    for (const { entry, document } of await readEntries(browser)) {
      const is = new URL(entry.link).pathname;
      if (is !== path || !document.includes(`says ${path}.`)) wrong.push(`${is} under ${path}`);
    }
    await takeAllBack(browser);
  }
  await page.close();
  return { kept, gone, wrong };
}
