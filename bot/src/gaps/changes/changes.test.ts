import type { Message, Person } from "@threadlore/chat-workspace";
import { describe, expect, it } from "vitest";
import { buttonOf } from "../../testing/buttons.ts";
import { AT_WORK, clockFrom, keepAnswer, keepingTown, withHelpers } from "../../testing/kept-answers.ts";
import { startDeployedTown } from "../../testing/deployed-town.ts";
import { forgedPresses } from "../../testing/forged-press.ts";
import { idle, type Town, type TownOptions, useTowns } from "../../testing/running-bot.ts";
import { lookStillTrue } from "../still-true/look-still-true.ts";

const open = useTowns((one) => one.expectNoRefusals());
const LONG = { timeout: 90_000 };
const QUESTION = "How many people have to be aboard the Gannet?";
const ANSWER = "Two people have to be aboard the Gannet inside the harbour.";
/** Says otherwise, of which no rule is sure. */
const OTHERWISE = "Crews of our boats\nNobody takes the Gannet out without three colleagues any more.";
const CHANGES = "Does this change what is kept?";
const PINS = "    pins: members\n";

async function town(options: TownOptions = {}): Promise<Town> {
  const { now } = clockFrom(AT_WORK);
  const place = await open(keepingTown({ ...options, parts: { now, ...options.parts } }));
  await withHelpers(place, PINS);
  return place;
}

/** Somebody pins what they say, and it can be found. */
async function pin(place: Town, who: Person, text: string): Promise<string> {
  const { general } = place;
  const ts = await who.say(general.id, text);
  await who.pin(general.id, ts);
  await isFound(place, ts);
  return ts;
}

async function isFound(place: Town, ts: string): Promise<void> {
  const { general, bot } = place;
  const state = async () => (await bot.context.store.findPin(general.id, ts))?.state;
  await expect.poll(state, { timeout: 30_000 }).toBe("indexed");
  await idle(place);
}

const offersTo = (who: Person): readonly Message[] => who.ephemerals().filter(({ text }) => text === CHANGES);

/** What the bot wrote to somebody alone. */
function written({ workspace }: Town, person: Person): readonly Message[] {
  const direct = workspace.channels().find(({ kind, members }) => kind === "im" && members.includes(person.user.id));
  const all = direct === undefined ? [] : workspace.messages(direct.id);
  return all.filter(({ user }) => user === workspace.app.botUserId);
}

async function press(place: Town, who: Person, { channel, ts, ...offer }: Message, at = 0): Promise<void> {
  const action = `kept_changed_${at}`;
  await who.press({ channel, ts }, action, buttonOf({ channel, ts, ...offer }, action) ?? "");
  await idle(place);
}

describe("“Does this change what is kept?”", LONG, () => {
  it("is asked of whoever pins alone; their press has the owner asked once, whoever else looks", async () => {
    const clock = clockFrom(AT_WORK);
    const place = await town({ parts: { now: clock.now } });
    const { ada, bo, general, workspace } = place;
    await keepAnswer(place, { question: QUESTION, answer: ANSWER });
    const ts = await pin(place, ada, OTHERWISE);
    const [offer, ...more] = offersTo(ada);
    expect(more).toEqual([]);
    for (const words of [QUESTION, ANSWER, "three colleagues"]) expect(offer?.shown).toContain(words);
    expect(offersTo(bo)).toEqual([]);
    expect(written(place, bo)).toEqual([]);
    if (offer === undefined) return;
    await press(place, ada, offer);
    await workspace.until(() => ada.ephemerals(general.id).some(({ text }) => text.includes("Bo Lind is asked")));
    await press(place, ada, offer).catch(() => undefined);
    for (let times = 0; times < 2; times += 1) await lookStillTrue(place.bot.context);
    await idle(place);
    const [asked, ...again] = written(place, bo);
    expect(again).toEqual([]);
    for (const words of [QUESTION, "Two people", "three colleagues"]) expect(asked?.shown).toContain(words);
    // A reply makes another version of the same words, and no other doubt.
    await bo.say(general.id, "Good to know.", { threadTs: ts });
    const version = async () => (await place.bot.context.store.findPin(general.id, ts))?.hash;
    const before = await version();
    const later = (): Promise<string | undefined> => {
      clock.advance(10_000);
      return version();
    };
    await expect.poll(later, { timeout: 30_000, interval: 200 }).not.toBe(before);
    await isFound(place, ts);
    await place.knowledge.service.drain();
    await lookStillTrue(place.bot.context);
    await idle(place);
    expect(written(place, bo)).toHaveLength(1);
    // It ends as every doubt does.
    const value = /"action_id":"still_holds","value":"([^"]+)"/.exec(JSON.stringify(asked?.blocks))?.[1] ?? "";
    await bo.press({ channel: asked?.channel ?? "", ts: asked?.ts ?? "" }, "still_holds", value);
    await idle(place);
    expect(written(place, bo)[0]?.shown).toContain("Still true");
    await lookStillTrue(place.bot.context);
    await idle(place);
    expect(written(place, bo)).toHaveLength(1);
  });

  it("is asked of whoever adds a message by hand", async () => {
    const place = await town();
    const { ada, bo, general, workspace } = place;
    await keepAnswer(place, { question: QUESTION, answer: ANSWER });
    const ts = await bo.say(general.id, OTHERWISE);
    await ada.shortcut("ingest_message", { channel: general.id, ts });
    const form = await workspace.until(() => ada.modals().at(-1));
    await ada.submit(form.id, {});
    await isFound(place, ts);
    expect(offersTo(ada)).toHaveLength(1);
    expect(offersTo(bo)).toEqual([]);
  });

  it("is asked once of the same words, and again of what an edit says instead", async () => {
    const clock = clockFrom(AT_WORK);
    const place = await town({ parts: { now: clock.now } });
    const { ada, bo, general, workspace } = place;
    await keepAnswer(place, { question: QUESTION, answer: ANSWER });
    const ts = await pin(place, ada, OTHERWISE);
    const kept = () => place.bot.context.store.findPin(general.id, ts);
    const hash = async () => (await kept())?.hash;
    let before = await hash();
    // Replies and edits are taken together for a while.
    const follows = async (): Promise<void> => {
      const later = (): Promise<string | undefined> => {
        clock.advance(10_000);
        return hash();
      };
      await expect.poll(later, { timeout: 30_000, interval: 200 }).not.toBe(before);
      await isFound(place, ts);
      before = await hash();
    };
    await bo.say(general.id, "Good to know.", { threadTs: ts });
    await follows();
    await place.restart();
    await idle(place);
    expect(offersTo(ada)).toHaveLength(1);
    await ada.edit(general.id, ts, "Crews of our boats\nNobody takes the Gannet out without five colleagues any more.");
    await follows();
    expect(offersTo(ada)).toHaveLength(2);
    expect(offersTo(ada)[1]?.shown).toContain("five colleagues");
    // What is kept no more changes nothing.
    await ada.unpin(general.id, ts);
    await expect.poll(async () => (await kept())?.state).toBe("tombstone");
    await press(place, ada, offersTo(ada)[1] as Message);
    await workspace.until(() => ada.ephemerals().some(({ text }) => text.includes("not kept any more")));
    expect(written(place, bo)).toEqual([]);
  });

  it("is asked once the server can be asked again", async () => {
    const place = await town();
    const { ada, knowledge } = place;
    await keepAnswer(place, { question: QUESTION, answer: ANSWER });
    let refused = 0;
    knowledge.fault = (request) => {
      if (!request.url.includes("/kept-answers/near") || refused === 2) return Promise.resolve(undefined);
      refused += 1;
      return Promise.resolve(new Response("", { status: 503 }));
    };
    await pin(place, ada, OTHERWISE);
    expect([refused, offersTo(ada).length]).toEqual([2, 1]);
  });

  it("is asked of no guest", async () => {
    const clock = clockFrom(AT_WORK);
    const place = await town({ parts: { now: clock.now } });
    const { ada, bo, general, workspace, bot } = place;
    const { store } = bot.context;
    await keepAnswer(place, { question: QUESTION, answer: ANSWER });
    const ts = await pin(place, ada, "The boats are painted in May.");
    const guest = workspace.addUser({ name: "guest", kind: "guest" });
    await guest.join(general.id);
    // Whoever had it kept is a guest by now: guests have nothing kept.
    const kept = await store.findPin(general.id, ts);
    if (kept !== undefined) await store.savePin({ ...kept, by: guest.user.id });
    await ada.edit(general.id, ts, OTHERWISE);
    const later = async (): Promise<string | undefined> => {
      clock.advance(10_000);
      return (await store.findPin(general.id, ts))?.hash;
    };
    await expect.poll(later, { timeout: 30_000, interval: 200 }).not.toBe(kept?.hash);
    await isFound(place, ts);
    expect([guest, ada, bo].flatMap(offersTo)).toEqual([]);
    expect(place.knowledge.requests.filter((one) => one.endsWith("/near"))).toHaveLength(1);
  });

  it("shows no answer that the channel’s key does not find", async () => {
    const place = await town({ restricted: true });
    const { ada } = place;
    await keepAnswer(place, { question: QUESTION, answer: ANSWER });
    await pin(place, ada, OTHERWISE);
    expect(offersTo(ada)).toEqual([]);
  });

  it("takes no press of somebody else, of another place, or about anything that was not shown", async () => {
    const place = await town({ env: { RECEIVER: "http", PORT: "0" }, parts: { now: Date.now } });
    const { ada, bo, general, workspace, bot, knowledge } = place;
    const forge = await forgedPresses(workspace, bot, "kept_changed_0");
    await keepAnswer(place, { question: QUESTION, answer: ANSWER });
    await pin(place, ada, OTHERWISE);
    const [, ref = ""] = (buttonOf(offersTo(ada)[0] as Message, "kept_changed_0") ?? "").split(":");
    const other = workspace.addChannel({ name: "other", members: [ada.user.id, bo.user.id], withApp: true });
    await forge(bo, general.id, `0:${ref}`);
    await forge(ada, other.id, `0:${ref}`);
    for (const value of [`1:${ref}`, `-1:${ref}`, `__proto__:${ref}`, `:${ref}`, "0:none", "", ref]) {
      await forge(ada, general.id, value);
    }
    await workspace.until(() => bo.ephemerals(general.id).some(({ text }) => text.includes("somebody else")));
    expect(knowledge.requests.filter((one) => one.includes("doubted"))).toEqual([]);
    expect(written(place, bo)).toEqual([]);
    // The right one counts.
    await forge(ada, general.id, `0:${ref}`);
    await expect.poll(() => bot.context.store.openDoubts(9)).toHaveLength(1);
  });
});

describe("“Does this change what is kept?” where the server knows no kept answers", LONG, () => {
  it("is not asked, and nobody hears of it", async () => {
    const place = await startDeployedTown({ isEmpty: true, parts: { now: clockFrom(AT_WORK).now } });
    await withHelpers(place, PINS);
    const { ada, general, bot } = place;
    await keepAnswer(place, { question: QUESTION, answer: ANSWER });
    const ts = await ada.say(general.id, OTHERWISE);
    await ada.pin(general.id, ts);
    const state = async () => (await bot.context.store.findPin(general.id, ts))?.state;
    await expect.poll(state, { timeout: 30_000 }).toMatch(/accepted|indexed/);
    await idle(place);
    expect(offersTo(ada)).toEqual([]);
  });
});
