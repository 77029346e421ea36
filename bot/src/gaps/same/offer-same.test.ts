import { describe, expect, it } from "vitest";
import type { Person } from "@threadlore/chat-workspace";
import { buttonOf } from "../../testing/buttons.ts";
import { idle, KEYS, type Town, type TownOptions, useTowns } from "../../testing/running-bot.ts";
import { toldBelow } from "../../testing/told-below.ts";
import { closeGap } from "../tell-askers.ts";

const town = useTowns((one) => one.expectNoRefusals());
const LONG = { timeout: 90_000 };
const BOAT = "Where is the spare key of the boat house?";
/** Alike, which its words do not tell surely. */
const SHED = "I am locked out: who keeps a key to the boat shed?";
const ASKS = "Did somebody ask this before you?";

/** The bot may note gaps at the server. */
const AT_SERVER: TownOptions = { env: { THREADLORE_INGEST_KEY: KEYS.owner } };

async function ask(place: Town, who: Person, channel: string, text: string): Promise<string> {
  const ts = await who.mention(channel, text);
  await place.answered(channel, ts);
  await idle(place);
  return ts;
}

const waitingOf = async ({ bot, workspace }: Town, { user }: Person) =>
  (await bot.context.store.waitingOf(`${workspace.team.id}:${user.id}`))[0];

const offerTo = (who: Person, channel: string) => who.ephemerals(channel).find(({ text }) => text === ASKS);

/** Takes the first of what is offered. */
async function take(place: Town, who: Person, channel: string): Promise<void> {
  const offer = await place.workspace.until(() => offerTo(who, channel));
  await who.press({ channel, ts: offer.ts }, "gap_same_0", buttonOf(offer, "gap_same_0"));
  await place.workspace.until(() => who.ephemerals(channel).some(({ text }) => text.startsWith("Thank you")));
  await idle(place);
}

async function close(place: Town, gap: string | undefined): Promise<void> {
  const { general, workspace } = place;
  await place.knowledge.add({ id: "boat", title: "Keys", text: "Nothing about it." });
  const permalink = `https://${workspace.team.domain}.slack.com/archives/${general.id}/p1700000000000100`;
  const answer = { documentId: "boat", title: BOAT, permalink, owner: "UNOBODY", beginning: "Under the mat." };
  await closeGap(place.bot.context, gap ?? "none", answer);
  await idle(place);
}

describe.each([
  ["in the bot's own store", {}],
  ["at the server", AT_SERVER],
] as const)("a question that may be one of others, %s", LONG, (_where, options) => {
  it("is put together with them when its asker says so, who is told with everybody, once", async () => {
    const place = await town(options);
    const { ada, bo, general } = place;
    await ask(place, ada, general.id, BOAT);
    const ts = await ask(place, bo, general.id, SHED);
    const [first, before] = [await waitingOf(place, ada), await waitingOf(place, bo)];
    expect(before?.gap).not.toBe(first?.gap);
    expect(offerTo(ada, general.id)).toBeUndefined();
    expect(offerTo(bo, general.id)?.shown).toContain(BOAT);
    await take(place, bo, general.id);
    expect((await waitingOf(place, bo))?.gap).toBe(first?.gap);
    expect(await place.bot.context.gaps.list(9)).toMatchObject([{ people: 2, questions: 2 }]);
    await close(place, first?.gap);
    expect(toldBelow(place, general.id, ts)).toEqual([expect.stringContaining("Under the mat.")]);
  });

  it("is told of the answer at once where there is one", async () => {
    const place = await town(options);
    const { ada, bo, general } = place;
    await ask(place, ada, general.id, BOAT);
    await close(place, (await waitingOf(place, ada))?.gap);
    const ts = await ask(place, bo, general.id, SHED);
    expect(toldBelow(place, general.id, ts)).toEqual([]);
    expect(offerTo(bo, general.id)?.shown).toContain("answered");
    await take(place, bo, general.id);
    expect(toldBelow(place, general.id, ts)).toEqual([expect.stringContaining("Under the mat.")]);
  });

  it("is never shown what others asked in private, nor to guests", async () => {
    const place = await town(options);
    const { ada, bo, general, workspace } = place;
    const dm = workspace.dmOf(ada.user.id);
    const asked = await ada.dm(BOAT);
    await place.answered(dm.id, asked);
    await idle(place);
    await ask(place, bo, general.id, SHED);
    expect(bo.ephemerals(general.id)).toEqual([]);
    expect((await waitingOf(place, bo))?.gap).not.toBe((await waitingOf(place, ada))?.gap);

    const guest = workspace.addUser({ name: "guest", kind: "guest" });
    await guest.join(general.id);
    await ask(place, ada, general.id, BOAT);
    place.setRules("defaults:\n  guests: allow\n");
    await ask(place, guest, general.id, SHED);
    expect(guest.ephemerals(general.id).filter(({ text }) => text === ASKS)).toEqual([]);
  });
});
