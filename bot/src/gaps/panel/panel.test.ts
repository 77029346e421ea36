import type { Message } from "@threadlore/chat-workspace";
import { type Asks, createAsks } from "@threadlore/client/asks";
import { describe, expect, it } from "vitest";
import { idle, KEYS, type Town, useTowns } from "../../testing/running-bot.ts";
import { lookAtPanelAsks } from "./panel-asks.ts";

const open = useTowns((one) => one.expectNoRefusals());
const LONG = { timeout: 90_000 };
const ASKED = "Where does the orange kayak trailer stand?";

/** A town whose rules name #general for what is asked in the side panel, with Bo as its helper, and somebody with a panel. */
async function town(): Promise<Town & { readonly asks: Asks }> {
  const env = { THREADLORE_INGEST_KEY: KEYS.owner, THREADLORE_PAIR: "none" };
  const place = await open({ parts: { pinTimes: { watchAfterMs: 50, spacingMs: 10 } }, env });
  const { general, bo, bot, knowledge } = place;
  place.setRules(`panel_questions: ${general.id}\nchannels:\n  ${general.id}:\n    helpers: [${bo.user.id}]\n`);
  await expect.poll(() => bot.context.rules().panelQuestions, { timeout: 20_000 }).toBe(general.id);
  const asks = createAsks({ baseUrl: "http://127.0.0.1", apiKey: KEYS.owner, fetch: knowledge.fetch });
  await lookAtPanelAsks(bot.context);
  return Object.assign(place, { asks });
}

const shownIn = ({ workspace, general }: Town): readonly Message[] =>
  workspace.messages(general.id).filter(({ text }) => text.includes("asks in the side panel"));

/** What the button to keep the first reply stands for, once there is one. */
const keepValue = (message: Message | undefined): string | undefined => {
  const buttons = JSON.stringify(message?.blocks ?? []).match(/\{"type":"button"[^{}]*\{[^{}]*\}[^{}]*/g) ?? [];
  return /"value":"([^"]+)"/.exec(buttons.find((one) => one.includes("help_keep_0")) ?? "")?.[1];
};

describe("what somebody asks in the side panel", LONG, () => {
  it("is shown to helpers once, and the reply they keep is its answer in the panel", async () => {
    const place = await town();
    const { asks, bot, bo, general, workspace } = place;
    await asks.ask({ question: ASKED, name: "Ann <!channel>" });
    for (const _ of [1, 2, 3]) await lookAtPanelAsks(bot.context);
    await idle(place);
    const [call, ...others] = shownIn(place);
    expect(others).toEqual([]);
    expect(call?.shown).toContain(ASKED);
    expect(call?.text).toContain(`<@${bo.user.id}>`);
    expect(call?.text).not.toContain("<!channel>");
    expect(await asks.mine()).toMatchObject([{ state: "asked" }]);
    const ts = call?.ts ?? "";
    await bo.say(general.id, "It stands behind the boathouse.", { threadTs: ts });
    const keep = await workspace.until(() => keepValue(workspace.message(general.id, ts)) ?? false);
    await bo.press({ channel: general.id, ts }, "help_keep_0", keep);
    await expect
      .poll(() => asks.mine(), { timeout: 30_000 })
      .toMatchObject([{ state: "answered", answer: { beginning: expect.stringContaining("behind the boathouse") } }]);
  });

  it("is taken away when they withdraw it", async () => {
    const place = await town();
    const { asks, bot } = place;
    const { ask_id: id } = await asks.ask({ question: ASKED });
    await lookAtPanelAsks(bot.context);
    await idle(place);
    expect(shownIn(place)).toHaveLength(1);
    await asks.withdraw(id);
    await lookAtPanelAsks(bot.context);
    await idle(place);
    expect(shownIn(place)).toEqual([]);
    expect((await asks.waiting()).withdrawn).toEqual([]);
  });
});
