import type { Message } from "@threadlore/chat-workspace";
import { delay } from "@threadlore/client/delay";
import { describe, expect, it } from "vitest";
import { forgetAsker } from "../forget-questions.ts";
import { buttonOf } from "../../testing/buttons.ts";
import { askForPerson, keepFirst } from "../../testing/calling.ts";
import { documentsOf } from "../../testing/documents-of.ts";
import { clockFrom, keepingTown, withHelper } from "../../testing/kept-answers.ts";
import { idle, type Town, type TownOptions, useTowns } from "../../testing/running-bot.ts";

const open = useTowns((one) => one.expectNoRefusals());
const LONG = { timeout: 90_000 };
const ASKED = "Where does the orange kayak trailer stand?";
const REPLY = "The orange kayak trailer stands behind the boathouse, next to the diesel tank.";

/** A town where kept answers have a place to go to, and where what is sent can soon be found. */
const town = (options: TownOptions = {}): Promise<Town> => open(keepingTown({ isEmpty: false, ...options }));

/** Ada asks what nobody wrote down, and wants a person. Resolves with the message that asks. */
const called = (place: Town, words = ASKED) => askForPerson(place, words);

describe("“Ask a person”", LONG, () => {
  it("asks a helper in the thread, keeps their reply by one press of theirs, and answers from it", async () => {
    const place = await town();
    await withHelper(place);
    const { ada, bo, general, workspace } = place;
    const { threadTs, call } = await called(place);
    expect(call.shown).toContain(ASKED);
    expect(call.text).toContain(`<@${bo.user.id}>`);
    await bo.say(general.id, REPLY, { threadTs });
    const shown = () => workspace.message(general.id, call.ts);
    await workspace.until(() => shown()?.shown.includes("replied") === true);
    await keepFirst(place, call, bo);
    await workspace.until(() => shown()?.shown.includes("Answered by") === true);
    const told = await workspace.until(() =>
      place.answers(general.id, threadTs).find(({ text }) => text.includes("answered this")),
    );
    expect(told.text).toContain(`<@${ada.user.id}>`);
    const again = await bo.mention(general.id, ASKED);
    const found = await place.answered(general.id, again);
    expect(found.shown).toContain("behind the boathouse");
    expect(found.shown).toContain("[1]");
    await idle(place);
    expect(place.answers(general.id, threadTs).filter(({ text }) => text.includes("answered this"))).toHaveLength(1);
  });

  it("asks once, whoever presses, and takes a question that was deleted for none", async () => {
    const place = await town();
    await withHelper(place);
    const { ada, bo, general, workspace } = place;
    const { threadTs, answer } = await called(place);
    const ref = buttonOf(answer, "answer_human");
    await bo.press({ channel: general.id, ts: answer.ts }, "answer_human", ref);
    await workspace.until(() => bo.ephemerals(general.id).some(({ text }) => text.includes("called already")));
    expect(callsIn(place, threadTs)).toHaveLength(1);
    const other = await ada.mention(general.id, "Which harbour seal sleeps on the slipway?");
    const second = await place.answered(general.id, other);
    await ada.delete(general.id, other);
    await ada.press({ channel: general.id, ts: second.ts }, "answer_human", buttonOf(second, "answer_human"));
    await workspace.until(() => ada.ephemerals(general.id).some(({ text }) => text.includes("was deleted")));
    expect(callsIn(place, other)).toHaveLength(0);
  });

  it("says so where nobody is named and nobody wrote about it", async () => {
    const place = await town();
    const { ada, general, workspace } = place;
    const threadTs = await ada.mention(general.id, ASKED);
    const answer = await place.answered(general.id, threadTs);
    await ada.press({ channel: general.id, ts: answer.ts }, "answer_human", buttonOf(answer, "answer_human"));
    await workspace.until(() => ada.ephemerals(general.id).some(({ text }) => text.includes("Nobody is named")));
    expect(callsIn(place, threadTs)).toHaveLength(0);
    await expect.poll(() => place.bot.context.store.waitingOf(`${workspace.team.id}:${ada.user.id}`)).toHaveLength(1);
  });

  it("keeps a reply by its author's press alone, follows its edits, and forgets it with the message", async () => {
    const place = await town();
    await withHelper(place);
    const { ada, bo, general, workspace, knowledge } = place;
    const { threadTs, call } = await called(place);
    const reply = await bo.say(general.id, REPLY, { threadTs });
    const shown = () => workspace.message(general.id, call.ts)?.shown ?? "";
    await workspace.until(() => shown().includes("replied"));
    const keep = buttonOf(workspace.message(general.id, call.ts), "help_keep_0");
    await ada.press({ channel: general.id, ts: call.ts }, "help_keep_0", keep);
    await workspace.until(() => ada.ephemerals(general.id).some(({ text }) => text.includes("only they")));
    await bo.press({ channel: general.id, ts: call.ts }, "help_keep_0", keep);
    await bo.press({ channel: general.id, ts: call.ts }, "help_keep_0", keep);
    await workspace.until(() => shown().includes("Answered by"));
    await expect
      .poll(() => documentsOf(place), { timeout: 20_000 })
      .toMatch(/Where does the orange kayak[^]*boathouse/);
    // Said after the press, it is not part of what was agreed to.
    await bo.say(general.id, "You are welcome, canary.", { threadTs });
    await bo.edit(general.id, reply, "The orange kayak trailer stands in the new shed.");
    await expect.poll(() => documentsOf(place), { timeout: 30_000 }).toContain("new shed");
    expect(documentsOf(place)).not.toContain("canary");
    expect(shown()).toContain("Answered by");
    await bo.delete(general.id, reply);
    await expect.poll(() => documentsOf(place), { timeout: 30_000 }).not.toContain("new shed");
    await workspace.until(() => shown().includes("[Mark as resolved]"));
    await knowledge.service.drain();
    await idle(place);
    const told = place.answers(general.id, threadTs).filter(({ text }) => text.includes("answered this"));
    expect(told).toHaveLength(1);
  });

  it("keeps nothing of a reply without words, nor where the channel is shared by then", async () => {
    const place = await town();
    await withHelper(place);
    const { bo, general, workspace } = place;
    const { threadTs, call } = await called(place);
    await bo.say(general.id, "", { threadTs, files: [{ name: "map.png", mimetype: "image/png", content: "x" }] });
    await workspace.until(() => workspace.message(general.id, call.ts)?.shown.includes("replied") === true);
    const keep = buttonOf(workspace.message(general.id, call.ts), "help_keep_0");
    await bo.press({ channel: general.id, ts: call.ts }, "help_keep_0", keep);
    await workspace.until(() => bo.ephemerals(general.id).some(({ text }) => text.includes("no text of yours")));
    await bo.say(general.id, REPLY, { threadTs });
    workspace.share(general.id, "yes");
    await bo.press({ channel: general.id, ts: call.ts }, "help_keep_0", keep);
    await workspace.until(() => bo.ephemerals(general.id).some(({ text }) => text.includes("shared with another")));
    expect(documentsOf(place)).not.toContain("boathouse");
  });
});

describe("whoever asked and wants to be forgotten", LONG, () => {
  it("is in no call any more, nor are their words; what somebody had kept stays theirs", async () => {
    const place = await town();
    await withHelper(place);
    const { ada, bo, bot, general, workspace } = place;
    const other = await called(place, "Which harbour seal sleeps on the slipway?");
    const { threadTs, call, answer } = await called(place);
    await bo.say(general.id, REPLY, { threadTs });
    const shown = (ts: string) => workspace.message(general.id, ts)?.shown ?? "";
    await workspace.until(() => shown(call.ts).includes("replied"));
    await keepFirst(place, call, bo);
    await workspace.until(() => shown(call.ts).includes("Answered by"));
    await idle(place);
    await ada.command(general.id, "/ask", "gaps forget");
    await workspace.until(() => ada.ephemerals(general.id).some(({ text }) => text.includes("forgotten")));
    await idle(place);
    expect(shown(other.call.ts)).toContain("the question was taken back");
    expect(shown(call.ts)).toContain("Somebody asked:");
    expect(shown(call.ts)).toContain("Answered by");
    for (const { ts } of [other.call, call]) {
      const { text = "", blocks } = workspace.message(general.id, ts) ?? {};
      expect(text + JSON.stringify(blocks)).not.toMatch(new RegExp(`seal|needs a person|${ada.user.id}`));
    }
    const calls = [await callOf(place, other.answer), await callOf(place, answer)];
    expect(JSON.stringify(calls)).not.toMatch(new RegExp(`seal|kayak|${ada.user.id}`));
    expect(await bot.context.store.findKeptAnswer(general.id, calls[1]?.keeps ?? "")).toMatchObject({
      owner: bo.user.id,
    });
    expect(documentsOf(place)).toContain("boathouse");
  });

  it("is not asked for by a press that was still to be done", async () => {
    const place = await town();
    await withHelper(place);
    const { ada, bot, general } = place;
    const threadTs = await ada.mention(general.id, ASKED);
    const answer = await place.answered(general.id, threadTs);
    await idle(place);
    const before = bot.context.now();
    await forgetAsker({ ...bot.context, now: () => before + 60_000 }, ada.user.id);
    await ada.press({ channel: general.id, ts: answer.ts }, "answer_human", buttonOf(answer, "answer_human"));
    await idle(place);
    expect(callsIn(place, threadTs)).toHaveLength(0);
  });
});

describe("an answer whose call is old", LONG, () => {
  it("is known as long as its document is there, and then no more", async () => {
    const place = await town();
    await withHelper(place);
    const { bo, bot, general, workspace } = place;
    const { store } = bot.context;
    const { threadTs, call, answer } = await called(place);
    const reply = await bo.say(general.id, REPLY, { threadTs });
    await workspace.until(() => workspace.message(general.id, call.ts)?.shown.includes("replied") === true);
    await keepFirst(place, call, bo);
    await workspace.until(() => workspace.message(general.id, call.ts)?.shown.includes("Answered by") === true);
    await idle(place);
    const { task } = await callOf(place, answer);
    await store.forgetBefore(Date.now() + 60_000);
    expect(await store.findCall(task)).toBeUndefined();
    expect(await store.findKeptAnswer(general.id, reply)).toMatchObject({ owner: bo.user.id });
    await bo.delete(general.id, reply);
    await expect.poll(() => documentsOf(place), { timeout: 30_000 }).not.toContain("boathouse");
    await expect.poll(() => store.findKeptAnswer(general.id, reply)).toBeUndefined();
  });
});

describe("the message that asks people", LONG, () => {
  it("stands there once, though the bot ended while it was posted and it came late as well", async () => {
    const place = await town({ parts: { patience: { lateCallsMs: [1_000, 3_000] } } });
    const { threadTs, answer, held } = await heldCall(place);
    await place.restart();
    const { workspace } = place;
    await workspace.until(() => callsIn(place, threadTs).length === 1);
    held.release();
    await workspace.until(() => workspace.calls.some(({ method }) => method === "chat.delete"));
    await idle(place);
    expect(callsIn(place, threadTs)).toHaveLength(1);
    expect((await callOf(place, answer)).ts).toBe(callsIn(place, threadTs)[0]?.ts);
  });

  it("stands there once, though the bot ended while it was posted and was away for an hour", async () => {
    const clock = clockFrom(Date.now());
    const place = await town({ parts: { now: clock.now } });
    const { threadTs, answer, held } = await heldCall(place);
    await place.bot.stop();
    held.release();
    await place.workspace.until(() => callsIn(place, threadTs).length === 1);
    clock.advance(3_600_000);
    await place.restart();
    await idle(place);
    expect(callsIn(place, threadTs)).toHaveLength(1);
    expect((await callOf(place, answer)).ts).toBe(callsIn(place, threadTs)[0]?.ts);
  });
});

describe("a thread in which people were asked", LONG, () => {
  it("is theirs until an answer is kept, and whoever asked can keep what they found out themselves", async () => {
    const place = await town();
    await withHelper(place);
    const { ada, bo, general, workspace } = place;
    const { threadTs, call } = await called(place);
    const before = place.answers(general.id, threadTs).length;
    await bo.say(general.id, "Which trailer do you mean, the old one?", { threadTs });
    const own = await ada.say(general.id, `Found out: ${REPLY}`, { threadTs });
    await workspace.until(() => workspace.message(general.id, call.ts)?.shown.includes("replied") === true);
    await idle(place);
    expect(place.answers(general.id, threadTs)).toHaveLength(before);
    await ada.shortcut("ingest_message", { channel: general.id, ts: own });
    const form = await workspace.until(() => ada.modals().at(-1));
    expect(JSON.stringify(form)).toContain("Keep as the answer");
    await ada.submit(form.id, {});
    await workspace.until(() => workspace.message(general.id, call.ts)?.shown.includes("Answered by") === true);
    expect(documentsOf(place)).toContain("Found out");
  });

  it("names several who replied, each with a button of their own; who was first keeps it", async () => {
    const place = await town();
    await withHelper(place);
    const { bo, general, workspace } = place;
    const mia = workspace.addUser({ name: "mia", realName: "Mia Ek" });
    await mia.join(general.id);
    const { threadTs, call } = await called(place);
    await bo.say(general.id, REPLY, { threadTs });
    await mia.say(general.id, "船は艇庫の裏です。 <@U0NOBODY> & `code` :boat:", { threadTs });
    const message = () => workspace.message(general.id, call.ts) as Message;
    await workspace.until(
      () => message().shown.includes("Keep Mia Ek’s answer") || message().shown.includes("Keep mia’s answer"),
    );
    const [first, second] = [buttonOf(message(), "help_keep_0"), buttonOf(message(), "help_keep_1")];
    await Promise.all([
      mia.press({ channel: general.id, ts: call.ts }, "help_keep_1", second),
      bo.press({ channel: general.id, ts: call.ts }, "help_keep_0", first),
    ]);
    await workspace.until(() => message().shown.includes("Answered by"));
    await idle(place);
    const texts = documentsOf(place);
    expect([texts.includes("boathouse"), texts.includes("艇庫")].filter(Boolean)).toHaveLength(1);
  });
});

describe("a private question", LONG, () => {
  it("leaves only by the form, in the words and to the channel its asker chose", async () => {
    const place = await town();
    await withHelper(place);
    const { ada, bo, general, workspace } = place;
    const ts = await ada.dm(`${ASKED} It is for my divorce, canary.`);
    const dm = workspace.dmOf(ada.user.id).id;
    const answer = await place.answered(dm, ts);
    await ada.press({ channel: dm, ts: answer.ts }, "answer_human", buttonOf(answer, "answer_human"));
    const form = await workspace.until(() => ada.modals().find((one) => JSON.stringify(one).includes("call_words")));
    expect(JSON.stringify(form)).toContain("Everybody in that channel reads these words");
    expect(workspace.messages(general.id)).toEqual([]);
    await ada.submit(form.id, { call_words: ASKED, call_place: general.id, call_name: "unnamed" });
    const call = await workspace.until(() => workspace.messages(general.id).find(({ shown }) => shown.includes(ASKED)));
    expect(JSON.stringify(call.blocks) + call.text).not.toMatch(new RegExp(`canary|${ada.user.id}`));
    expect(call.text).toContain(`<@${bo.user.id}>`);
    await bo.say(general.id, REPLY, { threadTs: call.ts });
    await workspace.until(() => workspace.messages(dm).some(({ text }) => text.includes("replied to your question")));
    await keepFirst(place, call, bo);
    await workspace.until(() => workspace.message(general.id, call.ts)?.shown.includes("Answered by") === true);
    await workspace.until(() => workspace.messages(dm, ts).some(({ text }) => text.includes("has answered")));
    await idle(place);
    expect(JSON.stringify(workspace.messages(general.id, call.ts))).not.toContain("canary");
    expect(documentsOf(place)).not.toContain("canary");
  });
});

describe("the reminder", LONG, () => {
  it("comes once, at an hour of work, where nobody replied", async () => {
    // A Friday, late in the evening.
    let now = Date.UTC(2026, 10, 27, 21);
    const place = await town({ parts: { now: () => now, patience: { remindEveryMs: 50 } } });
    await withHelper(place);
    const { general } = place;
    const { threadTs } = await called(place);
    const reminders = () => place.answers(general.id, threadTs).filter(({ text }) => text.includes("still waits"));
    now = Date.UTC(2026, 10, 29, 12);
    await delay(400);
    expect(reminders()).toHaveLength(0);
    now = Date.UTC(2026, 10, 30, 12);
    await expect.poll(reminders, { timeout: 20_000 }).toHaveLength(1);
    now = Date.UTC(2026, 11, 2, 12);
    await delay(400);
    expect(reminders()).toHaveLength(1);
  });
});

/** Ada asked, and wants a person: the message that asks Bo is on its way, and comes no further until it is let. */
async function heldCall(place: Town) {
  await withHelper(place);
  const { ada, general, workspace } = place;
  const threadTs = await ada.mention(general.id, ASKED);
  const answer = await place.answered(general.id, threadTs);
  await idle(place);
  const held = workspace.faults.hold("chat.postMessage");
  await ada.press({ channel: general.id, ts: answer.ts }, "answer_human", buttonOf(answer, "answer_human"));
  await held.came;
  return { threadTs, answer, held };
}

/** What is kept of the call below an answer. */
async function callOf({ bot }: Town, answer: Message) {
  const call = await bot.context.store.findCall(buttonOf(answer, "answer_human") ?? "");
  if (call === undefined) throw new Error("nobody was asked");
  return call;
}

function callsIn({ workspace, general }: Town, threadTs: string): readonly Message[] {
  return workspace.messages(general.id, threadTs).filter(({ text }) => text.includes("needs a person"));
}
