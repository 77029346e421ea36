import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { violationsOf } from "../panel/in-browser/axe.harness.ts";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../testing/chromium.ts";
import { pairExtension, startService, type TestService } from "../testing/service.ts";

describe.runIf(await hasChromium())("the first run, of a service that is set", { timeout: 120_000 }, () => {
  let browser: ExtensionBrowser;
  let service: TestService;
  let page: Page;

  beforeAll(async () => {
    service = await startService();
    browser = await launchExtension();
    await pairExtension(browser, service);
    page = await browser.openOwnPage("welcome.html");
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  }, 60_000);

  const host = () => new URL(service.url).host;
  const first = () => page.locator(".stage").first();

  it("says that it is connected once the service has answered", async () => {
    await first().getByText(`Connected to ${host()}.`).waitFor();
    expect(await first().getAttribute("class")).toContain("done");
  });

  it("says that it does not answer, since when, and what to do, and not that it is connected", async () => {
    await service.close();
    await page.reload();
    await first()
      .getByText(new RegExp(`^${host()} is set up, but did not answer at \\d+:\\d+`))
      .waitFor();
    expect(await first().innerText()).not.toContain("Connected");
    expect(await first().getAttribute("class")).not.toContain("done");
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violationsOf(page), colorScheme).toEqual([]);
    }
    await first().getByRole("button", { name: "Look again" }).click();
    await first().getByText("did not answer at").waitFor();
    const { port } = new URL(service.url);
    service = await startService({ database: service.database, port: Number(port) });
    await first().getByRole("button", { name: "Look again" }).click();
    await first().getByText(`Connected to ${host()}.`).waitFor();
  });

  it("says that the key is not accepted any more, and lets another be given", async () => {
    service.revokeKeys();
    await page.reload();
    await first().getByText("The service does not accept your key any more.").waitFor();
    expect(await first().innerText()).not.toContain("Connected");
    await first().getByRole("button", { name: "Look on this machine again" }).or(first().getByLabel("Code")).waitFor();
  });
});
