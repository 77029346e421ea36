import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../../testing/chromium.ts";
import { violationsOf } from "./axe.harness.ts";
import { CLOSEST, CONFLICT, hostileFinding, JAPANESE, RTL, SUMMARY } from "./findings.harness.ts";
import { openScriptedPanel, type ScriptedPanel } from "./scripted-panel.harness.ts";
import type { ScriptedAnswer } from "./scripted-service.harness.ts";

/** A folder to put pictures of the panel with such answers in. */
const PICTURES = process.env["THREADLORE_LOOK"];

describe.runIf(await hasChromium())("what an answer finds, in the panel", { timeout: 300_000 }, () => {
  let scripted: ScriptedPanel;
  let panel: Page;

  beforeAll(async () => {
    scripted = await openScriptedPanel(CLOSEST, 640);
    ({ panel } = scripted);
  }, 300_000);
  afterAll(() => scripted?.close());

  const answer = () => panel.locator(".turn").last().locator(".answer");
  const ask = (question: string, said: ScriptedAnswer) => scripted.ask(question, said);

  async function picture(name: string): Promise<void> {
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    for (const colorScheme of ["dark", "light"] as const) {
      await panel.emulateMedia({ colorScheme });
      await panel.screenshot({ path: join(PICTURES, `panel-${name}-${colorScheme}.png`) });
    }
  }

  it("names the closest documents as links, and as no sources", async () => {
    await ask("Who pays for a trip to Mongolia?", CLOSEST);
    const closest = answer().locator(".aside.closest");
    expect(await closest.getByRole("listitem").count()).toBe(2);
    const link = closest.getByRole("link", { name: "Travel and expenses" });
    expect(await link.getAttribute("href")).toBe("https://handbook.example.com/travel");
    expect(await link.getAttribute("rel")).toBe("noopener noreferrer");
    expect((await answer().innerText()).match(/Travel and expenses/g)).toHaveLength(1);
    expect(await answer().getByRole("group", { name: "Sources" }).count()).toBe(0);
    // What a refusal offers.
    await answer().getByRole("button", { name: "Copy the answer with its sources" }).waitFor();
    await expect.poll(() => panel.getByRole("status").allInnerTexts()).toContain("No answer was found");
    await picture("closest");
  });

  it("leads to them by keyboard", async () => {
    await answer().focus();
    const focused: string[] = [];
    for (let presses = 0; presses < 8; presses += 1) {
      await panel.keyboard.press("Tab");
      focused.push(await panel.evaluate(() => document.activeElement?.textContent ?? ""));
    }
    expect(focused.filter((text) => /^(?:Travel and expenses|Leave policy)$/.test(text))).toEqual([
      "Travel and expenses",
      "Leave policy",
    ]);
  });

  it("shows them again when the panel is opened anew", async () => {
    await panel.reload();
    const link = answer().locator(".aside.closest").getByRole("link", { name: "Leave policy" });
    expect(await link.getAttribute("href")).toBe("https://handbook.example.com/leave");
  });

  it("says in a note that sources differ, the newer first", async () => {
    await ask("How many days of leave do I have?", CONFLICT);
    const note = answer().getByRole("note");
    const lines = (await note.getByRole("listitem").allInnerTexts()).map((line) => line.replace(/[“”]/g, ""));
    expect(lines).toEqual(["Leave policy (12 June 2025): 30 days", "Old leave policy (1 March 2023): 25 days"]);
    expect(await note.getByRole("link", { name: "Old leave policy" }).getAttribute("href")).toBe(
      "https://handbook.example.com/old-leave",
    );
    expect((await answer().innerText()).match(/These sources differ/g)).toHaveLength(1);
    await picture("conflict");
  });

  it("says above the answer, quietly, what was read otherwise", async () => {
    await ask("Summarise what we say about reciepts", SUMMARY);
    expect(await answer().locator(".prose > :first-child").getAttribute("class")).toBe("aside corrected");
    expect(await answer().locator(".aside.corrected").innerText()).toBe("I read “reciepts” as “receipts”.");
    await picture("summary");
  });

  it("does so in Japanese, and from right to left", async () => {
    await ask("モンゴルへの出張費は誰が払いますか？", JAPANESE);
    expect(await answer().locator(".aside.closest").getByRole("link").allInnerTexts()).toEqual(["出張と経費"]);
    await picture("japanese");
    await ask("كم يوماً إجازة لدي؟", RTL);
    const item = answer().getByRole("note").getByRole("listitem").first();
    expect(await item.evaluate((element) => getComputedStyle(element).direction)).toBe("rtl");
    await picture("rtl");
  });

  it.each([
    ["closest", CLOSEST],
    ["conflict", CONFLICT],
    ["right to left", RTL],
  ] as const)("fits into 240 pixels, and axe finds nothing, light and dark: %s", async (_, said) => {
    await panel.setViewportSize({ width: 240, height: 640 });
    await ask("What is it?", said);
    for (const colorScheme of ["dark", "light"] as const) {
      await panel.emulateMedia({ colorScheme });
      expect(await violationsOf(panel)).toEqual([]);
    }
    const wide = await answer().evaluate((element) =>
      [element, ...element.querySelectorAll(".aside, .aside *")]
        .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline")
        .map((one) => one.outerHTML.slice(0, 80)),
    );
    expect(wide).toEqual([]);
    expect(await panel.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(240);
    if (said === CONFLICT) await picture("conflict-narrow");
    await panel.setViewportSize({ width: 400, height: 640 });
  });

  it.each([
    ["markup", "<img src=x onerror=alert(1)><script>alert(1)</script>"],
    ["markdown", "**a** [b](javascript:alert(1)) ![c](https://evil.example/c.png)"],
    ["an override", "a\u202eb\u2066c"],
    ["control bytes", "a\u0000\u001b[31mb"],
    ["ten thousand characters", "w".repeat(10_000)],
  ])("does no harm with %s in titles and sentences", async (_, words) => {
    const dialogs: string[] = [];
    panel.once("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await ask("What is it?", hostileFinding(words));
    expect(dialogs).toEqual([]);
    expect(await answer().locator("img, script, [onerror]").count()).toBe(0);
    const links = await answer()
      .locator(".prose a")
      .evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    expect(links.filter((href) => href !== "https://handbook.example.com/plain")).toEqual([]);
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(await answer().innerText()).not.toMatch(/[\u0000-\u0008\u001b\u202a-\u202e\u2066-\u2069]/);
    expect(await panel.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });

  it("shows an answer of a state nobody knows as any other", async () => {
    await ask("What is it?", { ...CONFLICT, finding: { state: "guess" } });
    expect(await answer().locator(".aside").count()).toBe(0);
    await answer().getByRole("group", { name: "Sources" }).waitFor();
  });
});
