import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { violationsOf } from "../panel/in-browser/axe.harness.ts";
import { builtExtension } from "../testing/build-once.ts";
import { type ExtensionBrowser, extensionId, hasChromium, launchExtension } from "../testing/chromium.ts";
import { until } from "../testing/until.ts";
import { article, servePages } from "../testing/pages.ts";
import { PASSWORD, startService } from "../testing/service.ts";
import { changeStored, clickMenu, letTimePass, outboxOf, storageOf } from "../testing/worker-state.ts";
import { afterThisTest, startDeployedServer } from "@threadlore/testkit";

/** Where Chromium looks for what IT has set, on every Linux. */
const POLICIES = "/etc/chromium/policies/managed";

/** What IT presets in these tests. */
const PRESET = {
  baseUrl: "https://knowledge.example/api",
  pairId: 7,
  pairName: "Web pages",
  pairIsPublic: false,
  denyList: ["bank.example"],
  keyStorage: "session",
};

/** A copy of the extension, so that its id is its own, and a policy for that id, which no other browser minds. */
const folder = mkdtempSync(join(tmpdir(), "threadlore-managed-"));
const policy = join(POLICIES, `${basename(folder)}.json`);

function writePolicy(preset: Record<string, unknown> = PRESET): boolean {
  try {
    mkdirSync(POLICIES, { recursive: true });
    writeFileSync(policy, JSON.stringify({ "3rdparty": { extensions: { [extensionId(folder)]: preset } } }));
    return true;
  } catch {
    console.warn(`Policies cannot be written to ${POLICIES}, so what IT presets is not tested in a real browser.`);
    return false;
  }
}

const there = (await hasChromium()) && writePolicy();

afterAll(() => {
  rmSync(policy, { force: true });
  rmSync(folder, { recursive: true, force: true });
});

describe.runIf(there)("what IT has set", { timeout: 120_000 }, () => {
  let browser: ExtensionBrowser;

  beforeAll(async () => {
    cpSync(await builtExtension(), folder, { recursive: true });
    browser = await launchExtension({ folder });
  }, 120_000);
  afterAll(() => browser?.close());

  it("is shown and cannot be changed, in the first run and later", async () => {
    const page = await browser.openOwnPage("options.html");
    const address = page.getByLabel("Address", { exact: true });
    await address.waitFor();
    await expect.poll(() => address.inputValue()).toBe(PRESET.baseUrl);
    for (const name of ["Address", "Sites to leave alone"])
      expect(await page.getByLabel(name, { exact: true }).isDisabled(), name).toBe(true);
    expect(await page.getByRole("radio", { name: "In memory only, until the browser is closed" }).isChecked()).toBe(
      true,
    );
    await expect.poll(() => page.getByText("Set by your IT department.").count()).toBeGreaterThanOrEqual(3);
    await expect.poll(() => page.getByLabel("Sites to leave alone").inputValue()).toBe("bank.example");
    // Pairing would put another service in its place.
    expect(await page.getByLabel("Code", { exact: true }).count()).toBe(0);
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violationsOf(page), colorScheme).toEqual([]);
    }
    await page.goto(`${browser.origin}/welcome.html`);
    await expect.poll(() => page.getByLabel("Address", { exact: true }).inputValue()).toBe(PRESET.baseUrl);
    expect(await page.getByRole("button", { name: "Pair by code" }).count()).toBe(0);
  });

  it("wins over whatever was stored", async () => {
    await changeStored(browser, "settings", { baseUrl: "https://evil.example", denyList: [] });
    const page = await browser.openOwnPage("options.html");
    await page.getByLabel("Address", { exact: true }).waitFor();
    await expect.poll(() => page.getByLabel("Address", { exact: true }).inputValue()).toBe(PRESET.baseUrl);
    await expect.poll(() => page.getByLabel("Sites to leave alone").inputValue()).toBe("bank.example");
    expect((await storageOf(browser, "local"))["settings"]).toMatchObject({ baseUrl: "https://evil.example" });
  });
});

describe.runIf(there)("an address that IT has set without /api", { timeout: 120_000 }, () => {
  it("answers questions and takes pages in the built panel, and is not looked for again", async () => {
    const server = await startDeployedServer();
    afterThisTest(() => server.close());
    const pages = await servePages(() => article("Plan", "The release is planned for the twelfth of March."));
    afterThisTest(() => pages.close());
    server.addDocument({ id: "travel", title: "Travel costs", text: "Travel costs are paid back within ten days." });
    writePolicy({ baseUrl: server.origin, ingestionPath: "/onyx-api/ingestion", pairId: 1, pairIsPublic: false });
    cpSync(await builtExtension(), folder, { recursive: true });
    const browser = await launchExtension({ folder });
    afterThisTest(() => browser.close());
    await changeStored(browser, "keys", { origin: server.origin, askKey: server.keys.admin, ingestKey: "" });

    const page = await browser.context.newPage();
    await page.goto(`${pages.url}/plan`);
    const panel = await browser.openPanel(page);
    const composer = panel.getByRole("textbox", { name: "Your question" });
    await composer.fill("How fast are travel costs paid back?");
    await composer.press("Enter");
    await panel.getByRole("button", { name: "Switch its memory off and ask" }).click();
    await expect.poll(() => panel.locator(".turn").last().innerText()).toContain("ten days");
    await clickMenu(browser, page, "keep-page");
    await until("the page waits to be sent", async () => (await outboxOf(browser)).length > 0);
    await letTimePass(browser);
    await expect
      .poll(() => [...server.index.values()].map(({ semanticIdentifier }) => semanticIdentifier))
      .toContain("Plan");

    const looked = () => server.log.filter(({ path }) => path.endsWith("/health")).length;
    const before = looked();
    const told = panel.waitForResponse((reply) => reply.url().endsWith("/me"));
    await panel.reload();
    await told;
    expect(looked()).toBe(before);
    expect(server.log.filter(({ to, key }) => to === "pages" && key !== undefined)).toEqual([]);
  });
});

describe.runIf(there)("the address of a service that signs people in, which IT has set", { timeout: 120_000 }, () => {
  it("leaves a person one button to press", async () => {
    const service = await startService();
    afterThisTest(() => service.close());
    await service.addPerson("anna", "anna@example.com");
    writePolicy({ baseUrl: service.url });
    cpSync(await builtExtension(), folder, { recursive: true });
    const browser = await launchExtension({ folder });
    afterThisTest(() => browser.close());
    const page = await browser.openOwnPage("welcome.html");
    const opened = browser.context.waitForEvent("page");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    const theirs = await opened;
    await theirs.getByLabel("User name").fill("anna");
    await theirs.getByLabel("Password").fill(PASSWORD);
    await theirs.getByRole("button", { name: "Sign in" }).click();
    await theirs.getByRole("button", { name: "Agree" }).click();
    await page.getByText("Signed in as anna@example.com.").waitFor();
    expect(await storageOf(browser, "local")).toMatchObject({ keys: { origin: service.url } });
  });
});
