import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore, type Store } from "@threadlore/inbox";
import { parseRules } from "../rules/rules-file.ts";
import { decisionFor, whyOverBudget, whyTooLong, whyUnwelcome } from "./decision.ts";
import { askedMark, type NewQuestion, QuestionBody } from "./question.ts";
import type { Surroundings } from "./material/material.ts";
import type { Turn } from "./turn.ts";

const MINUTE = 60_000;
const LIMITS = { user: { most: 2, windowMs: MINUTE }, threadLoop: { most: 1, windowMs: MINUTE } };
const THREAD = { question: undefined, isGone: false, before: [], unread: 0, isRough: false };

let store: Store;
beforeEach(async () => {
  store = await openStore(":memory:");
});
afterEach(() => store.close());

const around = (text: string): Surroundings => ({ thread: THREAD, message: { text, files: [] } });

/** A turn with real rules and a real store; `place` is what Slack says of the channel. */
function turnOf(over: Partial<NewQuestion> = {}, place: { shared: boolean } | undefined = { shared: false }) {
  const { rules } = parseRules("{}", { dmKey: false });
  const notes: string[] = [];
  const looks: boolean[] = [];
  const progress = {};
  const question = QuestionBody.parse({
    entry: "mention",
    team: "T1",
    channel: "C1",
    ts: "1.0",
    isMessage: true,
    threadTs: "1.0",
    inThread: false,
    user: "U0ADA",
    text: "<@U0SELF> how many days of leave do I have?",
    ...over,
  });
  const people = {
    place(id: string, { fresh }: { fresh: boolean }) {
      looks.push(fresh);
      return Promise.resolve(place && { id, name: "general", kind: "public", ...place });
    },
    account: () => Promise.resolve({ kind: "member" }),
  };
  const self = { teamId: "T1", teamName: "", userId: "U0SELF", botId: "B0SELF", url: "https://team.example/" };
  const context = { store, people, self, rules: () => rules, now: () => 1_000, config: { limits: LIMITS } };
  const save = (news: object) => Promise.resolve(void Object.assign(progress, news));
  const note = (words: string) => Promise.resolve(void notes.push(words));
  // Only what decisions look at.
  const turn = { context, question, progress, save, note } as unknown as Turn;
  return { turn, notes, looks };
}

describe("a budget", () => {
  it("counts a question once, however often it is begun", async () => {
    const { turn } = turnOf();
    for (let n = 0; n < 5; n++) expect(await whyOverBudget(turn)).toBeUndefined();
    expect(await whyOverBudget(turnOf().turn)).toBeUndefined();
    const last = turnOf();
    expect(await whyOverBudget(last.turn)).toContain("as many questions as one person may for now");
    expect(last.notes).toEqual(["The budget `user` is used up."]);
  });

  it("ends a talk between programs, and none of people", async () => {
    for (let n = 0; n < 2; n++) expect(await whyOverBudget(turnOf().turn)).toBeUndefined();
    const app = { user: "U0APP", botId: "B0APP" };
    expect(await whyOverBudget(turnOf(app).turn)).toBeUndefined();
    expect(await whyOverBudget(turnOf(app).turn)).toContain("an app here as often as I may");
  });
});

describe("a question", () => {
  it("is too long from 16,001 characters on", async () => {
    const { turn } = turnOf();
    expect(await whyTooLong(turn, around("a".repeat(16_000)))).toBeUndefined();
    expect(await whyTooLong(turn, around("a".repeat(16_001)))).toContain("16,000 characters");
  });

  it("is decided as its message reads now", async () => {
    const { turn } = turnOf();
    expect(await decisionFor(turn, around("<@U0SELF> thanks!"))).toMatchObject({ kind: "answer", talk: "nod" });
    expect(await decisionFor(turn, { thread: THREAD, message: undefined })).not.toHaveProperty("talk");
  });
});

describe("a follow-up", () => {
  const text = "And how many hours is that?";
  const followUp = { entry: "follow_up", ts: "2.0", inThread: true, text } as const;

  it("is answered where its thread is known as the bot's own, or where it was answered before", async () => {
    const decision = async (over: Partial<NewQuestion> = {}) =>
      decisionFor(turnOf({ ...followUp, ...over }, { shared: false }).turn, around(text));
    expect(await decision()).toMatchObject({ kind: "stay_out", code: "not_own_thread" });
    expect(await decision({ again: "T" })).not.toMatchObject({ code: "not_own_thread" });
    await store.conversations.set(askedMark({ team: "T1", channel: "C1", threadTs: "1.0" }), {});
    expect(await decision()).not.toMatchObject({ code: "not_own_thread" });
  });
});

describe("right before an answer is shown", () => {
  it("its channel is looked at anew, and one that is shared by now gets none", async () => {
    const { turn, looks } = turnOf({}, { shared: true });
    expect(await whyUnwelcome(turn, around("how many?"))).toContain("shared with another company");
    expect(looks).toEqual([true]);
    expect(await whyUnwelcome(turnOf().turn, around("how many?"))).toBeUndefined();
  });

  it("nothing is looked up where nobody reads along", async () => {
    const { turn, looks } = turnOf({ entry: "dm", channel: "D1" }, { shared: true });
    expect(await whyUnwelcome(turn, around("how many?"))).toBeUndefined();
    expect(looks).toEqual([]);
  });

  it("an event's own word for its channel is enough to begin with", async () => {
    const { turn, looks } = turnOf();
    await decisionFor(turn, around("how many?"));
    expect(looks).toEqual([false]);
    const again = turnOf({ again: "T" });
    await decisionFor(again.turn, around("how many?"));
    expect(again.looks).toEqual([true]);
  });
});
