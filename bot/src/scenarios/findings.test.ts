import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { placeOf } from "@threadlore/inbox";
import { startBrowser, unseenTexts } from "@threadlore/testkit/browser";
import { afterAll, describe, expect, it } from "vitest";
import { CLOSEST, CONFLICT, JAPANESE, SUMMARY } from "../testing/findings.ts";
import { idle, type Town, useTowns } from "../testing/running-bot.ts";
import { scriptedAnswer } from "../testing/scripted-answer.ts";

const town = useTowns((one) => one.expectNoRefusals());

/** Asks, and has the answer said in pieces of so many characters. */
async function ask(place: Town, { question, text, ...said }: typeof CLOSEST, size = 12): Promise<string> {
  const script = scriptedAnswer(said);
  place.knowledge.fault = (request) =>
    Promise.resolve(request.url.endsWith("send-chat-message") ? script.response : undefined);
  const ts = await place.ada.mention(place.general.id, question);
  for (const [at, number] of said.documents.entries()) {
    const { document_id } = number as { document_id: string };
    const obj = { type: "citation_info", citation_number: at + 1, document_id };
    script.packet({ placement: { turn_index: 0, tab_index: 0 }, obj });
  }
  for (const piece of text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? []) script.say(piece);
  script.end();
  return ts;
}

describe("an answer that says how it stands to its question", { timeout: 60_000 }, () => {
  it("names the closest documents as links and no sources, and can be asked again", async () => {
    const place = await town();
    const ts = await ask(place, CLOSEST);
    const { shown, blocks } = await place.answered(place.general.id, ts);
    expect(shown).toContain("these come closest:");
    expect(shown.match(/Travel and expenses/g)).toHaveLength(1);
    expect(JSON.stringify(blocks)).toContain("<https://handbook.example/travel|Travel and expenses>");
    expect(shown).toContain("[↻ Ask again]");
    expect(shown).not.toContain("👍");
    expect(shown).not.toMatch(/No source was cited|Put together automatically|\[1\]/);
    await idle(place);
    const asked = placeOf({ team: place.workspace.team.id, channel: place.general.id, ts });
    const trace = (await place.bot.context.store.traceOf(asked)).map(({ words }) => words);
    // What was asked stands in no trace.
    expect(trace).toContain("The documents that were searched hold no answer.");
    expect(trace.join()).not.toContain("Mongolia");
  });

  it("notes that its sources differ, once, and names what it cites", async () => {
    const place = await town();
    const { shown, blocks } = await place.answered(place.general.id, await ask(place, CONFLICT));
    expect(shown).toMatch(/These sources differ:\s+> “Leave policy” \(12 June 2025\): 30 days\n> “Old leave policy”/);
    expect(shown.match(/: 25 days/g)).toHaveLength(1);
    expect(JSON.stringify(blocks)).toContain("“<https://handbook.example/old-leave|Old leave policy>” (1 March 2023)");
    expect(shown).toContain("[1] Leave policy · Jun 2025");
  });

  it("says above its text what was read otherwise", async () => {
    const place = await town();
    const { shown } = await place.answered(place.general.id, await ask(place, SUMMARY));
    expect(shown.indexOf("I read “reciepts” as “receipts”.")).toBeGreaterThanOrEqual(0);
    expect(shown.indexOf("I read")).toBeLessThan(shown.indexOf("The main points"));
  });

  it("is shown whole where nothing is streamed", async () => {
    const place = await town({ env: { STREAMING: "off" } });
    const { shown, blocks } = await place.answered(place.general.id, await ask(place, JAPANESE));
    expect(JSON.stringify(blocks)).toContain("<https://handbook.example/shucchou|出張と経費>");
    expect(shown.match(/列車は二等席/g)).toHaveLength(1);
  });
});

/** A folder to put pictures of such threads in. */
const PICTURES = process.env["THREADLORE_LOOK"];
const browser = PICTURES === undefined ? undefined : await startBrowser();
afterAll(() => browser?.close());

describe.runIf(browser !== undefined)("pictures of such answers", { timeout: 120_000 }, () => {
  it.each([
    ["closest", CLOSEST],
    ["conflict", CONFLICT],
    ["summary", SUMMARY],
    ["japanese", JAPANESE],
  ] as const)("of a thread, %s", async (name, answer) => {
    const place = await town();
    await place.answered(place.general.id, await ask(place, answer));
    const page = await browser?.context.newPage();
    if (page === undefined || PICTURES === undefined) throw new Error("There is no browser.");
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(place.workspace.url);
    await page
      .getByRole("article")
      .filter({ hasText: answer.question })
      .first()
      .getByRole("button", { name: /repl/ })
      .click();
    const thread = page.getByRole("complementary").filter({ hasText: answer.question });
    await thread.getByRole("button", { name: "Ask again" }).last().waitFor();
    expect(await unseenTexts(page, [answer.question])).toEqual([]);
    mkdirSync(PICTURES, { recursive: true });
    writeFileSync(join(PICTURES, `slack-${name}.png`), await page.screenshot());
    await page.close();
  });
});
