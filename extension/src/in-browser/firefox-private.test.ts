import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FirefoxBrowser, type FirefoxPlace, hasFirefox, launchFirefox } from "../testing/firefox.ts";
import { article, servePages, type TestPages } from "../testing/pages.ts";
import { pairFirefox, startService, type TestService } from "../testing/service.ts";
import { tracesOf } from "../testing/traces.ts";
import { until } from "../testing/until.ts";

/** Words that stand nowhere else; each is one place where a private window could leave a trace. */
const CANARIES = {
  title: "Quazzlemire",
  text: "vortannisk",
  address: "plimberdook",
  question: "grobbenfalt",
  unsent: "trelvoxima",
} as const;
/** The same in an ordinary window: what the search for traces must find. */
const ORDINARY = "dwelmorphant";

interface StorageScope {
  readonly browser: { readonly storage: Record<"local" | "session", { get(keys: null): Promise<object> }> };
}

describe.runIf(await hasFirefox())("a private window of Firefox", { timeout: 240_000 }, () => {
  let firefox: FirefoxBrowser;
  let service: TestService;
  let pages: TestPages;
  let place: FirefoxPlace;

  beforeAll(async () => {
    service = await startService();
    pages = await servePages((path) => {
      if (path === "/ordinary") return article("Ordinary", `The word of this page is ${ORDINARY}.`);
      if (path !== `/${CANARIES.address}`) return undefined;
      return article(CANARIES.title, `The code of the gate is ${CANARIES.text}.`);
    });
    firefox = await launchFirefox({ allowedInPrivate: true, keepProfile: true });
    await pairFirefox(firefox, service);
  }, 240_000);
  afterAll(async () => {
    await firefox?.close().catch(() => {});
    if (firefox !== undefined) await rm(firefox.profile, { recursive: true, force: true, maxRetries: 10 });
    await Promise.all([service?.close(), pages?.close()]);
  }, 60_000);

  const held = (area: "local" | "session") =>
    firefox.inExtension(
      async (name) =>
        JSON.stringify(await (globalThis as unknown as StorageScope).browser.storage[name as "local"].get(null)),
      area,
    );

  it("is answered about its page, and says that it is private", async () => {
    place = await firefox.openPrivate(`${pages.url}/${CANARIES.address}`);
    await place.window.clickAction();
    await place.sidebarIsOpen();
    await until("it says that it is private", () =>
      place.inSidebar((document) => document.body.innerText.includes("This is a private window")),
    );
    expect(await place.ask(`What is the code of the gate, ${CANARIES.question}?`)).toContain(CANARIES.text);
    await place.type([...`And what of ${CANARIES.unsent}?`]);
    await until("the draft is held in memory", async () => (await held("session")).includes(CANARIES.unsent));
    const stored = await held("local");
    for (const word of Object.values(CANARIES)) expect(stored).not.toContain(word);
  });

  it("asks before a page is kept, and sends what was agreed to", async () => {
    const says = (words: string) =>
      until(`it says “${words}”`, () =>
        place.inSidebar((document, wanted) => document.body.innerText.includes(wanted), words),
      );
    await place.pressInSidebar("Keep this page");
    await says("The page is open in a private window.");
    expect(await service.documents()).toEqual([]);
    await place.pressInSidebar("Keep it");
    await says("Keeping in");
    await says("Sent. Nothing of it is kept in this browser.");
    expect((await service.documents()).map(({ semantic_id }) => semantic_id)).toEqual([CANARIES.title]);
  });

  it("is forgotten when it is closed, and leaves no word in the profile on the disk", async () => {
    await place.window.close();
    await until("what was held for the window is forgotten", async () => {
      const session = await held("session");
      return !Object.values(CANARIES).some((word) => session.includes(word));
    });
    const tab = await firefox.openTab(`${pages.url}/ordinary`);
    await firefox.window.clickAction();
    await firefox.sidebarIsOpen();
    expect(await firefox.ask(`What is the word of this page, ${ORDINARY}?`)).toContain(ORDINARY);
    await firefox.closeTab(tab);
    await firefox.close();
    // Where the extension keeps conversations, above all.
    const ordinary = await tracesOf(firefox.profile, [ORDINARY]);
    expect(ordinary.filter((trace) => trace.includes("moz-extension"))).not.toEqual([]);
    expect(await tracesOf(firefox.profile, Object.values(CANARIES))).toEqual([]);
  });
});
