import { describe, expect, it } from "vitest";
import { idle, type Town, useTowns } from "../testing/running-bot.ts";
import { closeGap, closeGapOf, gapOfQuestion, reopenGap } from "./tell-askers.ts";

const town = useTowns((one) => one.expectNoRefusals());
const LONG = { timeout: 90_000 };
const BOAT = "Where is the spare key of the boat house?";
const BOAT_AGAIN = "The boat house: where are its spare keys?";

function waitingOf(place: Town, user: string) {
  return place.bot.context.store.waitingOf(`${place.workspace.team.id}:${user}`);
}

/** What answers the question about the boat house. */
function closingIn(place: Town, channel: string, over: { owner?: string; title?: string } = {}) {
  const { bo, workspace } = place;
  const permalink = `https://${workspace.team.domain}.slack.com/archives/${channel}/p1700000000000100`;
  return { documentId: "slack-boat", title: BOAT, permalink, owner: bo.user.id, beginning: "Under the mat.", ...over };
}

describe("a question nobody could answer", LONG, () => {
  it("is noted once, with its words where everybody could read it, and its asker is told once, where they asked", async () => {
    const place = await town();
    const { ada, bo, general, bot } = place;
    const ts = await ada.mention(general.id, `${BOAT} Ask <@${bo.user.id}>`);
    await place.answered(general.id, ts);
    await idle(place);
    const [waiting, ...others] = await waitingOf(place, place.ada.user.id);
    expect(others).toEqual([]);
    expect(waiting).toMatchObject({
      isShared: true,
      reasons: ["nothing"],
      words: `${BOAT} Ask Bo Lind`,
      where: { channel: general.id, thread: ts },
    });
    const gap = waiting?.gap ?? "";
    for (const _ of [1, 2]) await closeGap(bot.context, gap, closingIn(place, general.id));
    await idle(place);
    const told = place.answers(general.id, ts).slice(1);
    expect(told.map(({ shown }) => shown)).toEqual([expect.stringContaining("Bo Lind has answered your question")]);
    expect(told[0]?.text).toContain(`<@${ada.user.id}>`);
    expect(told[0]?.text).toContain("Under the mat.");
  });

  it("of a direct message is kept without its words, and told of there", async () => {
    const place = await town();
    const { ada, general, bot } = place;
    const dm = place.workspace.dmOf(ada.user.id);
    const ts = await ada.dm(BOAT_AGAIN);
    await place.answered(dm.id, ts);
    await idle(place);
    const [waiting] = await waitingOf(place, place.ada.user.id);
    expect(waiting).toMatchObject({ isShared: false, where: { channel: dm.id, thread: ts } });
    expect(waiting?.words).toBeUndefined();
    await closeGap(bot.context, waiting?.gap ?? "", closingIn(place, general.id));
    await idle(place);
    expect(place.answers(dm.id, ts).at(-1)?.text).toContain("Under the mat.");
  });

  it("is told of by its own task, and with what closes it after it was opened again", async () => {
    const place = await town();
    const { ada, general, bot, workspace } = place;
    const { context } = bot;
    const ts = await ada.mention(general.id, BOAT);
    await expect.poll(() => context.store.backlog()).not.toEqual({ waiting: 0, running: 0 });
    const task = (await context.store.findByKey(`question:${workspace.team.id}:${general.id}:${ts}`))?.id ?? "";
    // While it is still answered.
    await closeGapOf(context, task, closingIn(place, general.id));
    await idle(place);
    const gap = (await gapOfQuestion(context, task)) ?? "";
    expect(place.answers(general.id, ts)).toHaveLength(2);
    await reopenGap(context, gap, "1");
    await idle(place);
    expect(await context.store.ownGap(gap)).toMatchObject({ state: "open" });
    const later = await place.bo.mention(general.id, BOAT_AGAIN);
    await place.answered(general.id, later);
    await idle(place);
    expect(place.answers(general.id, later)).toHaveLength(1);
    await closeGap(context, gap, { ...closingIn(place, general.id, { owner: "UNOBODY" }), documentId: "other" });
    await idle(place);
    expect(place.answers(general.id, later)).toHaveLength(2);
    expect(place.answers(general.id, ts)).toHaveLength(2);
  });
});
