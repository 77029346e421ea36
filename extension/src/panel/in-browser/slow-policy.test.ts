import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../../testing/chromium.ts";
import { article, servePages, type TestPages } from "../../testing/pages.ts";
import { type ScriptedService, startScriptedService, useScriptedService } from "./scripted-service.harness.ts";

const CANARY = "The release is planned for the twelfth of March.";

/** What IT has set, which the panel is told when the test says so. */
interface SlowPolicy {
  readonly promise: Promise<object>;
  resolve(settings: object): void;
}

describe.runIf(await hasChromium())("a panel that does not know yet what IT has set", { timeout: 120_000 }, () => {
  let browser: ExtensionBrowser;
  let service: ScriptedService;
  let other: ScriptedService;
  let pages: TestPages;
  let panel: Page;

  beforeAll(async () => {
    [service, other] = await Promise.all([
      startScriptedService(() => ({ text: "Answered." })),
      startScriptedService(() => ({ text: "Answered elsewhere." })),
    ]);
    pages = await servePages(() => article("Plan", CANARY));
    browser = await launchExtension();
    await useScriptedService(browser, service);
    const page = await browser.context.newPage();
    await page.goto(pages.url);
    panel = await browser.openPanel(page);
    await panel.locator(".suggestion").first().waitFor();
    // As browsers do after their start: they take seconds to answer.
    await panel.addInitScript(() => {
      const policy = Promise.withResolvers<object>();
      const scope = globalThis as unknown as {
        policy: SlowPolicy;
        chrome: { storage: { managed: { get: () => Promise<object> } } };
      };
      scope.policy = policy;
      scope.chrome.storage.managed.get = () => policy.promise;
    });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([service?.close(), other?.close(), pages?.close()]);
  }, 60_000);

  const composer = () => panel.getByRole("textbox", { name: "Your question" });
  const lastTurn = () => panel.locator(".turn").last();
  const known = (settings: object) =>
    panel.evaluate((told) => (globalThis as unknown as { policy: SlowPolicy }).policy.resolve(told), settings);
  const sent = () => service.paths.length + other.paths.length;

  /** Asks before it is known what IT has set; how often the services were asked anything from the panel's start on. */
  async function askEarly(): Promise<() => number> {
    // What the panel before asked for has come.
    await panel.locator(".suggestion").first().waitFor();
    const before = sent();
    await panel.reload();
    // Drawn from what the person has set.
    await composer().waitFor();
    await panel.locator(".bar-host").getByText(new URL(service.url).host).waitFor();
    await panel.getByRole("heading", { name: "What would you like to know?" }).waitFor();
    await composer().fill("When is the release?");
    await composer().press("Enter");
    await lastTurn().getByRole("heading", { name: "When is the release?" }).waitFor();
    for (const name of ["Earlier conversations", "Earlier conversations"]) {
      await panel.getByRole("button", { name }).first().click();
    }
    await lastTurn().and(panel.locator('[aria-busy="true"]')).waitFor();
    return () => sent() - before;
  }
  afterEach(() => panel.getByRole("button", { name: "New conversation" }).click());

  const isOver = () => lastTurn().and(panel.locator('[aria-busy="false"]')).waitFor();

  it("asks as the person has set it where IT has set nothing", async () => {
    const asked = await askEarly();
    expect([asked(), service.paths]).toEqual([0, expect.anything()]);
    await known({});
    await isOver();
    expect(service.questions.at(-1)?.["additional_context"]).toContain(CANARY);
    await expect.poll(() => lastTurn().innerText()).toContain("Answered.");
  });

  it("sends no page where IT has switched that off", async () => {
    const asked = await askEarly();
    expect(asked()).toBe(0);
    await known({ askPage: false });
    await isOver();
    expect(service.questions.at(-1)).not.toHaveProperty("additional_context");
    await expect.poll(() => lastTurn().innerText()).toContain("Answered.");
  });

  it("reads no page that IT wants left alone", async () => {
    const asked = await askEarly();
    expect(asked()).toBe(0);
    await known({ denyList: ["pages.example"] });
    await isOver();
    expect(JSON.stringify(service.questions.at(-1))).not.toContain("twelfth of March");
    await expect.poll(() => lastTurn().innerText()).toContain("on your deny-list");
  });

  it("sends nothing to the person's service where IT names another, and keeps the question", async () => {
    const asked = await askEarly();
    expect(asked()).toBe(0);
    await known({ baseUrl: other.url });
    await isOver();
    expect(asked()).toBe(0);
    await expect.poll(() => lastTurn().innerText()).toContain("No service is set up");
    await panel.getByRole("heading", { name: "Set up Threadlore" }).waitFor();
    await expect.poll(() => lastTurn().innerText()).toContain("When is the release?");
  });
});
