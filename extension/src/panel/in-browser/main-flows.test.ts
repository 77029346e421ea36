import { startDeployedServer } from "@threadlore/testkit";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../../testing/chromium.ts";
import { hangPage } from "../../testing/hanging-page.ts";
import { article, servePages, type TestPages } from "../../testing/pages.ts";
import { startService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";
import { letTimePass, outboxOf } from "../../testing/worker-state.ts";

/** A server as a person meets it: set up by hand on the settings page, then used. */
interface Backend {
  setUp(options: Page): Promise<void>;
  /** Names of the documents that can be found there. */
  kept(): Promise<readonly string[]>;
  /**
   * Has the next answer take until `end` is called. `isBegun` resolves once it is being made: stopped before that, it would
   * be the next question's.
   */
  slow(page: Page): Promise<{ isBegun(): Promise<void>; end(): void }>;
  close(): Promise<void>;
}

async function startEmbedded(): Promise<Backend> {
  const service = await startService();
  return {
    async setUp(options) {
      await options.getByText("The service has another address").click();
      await options.getByLabel("Address on this machine").fill(service.url);
      await options.getByLabel("Code", { exact: true }).fill(service.pairingCode());
      await options.getByRole("button", { name: "Pair", exact: true }).click();
      await options.getByText("Paired. You can ask and keep pages.").waitFor();
    },
    async kept() {
      await service.drain();
      return (await service.documents()).map(({ semantic_id }) => semantic_id);
    },
    // It answers at once: what takes its time is the page.
    async slow(page) {
      await hangPage(page, 3_000);
      return { isBegun: async () => {}, end: () => {} };
    },
    close: () => service.close(),
  };
}

async function startDeployed(): Promise<Backend> {
  const server = await startDeployedServer();
  return {
    async setUp(options) {
      await options.getByLabel("Address", { exact: true }).fill(server.origin);
      await options.getByRole("textbox", { name: "Key", exact: true }).fill(server.keys.admin);
      await options.getByRole("button", { name: "Save and test" }).click();
      await options.getByText(`Found at ${server.url}; that address is used.`).waitFor();
      await expect.poll(() => options.getByLabel("Address", { exact: true }).inputValue()).toBe(server.url);
      await options.getByRole("button", { name: "Switch the memory off" }).click();
      await options.getByText("The memory is off for this key.").waitFor();
    },
    kept: async () => [...server.index.values()].map(({ semanticIdentifier }) => semanticIdentifier),
    async slow() {
      const { promise, resolve } = Promise.withResolvers<void>();
      const questions = () =>
        server.log.filter((one) => one.method === "POST" && one.path === "/chat/send-chat-message").length;
      const before = questions();
      server.answerNext(["It takes its time. ", { until: promise }, "Now it is whole."]);
      const isBegun = async () => void (await expect.poll(questions).toBe(before + 1));
      return { isBegun, end: resolve };
    },
    close: () => server.close(),
  };
}

describe.runIf(await hasChromium()).each([
  ["the embedded service", startEmbedded],
  ["a deployed server", startDeployed],
])("the built panel with %s", { timeout: 120_000 }, (_, start) => {
  let backend: Backend;
  let browser: ExtensionBrowser;
  let pages: TestPages;
  let page: Page;
  let panel: Page;

  beforeAll(async () => {
    [backend, pages, browser] = await Promise.all([
      start(),
      servePages(() => article("Release plan", "The release of version four is planned for the twelfth of March.")),
      launchExtension(),
    ]);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([backend?.close(), pages?.close()]);
  }, 60_000);

  const composer = () => panel.getByRole("textbox", { name: "Your question" });
  const lastTurn = () => panel.locator(".turn").last();
  const send = async (question: string) => {
    await composer().fill(question);
    await composer().press("Enter");
    await lastTurn().getByRole("heading", { name: question }).waitFor();
  };
  const ask = async (question: string) => {
    await send(question);
    await lastTurn().and(panel.locator('[aria-busy="false"]')).waitFor();
  };
  const company = () => panel.getByRole("switch", { name: "Company knowledge" });
  const said = () => lastTurn().locator(".answer").innerText();

  it("is set up by hand", async () => {
    const options = await browser.openOwnPage("options.html");
    await backend.setUp(options);
    await options.close();
    page = await browser.context.newPage();
    await page.goto(pages.url);
    panel = await browser.openPanel(page);
    await expect.poll(() => composer().isVisible()).toBe(true);
  });

  it("answers about the page alone, and goes on from there", async () => {
    await panel.getByText("Release plan").first().waitFor();
    await company().click();
    await ask("When is the release of version four?");
    await expect.poll(said).toContain("twelfth of March");
    await ask("And what is released on the twelfth of March?");
    await expect.poll(said).toContain("version four");
    await company().click();
  });

  it("keeps the page, and finds it for the company then", async () => {
    await panel.locator(".bar").getByRole("button", { name: "Keep this page" }).click();
    const agree = panel.getByRole("button", { name: "Keep it", exact: true });
    await agree
      .or(panel.getByText(/Keeping in \d+ seconds?/))
      .first()
      .waitFor();
    if (await agree.isVisible()) await agree.click();
    await until("it waits", async () => (await outboxOf(browser)).length > 0);
    await letTimePass(browser);
    await expect.poll(() => backend.kept()).toContain("Release plan");
    await panel.getByText(/Kept since/).waitFor();
    await panel.getByRole("button", { name: "Leave this page out" }).click();
    await ask("When is the release of version four planned?");
    await expect.poll(said).toContain("twelfth of March");
    await lastTurn()
      .getByRole("button", { name: /^Source 1: Release plan/ })
      .waitFor();
  });

  it("takes a judgement", async () => {
    await lastTurn().getByRole("button", { name: "Good answer" }).click();
    await lastTurn().getByRole("button", { name: "Good answer", pressed: true }).waitFor();
    await lastTurn().getByRole("button", { name: "No comment" }).click();
    await expect.poll(() => lastTurn().innerText()).toContain("Thank you.");
  });

  it("stops", async () => {
    await panel.getByRole("button", { name: "Ask this page too" }).click();
    const slow = await backend.slow(page);
    await send("What takes so long?");
    await slow.isBegun();
    await panel.getByRole("button", { name: "Stop the answer" }).click();
    await expect.poll(said).toContain("Stopped. What had arrived stays.");
    slow.end();
  });

  it("lists the conversation, and goes on with it", async () => {
    await panel.getByRole("button", { name: "New conversation" }).click();
    await panel.locator(".turn").first().waitFor({ state: "detached" });
    await panel.getByRole("button", { name: "Earlier conversations" }).click();
    await panel.getByRole("button", { name: /^When is the release of version four\?/ }).click();
    await expect.poll(() => panel.locator(".turn").count()).toBe(4);
    await ask("When was the release of version four, again?");
    await expect.poll(said).toContain("twelfth of March");
  });
});
