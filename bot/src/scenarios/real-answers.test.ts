import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ASKED_OF_HANDBOOK, CARELESS, handbookPages, startScriptedModel } from "@threadlore/testkit";
import { startBrowser, unseenTexts } from "@threadlore/testkit/browser";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { type Town, type TownOptions, useTowns } from "../testing/running-bot.ts";

const town = useTowns((one) => one.expectNoRefusals());

/** A folder to put pictures of such threads in. */
const PICTURES = process.env["THREADLORE_LOOK"];
const browser = PICTURES === undefined ? undefined : await startBrowser();
afterAll(() => browser?.close());

const models: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const model of models.splice(0)) await model.close();
});

/** A town whose service has the whole handbook. */
async function readTown(options: TownOptions = {}): Promise<Town> {
  const place = await town({ isEmpty: true, ...options });
  for (const page of handbookPages()) await place.knowledge.add(page);
  return place;
}

async function picture(place: Town, name: string, question: string): Promise<void> {
  if (browser === undefined || PICTURES === undefined) return;
  const page = await browser.context.newPage();
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(place.workspace.url);
  const asked = page.getByRole("article").filter({ hasText: question }).first();
  await asked.getByRole("button", { name: /repl/ }).click();
  const thread = page.getByRole("complementary").filter({ hasText: question });
  await thread.getByRole("button", { name: "Ask again" }).last().waitFor();
  expect(await unseenTexts(page, [question])).toEqual([]);
  mkdirSync(PICTURES, { recursive: true });
  writeFileSync(join(PICTURES, `slack-${name}.png`), await page.screenshot());
  await page.close();
}

describe("what the service finds in a handbook, in a thread", { timeout: 120_000 }, () => {
  it("is shown as it stands to the question, with what fits it below", async () => {
    const place = await readTown();
    for (const [name, { question, shows, isRefusal }] of Object.entries(ASKED_OF_HANDBOOK)) {
      const ts = await place.ada.mention(place.general.id, question);
      const { shown } = await place.answered(place.general.id, ts);
      for (const words of shows) expect(shown, name).toContain(words);
      expect(shown, name).toContain("[↻ Ask again]");
      expect([name, shown.includes("[👍]"), shown.includes("[1]")]).toEqual([name, !isRefusal, !isRefusal]);
      await picture(place, name, question);
    }
  });

  it("has what a model made up marked", async () => {
    const model = await startScriptedModel([{ text: CARELESS.says }]);
    models.push(model);
    const place = await readTown({ model: { baseUrl: model.url, name: "scripted" } });
    const { shown } = await place.answered(
      place.general.id,
      await place.ada.mention(place.general.id, CARELESS.question),
    );
    for (const words of CARELESS.shows) expect(shown).toContain(words);
    expect(shown.match(/not found in the source/g)).toHaveLength(1);
    await picture(place, "not-in-source", CARELESS.question);
  });
});
