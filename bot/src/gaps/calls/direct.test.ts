import type { Message } from "@threadlore/chat-workspace";
import { describe, expect, it } from "vitest";
import { optedInChannels, reconcile } from "../../pins/reconcile.ts";
import { settingsFor } from "../../rules/rules.ts";
import { buttonOf } from "../../testing/buttons.ts";
import { documentsOf } from "../../testing/documents-of.ts";
import { keepingTown } from "../../testing/kept-answers.ts";
import { idle, type Town, useTowns } from "../../testing/running-bot.ts";

const open = useTowns((one) => one.expectNoRefusals());
const LONG = { timeout: 90_000 };
const ASKED = "Where does the orange kayak trailer stand?";
const REPLY = "The orange kayak trailer stands behind the boathouse.";
const ID = "C0BOATYARD";

async function town(rules: (place: Town) => string): Promise<Town> {
  const place = await open(keepingTown({ isEmpty: false }));
  await setRules(place, rules(place));
  return place;
}

let versions = 1;

/** Sets rules with a mark of their own, which nothing else says, and waits until they hold. */
async function setRules(place: Town, text: string): Promise<void> {
  versions += 1;
  const mark = `${versions}d`;
  const channels = text.includes("channels:\n") ? "" : "channels:\n";
  place.setRules(`${text}${channels}  C0MARK:\n    remind_after: ${mark}\n`);
  const held = () => settingsFor(place.bot.context.rules(), { id: "C0MARK", kind: "public" }).remind_after;
  await expect.poll(held, { timeout: 20_000 }).toBe(mark);
}

const ofDirectMessages = ({ bo }: Town): string => `direct_messages:\n  helpers: [${bo.user.id}]\n`;

/** Ada asks directly, and wants a person. Resolves with her conversation and the form that opens. */
async function wanted(place: Town) {
  const { ada, workspace } = place;
  const ts = await ada.dm(`${ASKED} It is for my divorce, canary.`);
  const dm = workspace.dmOf(ada.user.id).id;
  const answer = await place.answered(dm, ts);
  await ada.press({ channel: dm, ts: answer.ts }, "answer_human", buttonOf(answer, "answer_human"));
  const form = await workspace.until(() =>
    ada
      .modals()
      .find(
        (one) => /call_words|wait|nobody whom/.test(JSON.stringify(one)) && !/One moment/.test(JSON.stringify(one)),
      ),
  );
  return { ts, dm, form };
}

/** Ada agreed: the message by which Bo is asked. */
async function asked(place: Town) {
  const { ada, bo, workspace } = place;
  const at = await wanted(place);
  const theirs = workspace.dmOf(bo.user.id).id;
  expect(workspace.messages(theirs)).toEqual([]);
  await ada.submit(at.form.id, { call_words: ASKED, call_place: bo.user.id, call_name: "unnamed" });
  const call = await workspace.until(() => workspace.messages(theirs).find(({ shown }) => shown.includes(ASKED)));
  await idle(place);
  return { ...at, theirs, call };
}

/** Bo replies in that thread; the button by which it is kept, once it is there. */
async function replied(place: Town, { theirs, call }: { readonly theirs: string; readonly call: Message }) {
  const { bo, workspace } = place;
  await bo.say(theirs, REPLY, { threadTs: call.ts });
  const now = (): Message | undefined => workspace.message(theirs, call.ts);
  await workspace.until(() => now()?.shown.includes("replied") === true);
  await idle(place);
  return now;
}

describe("a private question that is put to one person directly", LONG, () => {
  it("goes to whom its asker chose, in the words they agreed to; the reply is kept by its author's press, and they are told once", async () => {
    const place = await town(ofDirectMessages);
    const { ada, bo, general, workspace } = place;
    const at = await asked(place);
    const { ts, dm, form, theirs, call } = at;
    expect(JSON.stringify(form)).toContain("Directly: Bo Lind");
    expect(JSON.stringify(call.blocks) + call.text).not.toMatch(new RegExp(`canary|${ada.user.id}`));
    const now = await replied(place, at);
    // What is said in that thread is for whoever asked, and no question to the bot.
    expect(place.answers(theirs, call.ts)).toHaveLength(1);
    expect(JSON.stringify(now()?.blocks)).toContain("private conversation");
    const told = () => place.answers(dm, ts).filter(({ text }) => text.includes("there is an answer"));
    expect(told()).toEqual([]);
    await bo.press({ channel: theirs, ts: call.ts }, "help_keep_0", buttonOf(now(), "help_keep_0"));
    await workspace.until(() => now()?.shown.includes("Answered by") === true);
    await workspace.until(() => told().length > 0);
    await idle(place);
    expect(told()).toHaveLength(1);
    const documents = documentsOf(place);
    expect(documents).toContain("behind the boathouse");
    expect(documents).not.toMatch(new RegExp(`canary|${ada.user.id}`));
    const again = await ada.mention(general.id, ASKED);
    expect((await place.answered(general.id, again)).shown).toContain("behind the boathouse");
    expect((await place.bot.context.gaps.list(10)).map(({ words }) => words)).toEqual([]);
  });

  it("is looked after as every kept answer is, also where nothing told that its message changed", async () => {
    const place = await town(ofDirectMessages);
    const { bo, bot, workspace } = place;
    const at = await asked(place);
    const now = await replied(place, at);
    await bo.press({ channel: at.theirs, ts: at.call.ts }, "help_keep_0", buttonOf(now(), "help_keep_0"));
    await workspace.until(() => now()?.shown.includes("Answered by") === true);
    await idle(place);
    expect(await optedInChannels(bot.context)).toContain(at.theirs);
    expect((await reconcile(bot.context, at.theirs)).begun).toHaveLength(1);
    await idle(place);
    expect(documentsOf(place)).toContain("behind the boathouse");
  });

  it("stands in a gap without its words while nobody has answered", async () => {
    const place = await town(ofDirectMessages);
    await asked(place);
    await idle(place);
    const gaps = await place.bot.context.gaps.list(10);
    expect(gaps.map(({ people, words }) => [people, words])).toEqual([[1, undefined]]);
  });

  it("goes to a helper of a channel its asker is not in, where there is no other; its rules hold for the answer", async () => {
    const rules = ({ bo }: Town, helpers = bo.user.id): string => `channels:\n  ${ID}:\n    helpers: [${helpers}]\n`;
    const place = await town(rules);
    const { bo, workspace } = place;
    const at = await asked(place);
    const now = await replied(place, at);
    const value = buttonOf(now(), "help_keep_0");
    await setRules(place, rules(place, "U0SOMEBODY"));
    await bo.press({ channel: at.theirs, ts: at.call.ts }, "help_keep_0", value);
    await workspace.until(() => bo.ephemerals(at.theirs).some(({ text }) => text.includes("never kept")));
    expect(documentsOf(place)).not.toContain("boathouse");
    await setRules(place, rules(place));
    await bo.press({ channel: at.theirs, ts: at.call.ts }, "help_keep_0", value);
    await workspace.until(() => now()?.shown.includes("Answered by") === true);
    expect(documentsOf(place)).toContain("boathouse");
  });

  it("goes to nobody where only the defaults name helpers, which is said; nor to who is no helper by then", async () => {
    const place = await town(({ bo }) => `defaults:\n  helpers: [${bo.user.id}]\n`);
    const { ada, bo, general, workspace } = place;
    await ada.leave(general.id);
    const { form } = await wanted(place);
    expect(JSON.stringify(form)).toContain("nobody whom I could ask directly");
    await ada.dismiss(form.id);
    await setRules(place, ofDirectMessages(place));
    const { dm, form: later } = await wanted(place);
    await setRules(place, "");
    await ada.submit(later.id, { call_words: ASKED, call_place: bo.user.id, call_name: "named" });
    await workspace.until(() => ada.ephemerals(dm).some(({ text }) => text.includes("cannot ask there any more")));
    await idle(place);
    expect(workspace.messages(workspace.dmOf(bo.user.id).id)).toEqual([]);
  });
});
