import type { Message } from "@threadlore/chat-workspace";
import { delay } from "@threadlore/client/delay";
import { describe, expect, it } from "vitest";
import { AT_WORK, clockFrom, keepAnswer, keepingTown, withHelpers } from "../../testing/kept-answers.ts";
import { startDeployedTown } from "../../testing/deployed-town.ts";
import { buttonOf } from "../../testing/buttons.ts";
import { idle, type Town, type TownOptions, useTowns } from "../../testing/running-bot.ts";
import { lookStillTrue } from "./look-still-true.ts";

const open = useTowns((one) => one.expectNoRefusals());
const LONG = { timeout: 90_000 };
const DAY_MS = 86_400_000;
const QUESTION = "How many people have to be aboard the Gannet?";
const ANSWER = "Two people have to be aboard the Gannet inside the harbour.";
const OTHERWISE = "Lifejackets are worn on deck. At least four people have to be aboard the Gannet.";

async function town(options: TownOptions = {}, more = ""): Promise<Town> {
  const { now } = clockFrom(AT_WORK);
  const place = await open(keepingTown({ ...options, parts: { now, ...options.parts } }));
  await withHelpers(place, more);
  return place;
}

/** What the bot wrote to somebody alone. */
function written(place: Town, person = place.bo): readonly Message[] {
  const { workspace } = place;
  const direct = workspace.channels().find(({ kind, members }) => kind === "im" && members.includes(person.user.id));
  const all = direct === undefined ? [] : workspace.messages(direct.id);
  return all.filter(({ user }) => user === workspace.app.botUserId);
}

async function contradict({ knowledge }: Town, text = OTHERWISE): Promise<void> {
  await knowledge.add({ id: "manning", title: "Manning of our boats", text, updatedAt: "2027-05-01T08:00:00Z" });
  await knowledge.service.drain();
}

async function look(place: Town): Promise<void> {
  await lookStillTrue(place.bot.context);
  await idle(place);
}

async function press(place: Town, message: Message, action: string, person = place.bo): Promise<void> {
  await person.press({ channel: message.channel, ts: message.ts }, action, buttonOf(message, action));
  await idle(place);
}

describe("“Still true?”", LONG, () => {
  it("is asked of the owner once when a newer document says otherwise, and “yes” ends it at the server as well", async () => {
    const clock = clockFrom(AT_WORK);
    const place = await town({ parts: { now: clock.now } });
    await keepAnswer(place, { question: QUESTION, answer: ANSWER });
    await look(place);
    expect(written(place)).toEqual([]);
    await contradict(place);
    for (let times = 0; times < 3; times += 1) await look(place);
    const [asked, ...more] = written(place);
    expect(more).toEqual([]);
    for (const words of [QUESTION, "Manning of our boats", "At least four people", "Two people have to be aboard"]) {
      expect(asked?.shown).toContain(words);
    }
    if (asked === undefined) return;
    await press(place, asked, "still_holds");
    expect(written(place)[0]?.shown).toContain("Still true");
    expect(await place.bot.context.servers.ingest.kept.list()).toMatchObject({ kept_answers: [] });
    await look(place);
    expect(written(place)).toHaveLength(1);
    expect(await place.bot.context.store.openDoubts(9)).toEqual([]);
    clock.advance(600_000);
    // What the newer document says by then is another doubt.
    await contradict(place, "Since the accident at least five people have to be aboard the Gannet.");
    await look(place);
    expect(written(place)).toHaveLength(2);
  });

  it("ends by itself when the newer document is gone, and by an edit of the owner’s", async () => {
    const place = await town();
    const { bo, general, workspace, knowledge, bot } = place;
    const { ts } = await keepAnswer(place, { question: QUESTION, answer: ANSWER });
    await contradict(place);
    await look(place);
    await contradict(place, "Lifejackets are worn on deck.");
    await look(place);
    expect(written(place)[0]?.shown).toContain("Nothing speaks against it any more");
    await contradict(place, "From May on at least six people have to be aboard the Gannet.");
    await look(place);
    const asked = written(place)[1] as Message;
    await press(place, asked, "still_edit");
    await workspace.until(() => JSON.stringify(bo.modals()).includes("Edit your message"));
    expect(JSON.stringify(bo.modals())).toContain("Two people");
    await bo.edit(general.id, ts, "Six people have to be aboard the Gannet.");
    await workspace.until(() => written(place)[1]?.shown.includes("Changed since") === true);
    await idle(place);
    await knowledge.service.drain();
    await look(place);
    expect(written(place)).toHaveLength(2);
    expect(await bot.context.store.openDoubts(9)).toEqual([]);
  });

  it("retires an answer by one press: it is found no more, its gap is open again, and nobody is told", async () => {
    const place = await town();
    const { ada, general, workspace, bot } = place;
    const { thread, ts } = await keepAnswer(place, { question: QUESTION, answer: ANSWER, ageMs: 181 * DAY_MS });
    await look(place);
    const [asked] = written(place);
    expect(asked?.shown).toContain("older than 180 days");
    await press(place, asked as Message, "still_retire");
    await workspace.until(() => written(place)[0]?.shown.includes("Retired") === true);
    await idle(place);
    // Of several it is to be seen which one.
    expect(written(place)[0]?.shown).toContain(QUESTION);
    expect((await bot.context.store.findPin(general.id, ts))?.state).toBe("tombstone");
    expect(await bot.context.store.findKeptAnswer(general.id, ts)).toBeUndefined();
    const lines = place.answers(general.id, thread).filter(({ text }) => text.includes("retired"));
    expect(lines).toHaveLength(1);
    expect(written(place, ada)).toEqual([]);
    const again = await ada.mention(general.id, QUESTION);
    expect((await place.answered(general.id, again)).shown).not.toContain("Two people");
    await look(place);
    expect(written(place)).toHaveLength(1);
  });

  it("counts the age from the last “yes”, reminds once after a week, and asks never where the rules say so", async () => {
    const clock = clockFrom(AT_WORK);
    const place = await town({ parts: { now: clock.now } });
    await keepAnswer(place, { question: QUESTION, answer: ANSWER, ageMs: 181 * DAY_MS });
    await look(place);
    clock.advance(6 * DAY_MS);
    await look(place);
    expect(written(place)).toHaveLength(1);
    clock.advance(DAY_MS);
    for (let times = 0; times < 2; times += 1) await look(place);
    expect(written(place)).toHaveLength(2);
    clock.advance(14 * DAY_MS);
    await look(place);
    expect(written(place)).toHaveLength(2);
    await press(place, written(place)[1] as Message, "still_holds");
    expect(written(place).every(({ shown }) => shown.includes("Still true"))).toBe(true);
    clock.advance(175 * DAY_MS);
    await look(place);
    expect(written(place)).toHaveLength(2);
    await withHelpers(place, `    still_true_after: off\n`);
    await expect.poll(() => place.bot.context.rules().channels.get(place.general.id)?.still_true_after).toBe("off");
    clock.advance(70 * DAY_MS);
    await look(place);
    expect(written(place)).toHaveLength(2);
  });

  it("is asked of the administrators when the owner has left, and of nobody else", async () => {
    const place = await town({ env: { ADMIN_CHANNEL: "C0000ADMIN" }, workspace: {} });
    const { workspace, ada, bo, bot } = place;
    const boss = workspace.addUser({ name: "boss", kind: "admin" });
    const admins = workspace.addChannel({ name: "admins", members: [boss.user.id, ada.user.id], withApp: true });
    Object.assign(bot.context.config, { adminChannel: admins.id });
    await keepAnswer(place, { question: QUESTION, answer: ANSWER });
    workspace.deactivate(bo.user.id);
    await contradict(place);
    await look(place);
    const [asked] = workspace.messages(admins.id);
    expect(asked?.shown).toContain("not here any more");
    expect(asked?.shown).not.toContain("[Edit]");
    await press(place, asked as Message, "still_holds", ada);
    await workspace.until(() => ada.ephemerals(admins.id).some(({ text }) => text.includes("Only administrators")));
    await press(place, asked as Message, "still_holds", boss);
    await workspace.until(() => workspace.message(admins.id, asked?.ts ?? "")?.shown.includes("Still true") === true);
    expect(written(place)).toEqual([]);
  });

  it("names no answer of a private channel to administrators who are asked of it, neither before nor after their press", async () => {
    const place = await town({ env: { ADMIN_CHANNEL: "C0000ADMIN" } });
    const { workspace, ada, bo, bot, general } = place;
    const boss = workspace.addUser({ name: "boss", kind: "admin" });
    const admins = workspace.addChannel({ name: "admins", members: [boss.user.id], withApp: true });
    Object.assign(bot.context.config, { adminChannel: admins.id });
    await keepAnswer(place, { question: QUESTION, answer: ANSWER, ageMs: 181 * DAY_MS });
    workspace.convert(general.id, "private");
    workspace.deactivate(bo.user.id);
    await look(place);
    const [asked] = workspace.messages(admins.id);
    expect(asked?.shown).toContain("An answer in a private channel");
    await press(place, asked as Message, "still_holds", boss);
    await workspace.until(() => workspace.message(admins.id, asked?.ts ?? "")?.shown.includes("Still true") === true);
    for (const words of [QUESTION, ANSWER]) expect(JSON.stringify(workspace.messages(admins.id))).not.toContain(words);
    expect(written(place, ada)).toEqual([]);
  });

  it("is asked at an hour of work", async () => {
    const clock = clockFrom(Date.UTC(2026, 10, 27, 21));
    const place = await town({ parts: { now: clock.now } });
    await keepAnswer(place, { question: QUESTION, answer: ANSWER, ageMs: 181 * DAY_MS });
    await lookStillTrue(place.bot.context);
    await delay(500);
    expect(written(place)).toEqual([]);
    // Monday, at half past nine.
    clock.advance(2.5 * DAY_MS + 1_800_000);
    await place.workspace.until(() => written(place).length > 0);
  });

  it("shows nothing of a newer document that the channel’s key does not find", async () => {
    const place = await town({ restricted: true });
    await keepAnswer(place, { question: QUESTION, answer: ANSWER });
    await contradict(place);
    await look(place);
    const [asked, ...more] = written(place);
    expect(more).toEqual([]);
    expect(asked?.shown).toContain("may not all see");
    for (const hidden of ["four people", "Manning"]) expect(JSON.stringify(asked)).not.toContain(hidden);
  });
});

/** Somebody asks what is kept, and Ada marks the answer as not helpful. */
async function marked(place: Town): Promise<void> {
  const { ada, bo, general } = place;
  const ts = await bo.mention(general.id, QUESTION);
  const answer = await place.answered(general.id, ts);
  expect(answer.shown).toContain("Two people");
  await press(place, answer, "answer_bad", ada);
  await expect.poll(() => written(place).length, { timeout: 20_000 }).toBe(1);
}

describe("“Still true?” of an answer that was marked as not helpful", LONG, () => {
  it("is asked once, however many mark it", async () => {
    const place = await town();
    await keepAnswer(place, { question: QUESTION, answer: ANSWER });
    await marked(place);
    await look(place);
    expect(written(place)[0]?.shown).toContain("not helpful");
    await press(place, written(place)[0] as Message, "still_holds");
    await look(place);
    expect(written(place)).toHaveLength(1);
  });
});

describe("“Still true?” where the server knows no kept answers", LONG, () => {
  it("is asked for age and for bad marks alone", async () => {
    const place = await startDeployedTown({ isEmpty: true, parts: { now: clockFrom(AT_WORK).now } });
    await withHelpers(place);
    await keepAnswer(place, { question: QUESTION, answer: ANSWER, ageMs: 181 * DAY_MS });
    for (let times = 0; times < 2; times += 1) await look(place);
    expect(written(place)).toHaveLength(1);
    await press(place, written(place)[0] as Message, "still_holds");
    expect(written(place)[0]?.shown).toContain("Still true");
    await look(place);
    expect(written(place)).toHaveLength(1);
  });
});
