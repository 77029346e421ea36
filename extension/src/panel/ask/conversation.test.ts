import { createClient } from "@threadlore/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  BASE,
  BOTH,
  COMPANY,
  KEY,
  everyTime,
  GARDEN,
  last,
  PAGE,
  PLAN,
  readOf,
  send,
  SENTENCE,
  startEmbedded,
  type Talk,
  talk,
} from "./conversation.harness.ts";
import { answering } from "./answering.ts";
import type { Wire } from "../connection/service.ts";
import { Conversation } from "./conversation.ts";
import type { ConversationWorld, PagesRead } from "./conversation-world.ts";
import { keepConversation } from "../history/history-store.ts";
import { createLinkMemory } from "../answer/links.ts";
import { type HeldTurn, mayBeKept } from "./turn.ts";

let end: Awaited<ReturnType<typeof startEmbedded>>;
beforeAll(async () => {
  end = await startEmbedded();
});
afterAll(() => end());

describe("a question", () => {
  it("about the page alone may use no tool and cites the page", async () => {
    const one = talk();
    await one.conversation.ask("When is the release of version four?", PAGE);
    expect(one.sent).toHaveLength(1);
    expect(one.sent[0]).toMatchObject({ origin: "chrome_extension", allowed_tool_ids: [] });
    expect(one.sent[0]?.additional_context).toContain(SENTENCE);
    const answer = last(one).answer.value;
    expect(answer.status).toBe("done");
    expect(answer.text).toContain("twelfth of March");
    expect(answer.citations.map(({ source }) => source.link)).toEqual([PLAN.url]);
    expect(last(one).pages.value.asked).toMatchObject([{ title: PLAN.title, url: PLAN.url }]);
    const links = createLinkMemory()(answer, { question: "", pages: last(one).pages.value.asked, localHosts: false });
    const [cited] = answer.citations;
    expect(cited && links.open(cited.source, answer.text)).toMatch(/^https:\/\/wiki\.example\.com\/plan#:~:text=/);
  });

  it("waits for what IT has set, goes by that, and can be stopped meanwhile", async () => {
    let isRead = false;
    const known = Promise.withResolvers<typeof COMPANY>();
    const world: Partial<ConversationWorld> = {
      settle: () => known.promise,
      readPages: () => {
        isRead = true;
        return Promise.resolve(readOf([PLAN]));
      },
    };
    const stopped = talk(undefined, {}, world);
    const coming = stopped.conversation.ask("When is the release of version four?", PAGE);
    await new Promise((resolve) => setImmediate(resolve));
    stopped.conversation.stop();
    await coming;
    expect(last(stopped).answer.value.status).toBe("stopped");
    const waiting = talk(undefined, {}, world);
    const answered = waiting.conversation.ask("How fast are travel costs paid back?", PAGE);
    await new Promise((resolve) => setImmediate(resolve));
    expect([stopped.sent, waiting.sent]).toEqual([[], []]);
    known.resolve(COMPANY);
    await answered;
    expect(isRead).toBe(false);
    expect(waiting.sent).toHaveLength(1);
    expect(waiting.sent[0]).not.toHaveProperty("additional_context");
    expect(last(waiting).answer.value.text).toContain("within ten days");
  });

  it("about several pages cites each for what it says", async () => {
    const one = talk(readOf([PLAN, GARDEN]));
    await one.conversation.ask("When are beans sown?", PAGE);
    const beans = last(one).answer.value;
    expect(beans.text).toContain("second week of May");
    expect(beans.citations.map(({ source }) => source.link)).toEqual([GARDEN.url]);
    await one.conversation.ask("When is the release of version four?", PAGE);
    expect(last(one).answer.value.citations.map(({ source }) => source.link)).toEqual([PLAN.url]);
  });

  it("about page and company may only search beside the page", async () => {
    const one = talk();
    await one.conversation.ask("How fast are travel costs paid back?", BOTH);
    expect(one.sent[0]?.allowed_tool_ids).toEqual([1]);
    expect(one.sent[0]?.additional_context).toContain(SENTENCE);
    expect(last(one).answer.value.text).toContain("ten days");
  });

  it("about the company alone takes no page along and leaves the tools to the server", async () => {
    const one = talk();
    await one.conversation.ask("How fast are travel costs paid back?", COMPANY);
    expect(one.sent[0]).not.toHaveProperty("additional_context");
    expect(one.sent[0]).not.toHaveProperty("allowed_tool_ids");
    expect(last(one).answer.value.citations.map(({ source }) => source.title)).toEqual(["Travel costs"]);
  });

  it("names the persona and the document sets that are set", async () => {
    const one = talk(undefined, { personaId: 0, documentSets: ["Handbook"] });
    await one.conversation.ask("Travel?", COMPANY);
    expect(one.sent[0]).toMatchObject({
      chat_session_info: { persona_id: 0 },
      internal_search_filters: { document_set: ["Handbook"] },
    });
  });

  it("goes on in the session of the one before", async () => {
    const one = talk();
    await one.conversation.ask("How fast are travel costs paid back?", COMPANY);
    await one.conversation.ask("And for whom?", COMPANY);
    const session = one.conversation.turns.value[0]?.answer.value.conversation.chatSessionId;
    expect(session).toMatch(/^[0-9a-f-]{36}$/);
    expect(one.sent[1]).toMatchObject({ chat_session_id: session, parent_message_id: -1 });
    expect(one.sent[1]).not.toHaveProperty("chat_session_info");
  });

  it("is asked again in place of its answer, as the same message", async () => {
    const one = talk();
    await one.conversation.ask("How fast are travel costs paid back?", COMPANY);
    const asked = last(one).answer.value.conversation.userMessageId;
    await one.conversation.again();
    expect(one.conversation.turns.value).toHaveLength(1);
    expect(one.sent[1]?.parent_message_id).toBe(asked);
    expect(last(one).answer.value.conversation.userMessageId).toBe(asked);
    expect(last(one).answer.value.text).toContain("ten days");
  });

  it.each([
    [{ isThere: true, memory: "unknown" }, "memory_unknown"],
    [{ isThere: true, memory: "on" }, "memory_on"],
  ] as const)(
    "with a page along is held back while it is not known that no memory is written: %o",
    async (said, code) => {
      const one = talk(undefined, { key: { look: () => Promise.resolve({ ...said, isShared: false, writes: true }) } });
      await one.conversation.ask("What is this?", PAGE);
      expect(last(one).answer.value.failure?.code).toBe(code);
      expect(one.sent).toEqual([]);
      await one.conversation.ask("How fast are travel costs paid back?", COMPANY);
      expect(last(one).answer.value.text).toContain("ten days");
    },
  );

  it("is not sent when blank", async () => {
    const one = talk();
    await one.conversation.ask("  \n", COMPANY);
    expect(one.sent).toEqual([]);
    expect(one.conversation.turns.value).toEqual([]);
  });
});

describe("a page that does not answer", () => {
  /** Reads nothing until it is told that it is enough. */
  const hanging = (late: PagesRead): Partial<ConversationWorld> => ({
    slowMs: 5,
    readPages: (_question, enough) =>
      new Promise((resolve) => enough.addEventListener("abort", () => resolve(late), { once: true })),
  });
  const none = readOf([], [{ title: "Plan", reason: "slow" }]);
  const untilSlow = async (one: Talk) => {
    while (last(one).reading.value !== "slow") await new Promise((resolve) => setTimeout(resolve, 1));
  };

  it("is waited for in words of its own, and stopping ends that at once with nothing sent", async () => {
    const one = talk(undefined, {}, hanging(none));
    const asked = one.conversation.ask("What is this?", BOTH);
    await untilSlow(one);
    one.conversation.stop();
    await asked;
    expect(last(one).answer.value.status).toBe("stopped");
    expect(last(one).reading.value).toBe("no");
    expect(one.sent).toEqual([]);
  });

  it.each([BOTH, PAGE])("is left out when the person asks without it", async (scope) => {
    const one = talk(undefined, {}, hanging(none));
    const asked = one.conversation.ask("How fast are travel costs paid back?", scope);
    await untilSlow(one);
    one.conversation.withoutPage();
    await asked;
    expect(one.sent).toHaveLength(1);
    expect(one.sent[0]).not.toHaveProperty("additional_context");
    expect(last(one).answer.value.text).toContain("ten days");
    expect(last(one).pages.value.unread).toEqual(none.pages.unread);
  });

  it("does not hold back those that did", async () => {
    const one = talk(undefined, {}, hanging(readOf([PLAN], none.pages.unread)));
    const asked = one.conversation.ask("When is the release of version four?", PAGE);
    await untilSlow(one);
    one.conversation.withoutPage();
    await asked;
    expect(one.sent[0]?.additional_context).toContain(SENTENCE);
    expect(one.sent[0]?.allowed_tool_ids).toEqual([]);
  });
});

describe("a page that cannot be read", () => {
  const unread = readOf([], [{ title: "Plan", reason: "not-allowed" }]);

  it("is told, and nothing is sent, when only it was asked", async () => {
    const one = talk(unread);
    await one.conversation.ask("What is this?", PAGE);
    expect(one.sent).toEqual([]);
    expect(last(one).answer.value).toMatchObject({ status: "failed", failure: { code: "page_unreadable" } });
  });

  it("does not keep the company from being asked", async () => {
    const one = talk(unread);
    await one.conversation.ask("How fast are travel costs paid back?", BOTH);
    expect(last(one).answer.value.status).toBe("done");
    expect(last(one).pages.value.unread).toEqual(unread.pages.unread);
  });
});

describe("an answer", () => {
  it("keeps what had arrived when it is stopped, and the store is free again", async () => {
    const one = talk();
    const asked = one.conversation.ask("How fast are travel costs paid back?", COMPANY);
    one.conversation.stop();
    await asked;
    expect(last(one).answer.value.status).toBe("stopped");
    expect(one.conversation.isBusy.value).toBe(false);
  });

  it("of a conversation that was left is shown there no more, and kept as far as it had come", async () => {
    const one = talk();
    await one.conversation.prepare();
    const asked = one.conversation.ask("How fast are travel costs paid back?", COMPANY);
    one.conversation.clear();
    await asked;
    expect(one.conversation.turns.value).toEqual([]);
    expect(one.kept().map(({ question }) => question)).toEqual(["How fast are travel costs paid back?"]);
    const later = talk();
    await later.conversation.open(one.kept(), {});
    // The service was asked nothing yet: there is no answer to go on with.
    await expect.poll(() => last(later).answer.value).toMatchObject({ status: "partial", failure: { code: "left" } });
    await expect.poll(() => later.conversation.isBusy.value).toBe(false);
    await later.conversation.again();
    expect(last(later).answer.value.text).toContain("ten days");
  });

  it("of an earlier conversation stays away where a new one was begun before it could be shown", async () => {
    const one = talk();
    await one.conversation.ask("How fast are travel costs paid back?", COMPANY);
    const later = talk();
    const opened = later.conversation.open(one.kept(), {});
    later.conversation.clear();
    await opened;
    expect(later.conversation.turns.value).toEqual([]);
  });

  it("is kept from its question on, so that closing the panel loses nothing", async () => {
    let seen: readonly HeldTurn[] = [];
    const one = talk(undefined, {}, { keep: (turns) => (seen = seen.length === 0 ? turns : seen) });
    await one.conversation.ask("How fast are travel costs paid back?", COMPANY);
    expect(seen).toMatchObject([{ question: "How fast are travel costs paid back?", answer: { status: "waiting" } }]);
  });

  it("names its session as soon as the service does, so that no list shows it however soon the window is closed", async () => {
    const known: (string | undefined)[] = [];
    const client = createClient({ baseUrl: BASE, apiKey: KEY, fetch: send });
    const silent: Wire["client"] = {
      async *streamMessage(request, given) {
        for await (const packet of client.streamMessage(request, given)) {
          yield packet;
          const { signal } = given;
          if ("chat_session_id" in packet) await new Promise((resolve) => signal?.addEventListener("abort", resolve));
        }
      },
    };
    const world: Partial<ConversationWorld> = {
      isPrivate: () => Promise.resolve(true),
      keep: (_turns, { chatSessionId }) => known.push(chatSessionId),
    };
    const { conversation } = talk(undefined, { client: silent }, world);
    const asked = conversation.ask("What is planned?", COMPANY);
    await expect.poll(() => known.at(-1)).toMatch(/^[0-9a-f-]{36}$/);
    conversation.stop();
    await asked;
  });

  it.each([
    ["asked in a private window", () => Promise.resolve(true)],
    ["asked where nobody knows whether it is one", () => Promise.reject(new Error("no window"))],
  ])("%s is held in memory, and no store takes it", async (_, isPrivate) => {
    const one = talk(undefined, {}, { isPrivate });
    await one.conversation.ask("How fast are travel costs paid back?", COMPANY);
    expect(last(one).answer.value.status).toBe("done");
    const [turn] = one.kept();
    expect(turn !== undefined && mayBeKept(turn)).toBe(false);
    const turns = one.kept() as never;
    await expect(
      keepConversation({ id: "1", origin: BASE, title: "", updatedAt: 0, conversation: {}, turns }),
    ).rejects.toThrow("private window");
  });

  it("is kept when it is over, and can be gone on with later", async () => {
    const one = talk();
    await one.conversation.ask("How fast are travel costs paid back?", COMPANY);
    const revived = structuredClone(one.kept());
    const later = talk();
    await later.conversation.open(revived, one.conversation.turns.value[0]?.answer.value.conversation ?? {});
    const answer = last(later).answer.value;
    expect(answer.blocks).toEqual(last(one).answer.value.blocks);
    expect(answer.citations).toEqual(last(one).answer.value.citations);
    await later.conversation.ask("And for whom?", COMPANY);
    expect(later.sent[0]).toMatchObject({ chat_session_id: answer.conversation.chatSessionId });
  });

  it("keeps of a page what it draws from, and no more", async () => {
    const filler = Array.from({ length: 40 }, (_, index) => `Filler ${index} about roofs, rivers and gates.`);
    const one = talk(
      readOf([{ ...PLAN, parts: [...PLAN.parts, { level: 0, heading: "", text: filler.join("\n\n") }] }]),
    );
    await one.conversation.ask("When is the release of version four?", PAGE);
    const [kept] = one.kept()[0]?.pages.asked ?? [];
    expect(kept?.passages.map(({ text }) => text)).toContain(SENTENCE);
    expect(kept?.passages.length).toBeLessThan(9);
  });

  it("is judged, and says when the judgement did not arrive", async () => {
    const one = talk();
    await one.conversation.ask("How fast are travel costs paid back?", COMPANY);
    await one.conversation.judge(last(one), false, "Not for trains.");
    expect(last(one).thumb.value).toBe("down");
    const failing = talk(undefined, { giveFeedback: () => Promise.reject(new Error("down")) });
    await failing.conversation.ask("How fast are travel costs paid back?", COMPANY);
    await failing.conversation.judge(last(failing), true);
    expect(last(failing).thumb.value).toBe("failed");
  });

  it("fails in words of the panel while no service is set", async () => {
    const conversation = new Conversation(
      {
        service: () => undefined,
        settle: (scope) => Promise.resolve(scope),
        readPages: () => Promise.resolve(readOf([])),
        isPrivate: () => Promise.resolve(false),
        keep: () => {},
        frame: everyTime(),
      },
      () => Promise.resolve(answering),
    );
    await conversation.ask("Anybody?", BOTH);
    expect(conversation.turns.value[0]?.answer.value.failure?.code).toBe("not_configured");
  });
});
