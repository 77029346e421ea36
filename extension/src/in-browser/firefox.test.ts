import { type ModelReply, type ModelRequest, type ScriptedModel, startScriptedModel } from "@threadlore/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FirefoxBrowser, hasFirefox, launchFirefox } from "../testing/firefox.ts";
import { article, servePages, type TestPages } from "../testing/pages.ts";
import { pairFirefox, startService, type TestService } from "../testing/service.ts";
import { until } from "../testing/until.ts";
import { makePdf } from "../pdf/pdf.harness.ts";
import type { Notice } from "../keep/notices.ts";
import type { OutboxEntry } from "../outbox/outbox-entry.ts";

/** The extension's API as its own pages have it, as far as it is used here. */
interface ExtensionScope {
  readonly browser: {
    readonly storage: Record<
      "local" | "session",
      {
        get(keys: null): Promise<Record<string, unknown>>;
        set(values: object): Promise<void>;
      }
    >;
    readonly alarms: { getAll(): Promise<{ name: string }[]> };
  };
}

// Asked here, where no time limit counts: it may install a browser first.
const there = await hasFirefox();

const RELEASE = "The release is planned for the twelfth of March.";
const GATE = "Visitors park their bicycles behind the blue gate.";

/** A model that repeats, word by word, what it knows of these from its sources, and names the source. */
function repeat({ messages }: ModelRequest): ModelReply {
  const told = String(messages.at(-1)?.content);
  const fact = [GATE, RELEASE].find((one) => told.includes(one));
  if (fact === undefined) return { text: "The sources do not say." };
  const [, number] = Array.from(told.slice(0, told.indexOf(fact)).matchAll(/source (\d+)\n/g)).at(-1) ?? [];
  return { text: `${fact} [${number}]`, everyMs: 50 };
}

describe.runIf(there)("the extension in Firefox", { timeout: 240_000 }, () => {
  let firefox: FirefoxBrowser;
  let model: ScriptedModel;
  let service: TestService;
  let pages: TestPages;

  beforeAll(async () => {
    pages = await servePages((path) => {
      if (path === "/links")
        return article("Links", `<a href="http://wiki.example:${new URL(pages.url).port}/behind">Rules</a>`);
      if (path === "/behind") return article("Canteen", "The canteen serves soup on Wednesdays, says the canteen.");
      if (path === "/plan.pdf")
        return { type: "application/pdf", body: makePdf([["The plan of the year."], [RELEASE]], "Plan of the year") };
      if (path === "/parking") return article("Parking", GATE);
      return article(`Plan ${path}`, RELEASE);
    });
    model = await startScriptedModel(repeat);
    service = await startService(serviceOptions());
    firefox = await launchFirefox();
    await pairFirefox(firefox, service);
  }, 240_000);
  afterAll(async () => {
    await firefox?.close();
    await service?.close();
    await model?.close();
    await pages?.close();
  }, 60_000);

  const serviceOptions = () => ({ model: { baseUrl: model.url, name: "scripted" } });
  const outbox = () =>
    firefox.inExtension(
      () =>
        new Promise<OutboxEntry[]>((resolve, reject) => {
          const opening = indexedDB.open("threadlore");
          opening.addEventListener("error", () => reject(opening.error));
          opening.addEventListener("success", () => {
            const reading = opening.result.transaction("outbox").objectStore("outbox").getAll();
            reading.addEventListener("success", () => {
              resolve(reading.result as OutboxEntry[]);
              opening.result.close();
            });
          });
        }),
    );
  const titles = async () => (await service.documents()).map(({ semantic_id }) => semantic_id);
  const toldAfter = (since: number) =>
    until("it is told what became of the click", async () => {
      const kept = await firefox.inExtension(() =>
        (globalThis as unknown as ExtensionScope).browser.storage.session.get(null),
      );
      const notice = kept["notice"] as Notice | undefined;
      return notice !== undefined && notice.at >= since && notice;
    });

  it("opens its sidebar by a click on the icon, and answers about the page with a citation, as it streams", async () => {
    const tab = await firefox.openTab(`${pages.url}/one`);
    await firefox.window.clickAction();
    await firefox.sidebarIsOpen();
    await firefox.inSidebar((document) => {
      const seen = new Set<number>();
      Object.assign(globalThis, { seen });
      const look = () => seen.add(document.querySelector(".turn .answer")?.textContent?.length ?? 0);
      new MutationObserver(look).observe(document.body, { childList: true, characterData: true, subtree: true });
    });
    const answered = await firefox.ask("When is the release planned?");
    const seen = await firefox.inExtension(() => [...(globalThis as unknown as { seen: Set<number> }).seen]);
    expect(seen.length).toBeGreaterThan(3);
    expect(answered).toContain("Plan /one");
    expect(answered).toMatch(/planned for the twelfth of March\. ?1\b/);
    const label = await firefox.inSidebar((document) =>
      document.querySelector(".turn .chip")?.getAttribute("aria-label"),
    );
    expect(label).toBe("Source 1: Plan /one");
    // A second click closes it, and it stays closed.
    await firefox.window.clickAction();
    await until("the sidebar is closed", async () => (await firefox.window.sidebarCorner()) === undefined);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await firefox.window.sidebarCorner()).toBeUndefined();
    await firefox.closeTab(tab);
  });

  it("opens and closes its sidebar by the shortcut", async () => {
    const tab = await firefox.openTab(`${pages.url}/one`);
    await firefox.window.pressShortcut("Y");
    await firefox.sidebarIsOpen();
    await until("the page can be read", () =>
      firefox.inSidebar((document) => document.querySelector('.bar [aria-label="Keep this page"]:enabled') !== null),
    );
    await firefox.window.pressShortcut("Y");
    await until("the sidebar is closed", async () => (await firefox.window.sidebarCorner()) === undefined);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await firefox.window.sidebarCorner()).toBeUndefined();
    await firefox.closeTab(tab);
  });

  it("allows a site for good from the panel, and gives it back and allows others in the settings", async () => {
    const tab = await firefox.openTab(`${pages.url}/one`);
    await firefox.window.clickAction();
    await firefox.sidebarIsOpen();
    const isAllowed = (wanted: boolean) =>
      until(`the site is ${wanted ? "" : "not "}allowed`, () =>
        firefox.inSidebar(
          (document, on) => document.querySelector<HTMLInputElement>(".menu-switch input")?.checked === on,
          wanted,
        ),
      );
    await firefox.clickInSidebar(".page-chip .page");
    await isAllowed(false);
    await firefox.clickInSidebar(".menu-switch");
    expect(await firefox.window.answerPermission(true)).toContain("pages.example");
    await isAllowed(true);
    await firefox.clickInSidebar(".page-chip .page");
    // Another tab of the site needs no click.
    const another = await firefox.openTab(`${pages.url}/another`);
    await until("the other page can be asked", () =>
      firefox.inSidebar((document) => document.querySelector(".tab-name")?.textContent === "Plan /another"),
    );
    await firefox.closeTab(another);

    const settings = await firefox.openOwnPage("options.html");
    const listed = () =>
      firefox.onPage(settings, (document) =>
        Array.from(document.querySelectorAll("#sites .rows .mono"), ({ textContent }) => textContent),
      );
    const takeBack = async (name: string) => {
      await firefox.clickInPage(settings, `[aria-label="Take back access to ${name}"]`);
      await until(`${name} is taken back`, async () => !(await listed()).includes(name));
    };
    await until("it is listed", async () => (await listed()).includes("http://pages.example/*"));
    await takeBack("http://pages.example/*");
    await firefox.clickInPage(settings, "#allow-site");
    await firefox.typeInPage(settings, "handbook.example");
    await firefox.clickInPage(settings, "#sites form [type=submit]");
    expect(await firefox.window.answerPermission(true)).toContain("handbook.example");
    await until("it is listed", async () => (await listed()).includes("https://handbook.example/*"));
    await takeBack("https://handbook.example/*");
    await firefox.clickInPage(settings, "#sites form [type=button]");
    await firefox.window.answerPermission(true);
    await until("all are allowed", async () => (await listed()).includes("All sites"));
    await takeBack("All sites");
    await firefox.window.hideSidebar();
    await firefox.closeTab(settings);
    await firefox.closeTab(tab);
  });

  it("reads a PDF once its site is allowed, as Firefox lets nobody into its PDF viewer, and says so before", async () => {
    const tab = await firefox.openTab(`${pages.privateUrl}/plan.pdf`);
    await firefox.window.clickAction();
    await firefox.sidebarIsOpen();
    const shown = (words: string) =>
      until(`the sidebar shows “${words}”`, () =>
        firefox.inSidebar(
          (document, wanted) => document.querySelector(".foot")?.textContent?.includes(wanted) === true,
          words,
        ),
      );
    await shown("This browser lets Threadlore read a PDF only where its site is allowed.");
    await firefox.clickInSidebar(".tab.closed button");
    await firefox.window.answerPermission(true);
    await until("it can be kept", () =>
      firefox.inSidebar((document) => document.querySelector('.bar [aria-label="Keep this page"]:enabled') !== null),
    );
    expect(await firefox.ask("When is the release planned?")).toContain("twelfth of March");
    const links = await firefox.inSidebar((document) =>
      Array.from(document.querySelectorAll(".turn:last-of-type a"), (link) => link.getAttribute("href")),
    );
    expect(links).toContain(`${pages.privateUrl}/plan.pdf#page=2`);
    await firefox.window.hideSidebar();
    await firefox.closeTab(tab);
  });

  it("ingests a page from the real menu, loses nothing when the background is ended, and answers from it", async () => {
    const tab = await firefox.openTab(`${pages.url}/parking`);
    const { url, database } = service;
    await service.close();
    const since = Date.now();
    await firefox.chooseFromMenu(tab, "p", "Keep this page");
    await firefox.sidebarIsOpen();
    expect(await toldAfter(since)).toMatchObject({ kind: "queued" });
    await firefox.window.hideSidebar();
    await firefox.window.killBackground();
    const [entry, ...others] = await outbox();
    expect(others).toEqual([]);
    expect(entry?.title).toBe("Parking");
    const alarms = await firefox.inExtension(() => (globalThis as unknown as ExtensionScope).browser.alarms.getAll());
    expect(alarms).toEqual([expect.objectContaining({ name: "outbox" })]);

    service = await startService({
      ...serviceOptions(),
      database,
      port: Number(new URL(url).port),
    });
    await until("it may be sent", () => Date.now() > (entry?.sendAfter ?? Infinity));
    // Whatever wakes it, it looks at what waits.
    const other = await firefox.openTab(`${pages.url}/other`);
    await until("the page has arrived", async () => (await titles()).includes("Parking"));
    await until("nothing waits", async () => (await outbox()).length === 0);
    expect(await titles()).toEqual(["Parking"]);
    await service.drain();

    await firefox.window.clickAction();
    await firefox.sidebarIsOpen();
    const answered = await firefox.ask("Where do visitors park their bicycles?");
    expect(answered).toMatch(/behind the blue gate/);
    expect(answered).toContain("Parking");
    await firefox.window.hideSidebar();
    await firefox.closeTab(other);
    await firefox.closeTab(tab);
  });

  it.each([
    ["denied", false, { kind: "refused", why: "link-not-allowed" }],
    ["allowed", true, { kind: "queued" }],
  ] as const)("asks for the site of a link before it keeps the page behind it: %s", async (_, allowed, outcome) => {
    const tab = await firefox.openTab(`${pages.url}/links`);
    const since = Date.now();
    await firefox.chooseFromMenu(tab, "a", "Keep the page behind this link");
    expect(await firefox.window.answerPermission(allowed)).toContain("wiki.example");
    expect(await toldAfter(since)).toMatchObject(outcome);
    expect((await outbox()).map(({ title }) => title)).toEqual(allowed ? ["Canteen"] : []);
    await firefox.window.hideSidebar();
    await firefox.closeTab(tab);
  });
});
