import { asked, COMPANY, type DeployedTalk, startServer, talkTo } from "./deployed.harness.ts";
import { describe, expect, it, vi } from "vitest";
import { afterThisTest, type DeployedServer } from "@threadlore/testkit";
import { until } from "../../testing/until.ts";

let server: DeployedServer;
const QUESTION = "How fast are travel costs paid back?";
const WHOLE = "Travel costs are paid back within ten days [[1]](https://wiki.example.com/travel).";

async function begin(settings: Parameters<typeof startServer>[0] = {}): Promise<DeployedServer> {
  return (server = await startServer(settings));
}

/** Another panel, opened on what this one held. */
async function reopened(one: DeployedTalk, options: Parameters<typeof talkTo>[1] = {}): Promise<DeployedTalk> {
  const other = talkTo(server, options);
  const { turns, place } = one.held();
  await other.conversation.open(turns, place);
  return other;
}
const isOver = (one: DeployedTalk) => until("it is over", () => !one.conversation.isBusy.value);
/** Text in many pieces, and a wait in the middle that the test ends. */
function slowAnswer(): { readonly goOn: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.answerWith([
    { search: "travel costs" },
    "Travel costs are paid back ",
    { until: promise },
    "within ten days [1].",
  ]);
  return { goOn: () => resolve() };
}
const hasBegun = (one: DeployedTalk) => until("it has begun", () => one.text().includes("paid back"));

describe("an answer", () => {
  it.each([
    ["before its head", { at: "before-head" }],
    ["before its first line", { at: "after-head" }],
    ["before its first packet", { at: { packets: 0 } }],
    ["in the middle of a line", { at: { insidePacket: 7 } }],
    ["in its text", { at: { packets: 8 } }],
    ["after its last packet", { at: "before-end" }],
  ] as const)("whose connection is cut %s is whole all the same, and its question asked once", async (_, cut) => {
    await begin();
    const one = talkTo(server);
    server.faults.cut = { ...cut };
    await one.conversation.ask(QUESTION, COMPANY);
    expect(one.text()).toBe(WHOLE);
    expect(one.status()).toBe("done");
    expect(asked(server)).toEqual([QUESTION]);
    // And it goes on in the conversation the server has.
    await one.conversation.ask("And by whom?", COMPANY);
    expect(new Set(server.questions.map(({ sessionId }) => sessionId)).size).toBe(1);
  });

  it.each([
    ["before its first packet", 0],
    ["in its text", 8],
  ])(
    "whose server starts anew %s broke off; what had come stays, and it is answered when it is asked again",
    async (_, packets) => {
      await begin();
      const one = talkTo(server);
      const { promise, resolve } = Promise.withResolvers<void>();
      server.answerWith([{ search: "travel costs" }, "Travel costs are ", { until: promise }, "paid back."]);
      if (packets === 0) server.faults.silence = { packets: 0, ms: 600_000 };
      const asking = one.conversation.ask(QUESTION, COMPANY);
      await expect.poll(() => server.questions.length).toBe(1);
      await until("it has begun", () => packets === 0 || one.text().includes("Travel costs"));
      await server.restart(300);
      server.faults.silence = undefined;
      await asking;
      resolve();
      expect(one.said()).toContain("The answer broke off.");
      expect(one.text() !== "").toBe(packets > 0);
      server.answerWith(undefined);
      await one.conversation.again();
      expect(one.text()).toBe(WHOLE);
      expect(server.questions.map(({ outcome }) => outcome)).toEqual(["died", "finished"]);
    },
  );

  it("is not taken for the one to the same words once more, when those never arrive", async () => {
    await begin();
    const one = talkTo(server, { patienceMs: 3_000 });
    await one.conversation.ask(QUESTION, COMPANY);
    const { fetch } = globalThis;
    const lost = vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
      const isQuestion = (input instanceof Request ? input.url : String(input)).includes("send-chat-message");
      return isQuestion ? Promise.reject(new TypeError("Failed to fetch")) : fetch(input, init);
    });
    afterThisTest(() => lost.mockRestore());
    await one.conversation.ask(QUESTION, COMPANY);
    expect(one.text()).toBe("");
    expect(one.status()).toBe("failed");
    expect(asked(server)).toEqual([QUESTION]);
    await one.conversation.again();
    expect(one.text()).toBe("");
    expect(one.status()).toBe("failed");
    const asking = one.conversation.again();
    await expect.poll(() => one.conversation.isBusy.value).toBe(true);
    const other = await reopened(one);
    await asking;
    await isOver(other);
    expect(other.text()).toBe("");
    lost.mockRestore();
    server.answerWith("Something new.");
    await one.conversation.again();
    expect(one.text()).toBe("Something new.");
    expect(asked(server)).toEqual([QUESTION, QUESTION]);
  });

  it("is found when the same words are answered once more", async () => {
    await begin();
    const one = talkTo(server, { patienceMs: 300 });
    await one.conversation.ask(QUESTION, COMPANY);
    server.answerWith("Something new.");
    server.faults.cut = { at: "before-head" };
    let isAway = false;
    const { fetch } = globalThis;
    const away = vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
      isAway ||= (input instanceof Request ? input.url : String(input)).includes("send-chat-message");
      const isQuestion = (input instanceof Request ? input.url : String(input)).includes("send-chat-message");
      return isAway && !isQuestion ? Promise.reject(new TypeError("Failed to fetch")) : fetch(input, init);
    });
    afterThisTest(() => away.mockRestore());
    await one.conversation.again();
    expect(one.text()).toBe("");
    away.mockRestore();
    await one.conversation.again();
    expect(one.text()).toBe("Something new.");
    expect(asked(server)).toEqual([QUESTION, QUESTION]);
  });

  it("whose server starts anew after its last packet is whole", async () => {
    await begin();
    const one = talkTo(server);
    server.faults.cut = { at: "before-end", how: "stall" };
    const asking = one.conversation.ask(QUESTION, COMPANY);
    await expect.poll(() => one.text()).toBe(WHOLE);
    await server.restart();
    await asking;
    expect(one.status()).toBe("done");
    expect(asked(server)).toEqual([QUESTION]);
  });

  it("that is silent for long is waited for while the server says that it is at it", async () => {
    await begin({ heartbeatMs: 50 });
    const one = talkTo(server);
    server.faults.silence = { packets: 6, ms: 1_500 };
    await one.conversation.ask(QUESTION, COMPANY);
    expect(one.text()).toBe(WHOLE);
    expect(asked(server)).toEqual([QUESTION]);
  });

  it("that was finished while the panel was closed is there when it is opened again", async () => {
    await begin();
    const one = talkTo(server);
    const { goOn } = slowAnswer();
    void one.conversation.ask(QUESTION, COMPANY);
    await hasBegun(one);
    await expect.poll(() => one.held().place.chatSessionId).toBeDefined();
    goOn();
    await expect.poll(() => server.questions[0]?.outcome).toBe("finished");
    const again = await reopened(one);
    await isOver(again);
    expect(again.text()).toContain("within ten days");
    expect(again.status()).toBe("done");
    expect(asked(server)).toEqual([QUESTION]);
  });

  it("that is still being written when the panel is opened again is followed to its end", async () => {
    await begin();
    const one = talkTo(server);
    const { goOn } = slowAnswer();
    void one.conversation.ask(QUESTION, COMPANY);
    await hasBegun(one);
    await expect.poll(() => one.held().turns.at(-1)?.answer.conversation.chatSessionId).toBeDefined();
    const again = await reopened(one);
    expect(again.conversation.isBusy.value).toBe(true);
    goOn();
    await isOver(again);
    expect(again.text()).toBe(WHOLE);
    expect(again.status()).toBe("done");
    expect(asked(server)).toEqual([QUESTION]);
  });

  it("of which nothing had come when the panel was closed is found by its mark", async () => {
    await begin();
    const one = talkTo(server);
    server.faults.cut = { at: "after-head", how: "stall" };
    const { goOn } = slowAnswer();
    void one.conversation.ask(QUESTION, COMPANY);
    await expect.poll(() => server.questions.length).toBe(1);
    expect(one.held().place).toEqual({});
    const again = await reopened(one);
    goOn();
    await isOver(again);
    expect(again.text()).toBe(WHOLE);
    expect(asked(server)).toEqual([QUESTION]);
  });

  it("that the panel gave up is looked for before it is asked again: one that runs is gone on with", async () => {
    await begin();
    const one = talkTo(server, { patienceMs: 300 });
    const { goOn } = slowAnswer();
    const asking = one.conversation.ask(QUESTION, COMPANY);
    await hasBegun(one);
    await server.down({ answers: "go-on" });
    await asking;
    expect(one.said()).toContain("The answer broke off.");
    await server.up();
    const again = one.conversation.again();
    goOn();
    await again;
    expect(one.text()).toBe(WHOLE);
    expect(asked(server)).toEqual([QUESTION]);
  });

  it("that the panel gave up is not asked for again while nobody can say what became of it", async () => {
    await begin();
    const one = talkTo(server, { patienceMs: 300 });
    const { goOn } = slowAnswer();
    const asking = one.conversation.ask(QUESTION, COMPANY);
    await hasBegun(one);
    await server.down({ answers: "go-on" });
    await asking;
    await one.conversation.again();
    expect(one.said()).not.toBe("");
    await server.up();
    goOn();
    await one.conversation.again();
    expect(one.text()).toBe(WHOLE);
    expect(asked(server)).toEqual([QUESTION]);
  });

  it("that was stopped is written no more before it is asked for again", async () => {
    await begin();
    const one = talkTo(server);
    slowAnswer();
    const asking = one.conversation.ask(QUESTION, COMPANY);
    await hasBegun(one);
    one.conversation.stop();
    await asking;
    expect(one.status()).toBe("stopped");
    server.answerWith(undefined);
    await one.conversation.again();
    expect(one.text()).toBe(WHOLE);
    expect(server.questions.map(({ outcome }) => outcome)).toEqual(["stopped", "finished"]);
  });

  it("gives its conversation the name of its question, and none in a private window", async () => {
    await begin();
    await talkTo(server).conversation.ask(QUESTION, COMPANY);
    const names = () => [...server.sessions.values()].map(({ name }) => name);
    await expect.poll(names).toEqual([QUESTION]);
    await talkTo(server, { isPrivate: true }).conversation.ask("A secret of mine?", COMPANY);
    expect(server.questions).toHaveLength(2);
    expect(names()[1]).toMatch(/^· [0-9a-f]{8}$/);
  });

  it("to a question put otherwise stands on another branch; what is asked behind the one before is asked anew, and says so", async () => {
    await begin();
    const one = talkTo(server);
    await one.conversation.ask(QUESTION, COMPANY);
    await one.conversation.ask("And by whom?", COMPANY);
    const [first, second] = one.conversation.turns.value;
    if (first === undefined || second === undefined) throw new Error("Nothing was asked.");
    await one.conversation.askInstead(second, "And for whom?");
    expect(one.status()).toBe("done");
    const { historyShown = [] } = server.questions.at(-1) ?? {};
    expect(historyShown.map(({ text }) => text)).not.toContain("And by whom?");
    expect(historyShown.map(({ text }) => text)).toContain(QUESTION);
    one.conversation.turnBack(one.last());
    expect(one.last().question).toBe("And by whom?");
    // The server goes on from its newest branch alone: it is asked as the first question of a conversation.
    await one.conversation.ask("By when?", COMPANY);
    expect(one.status()).toBe("done");
    expect(one.last().notes.value.begunAnew).toBe(true);
    expect(server.questions.at(-1)?.historyShown).toEqual([]);
  });
});
