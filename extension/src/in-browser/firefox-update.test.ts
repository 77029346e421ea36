import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NOTES_OF } from "../news/news.ts";
import { builtExtension } from "../testing/build-once.ts";
import { type FirefoxBrowser, hasFirefox, launchFirefox } from "../testing/firefox.ts";
import { diskOf010, putDisk, setVersion } from "../testing/older-version.ts";
import { article, servePages, type TestPages } from "../testing/pages.ts";
import { pairFirefox, startService, type TestService } from "../testing/service.ts";
import { until } from "../testing/until.ts";

describe.runIf(await hasFirefox())("an update from the version before, in Firefox", { timeout: 240_000 }, () => {
  /** The extension as it is shipped, of a version that was before. */
  const folder = mkdtempSync(join(tmpdir(), "threadlore-update-"));
  let firefox: FirefoxBrowser;
  let service: TestService;
  let pages: TestPages;

  beforeAll(async () => {
    for (const [name, version] of [
      ["old", "0.1.0"],
      ["new", `${NOTES_OF}.0`],
    ] as const) {
      cpSync(await builtExtension("firefox"), join(folder, name), { recursive: true });
      setVersion(join(folder, name), version);
    }
    pages = await servePages((path) => article(`Page ${path}`, "The canteen opens at noon."));
    service = await startService();
    firefox = await launchFirefox({ folder: join(folder, "old") });
    await pairFirefox(firefox, service);
  }, 240_000);
  afterAll(async () => {
    await firefox?.close();
    await Promise.all([service?.close(), pages?.close()]);
    rmSync(folder, { recursive: true, force: true });
  }, 120_000);

  it("keeps settings, conversations, what waits and what was sent, and is told of", async () => {
    // What has the databases open would make them anew as soon as they are gone.
    await firefox.window.killBackground();
    await putDisk({ evaluate: (work, text) => firefox.inExtension(work, text) }, diskOf010(service.url));
    await firefox.update(join(folder, "new"));
    await firefox.openTab(`${pages.url}/front`);
    await firefox.window.clickAction();
    const shown = (words: string) =>
      until(`the sidebar shows “${words}”`, () =>
        firefox.inSidebar((document, wanted) => document.body.innerText.includes(wanted), words).catch(() => false),
      );
    await shown(`Threadlore was updated to ${NOTES_OF}.`);
    const company = await firefox.inSidebar((document) =>
      document.querySelector(".company")?.getAttribute("aria-checked"),
    );
    expect(company).toBe("false");
    await firefox.pressInSidebar("Earlier conversations");
    await shown("What is the gate code?");
    await firefox.clickInSidebar(".past-entry");
    await shown("The gate code of /sent is 4711.");
    // What waited was due long ago.
    await until("what waited has arrived", async () =>
      (await service.documents()).some(({ semantic_id }) => semantic_id === "Page /waits"),
    );
    const settings = await firefox.openOwnPage("options.html");
    await until("what was sent is listed", () =>
      firefox.onPage(settings, (document) => document.body.innerText.includes("Page /sent")),
    );
    const denied = await firefox.onPage(
      settings,
      (document) => document.querySelector<HTMLTextAreaElement>("#deny-list")?.value,
    );
    expect(denied).toBe("bank.example");
  });
});
