import { describe, expect, it } from "vitest";
import { CAN_CONNECT } from "../testing/own-accounts.ts";
import { idle, type Town, useTowns } from "../testing/running-bot.ts";

const town = useTowns();

const LONG = { timeout: 120_000 };
const ENDED = /Ask again|\[Share\]|Reference|I could not|I cannot/;

/** Asks about a message by its shortcut. */
async function askAbout(
  { workspace, ada }: Town,
  message: { channel: string; ts: string },
  asked: { words: string; who: "me" | "thread" },
): Promise<void> {
  await ada.shortcut("ask_message", message);
  const modal = await workspace.until(() => ada.modals().at(-1));
  await ada.submit(modal.id, { words: asked.words, who: asked.who });
}

describe("what somebody asked for themselves", LONG, () => {
  it("is no part of the conversation that goes on in the thread for everybody", async () => {
    const place = await town();
    const { ada, bo, general, knowledge, workspace } = place;
    const ts = await bo.say(general.id, "We talk about holidays here.");
    await askAbout(place, { channel: general.id, ts }, { words: "Am I about to be dismissed?", who: "me" });
    await workspace.until(() => ada.ephemerals(general.id).find(({ shown }) => ENDED.test(shown)));
    await idle(place);
    await bo.mention(general.id, "How many days of annual leave do I have?", { threadTs: ts });
    await place.answered(general.id, ts);
    await idle(place);
    expect(knowledge.asked).toHaveLength(2);
    expect(knowledge.asked[1]?.["chat_session_id"]).toBeUndefined();
  });

  it("is no part of a colleague's own conversation in the same thread", async () => {
    const place = await town();
    const { ada, bo, general, knowledge, workspace } = place;
    place.setRules(`channels:\n  ${general.id}:\n    answer: ephemeral\n`);
    await expect.poll(() => place.bot.context.rules().channels.get(general.id)?.answer).toBe("ephemeral");
    const ts = await ada.mention(general.id, "How many days of annual leave do I have?");
    await workspace.until(() => ada.ephemerals(general.id).find(({ shown }) => ENDED.test(shown)));
    await bo.mention(general.id, "How are train tickets booked?", { threadTs: ts });
    await workspace.until(() => bo.ephemerals(general.id).find(({ shown }) => ENDED.test(shown)));
    await ada.mention(general.id, "And how are train tickets booked?", { threadTs: ts });
    await idle(place);
    expect(knowledge.asked).toHaveLength(3);
    const [first, colleague, followUp] = knowledge.asked;
    expect(first?.["chat_session_id"]).toBeUndefined();
    expect(colleague?.["chat_session_id"]).toBeUndefined();
    // Their own goes on.
    expect(followUp?.["chat_session_id"]).toBeDefined();
  });

  it("is asked in a conversation of its own when it is shared after it was answered again", async () => {
    const place = await town();
    const { ada, general, knowledge, workspace } = place;
    await ada.command(general.id, "/ask", "How many days of annual leave do I have?");
    const answers = () => ada.ephemerals(general.id).filter(({ shown }) => ENDED.test(shown));
    const first = await workspace.until(() => answers()[0]);
    await ada.press({ channel: general.id, ts: first.ts }, "answer_regenerate");
    const second = await workspace.until(() => answers()[1]);
    await ada.press({ channel: general.id, ts: second.ts }, "answer_share");
    await workspace.until(() => workspace.messages(general.id).find(({ text }) => text.includes("asked:")));
    await idle(place);
    expect(knowledge.asked).toHaveLength(3);
    expect(knowledge.asked[2]?.["chat_session_id"]).toBeUndefined();
  });

  it("does not reach a channel that was shared with another company a moment ago", async () => {
    const place = await town();
    const { ada, general, knowledge, workspace } = place;
    await ada.command(general.id, "/ask", "How many days of annual leave do I have?");
    const first = await workspace.until(() => ada.ephemerals(general.id).find(({ shown }) => ENDED.test(shown)));
    workspace.share(general.id, "yes");
    await ada.press({ channel: general.id, ts: first.ts }, "answer_share");
    await workspace.until(() =>
      ada.ephemerals(general.id).find(({ shown }) => shown.includes("shared with another company")),
    );
    await idle(place);
    expect(workspace.messages(general.id).filter(({ text }) => text.includes("annual leave"))).toEqual([]);
    expect(knowledge.asked).toHaveLength(1);
  });
});

describe("an answer for one person is shown where they see it:", LONG, () => {
  it("in the channel, saying about which message, where nobody has replied to it", async () => {
    const place = await town();
    const { ada, bo, general, workspace } = place;
    const ts = await bo.say(general.id, "We talk about holidays here.");
    await askAbout(
      place,
      { channel: general.id, ts },
      { words: "How many days of annual leave do I have?", who: "me" },
    );
    const answer = await workspace.until(() => ada.ephemerals(general.id).find(({ shown }) => ENDED.test(shown)));
    await idle(place);
    expect(answer.threadTs).toBeUndefined();
    expect(answer.shown).toContain("thirty days");
    expect(answer.shown).toContain("You asked about this message.");
    place.expectNoRefusals();
  });

  it("in the thread, where somebody has replied", async () => {
    const place = await town();
    const { ada, bo, general, workspace } = place;
    const ts = await bo.say(general.id, "We talk about holidays here.");
    await bo.say(general.id, "Indeed.", { threadTs: ts });
    await askAbout(
      place,
      { channel: general.id, ts },
      { words: "How many days of annual leave do I have?", who: "me" },
    );
    const answer = await workspace.until(() => ada.ephemerals(general.id).find(({ shown }) => ENDED.test(shown)));
    await idle(place);
    expect(answer.threadTs).toBe(ts);
    expect(answer.shown).not.toContain("You asked about");
    place.expectNoRefusals();
  });

  it("in the channel, where its rules show answers to the asker alone", async () => {
    const place = await town({ rules: "defaults:\n  answer: ephemeral\n" });
    const { ada, general, workspace } = place;
    await ada.mention(general.id, "How many days of annual leave do I have?");
    await workspace.until(() => ada.ephemerals(general.id).find(({ shown }) => ENDED.test(shown)));
    await idle(place);
    expect(ada.ephemerals(general.id).map(({ threadTs }) => threadTs)).toEqual([undefined]);
    place.expectNoRefusals();
  });

  it("and then nobody else learns what came of it, nor why nothing did", async () => {
    const only = "defaults:\n  answer: ephemeral\n  own_account: only\n";
    for (const [rules, told] of [
      ["defaults:\n  answer: ephemeral\n", "hold no answer"],
      [only, "own_account"],
    ] as const) {
      const place = await town({ rules, isEmpty: true, env: CAN_CONNECT });
      const { ada, bo, general, workspace } = place;
      const ts = await ada.mention(general.id, "How many days of annual leave do I have?");
      await idle(place);
      await workspace.until(() => ada.ephemerals(general.id).length > 0);
      const why = async (person: Town["ada"]): Promise<string> => {
        await person.shortcut("why_message", { channel: general.id, ts });
        return JSON.stringify(await workspace.until(() => person.modals().at(-1)));
      };
      expect(await why(ada)).toContain(told);
      expect(await why(bo)).not.toContain(told);
      expect(workspace.messages(general.id, ts).filter(({ user }) => user === workspace.app.botUserId)).toEqual([]);
      expect(bo.ephemerals(general.id)).toEqual([]);
      place.expectNoRefusals();
    }
  });
});

describe("an answer that was shared", LONG, () => {
  it("is answered again in its thread, not in a second one", async () => {
    const place = await town();
    const { ada, general, workspace } = place;
    await ada.command(general.id, "/ask", "How many days of annual leave do I have?");
    const first = await workspace.until(() => ada.ephemerals(general.id).find(({ shown }) => ENDED.test(shown)));
    await ada.press({ channel: general.id, ts: first.ts }, "answer_share");
    const roots = () => workspace.messages(general.id).filter(({ text }) => text.includes("asked:"));
    const root = await workspace.until(() => roots()[0]);
    const answer = await place.answered(general.id, root.ts, 2);
    await idle(place);
    await ada.press({ channel: general.id, ts: answer.ts }, "answer_regenerate");
    await place.answered(general.id, root.ts, 3);
    await idle(place);
    expect(roots()).toHaveLength(1);
  });
});

describe("a question about a message of a channel the bot is not in", LONG, () => {
  it("is declined where its asker can read it, also when the answer was meant for everybody", async () => {
    const place = await town();
    const { ada, bo, workspace } = place;
    const room = workspace.addChannel({
      name: "room",
      kind: "private",
      members: [ada.user.id, bo.user.id],
      withApp: false,
    });
    const ts = await bo.say(room.id, "We talk about holidays here.");
    await askAbout(place, { channel: room.id, ts }, { words: "How many days of leave?", who: "thread" });
    const told = await workspace.until(() => ada.ephemerals(room.id).at(-1));
    expect(told.shown).toContain("Invite me");
    await idle(place);
  });
});
