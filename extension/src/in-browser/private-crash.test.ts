import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../testing/chromium.ts";
import { hangPage } from "../testing/hanging-page.ts";
import { article, servePages, type TestPages } from "../testing/pages.ts";
import { hasScreen, type Screen, startScreen } from "../testing/screen.ts";
import { pairExtension, startService, type TestService } from "../testing/service.ts";
import { tracesOf } from "../testing/traces.ts";
import { until } from "../testing/until.ts";
import { clickMenu, letTimePass, outboxOf, storageOf, storeOf } from "../testing/worker-state.ts";

/** Words that stand nowhere else; each is one place where a private window could leave a trace. */
const CANARIES = {
  title: "Quazzlemire",
  text: "vortannisk",
  address: "plimberdook",
  question: "grobbenfalt",
  draft: "shuvenkrill",
  replaced: "quernabolt",
  asking: "trelvoxima",
  waiting: "fendlewick",
} as const;
/** The same in an ordinary window, of what is asked: the search for traces must find it. */
const ORDINARY = "dwelmorphant";
/** What is written in an ordinary window and not sent, which no disk may hold either. */
const ORDINARY_DRAFT = "brintlewisp";

const there = await hasChromium();
const hasDesktop = there && (await hasScreen());

describe.runIf(there)("a browser with a private window that is killed", { timeout: 240_000 }, () => {
  /** A window where there is a screen for one. */
  let screen: Screen | undefined;
  let browser: ExtensionBrowser;
  let service: TestService;
  let pages: TestPages;
  let key: string;
  const onScreen = () => (screen === undefined ? {} : { display: screen.display });

  beforeAll(async () => {
    [service, screen] = await Promise.all([startService(), hasDesktop ? startScreen() : undefined]);
    pages = await servePages((path) => {
      if (path === "/ordinary") return article("Ordinary", `The word of this page is ${ORDINARY}.`);
      if (path !== `/${CANARIES.address}`) return undefined;
      return article(CANARIES.title, `The code of the gate is ${CANARIES.text}.`);
    });
    browser = await launchExtension({ allowedInPrivate: true, keepProfile: true, ...onScreen() });
    key = await (await browser.worker()).evaluate(pairInMemory, [service.url, service.pairingCode()] as const);
  }, 240_000);
  afterAll(async () => {
    await browser?.close().catch(() => {});
    await browser?.forget();
    await Promise.all([service?.close(), pages?.close(), screen?.close()]);
  }, 60_000);

  it("has written nothing of it, nor of any draft, nor a key that is to be in memory only", async () => {
    const ordinary = await browser.context.newPage();
    await ordinary.goto(`${pages.url}/ordinary`);
    const side = await browser.openPanel(ordinary);
    const field = side.getByRole("textbox", { name: "Your question" });
    await field.fill("What is the word of this page?");
    await field.press("Enter");
    await side.locator('.turn[aria-busy="false"]').getByText(ORDINARY).first().waitFor();
    await field.fill(ORDINARY_DRAFT);

    const page = await browser.openPrivate(`${pages.url}/${CANARIES.address}`);
    const panel = await browser.openPanel(page);
    const question = panel.getByRole("textbox", { name: "Your question" });
    await panel.getByText("This is a private window").waitFor();
    await question.fill(`What is the code of the gate, ${CANARIES.question}?`);
    await question.press("Enter");
    await panel.locator('.turn[aria-busy="false"]').getByText(CANARIES.text).first().waitFor();
    await question.fill(`And where is the gate, ${CANARIES.replaced}?`);
    await question.press("Enter");
    const second = panel.locator(".turn").nth(1);
    await second.and(panel.locator('[aria-busy="false"]')).waitFor();
    await second.getByRole("button", { name: "Edit this question" }).click();
    const editor = panel.getByRole("textbox", { name: "The question, put otherwise" });
    await editor.fill("What is the code of the gate?");
    await editor.press("Enter");
    await second.getByRole("heading", { name: "What is the code of the gate?" }).waitFor();
    await second.and(panel.locator('[aria-busy="false"]')).waitFor();
    await clickMenu(browser, page, "keep-page");
    const asking = panel.getByRole("region", { name: "Keep this page?" });
    await asking.getByRole("button", { name: "Keep it", exact: true }).click();
    await panel.getByText(/^Keeping in \d+ seconds?$/).waitFor();
    // The page hangs: one question is being asked, one waits for it, and one is still written.
    await hangPage(page, 20_000);
    await question.fill(`And what of ${CANARIES.asking}?`);
    await question.press("Enter");
    await panel.getByText("Reading the page…").first().waitFor();
    await question.fill(`And of ${CANARIES.waiting}?`);
    await question.press("Enter");
    await panel.getByRole("region", { name: "Questions that wait" }).getByText(CANARIES.waiting).waitFor();
    await question.fill(`And what of ${CANARIES.draft}?`);
    const { draft, question: asked, replaced, waiting } = CANARIES;
    await until("drafts, questions, what was replaced and the page are held in memory", async () => {
      const held = JSON.stringify(await storageOf(browser, "session"));
      return [draft, asked, replaced, waiting, CANARIES.asking, ORDINARY_DRAFT, "private-page:", key].every((one) =>
        held.includes(one),
      );
    });
    // Time for whatever would write later.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    await browser.kill();
    const found = await tracesOf(browser.profile, [ORDINARY]);
    expect(found.filter((trace) => trace.includes("IndexedDB"))).not.toEqual([]);
    expect(await tracesOf(browser.profile, [...Object.values(CANARIES), ORDINARY_DRAFT, key])).toEqual([]);
  });

  it("knows nothing of it afterwards: what waited is gone and is not sent", async () => {
    browser = await launchExtension({ profile: browser.profile, keepProfile: true, ...onScreen() });
    expect(JSON.stringify(await storageOf(browser, "session"))).not.toContain("private");
    expect([await outboxOf(browser), await storeOf(browser, "ledger")]).toEqual([[], []]);
    await pairExtension(browser, service);
    await letTimePass(browser);
    const worker = await browser.worker();
    expect(await worker.evaluate(allowedInPrivate)).toBe(true);
    expect(await service.documents()).toEqual([]);
  });
});

interface OwnScope {
  chrome: {
    storage: Record<"local" | "session", { set(values: object): Promise<void> }>;
    extension: { isAllowedIncognitoAccess(): Promise<boolean> };
  };
}

/** In the worker: pairs as somebody whose keys are to be forgotten with the browser; gives the key. */
async function pairInMemory([url, code]: readonly [string, string]): Promise<string> {
  const reply = await fetch(`${url}/pairing`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });
  const { api_key: key } = (await reply.json()) as { api_key: string };
  const { local, session } = (globalThis as unknown as OwnScope).chrome.storage;
  const pair = { pairId: 1, pairName: "Pages", pairIsPublic: false };
  await session.set({ keys: { origin: url, askKey: key, ingestKey: "" } });
  await local.set({ settings: { version: 1, baseUrl: url, keyStorage: "session", ...pair } });
  return key;
}

function allowedInPrivate(): Promise<boolean> {
  return (globalThis as unknown as OwnScope).chrome.extension.isAllowedIncognitoAccess();
}
