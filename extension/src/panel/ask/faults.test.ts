import { asked, COMPANY, type DeployedTalk, PAGE, startServer, talkTo } from "./deployed.harness.ts";
import { describe, expect, it } from "vitest";
import type { DeployedServer } from "@threadlore/testkit";
import { until } from "../../testing/until.ts";

let server: DeployedServer;
const QUESTION = "How fast are travel costs paid back?";
const WHOLE = "Travel costs are paid back within ten days [[1]](https://wiki.example.com/travel).";

async function begin(settings: Parameters<typeof startServer>[0] = {}): Promise<DeployedServer> {
  return (server = await startServer(settings));
}

const MEMORY_OFF = { use_memories: false, enable_memory_tool: false };

/** The member's account keeps no memory, so that pages can be asked about at once. */
function withoutMemory(): void {
  Object.assign(server.account(server.keys.member).personalization, MEMORY_OFF);
}

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

describe("a question to a service that", () => {
  it("has nothing at the address: says so, keeps the question, and is answered once it is there", async () => {
    await begin();
    await server.down();
    const one = talkTo(server);
    await one.conversation.ask(QUESTION, COMPANY);
    expect(one.said()).toContain("The service did not answer as it should.");
    await server.up();
    await one.conversation.again();
    expect(one.text()).toBe(WHOLE);
    expect(asked(server)).toEqual([QUESTION]);
  });

  it.each([COMPANY, PAGE])("answers below /api: works, and its pages get neither key nor question", async (scope) => {
    await begin();
    withoutMemory();
    const one = talkTo(server, { baseUrl: server.origin });
    await one.conversation.ask(QUESTION, scope);
    await one.conversation.ask("And by whom?", scope);
    expect(one.status()).toBe("done");
    expect(asked(server)).toEqual([QUESTION, "And by whom?"]);
    expect(server.log.filter(({ to, key }) => to === "pages" && key !== undefined)).toEqual([]);
    expect(server.log.filter(({ path }) => path === "/health")).toHaveLength(2);
  });

  it.each([COMPANY, PAGE])(
    "is none, but a website: says just that, and sends neither key nor question",
    async (scope) => {
      await begin();
      const one = talkTo(server, { baseUrl: `${server.origin}/welcome` });
      await one.conversation.ask(QUESTION, scope);
      expect(one.said()).toBe(
        "There is a website at this address. No service answers there, with or without /api. " +
          "Correct the address in the settings; your question stays here.",
      );
      expect(server.log.filter(({ key }) => key !== undefined)).toEqual([]);
    },
  );

  it.each([COMPANY, PAGE])("does not know the key: says so, and sends nothing", async (scope) => {
    await begin();
    const one = talkTo(server, { key: "onyx_pat_TESTwrong" });
    await one.conversation.ask(QUESTION, scope);
    expect(one.said()).toContain("The service does not accept the key. Connect again");
    expect(asked(server)).toEqual([]);
  });

  it.each([COMPANY, PAGE])("admits visitors and does not know the key: is never asked as one", async (scope) => {
    await begin({ allowAnonymous: true });
    const one = talkTo(server, { key: "onyx_pat_TESTwrong" });
    await one.conversation.ask(QUESTION, scope);
    expect(one.said()).toContain("The service does not accept the key.");
    expect(asked(server)).toEqual([]);
  });

  it("knows the key as another account's: goes on in a conversation of its own, with one line", async () => {
    await begin();
    const one = talkTo(server);
    await one.conversation.ask(QUESTION, COMPANY);
    one.use(server.keys.admin);
    await one.conversation.ask("And by whom?", COMPANY);
    expect(one.status()).toBe("done");
    expect(one.last().notes.value).toEqual({ begunAnew: true });
    expect(server.questions.map(({ account }) => account)).toEqual(["member", "admin"]);
    expect(one.conversation.turns.value).toHaveLength(2);
  });

  it("gets another key while the page is read: is asked with that one", async () => {
    await begin();
    withoutMemory();
    Object.assign(server.account(server.keys.admin).personalization, MEMORY_OFF);
    const one = talkTo(server, {
      whileReading() {
        server.revoke(server.keys.member);
        one.use(server.keys.admin);
      },
    });
    await one.conversation.ask(QUESTION, PAGE);
    expect(one.status()).toBe("done");
    expect(server.questions.map(({ account }) => account)).toEqual(["admin"]);
  });

  it("forgets the key while it answers: shows the answer whole, and says so with the next question", async () => {
    await begin();
    const one = talkTo(server);
    const { goOn } = slowAnswer();
    const asking = one.conversation.ask(QUESTION, COMPANY);
    await hasBegun(one);
    server.revoke(server.keys.member);
    goOn();
    await asking;
    expect(one.text()).toBe(WHOLE);
    await expect
      .poll(async () => (await one.access.key.look(0, new AbortController().signal)).failure?.code)
      .toBe("auth");
    await one.conversation.ask("And then?", COMPANY);
    expect(one.said()).toContain("The service does not accept the key.");
    expect(asked(server)).toEqual([QUESTION]);
  });

  it("forgets the key and cuts the answer: keeps what had come, and says that the key is not known", async () => {
    await begin();
    const one = talkTo(server);
    const { goOn } = slowAnswer();
    const asking = one.conversation.ask(QUESTION, COMPANY);
    await hasBegun(one);
    server.revoke(server.keys.member);
    server.cutConnections();
    await asking;
    goOn();
    expect(one.text()).toContain("Travel costs are paid back");
    expect(one.said()).toContain("The service does not accept the key.");
  });

  it.each(["deleted", "unknown"] as const)(
    "has forgotten the conversation (%s): goes on with a new one, with one line",
    async (how) => {
      await begin();
      const one = talkTo(server);
      await one.conversation.ask(QUESTION, COMPANY);
      server.forgetSession(server.questions[0]?.sessionId ?? "", how);
      await one.conversation.ask("And by whom?", COMPANY);
      expect(one.status()).toBe("done");
      expect(one.last().notes.value).toEqual({ begunAnew: true });
      await one.conversation.ask("And where?", COMPANY);
      expect(one.last().notes.value).toEqual({});
      const [first, second, third] = server.questions.map(({ sessionId }) => sessionId);
      expect(second).not.toBe(first);
      expect(third).toBe(second);
    },
  );

  it("has reached its limit: says until when, and sends it again when it is told to", async () => {
    await begin();
    const one = talkTo(server);
    const resetAt = new Date(Date.now() + 7_200_000);
    server.faults.rateLimit = { scope: "global", resetAt };
    await one.conversation.ask(QUESTION, COMPANY);
    expect(one.said()).toContain("The limit for questions is reached.");
    expect(Math.abs(Date.parse(one.last().answer.value.failure?.retryAt ?? "") - resetAt.getTime())).toBeLessThan(
      2_000,
    );
    server.faults.rateLimit = undefined;
    await one.conversation.again();
    expect(one.text()).toBe(WHOLE);
  });

  it("has reached its limit and does not say until when: names no time", async () => {
    await begin();
    const one = talkTo(server);
    server.faults.rateLimit = {};
    await one.conversation.ask(QUESTION, COMPANY);
    expect(one.said()).toContain("The limit for questions is reached.");
    expect(one.last().answer.value.failure).not.toHaveProperty("retryAt");
  });

  it.each([COMPANY, PAGE])("answers 500 to everything: says so, and is answered once it works", async (scope) => {
    await begin();
    withoutMemory();
    const one = talkTo(server);
    server.faults.database = "down";
    await one.conversation.ask(QUESTION, scope);
    expect(one.said()).toContain("The service did not answer as it should.");
    server.faults.database = "up";
    await one.conversation.again();
    expect(one.status()).toBe("done");
    expect(asked(server)).toEqual([QUESTION]);
  });

  it.each([
    ["RATE_LIMIT", "The language model is busy."],
    ["CONNECTION_ERROR", "The language model is busy."],
    ["AUTH_ERROR", "The service cannot use its language model."],
    ["BUDGET_EXCEEDED", "The language model's budget is used up."],
    ["CONTEXT_TOO_LONG", "The question is too long."],
    ["CONTENT_POLICY", "The language model declined to answer."],
  ])(
    "has a model that fails with %s: says what it is, before the answer and in the middle of it",
    async (code, words) => {
      await begin();
      const one = talkTo(server);
      server.faults.model = { code, times: 1 };
      await one.conversation.ask(QUESTION, COMPANY);
      expect(one.said()).toContain(words);
      expect(one.text()).toBe("");
      server.faults.model = { code, when: { packets: 8 }, times: 1 };
      await one.conversation.again();
      expect(one.said()).toContain(words);
      expect(one.text()).not.toBe("");
      await one.conversation.again();
      expect(one.text()).toBe(WHOLE);
    },
  );
});
