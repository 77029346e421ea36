import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { RecordedRequest, Reply } from "@threadlore/testkit";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../../testing/chromium.ts";
import { article, servePages, type TestPages } from "../../testing/pages.ts";
import { letTimePass } from "../../testing/worker-state.ts";
import { violationsOf } from "../in-browser/axe.harness.ts";
import {
  type ScriptedService,
  startScriptedService,
  useScriptedService,
} from "../in-browser/scripted-service.harness.ts";

/** A folder to put pictures in. */
const PICTURES = process.env["THREADLORE_LOOK"];

const near = (document_id: string, question: string, said: string, kept_says: string, link: string | null = null) => {
  return { document_id, question, owner: null, owner_ref: null, link, says: said, kept_says };
};
const GANNET = near(
  "gannet",
  "How many people have to be aboard the Gannet?",
  "Nobody takes the Gannet out without three colleagues any more.",
  "Two people have to be aboard the Gannet inside the harbour.",
  "https://chat.example/archives/C1/p1",
);
const LONG = near(
  "long",
  `Who signs ${"the travel form for a trip with the night ferry ".repeat(9)}?`,
  `Donaudampfschifffahrtsgesellschafts${"kapitänswitwenrentenauszahlungsstelle".repeat(6)} signs it. ${"And so on. ".repeat(60)}`,
  "https://intranet.example/a/very/long/address/that/has/no/place/to/break/anywhere/in/all/of/its/many/parts/form",
  "javascript:alert(1)",
);
const ARABIC = near(
  "arabic",
  "من يوقع استمارة السفر؟",
  "منذ مايو توقع الاستمارة إدارة المالية.",
  "出張の申請書には<b>上長</b>が署名します。",
);

/** The kept answer that is doubted, as the service tells it then. */
const TAKEN: Reply = {
  json: {
    ...GANNET,
    channel: null,
    updated_at: "2026-03-02T09:00:00Z",
    confirmed_at: null,
    doubts: [],
  },
};

/** What a service says of kept answers, as a test wants it. */
const says = {
  near: { json: { kept_answers: [] } } as Reply,
  doubted: { status: 500, json: { detail: "boom" } } as Reply,
};
const heard: { line: string; body: string }[] = [];

function also({ method, path: full, text }: RecordedRequest): Reply | undefined {
  const path = full.split("?")[0] ?? "";
  if (path === "/me") return { json: { id: "u1", role: "editor", asks_people: true } };
  if (path === "/service-api/ingestion") return { json: { document_id: "web_1", already_existed: false } };
  if (!path.startsWith("/kept-answers")) return undefined;
  heard.push({ line: `${method} ${full}`, body: text });
  return path.endsWith("/near") ? says.near : says.doubted;
}

interface Opened {
  readonly browser: ExtensionBrowser;
  readonly service: ScriptedService;
  readonly pages: TestPages;
  readonly panel: Page;
  close(): Promise<void>;
}

/** A page that is about to be kept, and the panel beside it, in a language. */
async function openKeeping(language: string): Promise<Opened> {
  const service = await startScriptedService(() => ({ text: "" }), also);
  const pages = await servePages(() => article("Minutes", "The release is planned for the twelfth of March."));
  const browser = await launchExtension({ language, allowedInPrivate: true, allowedSites: ["http://pages.example/*"] });
  const page = await browser.context.newPage();
  await page.goto(`${pages.url}/minutes`);
  await useScriptedService(browser, service);
  const panel = await browser.openPanel(page);
  await panel.locator(".composer textarea").waitFor();
  await panel.setViewportSize({ width: 400, height: 640 });
  const close = async () => {
    await browser.close();
    await Promise.all([service.close(), pages.close()]);
  };
  return { browser, service, pages, panel, close };
}

async function look(panel: Page, name: string): Promise<void> {
  for (const width of [320, 400, 180]) {
    await panel.setViewportSize({ width, height: 640 });
    const over = await panel.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(over).toBeLessThanOrEqual(0);
    for (const colorScheme of ["dark", "light"] as const) {
      await panel.emulateMedia({ colorScheme });
      expect(await violationsOf(panel)).toEqual([]);
      if (PICTURES === undefined) continue;
      mkdirSync(PICTURES, { recursive: true });
      await panel.screenshot({ path: join(PICTURES, `near-${name}-${width}-${colorScheme}.png`) });
    }
  }
  await panel.setViewportSize({ width: 400, height: 640 });
}

describe.runIf(await hasChromium())("kept answers that a kept page may change", { timeout: 300_000 }, () => {
  let opened: Opened;
  let panel: Page;

  beforeAll(async () => {
    opened = await openKeeping("en-US");
    ({ panel } = opened);
    return () => opened.close();
  }, 300_000);

  const button = (name: string | RegExp) => panel.getByRole("button", { name });
  const card = () => panel.getByRole("region", { name: "What this page may change" });
  const open = () => panel.locator('.bar [aria-haspopup="dialog"]').click();
  /** Keeps the page as it is now; it is sent before anybody waits ten seconds. */
  async function keepAgain(): Promise<void> {
    await open();
    await button("Update").click();
    await panel.getByText(/^Keeping in/).waitFor();
    await letTimePass(opened.browser);
  }

  it("are asked for when the page was kept, and nothing is shown where there are none", async () => {
    await button("Keep this page").click();
    await panel.getByText(/^Keeping in/).waitFor();
    expect(heard).toEqual([]);
    await letTimePass(opened.browser);
    await panel.locator(".keep-line.kept").waitFor();
    await expect.poll(() => heard).toEqual([{ line: "GET /kept-answers/near?document_id=web_1", body: "" }]);
    await open();
    await expect.poll(() => heard.length).toBe(2);
    expect(await panel.locator(".near").count()).toBe(0);
    await panel.keyboard.press("Escape");
  });

  it("are three with the words of both, whatever script and length, as text and nothing else", async () => {
    says.near = { json: { kept_answers: [GANNET, LONG, ARABIC] } };
    await keepAgain();
    await card().waitFor();
    expect(await card().getByRole("listitem").count()).toBe(3);
    const first = card().getByRole("listitem").first();
    for (const words of [GANNET.question, GANNET.says, GANNET.kept_says])
      expect(await first.innerText()).toContain(words);
    expect(await card().getByRole("link").count()).toBe(1);
    expect(await card().getByText("<b>上長</b>").count()).toBe(1);
    expect(await panel.getByRole("status").allInnerTexts()).toContain("What this page may change");
    await look(panel, "shown");
  });

  it("stand in the menu of the page as well, and go by a press there", async () => {
    await card().getByRole("button", { name: "Close and do not show this again" }).click();
    await card().waitFor({ state: "detached" });
    expect(await panel.evaluate(() => document.activeElement?.tagName)).toBe("TEXTAREA");
    await open();
    await panel.getByRole("dialog").getByText(GANNET.says).waitFor();
    await look(panel, "menu");
    await panel.keyboard.press("Escape");
  });

  it("are said to have changed by the keyboard; where that fails it is said, and can be said again", async () => {
    await keepAgain();
    const changes = card().getByRole("button", { name: `It changes this ${GANNET.question}` });
    await changes.focus();
    await panel.keyboard.press("Enter");
    await panel.getByRole("alert").getByText("That did not reach the service. Try again.").waitFor({ timeout: 60_000 });
    expect(await changes.evaluate((element) => element === document.activeElement)).toBe(true);
    // Both are in sight of the card, which scrolls.
    const isSeen = (one: ReturnType<typeof button>) =>
      one.evaluate((element) => {
        const [seen, place] = [element.closest(".near"), element].map((of) => of?.getBoundingClientRect());
        return seen !== undefined && place !== undefined && place.top >= seen.top && place.bottom <= seen.bottom;
      });
    expect([await isSeen(changes), await isSeen(panel.getByRole("alert"))]).toEqual([true, true]);
    await look(panel, "failed");
    says.doubted = TAKEN;
    await changes.focus();
    await panel.keyboard.press("Enter");
    const asked = card().getByRole("status").getByText("Its owner is asked whether it still holds.");
    await asked.waitFor();
    expect(await changes.count()).toBe(0);
    expect(await panel.evaluate(() => document.activeElement?.textContent)).toBe(await asked.innerText());
    expect(heard.at(-1)).toEqual({
      line: "POST /kept-answers/doubted",
      body: JSON.stringify({ document_id: "gannet", by: "web_1" }),
    });
    await look(panel, "asked");
  });

  it("are not asked for from a private window", async () => {
    const { browser, pages } = opened;
    const before = heard.length;
    const side = await browser.openPanel(await browser.openPrivate(`${pages.url}/minutes#again`));
    await side.getByText("This is a private window").waitFor();
    await side.getByRole("button", { name: /^Kept since/ }).click();
    await side.getByRole("dialog").getByRole("button", { name: "Update" }).waitFor();
    expect(await side.locator(".near").count()).toBe(0);
    expect(heard.length).toBe(before);
  });
});

/** Every language where they are to be looked at; else the one with the longest words. */
const LANGUAGES: Readonly<Record<string, string>> = {
  de: "Wer die Antwort gegeben hat, wird gefragt, ob sie noch gilt.",
  ...(PICTURES !== undefined && {
    es: "Se pregunta a quien la dio si sigue siendo válida.",
    fr: "On demande à son auteur si elle est toujours valable.",
    ja: "回答者に、今も正しいかを確認します。",
  }),
};

describe.runIf(await hasChromium())("their words", { timeout: 300_000 }, () => {
  it.each(Object.entries(LANGUAGES))("are those of the person's language: %s", async (language, asked) => {
    const { browser, panel, close } = await openKeeping(language);
    try {
      says.near = { json: { kept_answers: [GANNET, ARABIC] } };
      says.doubted = TAKEN;
      await panel.locator(".bar button").first().click();
      await panel.locator(".undo-line").waitFor();
      await letTimePass(browser);
      await panel.locator(".near .people-row:last-child > button").click();
      await panel.locator(".near-asked").waitFor();
      expect((await panel.locator(".near-asked").innerText()).trim()).toBe(asked);
      await look(panel, language);
    } finally {
      await close();
    }
  });
});
