import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { RecordedRequest, Reply } from "@threadlore/testkit";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../../testing/chromium.ts";
import { violationsOf } from "../in-browser/axe.harness.ts";
import { CLOSEST, SUMMARY } from "../in-browser/findings.harness.ts";
import { openScriptedPanel, type ScriptedPanel } from "../in-browser/scripted-panel.harness.ts";

/** A folder to put pictures in. */
const PICTURES = process.env["THREADLORE_LOOK"];

const LONG = `${"Who signs the travel form for a trip with the night ferry, ".repeat(8)}and by when?`;
const ANSWER = {
  document_id: "kept-1",
  title: "Who pays for a trip to Mongolia?",
  link: "https://chat.example/archives/C1/p1",
  beginning: "The travel desk does. Send the form to Bo Lind two weeks before.",
  updated_at: "2026-11-20T09:00:00Z",
};
type Told = Record<string, unknown> & { ask_id: string; state: string };
const ask = (id: string, question: string, more: object = {}): Told => ({
  ask_id: id,
  question,
  name: null,
  asked_at: "2026-11-26T09:00:00Z",
  state: "waiting",
  answer: null,
  is_told: false,
  ...more,
});
const gap = (id: number, question: string | null, people: number, more: object = {}) => ({
  gap_id: id,
  state: "open",
  question,
  people,
  questions: people + 2,
  private_questions: question === null ? people + 2 : 1,
  reasons: { nothing: people, bad_mark: 0, human: 1 },
  first_asked_at: "2026-11-01T09:00:00Z",
  last_asked_at: "2026-11-25T09:00:00Z",
  ...more,
});

/** What a service says of asking people, as a test wants it. */
const service = {
  me: {} as object,
  mine: [] as Told[],
  gaps: [] as object[],
  isFailing: false,
  heard: [] as { line: string; body: string }[],
};

function also({ method, path: full, text }: RecordedRequest): Reply | undefined {
  const path = full.split("?")[0] ?? "";
  if (path === "/me") return { json: { id: "u1", role: "admin", effective_permissions: ["admin"], ...service.me } };
  if (!path.startsWith("/gaps")) return undefined;
  service.heard.push({ line: `${method} ${path}`, body: text });
  if (service.isFailing) return { status: 500, json: { detail: "It is broken." } };
  if (method === "POST" && path === "/gaps/asks") {
    const made = ask("new", String((JSON.parse(text) as { question: string }).question));
    service.mine = [made, ...service.mine];
    return { json: made };
  }
  if (path === "/gaps/mine") return { json: { asks: service.mine } };
  if (path.startsWith("/gaps/mine/")) {
    const id = path.split("/")[3];
    if (method === "DELETE") service.mine = service.mine.filter((one) => one.ask_id !== id);
    return { json: null };
  }
  if (path === "/gaps") return { json: { gaps: full.includes("state=open") ? service.gaps : [], next: null } };
  const [, , id] = path.split("/");
  const found = service.gaps.find((one) => String(Reflect.get(one, "gap_id")) === id) ?? {};
  if (method === "POST") return { json: { ...found, state: "dismissed" } };
  const shared = [LONG, "¿Quién firma el formulario?", "من يوقع استمارة السفر؟"];
  return {
    json: { ...found, shared_questions: shared.map((question) => ({ question, asked_at: ANSWER.updated_at })) },
  };
}

describe.runIf(await hasChromium())("asking people, in the panel", { timeout: 300_000 }, () => {
  let scripted: ScriptedPanel;
  let panel: Page;

  beforeAll(async () => {
    service.me = { asks_people: true, untold_asks: 0, name: "Ann Berg" };
    scripted = await openScriptedPanel(CLOSEST, 760, also);
    ({ panel } = scripted);
  }, 300_000);
  afterAll(() => scripted?.close());

  const button = (name: string) => panel.getByRole("button", { name, exact: true });

  async function look(name: string): Promise<void> {
    expect(await violationsOf(panel)).toEqual([]);
    for (const width of [320, 400]) {
      await panel.setViewportSize({ width, height: 760 });
      const over = await panel.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(over).toBeLessThanOrEqual(0);
      if (PICTURES === undefined) continue;
      mkdirSync(PICTURES, { recursive: true });
      for (const colorScheme of ["dark", "light"] as const) {
        await panel.emulateMedia({ colorScheme });
        await panel.screenshot({ path: join(PICTURES, `people-${name}-${width}-${colorScheme}.png`) });
      }
    }
  }
  async function past(tab: string): Promise<void> {
    const view = panel.getByRole("tab", { name: tab });
    if (!(await view.isVisible())) await button("Earlier conversations").click();
    await view.click();
  }

  it("offers a person where nothing was found, and sends the words that were agreed to, and nothing else", async () => {
    await scripted.ask("Who pays for a trip to Mongolia?", CLOSEST);
    await panel.getByText("Nobody has written this down.").waitFor();
    await look("offered");
    await button("Ask a person").click();
    const field = panel.getByRole("textbox", { name: "What people read" });
    expect(await field.inputValue()).toBe("Who pays for a trip to Mongolia?");
    await panel.getByText("People of your company read these words in the chat.").waitFor();
    await look("form");
    await panel.keyboard.press("Escape");
    expect(await button("Ask a person").evaluate((element) => element === document.activeElement)).toBe(true);
    await button("Ask a person").click();
    await field.fill("Who pays for Mongolia?");
    await panel.getByRole("checkbox", { name: "Say who asks" }).check();
    expect(await panel.getByRole("textbox", { name: "Your name" }).inputValue()).toBe("Ann Berg");
    expect(service.heard).toEqual([]);
    await panel.locator(".people-form").getByRole("button", { name: "Ask", exact: true }).click();
    await panel.getByText("Asked. You will see the answer here.").waitFor();
    expect(service.heard).toEqual([
      { line: "POST /gaps/asks", body: JSON.stringify({ question: "Who pays for Mongolia?", name: "Ann Berg" }) },
    ]);
    await look("asked");
  });

  it("offers it in the bar of any other answer, closed by Escape, and says where it failed", async () => {
    await scripted.ask("What about receipts?", SUMMARY);
    const open = panel.locator(".answer-bar").getByRole("button", { name: "Ask a person" });
    await open.click();
    await panel.keyboard.press("Escape");
    await expect.poll(() => open.evaluate((element) => element === document.activeElement)).toBe(true);
    await open.click();
    service.isFailing = true;
    await panel.locator(".people-form").getByRole("button", { name: "Ask", exact: true }).click();
    await panel.getByText("The question did not reach the service. Try again.").waitFor({ timeout: 60_000 });
    await look("not-sent");
    service.isFailing = false;
  });

  it("lists what was asked, and withdraws it once that is meant", async () => {
    service.mine = [
      ask("a1", "Who pays for Mongolia?", { name: "Ann Berg" }),
      ask("a2", LONG, { state: "asked" }),
      ask("a3", "Who pays for a trip to Mongolia?", { state: "answered", answer: ANSWER }),
      ask("a4", "من يدفع ثمن الرحلة؟", { state: "answered" }),
      ask("a5", "Is it Friday?", { state: "dismissed" }),
    ];
    await past("Asked people");
    await panel.getByText("The travel desk does.").waitFor();
    await look("list");
    await panel.getByRole("button", { name: "Withdraw Who pays for Mongolia?" }).click();
    await look("sure");
    await button("Withdraw").click();
    await panel.getByText("Waiting to be asked").waitFor({ state: "detached" });
    expect(service.heard.at(-1)?.line).toBe("DELETE /gaps/mine/a1");
    service.mine = [];
    await past("Conversations");
    await past("Asked people");
    await panel.getByText("You have not asked anybody yet.").waitFor();
  });

  it("shows who looks after the knowledge what nobody could answer, and dismisses it", async () => {
    service.gaps = [gap(1, LONG, 12), gap(2, null, 3), gap(3, "من يوقع استمارة السفر؟", 1)];
    await past("Not written down");
    await panel.getByText("12 people").waitFor();
    await look("gaps");
    const [first] = await panel.locator(".people-open").all();
    await first?.focus();
    await panel.keyboard.press("Enter");
    await panel.getByText("¿Quién firma el formulario?").waitFor();
    await look("gap");
    await button("Dismiss").click();
    await panel.getByText("12 people").waitFor({ state: "detached" });
    expect(service.heard.at(-1)?.line).toBe("POST /gaps/1/dismiss");
    await button("Answered").click();
    await panel.getByText("Nothing was answered yet.").waitFor();
    service.isFailing = true;
    await button("Open").click();
    await panel.getByText("The service did not say. Try again.").waitFor({ timeout: 60_000 });
    service.isFailing = false;
    await button("Try again").click();
    await panel.getByText("3 people").waitFor();
  });

  it("shows an answer once, when it opens next, and tells the service so", async () => {
    service.me = { ...service.me, untold_asks: 1 };
    service.mine = [ask("a3", "Who pays for a trip to Mongolia?", { state: "answered", answer: ANSWER })];
    await panel.reload();
    const news = panel.getByRole("region", { name: "Answered:" });
    await news.getByRole("link", { name: ANSWER.title }).waitFor();
    expect(await news.innerText()).toContain("The travel desk does.");
    await look("answered");
    await news.getByRole("button", { name: "Close and do not show this again" }).click();
    await news.waitFor({ state: "detached" });
    await expect.poll(() => service.heard.at(-1)?.line).toBe("POST /gaps/mine/a3/told");
  });

  it("offers nothing where nobody can be asked", async () => {
    service.me = { asks_people: false };
    await panel.reload();
    await scripted.ask("Who pays for a trip to Mongolia?", CLOSEST);
    expect(await panel.getByText("Nobody has written this down.").count()).toBe(0);
    service.me = {};
    await panel.reload();
    await button("Earlier conversations").click();
    await panel.getByRole("tab", { name: "Kept pages" }).waitFor();
    expect(await panel.getByRole("tab").count()).toBe(2);
  });
});
