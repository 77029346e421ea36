import { describe, expect, it } from "vitest";
import { scopesFor } from "../../settings/manifest.ts";
import { type Town, useTowns } from "../../testing/running-bot.ts";
import { type ScriptedAnswer, scriptedAnswer } from "../../testing/scripted-answer.ts";

const town = useTowns((one) => one.expectNoRefusals());

/** The service's next answers are written by the test, one for each question. */
function scripted({ knowledge }: Town, count = 1): ScriptedAnswer[] {
  const answers = Array.from({ length: count }, (_, index) =>
    scriptedAnswer({ userMessageId: 2 * index + 1, messageId: 2 * index + 2 }),
  );
  let next = 0;
  knowledge.fault = (request) =>
    Promise.resolve(request.url.endsWith("send-chat-message") ? answers[next++]?.response : undefined);
  return answers;
}

const LEAVE = "How many days of annual leave do I have?";
const LONG = { timeout: 90_000 };
/** Long enough to be shown while the answer is still being written. */
const SENTENCE = "The harbour office keeps the keys of the boat house, and hands them out against a signature. ";

describe("a question in a channel", LONG, () => {
  it("gets a streamed answer with its sources, in its thread", async () => {
    const place = await town();
    const { ada, general, workspace, knowledge } = place;
    const ts = await ada.mention(general.id, LEAVE);
    const answer = await place.answered(general.id, ts);
    expect(answer.shown).toContain("thirty days of annual leave");
    expect(answer.shown).toContain("[1] Leave");
    expect(answer.stream?.state).toBe("stopped");
    expect(knowledge.asked).toMatchObject([{ origin: "slackbot", message: LEAVE }]);
    expect(workspace.calls.filter(({ method }) => method === "chat.startStream")).toHaveLength(1);
    expect(workspace.messages(general.id)).toHaveLength(1);
  });

  it("shows within moments that it is being answered, and the text as it comes", async () => {
    const place = await town();
    const { ada, general, workspace } = place;
    const [answer] = scripted(place);
    const ts = await ada.mention(general.id, LEAVE);
    await workspace.until(() => place.answers(general.id, ts)[0]?.shown.includes("Reading the question"));
    answer?.say(SENTENCE.repeat(3));
    await workspace.until(() => place.answers(general.id, ts)[0]?.text.includes("boat house"));
    expect(place.answers(general.id, ts)[0]?.stream?.state).toBe("in_progress");
    answer?.end();
    expect((await place.answered(general.id, ts)).text).toContain(SENTENCE.trim());
  });

  it("is answered in the conversation its thread began, also after a restart", async () => {
    const place = await town();
    const { ada, general, knowledge } = place;
    const ts = await ada.mention(general.id, LEAVE);
    await place.answered(general.id, ts);
    await ada.mention(general.id, "How are train tickets booked?", { threadTs: ts });
    await place.answered(general.id, ts, 2);
    await place.restart();
    await ada.mention(general.id, "And who books them?", { threadTs: ts });
    await place.answered(general.id, ts, 3);
    const [first, second, third] = knowledge.asked;
    expect(first?.["chat_session_id"]).toBeUndefined();
    expect(second?.["chat_session_id"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(third?.["chat_session_id"]).toBe(second?.["chat_session_id"]);
    expect(Number(third?.["parent_message_id"])).toBeGreaterThan(Number(second?.["parent_message_id"]));
  });

  it("takes the thread up to itself along, with names, and nothing that came later", async () => {
    const place = await town();
    const { ada, bo, general, knowledge } = place;
    const [answer] = scripted(place);
    const root = await bo.say(general.id, `Ask <@${ada.user.id}> about the *boiler*`);
    await ada.say(general.id, "It leaks", { threadTs: root });
    await ada.mention(general.id, "who repairs it?", { threadTs: root });
    await bo.say(general.id, "LATER WORDS", { threadTs: root });
    await place.workspace.until(() => knowledge.asked.length === 1);
    answer?.say("Bo does.");
    answer?.end();
    await place.answered(general.id, root);
    const context = String(knowledge.asked[0]?.["additional_context"]);
    expect(context).toContain("Bo Lind: Ask @Ada Berg about the **boiler**");
    expect(context).toContain("Ada Berg: It leaks");
    expect(context).not.toContain("LATER WORDS");
    expect(context).not.toContain("who repairs it?");
    expect(context.match(/thread-[0-9a-f]{16}/g)).toHaveLength(2);
  });

  it("says how many messages of a long thread were left out", async () => {
    const place = await town({ env: { THREAD_CHARACTERS: "2000" } });
    const { ada, bo, general, knowledge } = place;
    const root = await bo.say(general.id, "The first message");
    for (let count = 0; count < 30; count += 1)
      await bo.say(general.id, `Message ${count} ${"x".repeat(200)}`, { threadTs: root });
    await ada.mention(general.id, LEAVE, { threadTs: root });
    const answer = await place.answered(general.id, root);
    const context = String(knowledge.asked[0]?.["additional_context"]);
    expect(context).toContain("The first message");
    expect(context).toContain("Message 29");
    expect(context).not.toContain("Message 3 ");
    const [, count] = /\((\d+) messages left out here\)/.exec(context) ?? [];
    expect(Number(count)).toBeGreaterThan(15);
    expect(answer.shown).toContain(`${count} messages were left out`);
  });

  it("without words gets a hint, and in a thread an answer about the thread", async () => {
    const place = await town();
    const { ada, bo, general, knowledge } = place;
    const bare = await ada.mention(general.id, "");
    expect((await place.answered(general.id, bare)).shown).toContain("What would you like to know?");
    expect(knowledge.asked).toHaveLength(0);
    const root = await bo.say(general.id, LEAVE);
    await ada.mention(general.id, "", { threadTs: root });
    await place.answered(general.id, root);
    expect(String(knowledge.asked[0]?.["additional_context"])).toContain(LEAVE);
  });

  it("that is too long is told so", async () => {
    const place = await town();
    const ts = await place.ada.mention(place.general.id, "why ".repeat(5_000));
    expect((await place.answered(place.general.id, ts)).shown).toContain("longer than a question can be");
    expect(place.knowledge.asked).toHaveLength(0);
  });
});

describe("a bot that is stopped in the middle of an answer", LONG, () => {
  it("goes on with it after the next start, in the same message", async () => {
    const place = await town({ parts: { drainMs: 100 } });
    const { ada, general, knowledge, workspace } = place;
    const [first, second] = scripted(place, 2);
    const ts = await ada.mention(general.id, LEAVE);
    first?.say(SENTENCE.repeat(3));
    await workspace.until(() => place.answers(general.id, ts)[0]?.text.includes("boat house"));
    const begun = place.answers(general.id, ts)[0]?.ts;
    await place.restart();
    await workspace.until(() => knowledge.asked.length === 2);
    second?.say("Thirty days.");
    second?.end();
    await workspace.until(() => place.answers(general.id, ts)[0]?.shown.includes("Thirty days."));
    const answers = place.answers(general.id, ts);
    expect(answers.map((answer) => answer.ts)).toEqual([begun]);
    expect(answers[0]?.shown).not.toContain("boat house");
    expect(knowledge.asked[1]?.["parent_message_id"]).toEqual(knowledge.asked[0]?.["parent_message_id"]);
  });
});

describe("a question that was edited or deleted", LONG, () => {
  it("before the first words is asked anew as it reads now", async () => {
    const place = await town();
    const { ada, general, knowledge, workspace } = place;
    const [first, second] = scripted(place, 2);
    const ts = await ada.mention(general.id, "How many days of leaf?");
    await workspace.until(() => knowledge.asked.length === 1);
    await ada.edit(general.id, ts, `<@${workspace.app.botUserId}> How many days of leave?`);
    await first?.left;
    await workspace.until(() => knowledge.asked.length === 2);
    second?.say("Thirty.");
    second?.end();
    expect((await place.answered(general.id, ts)).text).toContain("Thirty.");
    expect(knowledge.asked[1]).toMatchObject({ message: "How many days of leave?" });
    expect(place.answers(general.id, ts)).toHaveLength(1);
  });

  it("into words for somebody else gets no answer: what is shown is decided as it reads now", async () => {
    const place = await town();
    const { ada, bo, general, knowledge, workspace } = place;
    const [first, second, third] = scripted(place, 3);
    const ts = await ada.mention(general.id, LEAVE);
    first?.say("Thirty.");
    first?.end();
    await place.answered(general.id, ts);
    const followUp = await ada.say(general.id, "And how many days do trainees have?", { threadTs: ts });
    await workspace.until(() => knowledge.asked.length === 2);
    await ada.edit(general.id, followUp, `<@${bo.user.id}> And how many days do trainees have?`);
    await second?.left;
    await workspace.until(() => knowledge.asked.length === 3);
    third?.say("Twenty-eight.");
    third?.end();
    const shown = (): string | undefined => place.answers(general.id, ts)[1]?.shown;
    await workspace.until(() => shown()?.includes("I may no longer answer here."));
    expect(shown()).not.toContain("Twenty-eight.");
  });

  it("into something too long is told so, and not asked anew", async () => {
    const place = await town();
    const { ada, general, knowledge, workspace } = place;
    const [first] = scripted(place);
    const ts = await ada.mention(general.id, LEAVE);
    await workspace.until(() => knowledge.asked.length === 1);
    await ada.edit(general.id, ts, `<@${workspace.app.botUserId}> ${"why ".repeat(5_000)}`);
    await first?.left;
    await workspace.until(() => place.answers(general.id, ts)[0]?.shown.includes("longer than a question can be"));
    await expect.poll(() => place.bot.context.store.backlog()).toEqual({ waiting: 0, running: 0 });
    expect(knowledge.asked).toHaveLength(1);
    expect(place.answers(general.id, ts)).toHaveLength(1);
    expect((await place.bot.context.store.recentRefusals(1))[0]?.words).toContain("too long");
  });

  it.each([
    ["nothing", ""],
    ["a card", ""],
    ["text", SENTENCE.repeat(3)],
  ])("is left alone once it is gone, and %s of its answer that was shown is taken back", async (there, words) => {
    const place = await town();
    const { ada, general, knowledge, workspace, bot } = place;
    const [answer] = scripted(place);
    const ts = await ada.mention(general.id, LEAVE);
    await workspace.until(() => knowledge.asked.length === 1);
    if (there !== "nothing") await workspace.until(() => place.answers(general.id, ts).length === 1);
    if (words !== "") {
      answer?.say(words);
      await workspace.until(() => place.answers(general.id, ts)[0]?.text.includes("boat house"));
    }
    await ada.delete(general.id, ts);
    await answer?.left;
    await expect.poll(() => bot.context.store.backlog()).toEqual({ waiting: 0, running: 0 });
    // Taking it back goes on after the task has ended.
    await expect.poll(() => place.answers(general.id, ts).map(({ text }) => text)).toEqual([]);
    expect(knowledge.asked).toHaveLength(1);
  });
});

describe("questions of one thread", LONG, () => {
  it("are answered one after another, and the one that waits says so", async () => {
    const place = await town();
    const { ada, bo, general, knowledge, workspace } = place;
    const [first, second] = scripted(place, 2);
    const ts = await ada.mention(general.id, LEAVE);
    await workspace.until(() => knowledge.asked.length === 1);
    await bo.mention(general.id, "And train tickets?", { threadTs: ts });
    await workspace.until(() => bo.ephemerals(general.id).some(({ shown }) => shown.includes("I answer this next")));
    expect(knowledge.asked).toHaveLength(1);
    first?.say("Thirty.");
    first?.end();
    await workspace.until(() => knowledge.asked.length === 2);
    second?.say("Second class.");
    second?.end();
    expect((await place.answered(general.id, ts, 2)).text).toContain("Second class.");
    expect(ada.ephemerals()).toEqual([]);
  });
});

describe("a direct message", LONG, () => {
  it("is answered with the key for direct messages, each message in a thread of its own", async () => {
    const place = await town({ restricted: true });
    const { ada, workspace, knowledge } = place;
    await knowledge.add({ id: "secret", title: "Plans", text: "The merger is called Bluefin." });
    const dm = workspace.dmOf(ada.user.id);
    const ts = await ada.dm("What is the merger called?");
    expect((await place.answered(dm.id, ts)).shown).toContain("Bluefin");
    await ada.dm("Who knows of Bluefin?", { threadTs: ts });
    await place.answered(dm.id, ts, 2);
    expect(knowledge.asked[1]?.["chat_session_id"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(workspace.session(dm.id, ts)).toMatchObject({ status: "active" });
  });

  it("has its conversation titled, and its title followed by the server", async () => {
    const place = await town();
    const { ada, workspace, knowledge, bot } = place;
    const dm = workspace.dmOf(ada.user.id);
    const ts = await ada.dm(LEAVE);
    await place.answered(dm.id, ts);
    await workspace.until(() => workspace.session(dm.id, ts)?.title !== "");
    await ada.renameSession(dm.id, ts, "Days off");
    const place2 = `${workspace.team.id}:${dm.id}:${ts}:dm`;
    const session = (await bot.context.store.conversations.get(place2))?.chatSessionId ?? "";
    await expect
      .poll(async () => (await bot.context.servers.dm.deployment.getSession(session)).description)
      .toBe("Days off");
    expect(knowledge.asked).toHaveLength(1);
  });

  it("is offered questions, each of which is answered and cited", async () => {
    const place = await town();
    const { ada, workspace, knowledge } = place;
    await ada.openMessages();
    const dm = workspace.dmOf(ada.user.id);
    await expect.poll(() => workspace.prompts(dm.id).length).toBe(2);
    for (const { title, message } of workspace.prompts(dm.id)) {
      const ts = await ada.dm(message);
      const { shown } = await place.answered(dm.id, ts);
      expect(shown).toMatch(/\[1\] (?:Leave|Travel)/);
      expect(title).toBe(message);
    }
    expect(knowledge.asked).toHaveLength(2);
  });

  it("is offered what whoever set up the server's assistant has written for it, and nothing else", async () => {
    const place = await town({ rules: "direct_messages:\n  persona: 7\n" });
    const { ada, workspace, knowledge } = place;
    const starter_messages = Array.from({ length: 6 }, (_, n) => ({
      name: n === 0 ? null : `N${n}`,
      message: `M${n}?`,
    }));
    knowledge.fault = (request) =>
      Promise.resolve(
        request.url.endsWith("/persona") ? Response.json([{ id: 7, name: "Help", starter_messages }]) : undefined,
      );
    await ada.openMessages();
    const dm = workspace.dmOf(ada.user.id);
    await expect
      .poll(() => workspace.prompts(dm.id))
      .toEqual([
        { title: "M0?", message: "M0?" },
        { title: "N1", message: "M1?" },
        { title: "N2", message: "M2?" },
        { title: "N3", message: "M3?" },
      ]);
  });

  it("is offered nothing where nothing is known, where rules leave some of it out, and where the person may not ask", async () => {
    const [empty, narrowed, closed] = [
      await town({ isEmpty: true }),
      await town({ rules: "direct_messages:\n  sources: [web]\n" }),
      await town({ rules: "direct_messages:\n  who_may_ask: [admins]\n" }),
    ];
    for (const { ada, workspace, bot } of [empty, narrowed, closed]) {
      await ada.openMessages();
      await expect.poll(() => bot.context.store.recall(`looks at:${ada.user.id}`)).toBe("");
      await bot.stop();
      expect(workspace.calls.map(({ method }) => method)).not.toContain("assistant.threads.setSuggestedPrompts");
    }
  });

  it("is offered none where the app may not, and the platform is asked only once", async () => {
    const lines: string[] = [];
    const place = await town({
      workspace: { app: { commands: ["/ask"], scopes: scopesFor(["command", "home", "follow_ups"]) } },
      env: { LOG_LEVEL: "warn" },
      onLog: (line) => void lines.push(line),
    });
    const { ada, bo, workspace } = place;
    const asked = () => workspace.calls.filter(({ method }) => method === "assistant.threads.setSuggestedPrompts");
    await ada.openMessages();
    await workspace.until(() => asked().length === 1);
    for (const person of [bo, ada, bo]) await person.openMessages();
    await place.answered(workspace.dmOf(ada.user.id).id, await ada.dm(LEAVE));
    expect(asked()).toMatchObject([{ response: { error: "missing_scope" } }]);
    expect(lines.filter((line) => line.includes("suggest prompts"))).toEqual([]);
  });

  it("comes with the channel that is open beside it", async () => {
    const place = await town();
    const { ada, general, workspace, knowledge } = place;
    const entities = [{ type: "slack#/types/channel_id", value: general.id, team_id: workspace.team.id }];
    const dm = workspace.dmOf(ada.user.id);
    await workspace.deliver({
      type: "app_context_changed",
      channel: dm.id,
      user: ada.user.id,
      context: { entities },
      event_ts: "1700000000.000100",
    });
    const ts = await ada.dm(LEAVE);
    await place.answered(dm.id, ts);
    expect(knowledge.asked[0]?.["additional_context"]).toContain("#general open");
  });
});

describe("a message without a mention", LONG, () => {
  const rules = (followUps: string, listen = "quiet"): string =>
    `defaults:\n  follow_ups: ${followUps}\n  listen: ${listen}\n`;

  it.each([
    ["off", false, false],
    ["own_threads", true, true],
    ["own_threads_asker", true, false],
  ])("in a thread of the bot, with follow_ups %s", async (followUps, alone, others) => {
    const place = await town({ rules: rules(followUps) });
    const { ada, bo, general, knowledge } = place;
    const ts = await ada.mention(general.id, LEAVE);
    await place.answered(general.id, ts);
    await ada.say(general.id, "How are train tickets booked?", { threadTs: ts });
    if (alone) await place.answered(general.id, ts, 2);
    await bo.say(general.id, "And who books them?", { threadTs: ts });
    await ada.say(general.id, "In which class are they?", { threadTs: ts });
    if (others) await place.answered(general.id, ts, 4);
    // A question elsewhere, asked after them, is answered; whatever was to be answered has been by then.
    const last = await bo.mention(general.id, LEAVE);
    await place.answered(general.id, last);
    await expect.poll(() => place.bot.context.store.backlog()).toEqual({ waiting: 0, running: 0 });
    expect(knowledge.asked).toHaveLength(2 + (alone ? 1 : 0) + (others ? 2 : 0));
  });

  it("is answered in an eager channel when it is a question, and nothing else is", async () => {
    const place = await town({ rules: rules("off", "eager") });
    const { ada, general, knowledge } = place;
    await ada.say(general.id, "Good morning everybody");
    const ts = await ada.say(general.id, LEAVE);
    await place.answered(general.id, ts);
    expect(knowledge.asked).toMatchObject([{ message: LEAVE }]);
  });

  it("leaves nothing behind where it is none of the bot's business", async () => {
    const place = await town();
    const { ada, general, bot, workspace } = place;
    const talk = await ada.say(general.id, LEAVE);
    const ts = await ada.mention(general.id, LEAVE);
    await place.answered(general.id, ts);
    expect(place.answers(general.id, talk)).toEqual([]);
    expect(await bot.context.store.traceOf(`${workspace.team.id}:${general.id}:${talk}`)).toEqual([]);
  });
});
