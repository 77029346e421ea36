import type { KnownBlock } from "@slack/types";
import type { Message } from "@threadlore/chat-workspace";
import { describe, expect, it } from "vitest";
import { idle, type Town, useTowns } from "../../testing/running-bot.ts";
import { scriptedAnswer } from "../../testing/scripted-answer.ts";

const town = useTowns((one) => one.expectNoRefusals());

const LONG = { timeout: 60_000 };
const LEAVE = "How many days of annual leave do I have?";
const NEXT = "Who approves longer leave?";
const DOCUMENT = {
  document_id: "leave",
  semantic_identifier: "Leave",
  link: "https://handbook.example/leave",
  blurb: "Leave",
  source_type: "web",
};
const FOUND = { state: "quote", closest: [], conflict: [], corrected: [] };

/** The next answers say this, each after a search, and offer these questions. */
function answersWith(place: Town, text: string, offered: readonly string[] = []): void {
  let session = 0;
  place.knowledge.fault = (request) => {
    if (request.url.includes("/chat/follow-ups")) {
      const told = offered.map((question) => ({ question, document_id: "leave" }));
      return Promise.resolve(Response.json({ follow_ups: told }));
    }
    if (!request.url.endsWith("send-chat-message")) return Promise.resolve(undefined);
    session += 1;
    const script = scriptedAnswer({ documents: [DOCUMENT], finding: FOUND, messageId: 2 * session });
    const placement = { turn_index: 0, tab_index: 0 };
    for (const obj of [
      { type: "search_tool_start" },
      { type: "search_tool_documents_delta", documents: [DOCUMENT] },
      { type: "section_end" },
      { type: "citation_info", citation_number: 1, document_id: "leave" },
    ])
      script.packet({ placement, obj });
    script.say(text);
    script.end();
    return Promise.resolve(script.response);
  };
}

const typesOf = ({ blocks }: Message): readonly unknown[] => blocks.map(({ type }) => type);

/** `action_id`s below a message, in order. */
const actionsOf = ({ blocks }: Message): readonly string[] =>
  (blocks as unknown as KnownBlock[]).flatMap((block) =>
    block.type === "actions"
      ? block.elements.map((element) => ("action_id" in element ? (element.action_id ?? "") : ""))
      : [],
  );

describe("an answer", LONG, () => {
  it("has its steps folded, its source once and one row of actions, streamed and posted alike", async () => {
    const rows = ["answer_good", "answer_bad", "answer_regenerate", "answer_more"];
    const streaming = await town();
    answersWith(streaming, "Thirty days [1].");
    const asked = await streaming.ada.mention(streaming.general.id, LEAVE);
    const streamed = await streaming.answered(streaming.general.id, asked);
    expect(streamed.stream?.plan).toBe("Searched 1 document");
    expect(typesOf(streamed)).toEqual(["context", "actions"]);
    expect(actionsOf(streamed)).toEqual(rows);
    expect(streamed.shown.match(/Leave/g)).toHaveLength(1);
    expect(streamed.shown).not.toMatch(/AI|check/);
    const posting = await town({ env: { STREAMING: "off" } });
    answersWith(posting, "Thirty days [1].");
    const askedToo = await posting.ada.mention(posting.general.id, LEAVE);
    const posted = await posting.answered(posting.general.id, askedToo);
    expect(typesOf(posted)).toEqual(["plan", "markdown", "context", "actions"]);
    expect(posted.blocks[0]).toMatchObject({ title: "Searched 1 document" });
    expect(actionsOf(posted)).toEqual(rows);
  });

  it("dates a source only where somebody said when it was changed", async () => {
    const place = await town();
    const { ada, general, knowledge } = place;
    await knowledge.add({
      id: "boats",
      title: "Boats",
      text: "The rowing boats are painted green every spring.",
      updatedAt: "2025-04-02T00:00:00Z",
    });
    const undated = await place.answered(general.id, await ada.mention(general.id, LEAVE));
    expect(undated.shown).toMatch(/^Source \[1\] Leave$/m);
    const asked = await ada.mention(general.id, "Which colour are the rowing boats painted?");
    expect((await place.answered(general.id, asked)).shown).toMatch(/^Source \[1\] Boats · Apr 2025$/m);
  });

  it("says how it came to be, and offers a person, where the rules want that", async () => {
    const place = await town({ rules: "defaults:\n  disclaimer: on\n  helpers: [U0HELPER1]\n" });
    answersWith(place, "Thirty days [1].");
    const { shown } = await place.answered(place.general.id, await place.ada.mention(place.general.id, LEAVE));
    expect(shown).toContain("Quoted from the documents – check important details.");
    expect(shown).toContain("[👍] [👎] [↻] [Ask a person]");
  });

  it("loses its buttons when a newer one stands in its thread, and nothing else", async () => {
    const place = await town();
    const { ada, general } = place;
    answersWith(place, "Thirty days [1].", [NEXT]);
    const ts = await ada.mention(general.id, LEAVE);
    const first = await place.answered(general.id, ts);
    expect(actionsOf(first)).toContain("answer_next_0");
    await ada.mention(general.id, "And in a leap year?", { threadTs: ts });
    await place.answered(general.id, ts, 2);
    await expect
      .poll(() => place.answers(general.id, ts).map((message) => actionsOf(message).length > 0))
      .toEqual([false, true]);
    const [older] = place.answers(general.id, ts);
    expect(older && typesOf(older)).toEqual(["plan", "markdown", "context"]);
    expect(older?.shown).toMatch(/Searched 1 document[^]*Thirty days \[1\]\.[^]*\[1\] Leave/);
    expect(older?.metadata).toEqual(first.metadata);
    expect(older?.edited).toBe(false);
    // A failure is no newer answer.
    place.knowledge.fault = () => Promise.resolve(Response.json({ detail: "x" }, { status: 500 }));
    await ada.mention(general.id, "And then?", { threadTs: ts });
    await place.answered(general.id, ts, 3);
    await idle(place);
    expect(place.answers(general.id, ts).map((message) => actionsOf(message).length > 0)).toEqual([false, true, true]);
  });

  it("that found nothing says where it looked, if that is not everywhere, and has what helps and no vote", async () => {
    const place = await town({ rules: "defaults:\n  document_sets: [Handbook]\n" });
    const script = scriptedAnswer({ finding: { ...FOUND, state: "nothing" } });
    place.knowledge.fault = (request) =>
      Promise.resolve(request.url.endsWith("send-chat-message") ? script.response : undefined);
    const ts = await place.ada.mention(place.general.id, "Who invented the telescope?");
    script.say("I found nothing about this in the documents.");
    script.end();
    const answer = await place.answered(place.general.id, ts);
    expect(answer.shown).toMatch(/documents\.\nSearched here: Handbook\.\n\[↻ Ask again\] \[Ask a person\]$/);
  });

  it("tells in its menu how it was answered, to who may read it", async () => {
    const place = await town();
    const { ada, bo, general } = place;
    answersWith(place, "Thirty days [1].");
    const { ts, blocks } = await place.answered(general.id, await ada.mention(general.id, LEAVE));
    const value = /"(how:[^"]+)"/.exec(JSON.stringify(blocks))?.[1] ?? "";
    await bo.press({ channel: general.id, ts }, "answer_more", value);
    const page = await place.workspace.until(() => bo.modals().at(-1));
    expect(page).toMatchObject({ title: { text: "How this was answered" } });
    expect(JSON.stringify(page)).toContain("The bot was mentioned.");
  });
});

describe("a question offered below an answer", LONG, () => {
  it("is asked in the same thread, in the name and with the rights of who pressed it, once", async () => {
    const place = await town();
    const { ada, bo, general, workspace } = place;
    const guest = workspace.addUser({ name: "guest", kind: "guest" });
    await guest.join(general.id);
    answersWith(place, "Thirty days [1].", [NEXT, "How do I ask for leave?"]);
    const ts = await ada.mention(general.id, LEAVE);
    const first = await place.answered(general.id, ts);
    expect(first.shown).toContain(`[${NEXT}] [How do I ask for leave?]`);
    // Who may not ask here is told so, and nothing is asked.
    await guest.press({ channel: general.id, ts: first.ts }, "answer_next_0");
    await workspace.until(() => guest.ephemerals(general.id).at(-1));
    await idle(place);
    expect(place.knowledge.asked).toHaveLength(1);
    await bo.press({ channel: general.id, ts: first.ts }, "answer_next_0");
    await place.answered(general.id, ts, 3);
    await idle(place);
    const [, says, answer] = place.answers(general.id, ts);
    expect(says?.shown).toBe(`@${bo.user.id} asks: ${NEXT}`);
    expect(answer?.shown).toContain("Thirty days");
    expect(place.knowledge.asked.at(-1)).toMatchObject({ message: NEXT, chat_session_id: expect.any(String) });
    const task = (await place.bot.context.store.findAnswer(general.id, answer?.ts ?? ""))?.taskId ?? "";
    expect((await place.bot.context.store.find(task))?.body).toMatchObject({ user: bo.user.id });
    // What stood there before has no buttons any more; who presses what their page still shows is told.
    const kept = place.knowledge.asked.length;
    await place.restart();
    await ada.press({ channel: general.id, ts: answer?.ts ?? "" }, "answer_next_0");
    await place.answered(general.id, ts, 5);
    expect(place.knowledge.asked).toHaveLength(kept + 1);
  });

  it("is not used up by whoever may not ask", async () => {
    const place = await town({ env: { QUESTIONS_PER_USER: "2/1h" } });
    const { ada, bo, general, workspace } = place;
    place.setRules(`channels:\n  ${general.id}:\n    who_may_ask: [${ada.user.id}]\n`);
    await expect.poll(() => place.bot.context.rules().channels.size, { timeout: 10_000 }).toBe(1);
    answersWith(place, "Thirty days [1].", [NEXT]);
    const ts = await ada.mention(general.id, LEAVE);
    const first = await place.answered(general.id, ts);
    const pressed = (person: typeof ada) => person.press({ channel: general.id, ts: first.ts }, "answer_next_0");
    const told = (person: typeof ada, words: string) =>
      workspace.until(() => person.ephemerals(general.id).find(({ shown }) => shown.includes(words)));
    await pressed(bo);
    await told(bo, "Only some people may ask me here");
    // A budget is no reason either.
    const { store, now } = place.bot.context;
    const budget = { name: `user:${workspace.team.id}:${ada.user.id}`, most: 2, windowMs: 3_600_000 };
    expect((await store.hit([budget], now())).allowed).toBe(true);
    await pressed(ada);
    const over = await told(ada, "as many questions as one person may");
    expect(over.shown).toMatch(/for now\. Ask again after 20[-\d]+ [:\d]+ UTC\.$/);
    await idle(place);
    expect(place.knowledge.asked).toHaveLength(1);
    place.setRules("{}");
    await expect.poll(() => place.bot.context.rules().channels.size, { timeout: 10_000 }).toBe(0);
    await pressed(bo);
    await place.answered(general.id, ts, 3);
    await pressed(bo);
    await told(bo, "This was asked already.");
    expect(place.knowledge.asked).toHaveLength(2);
  });

  it("is asked also where Slack does not say at that moment who may ask", async () => {
    const place = await town();
    const { ada, general, workspace } = place;
    answersWith(place, "Thirty days [1].", [NEXT]);
    const ts = await ada.mention(general.id, LEAVE);
    const first = await place.answered(general.id, ts);
    await idle(place);
    workspace.faults.refuse("conversations.info", "internal_error", { times: 1 });
    await ada.press({ channel: general.id, ts: first.ts }, "answer_next_0");
    await place.answered(general.id, ts, 3);
    expect(place.knowledge.asked.at(-1)).toMatchObject({ message: NEXT });
  });

  it("pressed again and again by who may not ask is told them once, and nothing else is posted or left behind", async () => {
    const place = await town({ env: { QUESTIONS_PER_USER: "1/1h" } });
    const { ada, bo, general, workspace } = place;
    const guest = workspace.addUser({ name: "guest", kind: "guest" });
    await guest.join(general.id);
    place.setRules(`channels:\n  ${general.id}:\n    who_may_ask: [${ada.user.id}]\n`);
    await expect.poll(() => place.bot.context.rules().channels.size, { timeout: 10_000 }).toBe(1);
    answersWith(place, "Thirty days [1].", [NEXT, "How do I ask for leave?"]);
    const ts = await ada.mention(general.id, LEAVE);
    const first = await place.answered(general.id, ts);
    const before = workspace.calls.length;
    // Ada's budget is used up, Bo may not ask here, and a guest may not even read.
    for (const person of [ada, bo, guest]) {
      for (const at of [0, 1, 0, 1, 0]) await person.press({ channel: general.id, ts: first.ts }, `answer_next_${at}`);
    }
    for (const person of [ada, bo, guest]) await workspace.until(() => person.ephemerals(general.id).length > 0);
    await idle(place);
    await place.bot.stop();
    const made = workspace.calls
      .slice(before)
      .filter(({ method }) => /^(?:chat|agents|reactions|views)\./.test(method));
    expect(made.map(({ method, args }) => [method, args["user"]])).toEqual(
      expect.arrayContaining([ada, bo, guest].map(({ user }) => ["chat.postEphemeral", user.id])),
    );
    expect(made).toHaveLength(3);
    expect(place.answers(general.id, ts)).toHaveLength(1);
  });

  it("below an answer for one person is answered for them alone", async () => {
    const place = await town();
    const { ada, general, workspace } = place;
    answersWith(place, "Thirty days [1].", [NEXT]);
    await ada.command(general.id, "/ask", LEAVE);
    const own = () => ada.ephemerals(general.id).filter(({ shown }) => shown.includes("Thirty days"));
    const first = await workspace.until(() => own()[0]);
    expect(first.shown).toContain("[Share]");
    await ada.press({ channel: general.id, ts: first.ts }, "answer_next_0");
    await workspace.until(() => own()[1]);
    await ada.press({ channel: general.id, ts: first.ts }, "answer_next_0");
    const repeated = () => ada.ephemerals(general.id).filter(({ shown }) => shown === "This was asked already.");
    await workspace.until(() => repeated()[0]);
    for (let press = 0; press < 3; press += 1) await ada.press({ channel: general.id, ts: first.ts }, "answer_next_0");
    await place.bot.stop();
    expect(repeated()).toHaveLength(1);
    expect(place.knowledge.asked).toHaveLength(2);
    expect(place.answers(general.id, first.ts)).toEqual([]);
  });

  it("below an answer for one person says once a minute that a budget is used up", async () => {
    const { ada, general, workspace, bot, ...place } = await town({ env: { QUESTIONS_PER_USER: "1/1h" } });
    answersWith({ ada, general, workspace, bot, ...place }, "Thirty days [1].", [NEXT]);
    await ada.command(general.id, "/ask", LEAVE);
    const shown = (words: string) => ada.ephemerals(general.id).filter((one) => one.shown.includes(words));
    const first = await workspace.until(() => shown("Thirty days")[0]);
    for (let press = 0; press < 4; press += 1) await ada.press({ channel: general.id, ts: first.ts }, "answer_next_0");
    await workspace.until(() => shown("as many questions")[0]);
    await bot.stop();
    expect(shown("as many questions")).toHaveLength(1);
    // That it looks, the answer, and this.
    expect(ada.ephemerals(general.id)).toHaveLength(3);
  });

  it("where the rules show answers to one person alone is no news for others", async () => {
    const place = await town({ rules: "defaults:\n  answer: ephemeral\n" });
    const { ada, bo, general, workspace } = place;
    answersWith(place, "Thirty days [1].", [NEXT]);
    const ts = await ada.mention(general.id, LEAVE);
    const own = () => ada.ephemerals(general.id).filter(({ shown }) => shown.includes("Thirty days"));
    const first = await workspace.until(() => own()[0]);
    await ada.press({ channel: general.id, ts: first.ts }, "answer_next_0");
    await workspace.until(() => own()[1]);
    await idle(place);
    expect(place.knowledge.asked.map(({ message }) => message)).toEqual([LEAVE, NEXT]);
    expect(place.answers(general.id, ts)).toEqual([]);
    expect(bo.ephemerals(general.id)).toEqual([]);
  });

  it("is none where the server offers none, and none that nobody can read", async () => {
    const place = await town();
    answersWith(place, "Thirty days [1].", ["<!channel> look?", "x".repeat(200)]);
    const answer = await place.answered(place.general.id, await place.ada.mention(place.general.id, LEAVE));
    expect(actionsOf(answer)).not.toContain("answer_next_0");
  });
});
