import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../../testing/chromium.ts";
import { violationsOf } from "./axe.harness.ts";
import { openScriptedPanel, type ScriptedPanel } from "./scripted-panel.harness.ts";
import type { ScriptedAnswer, ScriptedService } from "./scripted-service.harness.ts";

/** A folder to put pictures of the panel in. */
const PICTURES = process.env["THREADLORE_LOOK"];
const PARAGRAPH = "Travel costs are paid back within ten days of the receipt, as the handbook says. ";
/** Comes at the given speed, in pieces as models send them. */
const long = (characters: number, perSecond: number): ScriptedAnswer => {
  const everyMs = 10;
  const text = `${PARAGRAPH.repeat(5)}\n\n`.repeat(Math.ceil(characters / PARAGRAPH.length / 5)).slice(0, characters);
  return { text, piece: (perSecond * everyMs) / 1_000, everyMs };
};
const SLOW: ScriptedAnswer = { text: "It takes a while. ".repeat(12), piece: 6, everyMs: 100 };

describe.runIf(await hasChromium())("a conversation in the panel", { timeout: 300_000 }, () => {
  let scripted: ScriptedPanel;
  let service: ScriptedService;
  let panel: Page;

  beforeAll(async () => {
    scripted = await openScriptedPanel(SLOW, 640);
    ({ panel, service } = scripted);
  }, 300_000);
  afterAll(() => scripted?.close());

  const composer = () => panel.getByRole("textbox", { name: "Your question" });
  const lastTurn = () => panel.locator(".turn").last();
  const queue = () => panel.getByRole("region", { name: "Questions that wait" });
  const send = async (question: string, said: ScriptedAnswer = SLOW) => {
    scripted.next = said;
    await composer().fill(question);
    await composer().press("Enter");
  };
  const isOver = async () => {
    await lastTurn().and(panel.locator('[aria-busy="false"]')).waitFor();
    await panel.getByRole("button", { name: "Stop the answer" }).waitFor({ state: "detached" });
  };
  const ask = async (question: string, said: ScriptedAnswer = { text: `Answer to “${question}”.` }) => {
    await send(question, said);
    await lastTurn().getByRole("heading", { name: question }).waitFor();
    await isOver();
  };
  const fresh = async () => {
    await panel.getByRole("button", { name: "New conversation" }).click();
    await panel.locator(".turn").first().waitFor({ state: "detached" });
  };
  const questions = () => panel.locator(".question h2").allInnerTexts();
  const asked = () => service.questions.map(({ message }) => message);
  const fromEnd = () =>
    panel.evaluate(() => {
      const box = document.querySelector(".conversation");
      return box === null ? Number.NaN : Math.round(box.scrollHeight - box.scrollTop - box.clientHeight);
    });
  const picture = async (name: string) => {
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    await panel.screenshot({ path: join(PICTURES, `talk-${name}.png`) });
  };

  it("keeps the end of an answer of 8,000 characters a second in view, until its reader leaves", async () => {
    await ask("Before?");
    await send("How long?", long(48_000, 8_000));
    await lastTurn().getByText("Travel costs").first().waitFor();
    // After each frame, how far the end was away.
    const away = await panel.locator(".conversation").evaluate(async (box) => {
      const seen: number[] = [];
      const end = performance.now() + 3_000;
      while (performance.now() < end) {
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        seen.push(box.scrollHeight - box.scrollTop - box.clientHeight);
      }
      return seen.toSorted((one, other) => other - one);
    });
    expect(await panel.getByRole("button", { name: "To the end" }).count()).toBe(0);
    expect(away.length).toBeGreaterThan(10);
    expect(away[0]).toBeLessThan(60);
    // Its question stays in view.
    const top = await lastTurn().getByRole("heading", { name: "How long?" }).boundingBox();
    const box = await panel.locator(".conversation").boundingBox();
    expect((top?.y ?? 0) - (box?.y ?? 0)).toBeLessThan(30);
    await picture("following");
    await panel.locator(".conversation").hover();
    await panel.mouse.wheel(0, -500);
    await panel.getByRole("button", { name: "To the end" }).waitFor();
    const left = await panel.locator(".conversation").evaluate((element) => element.scrollTop);
    await panel.waitForTimeout(500);
    expect(await panel.locator(".conversation").evaluate((element) => element.scrollTop)).toBe(left);
    await panel.getByRole("button", { name: "To the end" }).click();
    await expect.poll(fromEnd).toBeLessThan(400);
    await isOver();
    await expect.poll(fromEnd).toBeLessThan(2);
  });

  it("puts a new question at the top of the view", async () => {
    await ask("What is short?", { text: "This." });
    const top = await lastTurn().getByRole("heading", { name: "What is short?" }).boundingBox();
    const box = await panel.locator(".conversation").boundingBox();
    expect((top?.y ?? 0) - (box?.y ?? 0)).toBeLessThan(30);
    await picture("short");
  });

  it("says how long it takes, and when the service has said nothing for long", async () => {
    await fresh();
    const { promise: heldBy, resolve: goOn } = Promise.withResolvers<void>();
    await send("What takes so long?", { text: "At last.", heldBy });
    await lastTurn().getByText("Waiting for the answer…").waitFor();
    expect(await lastTurn().locator(".elapsed").count()).toBe(0);
    await lastTurn()
      .getByText(/· [5-9] s/)
      .waitFor();
    await picture("waiting");
    await lastTurn().getByText("The service has said nothing for 20 s. You can wait, or stop.").waitFor();
    expect(await violationsOf(panel)).toEqual([]);
    await picture("silent");
    goOn();
    await isOver();
    expect(await lastTurn().locator(".running").count()).toBe(0);
  });

  it("goes from searching to writing, and says afterwards what was searched", async () => {
    await fresh();
    const documents = [
      { id: "travel", title: "Travel", link: "https://wiki.example.com/travel", passage: "Ten days." },
      { id: "leave", title: "Leave", link: "https://wiki.example.com/leave", passage: "Thirty days." },
    ];
    await send("What is there?", { ...SLOW, documents });
    await lastTurn().getByText("Writing…").waitFor();
    await picture("writing");
    await isOver();
    expect(await lastTurn().locator(".steps summary").innerText()).toBe("Searched · 2 documents found");
    // Both counts are of what was found: neither is more of the other.
    expect(await lastTurn().locator(".sources summary").innerText()).toBe("2 documents found, not cited");
    expect(await lastTurn().getByText("Writing…").count()).toBe(0);
  });

  it("has questions wait that are asked while an answer comes, to be taken back, edited, and asked in order", async () => {
    await fresh();
    const before = asked().length;
    const { promise: heldBy, resolve: goOn } = Promise.withResolvers<void>();
    await send("First?", { text: "It takes a while. And then it ends.", piece: 18, heldBy });
    await lastTurn().getByText("It takes a while.").first().waitFor();
    for (const question of ["Second?", "Third?", "Fourth?"]) await send(question, { text: `Answer.` });
    expect(await composer().inputValue()).toBe("");
    expect(await queue().locator(".queue-text").allInnerTexts()).toEqual(["Second?", "Third?", "Fourth?"]);
    expect(await violationsOf(panel)).toEqual([]);
    await picture("queue");
    await queue().getByRole("button", { name: "Do not ask: Third?" }).click();
    await queue().getByRole("button", { name: "Take back and edit: Second?" }).click();
    expect(await composer().inputValue()).toBe("Second?");
    await composer().press("Control+End");
    await composer().pressSequentially(" Or fifth?");
    await composer().press("Enter");
    await expect.poll(() => queue().locator(".queue-text").allInnerTexts()).toEqual(["Fourth?", "Second? Or fifth?"]);
    expect(await questions()).toEqual(["First?"]);
    goOn();
    await expect.poll(questions, { timeout: 60_000 }).toEqual(["First?", "Fourth?", "Second? Or fifth?"]);
    await isOver();
    expect(asked().slice(before)).toEqual(["First?", "Fourth?", "Second? Or fifth?"]);
    expect(await queue().count()).toBe(0);
  });

  it("sends no question that waits behind an answer that was stopped, and says so", async () => {
    await fresh();
    await send("First?");
    await lastTurn().getByText("It takes a while.").first().waitFor();
    await send("Second?");
    await panel.getByRole("button", { name: "Stop the answer" }).click();
    await queue().getByText("Not asked yet: the answer before was stopped or is not complete.").waitFor();
    expect(asked().at(-1)).toBe("First?");
    await picture("held");
    scripted.next = { text: "Answer." };
    await queue().getByRole("button", { name: "Ask now" }).click();
    await expect.poll(questions).toEqual(["First?", "Second?"]);
    await isOver();
  });

  it("holds what waits when the panel is closed", async () => {
    await fresh();
    await send("First?");
    await lastTurn().getByText("It takes a while.").first().waitFor();
    await send("Second?");
    await panel.getByRole("button", { name: "Stop the answer" }).click();
    await queue().getByText("Second?").waitFor();
    await panel.reload();
    await queue().getByText("Second?").waitFor();
    // A new conversation gives it back to where it was written.
    await fresh();
    expect(await composer().inputValue()).toBe("Second?");
    await composer().fill("");
  });

  it("recalls the last question with ArrowUp, where nothing is written", async () => {
    await ask("What was that?");
    await composer().press("ArrowUp");
    expect(await composer().inputValue()).toBe("What was that?");
    await composer().fill("something");
    await composer().press("ArrowUp");
    expect(await composer().inputValue()).toBe("something");
    await composer().fill("");
  });

  it("asks a question otherwise in its place, and brings back what stood there", async () => {
    await fresh();
    for (const question of ["One?", "Two?", "Three?"]) await ask(question);
    const pencil = panel.locator(".turn").nth(1).getByRole("button", { name: "Edit this question" });
    await pencil.focus();
    await panel.keyboard.press("Enter");
    const editor = panel.getByRole("textbox", { name: "The question, put otherwise" });
    expect(await editor.inputValue()).toBe("Two?");
    expect(await violationsOf(panel)).toEqual([]);
    await picture("editing");
    await panel.keyboard.press("Escape");
    await editor.waitFor({ state: "detached" });
    await expect.poll(() => pencil.evaluate((element) => element === document.activeElement)).toBe(true);
    await pencil.click();
    await editor.fill("Two, otherwise?");
    await editor.press("Enter");
    await expect.poll(questions).toEqual(["One?", "Two, otherwise?"]);
    await isOver();
    expect(service.questions.at(-1)).toMatchObject({ message: "Two, otherwise?", chat_session_id: expect.any(String) });
    expect(service.questions.at(-1)?.["parent_message_id"]).not.toBe(-1);
    await picture("edited");
    await panel.reload();
    await panel.getByRole("button", { name: "Show what stood here before" }).click();
    await expect.poll(questions).toEqual(["One?", "Two?", "Three?"]);
    await panel.getByRole("button", { name: "Show what stood here before" }).click();
    await expect.poll(questions).toEqual(["One?", "Two, otherwise?"]);
    expect(await violationsOf(panel)).toEqual([]);
  });
});
