import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { startDeployedTown } from "../testing/deployed-town.ts";
import { idle, KEYS, type Town, type TownOptions, useTowns } from "../testing/running-bot.ts";
import { toldBelow } from "../testing/told-below.ts";
import { closeGap } from "./tell-askers.ts";

const town = useTowns();
const LONG = { timeout: 90_000 };
const BOAT = "Where is the spare key of the boat house?";

const waitingOf = ({ bot, workspace }: Town, user: string) =>
  bot.context.store.waitingOf(`${workspace.team.id}:${user}`);

/** Somebody asked in a channel, and nothing was found. */
async function asked(options: TownOptions = {}, where?: (place: Town) => string) {
  const place = await town(options);
  const { ada, general } = place;
  const channel = where?.(place) ?? general.id;
  const ts = await ada.mention(channel, BOAT);
  await place.answered(channel, ts);
  await idle(place);
  const [waiting] = await waitingOf(place, ada.user.id);
  return { place, channel, ts, gap: waiting?.gap ?? "" };
}

async function close(place: Town, gap: string, answerIn: string, documentId = "boat"): Promise<void> {
  const { bo, workspace } = place;
  const permalink = `https://${workspace.team.domain}.slack.com/archives/${answerIn}/p1700000000000100`;
  const answer = { documentId, title: "Keys", permalink, owner: bo.user.id, beginning: "Under the mat." };
  await closeGap(place.bot.context, gap, answer);
}

describe("an asker is told", LONG, () => {
  it("once, though nobody heard that the message was posted", async () => {
    const { place, channel, ts, gap } = await asked();
    place.workspace.faults.dropResponse("chat.postMessage", { times: 2 });
    await close(place, gap, channel);
    await place.workspace.until(() => toldBelow(place, channel, ts).length > 0);
    await idle(place);
    expect(toldBelow(place, channel, ts)).toHaveLength(1);
  });

  it("once, though another document closes their gap while they are being told of the first", async () => {
    const { place, channel, ts, gap } = await asked();
    const held = place.workspace.faults.hold("chat.postMessage");
    await close(place, gap, channel);
    await held.came;
    await close(place, gap, channel, "another");
    await pause(1_000);
    held.release();
    await place.workspace.until(() => toldBelow(place, channel, ts).length > 0);
    await idle(place);
    expect(toldBelow(place, channel, ts)).toHaveLength(1);
  });

  it("once, of whatever closes their gap by then, though the platform did not take what told them of the first", async () => {
    const { place, channel, ts, gap } = await asked();
    place.workspace.faults.fail("chat.postMessage", { times: 3 });
    const posts = () => place.workspace.calls.filter(({ method }) => method === "chat.postMessage").length;
    const before = posts();
    await close(place, gap, channel);
    await place.workspace.until(() => posts() > before);
    await close(place, gap, channel, "another");
    await place.workspace.until(() => toldBelow(place, channel, ts).length > 0, 60_000);
    await idle(place);
    expect(toldBelow(place, channel, ts)).toHaveLength(1);
  });

  it("once, though the bot ended in the middle and a lost message came late", async () => {
    const { place, channel, ts, gap } = await asked();
    const held = place.workspace.faults.hold("chat.postMessage");
    await close(place, gap, channel);
    await held.came;
    const restarting = place.restart();
    await pause(200);
    held.release();
    await restarting;
    await place.workspace.until(() => toldBelow(place, channel, ts).length > 0);
    await idle(place);
    expect(toldBelow(place, channel, ts)).toHaveLength(1);
  });

  it("when the server is there again, and has the gap closed, too", async () => {
    const { place, channel, ts, gap } = await asked({ env: { THREADLORE_INGEST_KEY: KEYS.owner } });
    await place.knowledge.add({ id: "boat", title: "Keys", text: "Under the mat." });
    let isAway = true;
    place.knowledge.fault = async ({ url }) =>
      isAway && url.includes("/gaps/") ? new Response("", { status: 503 }) : undefined;
    await close(place, gap, channel);
    await pause(500);
    expect(toldBelow(place, channel, ts)).toEqual([]);
    isAway = false;
    await place.workspace.until(() => toldBelow(place, channel, ts).length > 0);
    expect(await place.bot.context.gaps.list(5)).toEqual([]);
  });

  it("though the server has no gaps any more", async () => {
    const { place, channel, ts, gap } = await asked({ env: { THREADLORE_INGEST_KEY: KEYS.owner } });
    expect(gap).toMatch(/^s/);
    place.knowledge.fault = async ({ url }) =>
      url.includes("/gaps/") ? Response.json({ detail: "Not Found" }, { status: 404 }) : undefined;
    await close(place, gap, channel);
    await place.workspace.until(() => toldBelow(place, channel, ts).length > 0);
    const later = await place.bo.mention(channel, BOAT);
    await place.answered(channel, later);
    await idle(place);
    expect(await waitingOf(place, place.bo.user.id)).toMatchObject([{ gap: expect.stringMatching(/^o/) }]);
  });

  it("with no word of an answer in a channel that they may not read", async () => {
    const { place, channel, ts, gap } = await asked();
    const { bo, workspace } = place;
    const secret = workspace.addChannel({ name: "secret", kind: "private", members: [bo.user.id], withApp: true });
    await close(place, gap, secret.id);
    await idle(place);
    const [told = ""] = toldBelow(place, channel, ts);
    expect(told).toContain("Ask me again");
    expect(told).not.toMatch(/mat|Keys|archives|Bo/);
  });

  it.each<[string, (place: Town, at: { channel: string; ts: string }) => Promise<void> | void, RegExp]>([
    ["archived", ({ workspace }, { channel }) => workspace.archive(channel), /channel is archived/],
    [
      "shared with another company",
      ({ workspace }, { channel }) => workspace.share(channel, "yes"),
      /shared with another company/,
    ],
    ["one its asker has left the company of", ({ workspace, ada }) => workspace.deactivate(ada.user.id), /has left/],
    [
      "one the bot was taken out of",
      ({ workspace }, { channel }) => workspace.removeApp(channel),
      /not_in_channel|does not see/,
    ],
  ])("nothing where the channel is %s, which the trace says", async (_what, change, words) => {
    const { place, channel, ts, gap } = await asked({}, ({ workspace, ada, bo }) => {
      const members = [ada.user.id, bo.user.id];
      return workspace.addChannel({ name: "room", kind: "private", members, withApp: true }).id;
    });
    await change(place, { channel, ts });
    const before = place.workspace.calls.filter(({ method }) => method === "chat.postMessage").length;
    await close(place, gap, place.general.id);
    await idle(place);
    expect(toldBelow(place, channel, ts)).toEqual([]);
    const after = place.workspace.calls.filter(
      ({ method, refusals }) => method === "chat.postMessage" && refusals.length === 0,
    );
    expect(after.length).toBeLessThanOrEqual(before + 1);
    const trace = await place.bot.context.store.traceOf(`${place.workspace.team.id}:${channel}:${ts}`);
    expect(trace.at(-1)?.words).toMatch(words);
  });
});

describe("a server that has no gaps", LONG, () => {
  it("leaves them to the bot, which says so once", async () => {
    const place = await startDeployedTown();
    const { ada, general } = place;
    for (const words of [BOAT, "Who signs the travel form for Norway?"]) {
      const ts = await ada.mention(general.id, words);
      await place.answered(general.id, ts);
      await idle(place);
      const [answer] = place.answers(general.id, ts);
      await ada.press({ channel: general.id, ts: answer?.ts ?? "" }, "answer_bad");
      await place.workspace.until(() => ada.modals().length > 0);
      await ada.dismiss(ada.modals()[0]?.id ?? "");
    }
    await expect.poll(async () => (await waitingOf(place, ada.user.id)).map(({ gap }) => gap)).toEqual(["o1", "o2"]);
    const said = place.lines.filter(({ reason }) => String(reason).includes("compared by their words alone"));
    expect(said).toHaveLength(1);
  });
});
