import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Notice } from "../keep/notices.ts";
import { builtExtension } from "../testing/build-once.ts";
import { hasChromium, launchExtension, type ExtensionBrowser } from "../testing/chromium.ts";
import { article, servePages, type TestPages } from "../testing/pages.ts";
import { pairExtension, startService, type TestService } from "../testing/service.ts";
import { until } from "../testing/until.ts";
import {
  badgeOf,
  clickMenu,
  copiesOf,
  holdBack,
  letTimePass,
  outboxOf,
  putEntries,
  readEntries,
  storageOf,
  waitingIn,
} from "../testing/worker-state.ts";
import { OUTBOX_LIMITS } from "../outbox/outbox.ts";

const there = await hasChromium();

describe.runIf(there)("what waits in a real browser", { timeout: 240_000 }, () => {
  let pages: TestPages;
  let browser: ExtensionBrowser;
  let service: TestService;
  /** The extension as it is shipped, in a folder that a newer version can take the place of. */
  const folder = mkdtempSync(join(tmpdir(), "threadlore-version-"));

  beforeAll(async () => {
    cpSync(await builtExtension(), folder, { recursive: true });
    pages = await servePages((path) => article(`Page ${path.slice(1)}`, `What page ${path.slice(1)} says.`));
    browser = await launchExtension({ folder, keepProfile: true });
    service = await startService();
    await pairExtension(browser, service);
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await browser?.forget();
    await service?.close();
    await pages?.close();
    rmSync(folder, { recursive: true, force: true });
  }, 120_000);

  /** Keeps a page, by icon and menu, and gives what it was told. */
  async function keep(path: string): Promise<Notice> {
    const page = await browser.context.newPage();
    await page.goto(`${pages.url}/${path}`);
    await browser.giveAccess(page);
    const before = (await storageOf(browser, "session"))["notice"] as Notice | undefined;
    await clickMenu(browser, page, "keep-page");
    const told = await until("it is told what became of the click", async () => {
      const notice = (await storageOf(browser, "session"))["notice"] as Notice | undefined;
      return notice?.at !== before?.at && notice;
    });
    await page.close();
    return told;
  }

  async function comesBack(): Promise<void> {
    const port = Number(new URL(service.url).port);
    service = await startService({ database: service.database, port });
  }

  const titles = async (of: TestService = service) =>
    (await of.documents()).map(({ semantic_id }) => semantic_id).toSorted();
  const waiting = async () => (await outboxOf(browser)).map(({ title }) => title).toSorted();

  it("offline: waits in sight while the service is away, and says why", async () => {
    await service.close();
    expect(await keep("patience")).toMatchObject({ kind: "queued" });
    await letTimePass(browser);
    const tried = await until("it was tried in vain", async () => {
      const [entry] = await outboxOf(browser);
      return entry?.problem !== undefined && entry;
    });
    expect(tried).toMatchObject({ title: "Page patience", state: "waiting", problem: { kind: "unreachable" } });
    expect(tried.sendAfter).toBeGreaterThan(tried.queuedAt);
  });

  it("takes 200 pages and refuses the next, with the reason", async () => {
    const [template] = await readEntries(browser);
    if (template === undefined) throw new Error("Nothing waits.");
    await putEntries(await browser.worker(), copiesOf(template, OUTBOX_LIMITS.entries - 1, "copy"));
    expect(await keep("one-more")).toMatchObject({ kind: "refused", why: "outbox-full" });
    expect(await outboxOf(browser)).toHaveLength(OUTBOX_LIMITS.entries);
  });

  it("survives the browser being killed with a full outbox, to the last page; extension update mid-work included", async () => {
    await browser.kill();
    const manifest = join(folder, "manifest.json");
    writeFileSync(manifest, readFileSync(manifest, "utf8").replace(/"version":"[^"]+"/, '"version":"9.9.9"'));
    await comesBack();
    const { id } = browser;
    browser = await launchExtension({ folder, profile: browser.profile, keepProfile: true });
    const worker = await browser.worker();
    const version = () => (globalThis as unknown as OwnScope).chrome.runtime.getManifest().version;
    expect([browser.id, await worker.evaluate(version)]).toEqual([id, "9.9.9"]);
    await letTimePass(browser);
    await until("all of it was sent", async () => (await waitingIn(browser)) === 0, 240_000);
    const documents = await service.documents();
    expect(documents).toHaveLength(OUTBOX_LIMITS.entries);
    expect(new Set(documents.map(({ document_id }) => document_id)).size).toBe(OUTBOX_LIMITS.entries);
  });

  it("401 while queue full: is paused, says so once, and goes on with another key", async () => {
    service.revokeKeys();
    expect(await keep("one")).toMatchObject({ kind: "queued" });
    expect(await keep("two")).toMatchObject({ kind: "queued" });
    await letTimePass(browser);
    const pause = await until("sending is paused", async () => (await storageOf(browser, "local"))["pause"]);
    expect(await until("the icon says so", async () => await badgeOf(browser))).toBe("!");
    // Whatever asks to send now is held by the same pause, and asks nobody again.
    await letTimePass(browser);
    expect(await keep("three")).toMatchObject({ kind: "queued" });
    expect((await storageOf(browser, "local"))["pause"]).toEqual(pause);
    const held = await outboxOf(browser);
    expect(held.map(({ attempts }) => attempts).toSorted()).toEqual([0, 0, 1]);
    expect(held.find(({ attempts }) => attempts === 1)?.problem).toMatchObject({ kind: "key-refused", status: 401 });

    await pairExtension(browser, service);
    await letTimePass(browser);
    await until("all arrived", async () => (await outboxOf(browser)).length === 0);
    expect(await titles()).toEqual(expect.arrayContaining(["Page one", "Page two", "Page three"]));
    expect((await storageOf(browser, "local"))["pause"]).toBeUndefined();
    await until("the icon says nothing more", async () => (await badgeOf(browser)) === "");
  });

  it("goes to no other service than the one it was queued for", async () => {
    await keep("for-the-first");
    await holdBack(browser);
    const other = await startService();
    try {
      await pairExtension(browser, other);
      await keep("for-the-second");
      await letTimePass(browser);
      await until("the second service has its page", async () => (await other.documents()).length > 0);
      expect(await titles(other)).toEqual(["Page for-the-second"]);
      expect(await waiting()).toEqual(["Page for-the-first"]);
      expect(await titles()).not.toContain("Page for-the-first");

      await pairExtension(browser, service);
      await letTimePass(browser);
      await until("the first service has its page", async () => (await outboxOf(browser)).length === 0);
      expect(await titles()).toContain("Page for-the-first");
      expect(await titles(other)).toEqual(["Page for-the-second"]);
    } finally {
      await other.close();
    }
  });
});

/** What this test uses of the browser's own extension API. */
interface OwnScope {
  chrome: { runtime: { getManifest(): { version: string } } };
}
