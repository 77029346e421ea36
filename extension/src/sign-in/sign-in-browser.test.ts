import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { violationsOf } from "../panel/in-browser/axe.harness.ts";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../testing/chromium.ts";
import { article, servePages } from "../testing/pages.ts";
import { PASSWORD, startService, type TestService } from "../testing/service.ts";
import { until } from "../testing/until.ts";
import { changeStored, clickMenu, letTimePass, outboxOf, storageOf } from "../testing/worker-state.ts";

describe.runIf(await hasChromium())("signing in from the extension", { timeout: 120_000 }, () => {
  let browser: ExtensionBrowser;
  let service: TestService;
  let page: Page;

  beforeAll(async () => {
    service = await startService();
    await service.addPerson("anna", "anna@example.com");
    browser = await launchExtension();
    page = await browser.openOwnPage("options.html");
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  }, 60_000);

  const host = () => new URL(service.url).host;
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const key = async () => ((await storageOf(browser, "local"))["keys"] as { askKey: string } | undefined)?.askKey;

  /** Presses the button by the keyboard alone, and gives the service's page that opens. */
  async function press(): Promise<Page> {
    const opened = browser.context.waitForEvent("page");
    await button("Sign in").press("Enter");
    return opened;
  }

  /** Answers there, upon which its window closes, whatever the key that did it has still to say. */
  async function answer(theirs: Page, name: "Agree" | "Refuse"): Promise<void> {
    const closed = theirs.waitForEvent("close");
    await theirs
      .getByRole("button", { name })
      .press("Enter")
      .catch(() => {});
    await closed;
  }

  it("is offered once a service is set that signs people in, and changes nothing where its person refuses", async () => {
    expect(await button("Sign in").count()).toBe(0);
    await page.getByLabel("Address", { exact: true }).fill(service.url);
    await button("Save and test").click();
    await page.getByText(`${host()} signs people in.`).waitFor();
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violationsOf(page), colorScheme).toEqual([]);
    }
    const theirs = await press();
    await theirs.getByLabel("User name").fill("anna");
    await theirs.getByLabel("Password").fill(PASSWORD);
    await theirs.getByLabel("Password").press("Enter");
    const asked = await theirs.getByRole("main").innerText();
    expect(asked).toContain(browser.id);
    expect(await violationsOf(theirs)).toEqual([]);
    await answer(theirs, "Refuse");
    await page.getByText("You refused, so nothing was changed.").waitFor();
    expect(await key()).toBeUndefined();
  });

  it("says so where its window was closed", async () => {
    const theirs = await press();
    await theirs.close();
    await page.getByText("Signing in was not finished").waitFor();
    expect(await key()).toBeUndefined();
  });

  it("gives the extension a key of whoever agreed, and says whose it is", async () => {
    const theirs = await press();
    await answer(theirs, "Agree");
    await page.getByText("Signed in as anna@example.com.").waitFor();
    expect(await key()).toMatch(/^tl_/);
    expect(await storageOf(browser, "sync")).toEqual({});
    expect(await button("Sign in").count()).toBe(0);
  });

  it("says that a key was ended elsewhere, and after the next sign-in sends what waited", async () => {
    const pages = await servePages(() => article("The plan", "The pump runs at forty bar."));
    try {
      const pair = service.addPair("Kept pages");
      service.letKeep(pair);
      await changeStored(browser, "settings", { pairId: pair, pairName: "Kept pages", pairIsPublic: false });
      const first = await browser.context.newPage();
      await first.goto(`${pages.url}/plan`);
      await browser.clickAction(first);
      service.revokeKeys();
      await clickMenu(browser, first, "keep-page");
      await until("the page waits", async () => (await outboxOf(browser)).length > 0);
      await page.reload();
      await page.getByText(`${host()} does not accept your key any more`).waitFor();
      await first.close();
      const theirs = await press();
      await answer(theirs, "Agree");
      await page.getByText("Signed in as anna@example.com.").waitFor();
      await letTimePass(browser);
      await expect.poll(async () => (await service.documents()).map((one) => one.semantic_id)).toEqual(["The plan"]);
    } finally {
      await pages.close();
    }
  });

  it("ends the key at the service and forgets it when its person signs out", async () => {
    const held = (await key()) ?? "";
    const me = async () => (await fetch(`${service.url}/me`, { headers: { authorization: `Bearer ${held}` } })).status;
    expect(await me()).toBe(200);
    await button("Sign out").press("Enter");
    await page.getByText(`Signed out. The key is ended at ${host()} and forgotten here.`).waitFor();
    expect(await me()).toBe(401);
    expect(await key()).toBeUndefined();
  });

  it("connects the first run, and not somebody whose account was closed meanwhile", async () => {
    page = await browser.openOwnPage("welcome.html");
    const theirs = await press();
    await answer(theirs, "Agree");
    await page.getByText(`Connected to ${host()}.`).waitFor();
    await button("Sign out").click();
    await page.getByText("Signed out.").waitFor();
    const late = await press();
    await late.getByRole("button", { name: "Agree" }).waitFor();
    service.disablePerson("anna");
    await late.getByRole("button", { name: "Agree" }).click();
    // Nobody is signed in there any more.
    await late.getByLabel("User name").waitFor();
    await late.close();
    await page.getByText("Signing in was not finished").waitFor();
    expect(await key()).toBeUndefined();
  });
});
