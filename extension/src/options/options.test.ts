import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LOCAL_SERVICE } from "../pairing/pairing.ts";
import { violationsOf } from "../panel/in-browser/axe.harness.ts";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../testing/chromium.ts";
import { article, servePages } from "../testing/pages.ts";
import { startService, type TestService } from "../testing/service.ts";
import { until } from "../testing/until.ts";
import { clickMenu, letTimePass, outboxOf, storageOf } from "../testing/worker-state.ts";

/** The service on the port that the extension looks at, where nobody else has it. */
async function startWhereLooked(): Promise<TestService | undefined> {
  const port = Number(new URL(LOCAL_SERVICE).port);
  return startService({ port }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    console.warn(`Port ${port} is taken, so finding the service there by itself is not tested.`);
    return undefined;
  });
}

describe.runIf(await hasChromium())("the settings and the first run", { timeout: 120_000 }, () => {
  let browser: ExtensionBrowser;
  let service: TestService;
  let page: Page;

  beforeAll(async () => {
    service = await startService();
    browser = await launchExtension({ allowedSites: ["https://allowed.example/*"] });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const settings = async () => (await storageOf(browser, "local"))["settings"] as Record<string, unknown>;

  async function expectAccessible(): Promise<void> {
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violationsOf(page), colorScheme).toEqual([]);
    }
  }

  it("opens the first-run page by itself, which asks for address and key and says what is wrong with them", async () => {
    page = await until("the first-run page is open", () =>
      browser.context.pages().find((one) => one.url() === `${browser.origin}/welcome.html`),
    );
    const useAnother = page.getByRole("button", { name: "Use another service" });
    // A service may run on this machine, outside of the test.
    await page.getByLabel("Address", { exact: true }).or(useAnother).waitFor();
    if (await useAnother.isVisible()) await useAnother.click();
    await expectAccessible();
    await page.getByLabel("Address", { exact: true }).fill("ftp://example.com");
    await page.getByRole("textbox", { name: "Key", exact: true }).fill("tl_TEST_wrong");
    await page.getByRole("button", { name: "Save and test" }).click();
    await page.getByText("The base URL must begin with https://").waitFor();
    await page.getByLabel("Address", { exact: true }).fill(service.url);
    await page.getByRole("button", { name: "Save and test" }).click();
    // This service lets no extension in that was not paired, so that it cannot be known whether the key is right.
    await page.getByText("not known").first().waitFor();
    expect(await page.getByText("Connected to").count()).toBe(0);
    await expectAccessible();
  });

  it("pairs by code with a service at any address of this machine, and with none elsewhere", async () => {
    const place = service.addPair("Kept pages");
    await page.getByRole("button", { name: "Pair by code" }).click();
    const address = page.getByLabel("Address on this machine");
    const code = page.getByLabel("Code", { exact: true });
    const pair = page.getByRole("button", { name: "Pair", exact: true });
    if (!(await address.isVisible())) await page.getByText("The service has another address").click();
    await address.fill("https://elsewhere.example");
    await code.fill("AAAA-AAAA");
    await pair.click();
    await page.getByText("with a service on this machine only").waitFor();
    await address.fill(service.url);
    await pair.click();
    await page.getByText("This code is wrong").waitFor();
    await code.fill(service.pairingCode());
    await pair.click();
    await page.getByText(`Connected to ${new URL(service.url).host}`).waitFor();
    // The service names a place that is not public; the person may choose another.
    expect(await settings()).toMatchObject({ baseUrl: service.url, pairId: 1, pairIsPublic: false });
    const pairs = page.getByLabel("Kept pages go to");
    // The places are asked for once it is paired.
    await expect.poll(() => pairs.inputValue()).toBe("1");
    await pairs.selectOption({ value: String(place) });
    await expect.poll(settings).toMatchObject({ pairId: place, pairName: "Kept pages", pairIsPublic: false });
    await expectAccessible();
  });

  it("finds the service where it usually listens, and pairs with it", async () => {
    const usual = await startWhereLooked();
    if (usual !== undefined) {
      usual.addPair("Kept pages");
      await page.close();
      const worker = await browser.worker();
      await worker.evaluate(() =>
        (
          globalThis as unknown as { chrome: { storage: { local: { clear(): Promise<void> } } } }
        ).chrome.storage.local.clear(),
      );
      page = await browser.openOwnPage("welcome.html");
      await page.getByText("A service was found on this machine.").waitFor();
      await page.getByLabel("Code", { exact: true }).fill(usual.pairingCode());
      await page.getByRole("button", { name: "Pair", exact: true }).click();
      await page.getByText(`Connected to ${new URL(LOCAL_SERVICE).host}`).waitFor();
      await service.close();
      service = usual;
    }
    expect(await settings()).toMatchObject({ baseUrl: service.url });
    await page.close();
  });

  it("shows what the diagnosis finds of a service that is set", async () => {
    page = await browser.openOwnPage("options.html");
    await page.getByRole("button", { name: "Test the connection" }).click();
    await page.getByText("This key may ask questions.").waitFor();
    expect(await page.getByText("does not work").count()).toBe(0);
    await expectAccessible();
  });

  it("never shows the key, and keeps it when the field stays empty", async () => {
    const field = page.getByRole("textbox", { name: "Key", exact: true });
    await expect.poll(() => field.inputValue()).toBe("");
    expect(await page.content()).not.toMatch(/tl_[A-Za-z0-9_-]{30,}/);
    const before = (await storageOf(browser, "local"))["keys"];
    await page.getByRole("button", { name: "Save and test" }).click();
    const form = page.locator("form", { has: page.getByLabel("Address", { exact: true }) });
    await form.getByText("This key may ask questions.").waitFor();
    expect((await storageOf(browser, "local"))["keys"]).toEqual(before);
  });

  it("keeps another key for keeping pages beside it, where there is one", async () => {
    const { askKey } = (await storageOf(browser, "local"))["keys"] as { askKey: string };
    const another = page.getByText("Another key for keeping pages").first();
    await another.click();
    await page.getByRole("textbox", { name: "Another key for keeping pages" }).fill(askKey);
    await page.getByRole("button", { name: "Save and test" }).click();
    const keys = async () => (await storageOf(browser, "local"))["keys"];
    await expect.poll(keys, { timeout: 60_000 }).toMatchObject({ askKey, ingestKey: askKey });
  });

  it("moves the keys into memory when they are not to stay", async () => {
    await page.getByRole("radio", { name: "In memory only, until the browser is closed" }).check();
    await page.getByRole("button", { name: "Save and test" }).click();
    await until("the keys are in memory", async () => (await storageOf(browser, "session"))["keys"] !== undefined);
    expect((await storageOf(browser, "local"))["keys"]).toBeUndefined();
  });

  it("remembers the sites to leave alone, and gives back access to those that were allowed", async () => {
    await page.getByLabel("Sites to leave alone").fill("bank.example\n*.internal");
    await page.getByLabel("Sites to leave alone").blur();
    await expect.poll(async () => (await settings())["denyList"]).toEqual(["bank.example", "*.internal"]);
    await page.getByRole("button", { name: "Take back access to https://allowed.example/*" }).click();
    await page.getByText("None. Elsewhere it reads a page only").waitFor();
  });

  it("lists what this browser has sent as it arrives, gives it as a file and forgets it", async () => {
    const pages = await servePages(() => article("Kept here", "What the ledger is to name."));
    const kept = await browser.context.newPage();
    await kept.goto(pages.url);
    await browser.giveAccess(kept);
    await page.getByLabel("Kept pages go to").selectOption({ label: "Kept pages — restricted" });
    await expect.poll(async () => (await settings())["pairIsPublic"]).toBe(false);
    await clickMenu(browser, kept, "keep-page");
    await until("it waits", async () => (await outboxOf(browser)).length > 0);
    await letTimePass(browser);
    await page.getByRole("cell", { name: "Kept here" }).waitFor();
    await expectAccessible();
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export as JSON" }).click();
    const file = await (await downloading).path();
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ sent: [{ title: "Kept here", times: 1 }] });
    await page.getByRole("button", { name: "Forget the list" }).click();
    await page.getByText("Nothing was kept yet.").waitFor();
    await kept.close();
    await pages.close();
  });

  it("fits a narrow window", async () => {
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  });
});
