import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LedgerRecord } from "../outbox/ledger.ts";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../testing/chromium.ts";
import { article, servePages, type TestPages } from "../testing/pages.ts";
import { pairExtension, startService, type TestService } from "../testing/service.ts";
import { until } from "../testing/until.ts";
import { letTimePass, outboxOf, storeOf } from "../testing/worker-state.ts";

describe.runIf(await hasChromium())("one kept page in two windows", { timeout: 300_000 }, () => {
  let browser: ExtensionBrowser;
  let service: TestService;
  let pages: TestPages;
  /** The panel beside the page, and one that shows the list of kept pages. */
  let beside: Page;
  let listed: Page;

  beforeAll(async () => {
    service = await startService();
    pages = await servePages(() => article("Plan", "The shed is opened with the code on the board."));
    browser = await launchExtension({ allowedSites: ["http://pages.example/*"] });
    await pairExtension(browser, service);
    const page = await browser.context.newPage();
    await page.goto(`${pages.url}/one`);
    beside = await browser.openPanel(page);
    await beside.getByRole("button", { name: "Keep this page" }).click();
    await beside.getByText(/^Keeping in/).waitFor();
    await arrives();
    listed = await browser.openPanel(await browser.openWindow(`${pages.url}/two`));
    for (const panel of [beside, listed]) panel.setDefaultTimeout(60_000);
    await listed.getByRole("button", { name: "Earlier conversations" }).click();
    await listed.getByRole("tab", { name: "Kept pages" }).click();
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([service?.close(), pages?.close()]);
  }, 60_000);

  async function arrives(): Promise<void> {
    await letTimePass(browser);
    await until("nothing waits", async () => (await outboxOf(browser)).length === 0);
  }
  const record = async () => ((await storeOf(browser, "ledger")) as LedgerRecord[])[0];
  const writeBeside = async () => {
    await beside
      .getByRole("button", { name: /^Kept since/ })
      .first()
      .click();
    await beside.getByRole("button", { name: "Note, tags…" }).click();
    await formIn(beside).waitFor();
  };
  const writeListed = async () => {
    await listed.getByRole("button", { name: /^Title, tags and note of/ }).click();
    await formIn(listed).waitFor();
  };
  const formIn = (panel: Page) => panel.getByRole("form", { name: "Title, tags and note" });
  const fieldIn = (panel: Page, name: string) => formIn(panel).getByLabel(name, { exact: true });
  const done = (panel: Page) => formIn(panel).getByRole("button", { name: "Done" }).click();
  const isDone = (panel: Page) => formIn(panel).waitFor({ state: "detached" });

  it("takes the notes and tags of both, though the worker ends in between", async () => {
    await writeBeside();
    await writeListed();
    await fieldIn(beside, "Note").fill("Rui has the key.");
    await formIn(beside).getByRole("textbox", { name: "Tags" }).fill("garden,");
    await fieldIn(listed, "Note").fill("Mia has the code.");
    await formIn(listed).getByRole("textbox", { name: "Tags" }).fill("board,");
    await done(beside);
    await isDone(beside);
    await browser.killWorker();
    await done(listed);
    await isDone(listed);
    await arrives();
    expect((await record())?.additions).toEqual({
      tags: ["garden", "board"],
      note: "Rui has the key.\n\nMia has the code.",
      highlights: [],
    });
  });

  it("says what the other called it, and takes the other title only when it is given once more", async () => {
    await writeBeside();
    await writeListed();
    await fieldIn(beside, "Title").fill("The shed");
    await fieldIn(listed, "Title").fill("The code of the shed");
    await done(beside);
    await isDone(beside);
    await done(listed);
    await formIn(listed).getByRole("alert").getByText("another window wrote “The shed” here").waitFor();
    await arrives();
    expect((await record())?.additions?.title).toBe("The shed");
    await done(listed);
    await isDone(listed);
    await arrives();
    expect((await record())?.additions).toMatchObject({ title: "The code of the shed", tags: ["garden", "board"] });
  });

  it("keeps what is being written in sight, whatever is looked for meanwhile", async () => {
    await writeListed();
    await fieldIn(listed, "Note").fill("Begun.");
    await listed.getByRole("searchbox").fill("nowhere");
    await listed.getByText("No kept page has these words.").waitFor();
    expect(await fieldIn(listed, "Note").inputValue()).toBe("Begun.");
    await listed.getByRole("searchbox").fill("");
    await listed.getByText("1 page").waitFor();
    expect(await fieldIn(listed, "Note").inputValue()).toBe("Begun.");
    // Nor does it go with the list.
    await listed.getByRole("tab", { name: "Conversations" }).click();
    await listed.getByRole("tab", { name: "Kept pages" }).click();
    await writeListed();
    expect(await fieldIn(listed, "Note").inputValue()).toBe("Begun.");
    await formIn(listed).getByRole("button", { name: "Cancel" }).click();
    await writeListed();
    expect(await fieldIn(listed, "Note").inputValue()).toMatch(/^Rui/);
  });

  it("says that the other is removing it, and leaves what was written where it stands, also when it is gone", async () => {
    await fieldIn(listed, "Note").fill("Written while it goes.");
    await beside
      .getByRole("button", { name: /^Kept since/ })
      .first()
      .click();
    await beside.getByRole("button", { name: "Remove", exact: true }).click();
    await beside
      .getByRole("group", { name: /^Remove this page/ })
      .getByRole("button", { name: "Remove" })
      .click();
    await beside.getByText(/^Removed in/).waitFor();
    await done(listed);
    await formIn(listed).getByRole("alert").getByText("This page is about to be removed.").waitFor();
    expect(await outboxOf(browser)).toMatchObject([{ removal: {} }]);
    await arrives();
    expect(await service.documents()).toEqual([]);
    await done(listed);
    await formIn(listed).getByRole("alert").getByText("This page was removed meanwhile.").waitFor();
    expect(await fieldIn(listed, "Note").inputValue()).toBe("Written while it goes.");
    expect(await outboxOf(browser)).toEqual([]);
  });
});
