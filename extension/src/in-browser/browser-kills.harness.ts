import { builtExtension } from "../testing/build-once.ts";
import { launchExtension } from "../testing/chromium.ts";
import { article, servePages } from "../testing/pages.ts";
import { pairExtension, startService } from "../testing/service.ts";
import { until } from "../testing/until.ts";
import {
  clickMenu,
  copiesOf,
  letTimePass,
  outboxOf,
  putEntries,
  readEntries,
  storeOf,
} from "../testing/worker-state.ts";
import { OUTBOX_LIMITS } from "../outbox/outbox.ts";

/** What was there after a run with a browser that kept being killed. */
export interface KillReport {
  /** Pages that were queued, and pages the service has: different ones each. */
  readonly queued: number;
  readonly arrived: number;
  /** Records in the ledger. */
  readonly ledger: number;
  /** Kills that met a page waiting. */
  readonly killsWhileSending: number;
}

/** Longest a browser is left alive once it has begun to send, milliseconds. */
const MAX_LIFE_MS = 2_000;

/** Fills the outbox and kills the browser somewhere in the sending of it, `kills` times; then lets it finish. */
export async function killWhileSending(kills: number): Promise<KillReport> {
  const pages = await servePages(() => article("Template", "What every page of this run says."));
  const service = await startService();
  // The same folder throughout: the extension's id, and so its storage, hang on it.
  const folder = await builtExtension();
  let browser = await launchExtension({ folder, keepProfile: true });
  try {
    await pairExtension(browser, service);
    const page = await browser.context.newPage();
    await page.goto(pages.url);
    await browser.giveAccess(page);
    await clickMenu(browser, page, "keep-page");
    const template = await until("the page waits", async () => (await readEntries(browser))[0]);
    let queued = 1;
    let killsWhileSending = 0;
    for (let kill = 0; kill < kills; kill++) {
      const room = OUTBOX_LIMITS.entries - (await outboxOf(browser)).length;
      await putEntries(await browser.worker(), copiesOf(template, room, `k${kill}`));
      await letTimePass(browser);
      queued += room;
      await until("sending has begun", async () => (await outboxOf(browser)).length < OUTBOX_LIMITS.entries);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * MAX_LIFE_MS));
      await browser.kill();
      browser = await launchExtension({ folder, profile: browser.profile, keepProfile: true });
      if ((await outboxOf(browser)).length > 0) killsWhileSending++;
    }
    await until("all of it was sent", async () => (await outboxOf(browser)).length === 0, 600_000);
    const documents = await service.documents();
    return {
      queued,
      arrived: new Set(documents.map(({ document_id }) => document_id)).size,
      ledger: (await storeOf(browser, "ledger")).length,
      killsWhileSending,
    };
  } finally {
    await browser.close();
    await browser.forget();
    await service.close();
    await pages.close();
  }
}
