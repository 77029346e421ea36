import { describe, expect, it } from "vitest";
import { scriptedAnswer } from "../testing/scripted-answer.ts";
import { idle, type Town, useTowns } from "../testing/running-bot.ts";

const town = useTowns();

const LONG = { timeout: 120_000 };
const QUESTION = "How many days of annual leave do I have?";

const countOf = ({ workspace }: Town, method: string): number =>
  workspace.calls.filter((call) => call.method === method).length;

describe("a burst of questions at a channel's root", LONG, () => {
  it("reads no thread, and looks at the channel a few times for all of them", async () => {
    const place = await town({ env: { QUESTIONS_PER_USER: "off" } });
    const { ada, general, workspace } = place;
    const asked: string[] = [];
    for (let count = 0; count < 30; count += 1) asked.push(await ada.mention(general.id, QUESTION));
    await workspace.until(() => asked.every((ts) => place.answers(general.id, ts).length > 0), 60_000);
    await idle(place);
    for (const ts of asked) expect(place.answers(general.id, ts)).toHaveLength(1);
    expect(countOf(place, "conversations.replies")).toBe(0);
    expect(countOf(place, "conversations.info")).toBeLessThanOrEqual(20);
  });
});

describe("a question that was", LONG, () => {
  it("edited while it waited is answered as it reads then; deleted, it is not answered", async () => {
    const place = await town({ env: { AT_ONCE: "1" } });
    const { ada, bo, general, knowledge, workspace } = place;
    const script = scriptedAnswer();
    let first = true;
    knowledge.fault = (request) => {
      if (!request.url.endsWith("send-chat-message") || !first) return Promise.resolve(undefined);
      first = false;
      return Promise.resolve(script.response);
    };
    await bo.mention(general.id, QUESTION);
    await workspace.until(() => !first);
    const edited = await ada.mention(general.id, QUESTION);
    const deleted = await ada.mention(general.id, QUESTION);
    await expect.poll(() => place.bot.context.store.backlog()).toMatchObject({ waiting: 2 });
    await ada.edit(general.id, edited, `<@${workspace.app.botUserId}> How are train tickets booked?`);
    await ada.delete(general.id, deleted);
    const mark = (ts: string) => place.bot.context.store.recall(`changed:${workspace.team.id}:${general.id}:${ts}`);
    await expect.poll(async () => [await mark(edited), await mark(deleted)]).toEqual(["edited", "deleted"]);
    script.say("Thirty.");
    script.end();
    expect((await place.answered(general.id, edited)).shown).toContain("second class");
    await idle(place);
    expect(place.answers(general.id, deleted)).toEqual([]);
  });

  it("written without a mention is answered once, when an edit adds one", async () => {
    const place = await town();
    const { ada, general, workspace, knowledge } = place;
    const ts = await ada.say(general.id, QUESTION);
    await ada.edit(general.id, ts, `<@${workspace.app.botUserId}> ${QUESTION}`);
    expect((await place.answered(general.id, ts)).shown).toContain("thirty days");
    await ada.edit(general.id, ts, QUESTION);
    await ada.edit(general.id, ts, `<@${workspace.app.botUserId}> ${QUESTION}!`);
    await idle(place);
    expect(place.answers(general.id, ts)).toHaveLength(1);
    expect(knowledge.asked).toHaveLength(1);
  });

  it("asked in a channel the bot was then removed from: its asker is told in a direct message", async () => {
    const place = await town({ env: { STREAMING: "off" } });
    const { ada, general, knowledge, workspace } = place;
    const script = scriptedAnswer();
    let begun = false;
    knowledge.fault = (request) => {
      if (!request.url.endsWith("send-chat-message")) return Promise.resolve(undefined);
      begun = true;
      return Promise.resolve(script.response);
    };
    await ada.mention(general.id, QUESTION);
    await workspace.until(() => begun);
    workspace.removeApp(general.id);
    script.say("Thirty days of leave, which nobody else may read. ".repeat(5));
    script.end();
    const dm = workspace.dmOf(ada.user.id);
    const told = await workspace.until(() => workspace.messages(dm.id).at(-1));
    expect(told.shown).toContain("I could not answer your question");
    expect(told.shown).not.toContain("Thirty");
    await idle(place);
    expect(workspace.messages(dm.id)).toHaveLength(1);
  });
});

describe("small talk", LONG, () => {
  it("gets a reaction or how to ask, and nothing is looked up", async () => {
    const place = await town();
    const { ada, bo, general, knowledge, workspace } = place;
    const thanks = await ada.mention(general.id, "thanks!");
    const nodded = () => workspace.message(general.id, thanks)?.reactions.map(({ name }) => name) ?? [];
    await workspace.until(() => nodded().length > 0);
    expect(nodded()).toEqual(["raised_hands"]);
    const help = await bo.mention(general.id, "help");
    expect((await place.answered(general.id, help)).shown).toContain("Ask like this");
    const dm = workspace.dmOf(bo.user.id);
    expect((await place.answered(dm.id, await bo.dm("hi"))).shown).toContain("Just write your question here");
    await idle(place);
    expect(place.answers(general.id, thanks)).toEqual([]);
    expect(knowledge.asked).toEqual([]);
    place.expectNoRefusals();
  });
});

describe("status lines a workspace does not have", LONG, () => {
  it("are asked for once, and logged once", async () => {
    const lines: string[] = [];
    const place = await town({ env: { STREAMING: "off", LOG_LEVEL: "info" }, onLog: (line) => void lines.push(line) });
    const { ada, general, workspace, knowledge } = place;
    workspace.faults.refuse("assistant.threads.setStatus", "unknown_method", { times: 50 });
    knowledge.fault = async (request) => {
      if (request.url.endsWith("send-chat-message")) await new Promise((resolve) => setTimeout(resolve, 900));
      return undefined;
    };
    for (let count = 0; count < 3; count += 1)
      await place.answered(general.id, await ada.mention(general.id, QUESTION));
    await idle(place);
    expect(countOf(place, "assistant.threads.setStatus")).toBe(1);
    expect(lines.filter((line) => line.includes("status"))).toHaveLength(1);
  });
});
