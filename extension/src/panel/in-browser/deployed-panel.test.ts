import { type DeployedServer, startDeployedServer } from "@threadlore/testkit";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../../testing/chromium.ts";
import { article, servePages, type TestPages } from "../../testing/pages.ts";
import { until } from "../../testing/until.ts";
import { changeStored, letTimePass, outboxOf } from "../../testing/worker-state.ts";
import { violationsOf } from "./axe.harness.ts";

describe.runIf(await hasChromium())("the panel on a deployed server", { timeout: 120_000 }, () => {
  let server: DeployedServer;
  let browser: ExtensionBrowser;
  let pages: TestPages;
  let page: Page;
  let panel: Page;

  beforeAll(async () => {
    [server, pages, browser] = await Promise.all([
      startDeployedServer({ heartbeatMs: 200 }),
      servePages((path) => article(`Plan ${path.slice(1)}`, "The release is planned for the twelfth of March.")),
      launchExtension(),
    ]);
    server.addDocument({ id: "travel", title: "Travel costs", text: "Travel costs are paid back within ten days." });
    await use(server.keys.member);
    page = await browser.context.newPage();
    await page.goto(`${pages.url}/one`);
    panel = await browser.openPanel(page);
    await composer().waitFor();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([server?.close(), pages?.close()]);
  }, 60_000);

  /** Sets the extension up with another key, as the settings page would. */
  async function use(key: string, settings: Record<string, unknown> = {}): Promise<void> {
    const place = { pairId: 1, pairName: "Pages", pairIsPublic: false };
    const service = { version: 1, baseUrl: server.url, ingestionPath: "/onyx-api/ingestion" };
    await changeStored(browser, "settings", { ...service, ...place, ...settings });
    await changeStored(browser, "keys", { origin: server.origin, askKey: key, ingestKey: "" });
  }
  const withoutMemory = (key: string) => {
    Object.assign(server.account(key).personalization, { use_memories: false, enable_memory_tool: false });
    return key;
  };
  const composer = () => panel.getByRole("textbox", { name: "Your question" });
  const lastTurn = () => panel.locator(".turn").last();
  const ask = async (question: string) => {
    await composer().fill(question);
    await composer().press("Enter");
    await lastTurn().getByRole("heading", { name: question }).waitFor();
    await lastTurn().and(panel.locator('[aria-busy="false"]')).waitFor();
  };
  const fresh = () => panel.getByRole("button", { name: "New conversation" }).click();
  const said = () => lastTurn().innerText();
  /** Nothing of it is hard to read or to reach, in either colour. */
  const expectAccessible = async (of: Page = panel) => {
    for (const colorScheme of ["dark", "light"] as const) {
      await of.emulateMedia({ colorScheme });
      expect(await violationsOf(of), colorScheme).toEqual([]);
    }
  };

  it("asks about the service's memory before a page is sent, and switches it off by one press", async () => {
    await panel.getByText("Plan one").first().waitFor();
    await ask("When is the release?");
    await lastTurn().getByRole("group", { name: "This service remembers" }).waitFor();
    expect(server.questions).toEqual([]);
    await expectAccessible();
    await lastTurn().getByRole("button", { name: "Switch its memory off and ask" }).click();
    await expect.poll(said).toContain("twelfth of March");
    expect(server.questions).toMatchObject([{ toolsOffered: ["internal_search"] }]);
    expect(server.account(server.keys.member).personalization.enable_memory_tool).toBe(false);
  });

  it("says that a key may not switch it off, and asks all the same when it is told to", async () => {
    await use(server.keys.scoped);
    await fresh();
    await ask("When is the release planned for?");
    await lastTurn().getByRole("button", { name: "Switch its memory off and ask" }).click();
    await expect.poll(said).toContain("The service did not switch its memory off.");
    await expectAccessible();
    await lastTurn().getByRole("button", { name: "Ask with its memory on" }).click();
    await expect.poll(said).toContain("twelfth of March");
  });

  it("says once that the company is not searched, and why", async () => {
    await expect.poll(said).toContain("Company search is off here. This key may not list the service's tools");
    await expect.poll(() => lastTurn().locator(".about").innerText()).toBe("Plan one");
    await ask("And who says so?");
    expect(await lastTurn().innerText()).not.toContain("Company search is off");
    // The one tool that the server adds by itself, as the person has agreed.
    expect(server.questions.at(-1)).toMatchObject({ toolsOffered: ["add_memory"], body: { allowed_tool_ids: [] } });
    await expectAccessible();
  });

  it("goes on with a conversation the service has forgotten, with one line", async () => {
    await use(withoutMemory(server.keys.member));
    await fresh();
    await ask("How fast are travel costs paid back?");
    await expect.poll(said).toContain("ten days");
    server.forgetSession(server.questions.at(-1)?.sessionId ?? "", "deleted");
    await ask("And what is paid back within ten days?");
    await expect.poll(said).toContain("The service no longer has this conversation.");
    await expect.poll(said).toContain("ten days");
    await expectAccessible();
  });

  it("finishes an answer that was on its way when the panel was closed, asked once", async () => {
    await fresh();
    const before = server.questions.length;
    const { promise, resolve } = Promise.withResolvers<void>();
    server.answerNext(["It begins here, ", { until: promise }, "and it ends there."]);
    await composer().fill("A long story?");
    await composer().press("Enter");
    await expect.poll(said).toContain("It begins here,");
    await panel.reload();
    await expect.poll(said).toContain("It begins here,");
    resolve();
    await expect.poll(said).toContain("and it ends there.");
    await lastTurn().and(panel.locator('[aria-busy="false"]')).waitFor();
    expect(await lastTurn().innerText()).not.toContain("broke off");
    expect(server.questions.slice(before)).toMatchObject([{ outcome: "finished", whileRunning: false }]);
  });

  it("finishes an answer whose connection was cut", async () => {
    const before = server.questions.length;
    server.faults.cut = { at: { packets: 6 } };
    await ask("How fast are travel costs paid back, again?");
    await expect.poll(said).toContain("ten days");
    expect(await lastTurn().innerText()).not.toContain("broke off");
    expect(server.questions).toHaveLength(before + 1);
  });

  it("says until when the limit is reached", async () => {
    server.faults.rateLimit = { scope: "user", resetAt: new Date(Date.now() + 26 * 3_600_000) };
    await ask("One too many?");
    await lastTurn().getByRole("group", { name: "The limit for questions is reached" }).waitFor();
    await expect.poll(() => lastTurn().innerText()).toMatch(/It can be asked again at \w+ \d+, \d{4}, \d/);
    await expectAccessible();
    server.faults.rateLimit = undefined;
  });

  it("says that the model is busy, which is no limit for questions", async () => {
    server.faults.model = { code: "RATE_LIMIT", times: 1 };
    await ask("Is it busy?");
    await lastTurn().getByRole("group", { name: "The language model is busy" }).waitFor();
    expect(await lastTurn().innerText()).not.toContain("limit for questions");
  });

  it("says of a page that is not found that it is sent again, until it is found", async () => {
    await use(withoutMemory(server.keys.admin));
    await fresh();
    server.faults.embedder = "down";
    await panel.locator(".bar").getByRole("button", { name: "Keep this page" }).click();
    await until("it waits", async () => (await outboxOf(browser)).length > 0);
    await letTimePass(browser);
    await panel.locator(".foot").getByText("Sent, not found yet. It is sent again by itself.").waitFor();
    await expectAccessible();
    const options = await browser.openOwnPage("options.html");
    await options.getByRole("cell", { name: "Sent, not found yet; it is sent again by itself" }).waitFor();
    await expectAccessible(options);
    await options.close();
    await page.bringToFront();
    await browser.killWorker();
    server.faults.embedder = "up";
    await panel.getByRole("button", { name: "Send now" }).click();
    await panel
      .locator(".foot")
      .getByText(/Kept since/)
      .waitFor();
    expect(server.index.size).toBe(2);
  });

  it("lists nothing of a service account's, and says so", async () => {
    await use(server.keys.service);
    await panel.getByRole("button", { name: "Earlier conversations" }).click();
    await panel.getByText("This key is a service account's, which others may use too.").waitFor();
    await expectAccessible();
    expect(server.log.filter(({ path, key }) => key === server.keys.service && path.includes("sessions"))).toEqual([]);
    await panel.getByRole("button", { name: "Back to the conversation" }).click();
    const options = await browser.openOwnPage("options.html");
    await options.getByText("This key belongs to a service account").waitFor();
    await options.getByText("The service keeps a memory for this key").waitFor();
    await expectAccessible(options);
    await options.close();
    await page.bringToFront();
  });

  it("says that the key is not known any more within a minute, without being asked", async () => {
    const key = server.addKey();
    await panel.clock.install();
    await panel.reload();
    await use(key);
    await until("it is known", () => server.log.some((one) => one.key === key && one.path === "/me"));
    server.revoke(key);
    await panel.clock.fastForward(59_000);
    await panel.getByText("The service does not accept your key any more.").waitFor();
    await expectAccessible();
    const before = server.questions.length;
    await ask("Does anybody know me?");
    await lastTurn().getByRole("group", { name: "The service does not accept the key" }).waitFor();
    expect(server.questions).toHaveLength(before);
    await use(server.keys.member);
    await panel.getByText("The service does not accept your key any more.").waitFor({ state: "detached" });
  });
});
