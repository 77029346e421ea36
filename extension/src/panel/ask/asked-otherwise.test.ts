import { createClient } from "@threadlore/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../testing/until.ts";
import {
  BASE,
  COMPANY,
  KEY,
  last,
  PAGE,
  send,
  startEmbedded,
  type Talk,
  talk,
  unreachable,
} from "./conversation.harness.ts";
import type { Wire } from "../connection/service.ts";
import type { ConversationWorld } from "./conversation-world.ts";
import { type HeldTurn, mayBeKept, type Waiting } from "./turn.ts";

let end: Awaited<ReturnType<typeof startEmbedded>>;
beforeAll(async () => {
  end = await startEmbedded();
});
afterAll(() => end());

describe("questions asked while an answer comes", () => {
  const isIdle = (one: Talk) =>
    until("nothing waits", () => !one.conversation.isBusy.value && one.conversation.queue.value.length === 0);
  const asked = (one: Talk) => one.sent.map(({ message }) => message);

  it("wait for it, and are asked in their order with what each was to be about", async () => {
    const one = talk();
    const first = one.conversation.ask("Travel costs?", COMPANY);
    await one.conversation.ask("When is the release of version four?", PAGE);
    await one.conversation.ask("And for whom?", COMPANY);
    expect(one.conversation.queue.value.map(({ question }) => question)).toEqual([
      "When is the release of version four?",
      "And for whom?",
    ]);
    await first;
    await isIdle(one);
    expect(asked(one)).toEqual(["Travel costs?", "When is the release of version four?", "And for whom?"]);
    expect(one.sent.map(({ allowed_tool_ids }) => allowed_tool_ids)).toEqual([undefined, [], undefined]);
  });

  it("are taken back, one or all", async () => {
    const one = talk();
    const first = one.conversation.ask("Travel costs?", COMPANY);
    for (const question of ["One?", "Two?", "Three?"]) await one.conversation.ask(question, COMPANY);
    expect(one.conversation.takeBack(one.conversation.queue.value[1]?.id)).toBe("Two?");
    expect(one.conversation.takeBack()).toBe("One?\n\nThree?");
    expect(one.conversation.takeBack()).toBe("");
    await first;
    await isIdle(one);
    expect(asked(one)).toEqual(["Travel costs?"]);
  });

  it("stay where the answer before them was stopped or failed, until they are asked by hand", async () => {
    let isDown = true;
    const client = createClient({ baseUrl: BASE, apiKey: KEY, fetch: send });
    const failing: Wire["client"] = {
      streamMessage: (request, given) => (isDown ? unreachable() : client.streamMessage(request, given)),
    };
    const one = talk(undefined, { client: failing });
    const first = one.conversation.ask("Travel costs?", COMPANY);
    await one.conversation.ask("How fast are travel costs paid back?", COMPANY);
    await first;
    expect(one.conversation.isBusy.value).toBe(false);
    expect(one.conversation.queue.value).toHaveLength(1);
    isDown = false;
    one.conversation.askNext();
    await isIdle(one);
    expect(last(one).answer.value.text).toContain("ten days");
  });

  it("outlive the panel, and are asked when the answer they wait for is there", async () => {
    let waiting: readonly Waiting[] = [];
    let turns: readonly HeldTurn[] = [];
    const keep: ConversationWorld["keep"] = (held, _place, queue) => {
      if (queue.length === 0) return;
      waiting = queue;
      turns = held;
    };
    const one = talk(undefined, {}, { keep });
    await new Promise((resolve) => setImmediate(resolve));
    const first = one.conversation.ask("Travel costs?", COMPANY);
    await one.conversation.ask("How fast are travel costs paid back?", COMPANY);
    one.conversation.stop();
    await first;
    const later = talk();
    await later.conversation.open(structuredClone(turns), {}, structuredClone(waiting));
    expect(later.conversation.queue.value.map(({ question }) => question)).toEqual([
      "How fast are travel costs paid back?",
    ]);
  });

  it("are no part of a new conversation", async () => {
    const one = talk();
    const first = one.conversation.ask("Travel costs?", COMPANY);
    await one.conversation.ask("And for whom?", COMPANY);
    one.conversation.clear();
    await first;
    expect(one.conversation.queue.value).toEqual([]);
    expect(asked(one)).not.toContain("And for whom?");
  });
});

describe("a question that is put otherwise", () => {
  const questions = (one: Talk) => one.conversation.turns.value.map(({ question }) => question);
  /** Three questions of a conversation, asked. */
  async function three(): Promise<Talk> {
    const one = talk();
    for (const question of ["Travel costs?", "And for whom?", "By when?"])
      await one.conversation.ask(question, COMPANY);
    return one;
  }
  const at = (one: Talk, index: number) => {
    const turn = one.conversation.turns.value[index];
    if (turn === undefined) throw new Error(`There is no question ${index}.`);
    return turn;
  };

  it("is asked behind what was said before it, in place of what came after", async () => {
    const one = await three();
    const before = at(one, 0).answer.value.conversation;
    await one.conversation.askInstead(at(one, 1), "How fast are travel costs paid back?");
    expect(questions(one)).toEqual(["Travel costs?", "How fast are travel costs paid back?"]);
    expect(one.sent.at(-1)).toMatchObject({
      chat_session_id: before.chatSessionId,
      parent_message_id: before.messageId,
    });
    expect(last(one).answer.value.text).toContain("ten days");
    await one.conversation.ask("And then?", COMPANY);
    expect(one.sent.at(-1)).toMatchObject({ chat_session_id: before.chatSessionId, parent_message_id: -1 });
  });

  it("begins the conversation anew at its root where it was the first", async () => {
    const one = await three();
    const session = at(one, 0).answer.value.conversation.chatSessionId;
    await one.conversation.askInstead(at(one, 0), "How fast are travel costs paid back?");
    expect(questions(one)).toEqual(["How fast are travel costs paid back?"]);
    expect(one.sent.at(-1)).toMatchObject({ chat_session_id: session, parent_message_id: null });
    expect(last(one).answer.value.text).toContain("ten days");
  });

  it("can be had back with all that came after it, and the other one then, and what is asked next goes on there", async () => {
    const one = await three();
    const third = at(one, 2).answer.value.conversation.messageId;
    await one.conversation.askInstead(at(one, 1), "One?");
    await one.conversation.askInstead(at(one, 1), "Two?");
    const seen = [];
    for (let turns = 0; turns < 3; turns += 1) {
      one.conversation.turnBack(at(one, 1));
      seen.push(questions(one));
    }
    expect(seen).toEqual([
      ["Travel costs?", "One?"],
      ["Travel costs?", "And for whom?", "By when?"],
      ["Travel costs?", "Two?"],
    ]);
    one.conversation.turnBack(at(one, 1));
    one.conversation.turnBack(at(one, 1));
    await one.conversation.ask("And then?", COMPANY);
    expect(one.sent.at(-1)).toMatchObject({ parent_message_id: third });
    expect(questions(one)).toEqual(["Travel costs?", "And for whom?", "By when?", "And then?"]);
  });

  it("is kept with what stands aside of it, and can be had back by another panel", async () => {
    const one = await three();
    await one.conversation.askInstead(at(one, 1), "One?");
    const later = talk();
    const { chatSessionId } = last(one).answer.value.conversation;
    await later.conversation.open(structuredClone(one.kept()), { chatSessionId });
    later.conversation.turnBack(at(later, 1));
    expect(questions(later)).toEqual(["Travel costs?", "And for whom?", "By when?"]);
    expect(last(later).answer.value.status).toBe("done");
  });

  it("is kept on no disk where what stands aside of it was asked in a private window", async () => {
    let isPrivate = true;
    const one = talk(undefined, {}, { isPrivate: () => Promise.resolve(isPrivate) });
    await one.conversation.ask("Travel costs?", COMPANY);
    isPrivate = false;
    await one.conversation.askInstead(at(one, 0), "One?");
    expect(one.kept().every(mayBeKept)).toBe(false);
  });

  it("is neither asked when blank, nor while an answer is being written", async () => {
    const one = await three();
    await one.conversation.askInstead(at(one, 1), "  ");
    const going = one.conversation.ask("One?", COMPANY);
    await one.conversation.askInstead(at(one, 1), "Two?");
    one.conversation.turnBack(at(one, 1));
    await going;
    expect(questions(one)).toEqual(["Travel costs?", "And for whom?", "By when?", "One?"]);
  });
});
