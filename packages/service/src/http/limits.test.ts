import { describe, expect, it, vi } from "vitest";
import { authorization, openChat, withKey } from "../chat.harness.ts";
import { type Caller, defaultSettings, type ServiceContext, type Settings } from "../context.ts";
import type { Database } from "../store/sqlite/database.ts";
import { addLocalPerson, joinGroup, signIn } from "../store/people/persons.ts";
import { groupNamed, setRule } from "../store/people/rules.ts";
import { addPersonKey } from "./keys.ts";
import { ChatBudgets } from "./limits.ts";

const START = Date.parse("2026-11-21T12:00:00Z");

/** A service with limits, a clock to turn, and three people of whom two share a group. */
async function open(rateLimits: Settings["rateLimits"]) {
  const clock = { now: START };
  const prepare = (db: Database) => {
    withKey(db, "tl_TESTann", { groups: ["sales"] });
    withKey(db, "tl_TESTbob", { groups: ["sales", "night"] });
    withKey(db, "tl_TESTcid", {});
    withKey(db, "tl_TESTann2", { user: "tl_TESTann" });
  };
  const chat = await openChat({ settings: { rateLimits }, now: () => clock.now }, prepare);
  const send = (who: string, body: unknown = { message: "hello", stream: false }) =>
    chat.call("POST", "/chat/send-chat-message", body, authorization(`tl_TEST${who}`));
  const statuses = async (...people: string[]) => {
    const found: number[] = [];
    for (const who of people) found.push((await send(who)).status);
    return found;
  };
  return { clock, chat, send, statuses };
}

describe("rate limits", () => {
  it("are off unless enabled", async () => {
    const { statuses, chat } = await open({});
    expect(await statuses(...Array.from({ length: 20 }, () => "ann"))).toEqual(Array.from({ length: 20 }, () => 200));
    await chat.close();
  });

  it("hold per user, over all keys of the user, and free up message by message", async () => {
    const { statuses, clock, chat } = await open({ user: { messages: 2, seconds: 60 } });
    expect(await statuses("ann", "bob")).toEqual([200, 200]);
    clock.now += 30_000;
    expect(await statuses("ann2", "ann", "ann2", "bob")).toEqual([200, 429, 429, 200]);
    clock.now += 30_000;
    expect(await statuses("ann", "ann")).toEqual([200, 429]);
    await chat.close();
  });

  it("hold for a group by who says who is in it: a company's group of one name is another", async () => {
    const issuer = "https://login.example.com";
    const clock = { now: START };
    const keys = new Map<string, string>();
    const chat = await openChat(
      { settings: { rateLimits: { group: { messages: 1, seconds: 60 } } }, now: () => clock.now },
      (db) => {
        withKey(db, "tl_TESTann", { groups: ["sales"] });
        for (const [user, groups] of [["mia", ["sales"]] as const, ["noa", ["sales"]] as const]) {
          const person = db.transact(signIn({ issuer, subject: user, userName: user, groups }, START));
          if (person !== undefined) keys.set(user, db.transact(addPersonKey(person, "test", START)));
        }
        const local = db.transact(addLocalPerson({ user: "ola" }, START));
        db.transact(joinGroup(local.id, "sales"));
        keys.set("ola", db.transact(addPersonKey(local, "test", START)));
        for (const of of [issuer, undefined]) db.transact(setRule(groupNamed("sales", of), { seesAll: true }));
      },
    );
    const status = async (key = "") =>
      (await chat.call("POST", "/chat/send-chat-message", { message: "hello", stream: false }, authorization(key)))
        .status;
    expect(await status("tl_TESTann")).toBe(200);
    expect(await status(keys.get("mia"))).toBe(200);
    expect(await status(keys.get("noa"))).toBe(429);
    // A person of this service is in the group that keys are in.
    expect(await status(keys.get("ola"))).toBe(429);
    await chat.close();
  });

  it("hold per group", async () => {
    const { statuses, chat } = await open({ group: { messages: 2, seconds: 60 } });
    expect(await statuses("ann", "bob", "ann", "bob", "cid", "cid", "cid")).toEqual([
      200, 200, 429, 429, 200, 200, 200,
    ]);
    await chat.close();
  });

  it("hold globally", async () => {
    const { statuses, chat } = await open({ global: { messages: 3, seconds: 60 } });
    expect(await statuses("ann", "bob", "cid", "ann", "bob")).toEqual([200, 200, 200, 429, 429]);
    await chat.close();
  });

  it("answer 429 with the scope, when it is free again, and Retry-After", async () => {
    const { send, clock, chat } = await open({ user: { messages: 1, seconds: 90 } });
    await send("ann");
    clock.now += 10_500;
    const reply = await send("ann");
    expect(reply.status).toBe(429);
    expect(reply.headers.get("retry-after")).toBe("80");
    expect(reply.body).toEqual({
      scope: "user",
      reset_at: "2026-11-21T12:01:30.500Z",
      retry_after_seconds: 80,
      error_code: "RATE_LIMITED",
      detail: "That was more than your budget of 1 message(s) in 90 s. Ask again in 80 s.",
    });
    await chat.close();
  });

  it("are checked after the key and before the body", async () => {
    const { send, chat } = await open({ user: { messages: 1, seconds: 60 } });
    await send("ann");
    expect((await send("ann", { nonsense: true })).status).toBe(429);
    expect((await send("nobody", { nonsense: true })).status).toBe(401);
    await chat.close();
  });

  it("hold for chat only", async () => {
    const { send, chat } = await open({ user: { messages: 1, seconds: 60 } });
    await send("ann");
    const reply = await chat.call("GET", "/chat/get-user-chat-sessions", undefined, authorization("tl_TESTann"));
    expect(reply.status).toBe(200);
    await chat.close();
  });

  it("3B clock goes back: a budget has room again once its time has passed, not once the clock is where it was", async () => {
    const { statuses, clock, chat } = await open({ user: { messages: 2, seconds: 60 } });
    expect(await statuses("ann", "ann", "ann")).toEqual([200, 200, 429]);
    clock.now -= 6 * 365 * 86_400_000;
    expect(await statuses("ann")).toEqual([429]);
    clock.now += 61_000;
    expect(await statuses("ann", "ann", "ann")).toEqual([200, 200, 429]);
    clock.now += 61_000;
    expect(await statuses("ann")).toEqual([200]);
    await chat.close();
  });

  it("3B clock goes back: budgets neither empty nor freeze, order stays that of messages", async () => {
    const { send, statuses, clock, chat } = await open({ user: { messages: 2, seconds: 60 } });
    const first = (await send("ann")).body as { chat_session_id: string };
    clock.now -= 3_600_000;
    const second = (await send("ann")).body as { chat_session_id: string };
    expect(await statuses("ann")).toEqual([429]);
    clock.now += 3_600_000 + 61_000;
    const third = (await send("ann", { message: "again", chat_session_id: first.chat_session_id, stream: false })).body;
    expect(third).toMatchObject({ error_msg: null });
    const list = await chat.call("GET", "/chat/get-user-chat-sessions", undefined, authorization("tl_TESTann"));
    const { sessions } = list.body as { sessions: { id: string }[] };
    expect(sessions.map(({ id }) => id)).toEqual([first.chat_session_id, second.chat_session_id]);
    await chat.close();
  });

  it("last as long as they say, however the machine's clock is set meanwhile", async () => {
    const wall = vi.spyOn(Date, "now").mockReturnValue(START);
    const passed = vi.spyOn(performance, "now").mockReturnValue(5_000);
    try {
      const rateLimits = { user: { messages: 1, seconds: 60 } };
      const context = { now: Date.now, settings: { ...defaultSettings, rateLimits } } as ServiceContext;
      const ann: Caller = { user: "ann", role: "ordinary", groups: [], documentSets: null };
      const budgets = new ChatBudgets(context.now);
      await budgets.spend(context, ann);
      for (const set of [3_600_000, -86_400_000, 0]) {
        wall.mockReturnValue(START + set);
        passed.mockReturnValue(64_500);
        const reset_at = new Date(START + set + 1_000).toISOString();
        await expect(budgets.spend(context, ann)).rejects.toEqual(
          expect.objectContaining({ status: 429, body: expect.objectContaining({ retry_after_seconds: 1, reset_at }) }),
        );
      }
      wall.mockReturnValue(START - 86_400_000);
      passed.mockReturnValue(65_000);
      await expect(budgets.spend(context, ann)).resolves.toBeUndefined();
    } finally {
      wall.mockRestore();
      passed.mockRestore();
    }
  });
});
