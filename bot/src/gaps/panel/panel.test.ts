import type { Message } from "@threadlore/chat-workspace";
import { type Asks, createAsks } from "@threadlore/client/asks";
import { describe, expect, it } from "vitest";
import { buttonOf } from "../../testing/buttons.ts";
import { keepingTown } from "../../testing/kept-answers.ts";
import { idle, KEYS, type Town, useTowns } from "../../testing/running-bot.ts";
import { lookAtPanelAsks } from "./panel-asks.ts";

const open = useTowns((one) => one.expectNoRefusals());
const LONG = { timeout: 90_000 };
const ASKED = "Where does the orange kayak trailer stand?";

/** A town whose rules name #general for what is asked in the side panel, with Bo as its helper, and somebody with a panel. */
async function town(rules?: (place: Town) => string): Promise<Town & { readonly asks: Asks }> {
  const parts = { times: { pollMs: 20, backoffMs: () => 200 }, patience: { panelAgainMs: 50 } };
  const place = await open(keepingTown({ isEmpty: false, parts }));
  const { general, bot, knowledge } = place;
  place.setRules((rules ?? withHelper)(place));
  await expect.poll(() => bot.context.rules().panelQuestions, { timeout: 20_000 }).toBe(general.id);
  const asks = createAsks({ baseUrl: "http://127.0.0.1", apiKey: KEYS.owner, fetch: knowledge.fetch });
  await lookAtPanelAsks(bot.context);
  return Object.assign(place, { asks });
}

type Place = Pick<Town, "bo" | "general" | "workspace">;
const withoutHelper = ({ general }: Place): string => `panel_questions: ${general.id}\n`;
const withHelper = (place: Place): string =>
  `${withoutHelper(place)}channels:\n  ${place.general.id}:\n    helpers: [${place.bo.user.id}]\n`;

const shownIn = ({ workspace, general }: Place): readonly Message[] =>
  workspace.messages(general.id).filter(({ text }) => text.includes("asks in the side panel"));

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
    const keep = await workspace.until(() => buttonOf(workspace.message(general.id, ts), "help_keep_0"));
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

  it.each<
    [why: string, broken: (place: Town) => unknown, mended: (place: Town) => Place, words: string, looks: number]
  >([
    [
      "the rules name no helpers",
      async (place) => {
        place.setRules(withoutHelper(place));
        await expect.poll(() => place.bot.context.rules().channels.size, { timeout: 20_000 }).toBe(0);
      },
      (place) => {
        place.setRules(withHelper(place));
        return place;
      },
      "name no `helpers`",
      6,
    ],
    [
      "the bot is not in the channel",
      ({ workspace, general }) => workspace.removeApp(general.id),
      (place) => {
        place.workspace.inviteApp(place.general.id);
        return place;
      },
      "Invite me to it",
      // More than one task makes.
      34,
    ],
    [
      "the channel is archived",
      ({ workspace, general }) => workspace.archive(general.id),
      (place) => {
        const other = { ...place, general: place.workspace.addChannel({ name: "other" }) };
        place.setRules(withHelper(other));
        return other;
      },
      "archived",
      6,
    ],
  ])("waits where %s, of which administrators are told once, and goes on", async (_, broken, mended, words, looks) => {
    const place = await town();
    const { asks, bot, workspace } = place;
    const admins = workspace.addChannel({ name: "admins" });
    Object.assign(bot.context.config, { adminChannel: admins.id });
    workspace.inviteApp(admins.id);
    const told = () => workspace.messages(admins.id).filter(({ text }) => text.includes("side panel"));
    await broken(place);
    await asks.ask({ question: ASKED });
    const { ask_id: second } = await asks.ask({ question: "Who mends the red canoe?" });
    await lookAtPanelAsks(bot.context);
    const tries = () =>
      place.knowledge.requests.filter((one) => one.startsWith("GET") && one.endsWith("/gaps/asks")).length;
    await workspace.until(() => told().length > 0);
    const before = tries();
    await expect.poll(tries, { timeout: 60_000 }).toBeGreaterThan(before + looks);
    expect(told()).toHaveLength(1);
    expect(told()[0]?.text).toContain(words);
    expect(shownIn(place)).toEqual([]);
    await asks.withdraw(second);
    const there = mended(place);
    await expect.poll(() => asks.mine(), { timeout: 60_000 }).toMatchObject([{ state: "asked", question: ASKED }]);
    await idle(place);
    expect(shownIn(there)).toHaveLength(1);
    expect(shownIn(there)[0]?.shown).toContain(ASKED);
    expect(told()).toHaveLength(1);
  });

  it("waits where Slack refuses the message, and goes on", async () => {
    const place = await town();
    const { asks, bot, workspace } = place;
    workspace.faults.refuse("chat.postMessage", "restricted_action", { times: 2 });
    await asks.ask({ question: ASKED });
    await lookAtPanelAsks(bot.context);
    await expect.poll(() => asks.mine(), { timeout: 60_000 }).toMatchObject([{ state: "asked" }]);
    await idle(place);
    expect(shownIn(place)).toHaveLength(1);
  });
});
