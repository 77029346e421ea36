import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterThisTest } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { hasFirefox, launchFirefox } from "../testing/firefox.ts";
import { PASSWORD, startService } from "../testing/service.ts";
import { until } from "../testing/until.ts";

/** The extension's API as its own pages have it, as far as it is used here. */
interface ExtensionScope {
  readonly browser: {
    readonly storage: {
      readonly local: { get(keys: null): Promise<Record<string, unknown>>; set(values: object): Promise<void> };
    };
  };
}

describe.runIf(await hasFirefox())("signing in from Firefox", { timeout: 240_000 }, () => {
  it("gives the extension a key of whoever agrees on the service's page, in a window of its own", async () => {
    const service = await startService();
    afterThisTest(() => service.close());
    await service.addPerson("anna", "anna@example.com");
    const firefox = await launchFirefox();
    afterThisTest(() => firefox.close());
    await firefox.inExtension(async (baseUrl) => {
      const { browser } = globalThis as unknown as ExtensionScope;
      await browser.storage.local.set({ settings: { version: 1, baseUrl } });
    }, service.url);
    const page = await firefox.openOwnPage("options.html");
    await until("signing in is offered", () =>
      firefox.onPage(page, (document) => {
        const button = document.querySelector<HTMLElement>(".sign-in .primary");
        button?.click();
        return button !== null;
      }),
    );
    /** Does something on the service's page, once it is there and what it is done to as well. */
    const there = (path: string, work: (word: string) => boolean, word: string) =>
      until(`${path} is there`, async () => {
        const [tab] = await firefox.tabsUnder(`${service.url}${path}`);
        return tab !== undefined && (await firefox.inPage(tab, work, word).catch(() => false));
      });
    await there(
      "/sign-in?",
      (password) => {
        const [user, secret] = ["user", "password"].map((id) => document.getElementById(id) as HTMLInputElement | null);
        if (user == null || secret == null) return false;
        [user.value, secret.value] = ["anna", password];
        user.form?.requestSubmit();
        return true;
      },
      PASSWORD,
    );
    // By the name that docs/administrators.md has people told.
    const name = createHash("sha1").update("extension@threadlore.dev").digest("hex");
    await there(
      "/sign-in/authorize?",
      (named) => {
        const agree = document.querySelector<HTMLElement>("button[value=agree]");
        if (agree === null || !document.body.innerText.includes(named)) return false;
        agree.click();
        return true;
      },
      name,
    );
    const told = readFileSync(new URL("../../../docs/administrators.md", import.meta.url), "utf8");
    expect(told).toContain(name);
    const said = () => firefox.onPage(page, (document) => document.querySelector(".sign-in")?.textContent ?? "");
    await until("it is said who is signed in", async () => (await said()).includes("Signed in as anna@example.com."));
    const stored = await firefox.inExtension(async () => {
      const { browser } = globalThis as unknown as ExtensionScope;
      return browser.storage.local.get(null);
    });
    expect(stored).toMatchObject({ keys: { origin: service.url, askKey: expect.stringMatching(/^tl_/) } });
    // Its window is gone.
    expect(await firefox.tabsUnder(`${service.url}/`)).toEqual([]);
  });
});
