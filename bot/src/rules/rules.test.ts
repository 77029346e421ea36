import { describe, expect, it } from "vitest";
import { decidePin } from "../pins/pin-rules.ts";
import {
  type Asker,
  type ChannelFacts,
  decide,
  type Decision,
  type Entry,
  groupsToLookUp,
  type Rules,
  settingsFor,
  type Situation,
} from "./rules.ts";
import { parseRules } from "./rules-file.ts";
import { textFacts } from "./text-facts.ts";

const CHANNELS: Record<"public" | "private" | "group" | "direct" | "shared", ChannelFacts> = {
  public: { id: "C0PUBLIC", kind: "public", shared: false },
  private: { id: "C0PRIVATE", kind: "private", shared: false },
  group: { id: "C0GROUP", kind: "mpim", shared: false },
  direct: { id: "D0DIRECT", kind: "im", shared: false },
  shared: { id: "C0SHARED", kind: "public", shared: true },
};
const USERS: Record<"member" | "admin" | "guest" | "stranger" | "bot", Asker> = {
  member: { id: "U0MEMBER", kind: "member" },
  admin: { id: "U0ADMIN", kind: "admin" },
  guest: { id: "U0GUEST", kind: "guest" },
  stranger: { id: "U0STRANGER", kind: "stranger" },
  bot: { id: "U0BOT", kind: "bot", botId: "B0BOT" },
};
const ENTRIES: readonly Entry[] = ["mention", "dm", "agent", "command", "shortcut", "follow_up", "eager"];
const QUESTION = textFacts("How do I get access to the VPN?", { botUserId: "U0SELF" });

function situation(over: Partial<Situation> = {}): Situation {
  return { entry: "mention", channel: CHANNELS.public, user: USERS.member, text: QUESTION, ...over };
}

function codeOf(decision: Decision): string | undefined {
  return decision.kind === "answer" ? undefined : decision.code;
}

function rules(yaml: string, dmKey = true): Rules {
  return parseRules(yaml, { dmKey }).rules;
}

const everyCase = Object.entries(CHANNELS).flatMap(([place, channel]) =>
  Object.entries(USERS).flatMap(([who, user]) => ENTRIES.map((entry) => ({ place, who, entry, channel, user }))),
);

describe("the built-in rules", () => {
  it.each(everyCase)("$who, $place channel, $entry", ({ place, who, entry, channel, user }) => {
    const decision = decide(parseRules("", { dmKey: true }).rules, situation({ entry, channel, user }));
    const spoken = place === "direct" || !["follow_up", "eager"].includes(entry);
    const expected =
      who === "bot" || !spoken
        ? "stay_out"
        : place === "shared" || who === "guest" || who === "stranger"
          ? "refuse"
          : "answer";
    expect(decision.kind).toBe(expected);
    const key = expected === "answer" ? (place === "direct" ? "dm" : "channel") : undefined;
    expect(decision.kind === "answer" ? decision.key : undefined).toBe(key);
    expect(decision.kind === "refuse" ? decision.words : "I refuse nothing here.").toMatch(/^[A-Z].{20,}\.$/);
    expect(decision.trace.length).toBeGreaterThan(2);
  });

  it("never ask with the wider key outside direct messages, whatever the rest", () => {
    const wide = rules("defaults: {slack_connect: allow, guests: allow, listen: eager}");
    const keys = everyCase
      .filter(({ place }) => place !== "direct")
      .map((one) => decide(wide, situation({ ...one, thread: { own: true, onlyAsker: true, afterAnswer: true } })))
      .flatMap((decision) => (decision.kind === "answer" ? [decision.key] : []));
    expect(keys.length).toBeGreaterThan(50);
    expect(new Set(keys)).toEqual(new Set(["channel"]));
  });

  it("ask with the channel key in direct messages when there is no other", () => {
    const decision = decide(
      parseRules("", { dmKey: false }).rules,
      situation({ entry: "dm", channel: CHANNELS.direct }),
    );
    expect(decision).toMatchObject({ kind: "answer", key: "channel" });
  });
});

describe("what must never be talked to", () => {
  it.each(everyCase)("the bot itself: $who, $place, $entry", ({ entry, channel, user }) => {
    const all = rules("defaults: {slack_connect: allow, guests: allow, listen: eager, bots: [U0BOT]}");
    const decision = decide(all, situation({ entry, channel, user: { ...user, self: true } }));
    expect(decision).toMatchObject({ kind: "stay_out", code: "own_message" });
  });

  it("archived channels", () => {
    const decision = decide(
      parseRules("", { dmKey: true }).rules,
      situation({ channel: { ...CHANNELS.public, archived: true } }),
    );
    expect(decision).toMatchObject({ kind: "stay_out", code: "archived" });
  });

  it("apps, unless they are named by user id or bot id", () => {
    const bot = situation({ user: USERS.bot });
    expect(decide(rules("defaults: {bots: [U0OTHER]}"), bot)).toMatchObject({ kind: "stay_out", code: "bot" });
    for (const id of ["U0BOT", "B0BOT"]) {
      expect(decide(rules(`defaults: {bots: [${id}], who_may_ask: [U0MEMBER]}`), bot).kind).toBe("answer");
    }
  });
});

describe("what nobody knows", () => {
  it("counts as shared, and as a stranger", () => {
    const unknownChannel = situation({ channel: { ...CHANNELS.public, shared: "unknown" } });
    expect(decide(parseRules("", { dmKey: true }).rules, unknownChannel)).toMatchObject({
      kind: "refuse",
      code: "channel_unknown",
    });
    const unknownUser = situation({ user: { id: "U0", kind: "unknown" } });
    const open = rules("defaults: {slack_connect: allow, guests: allow}");
    expect(decide(open, unknownUser)).toMatchObject({ kind: "refuse", code: "user_unknown" });
  });
});

describe("other companies and guests", () => {
  const open = rules(`
channels:
  C0SHARED: {slack_connect: allow}
  C0PUBLIC: {guests: allow}
`);

  it.each([
    { place: "shared", who: "member", kind: "answer" },
    { place: "shared", who: "stranger", kind: "answer" },
    { place: "shared", who: "guest", kind: "refuse" },
    { place: "public", who: "guest", kind: "answer" },
    { place: "public", who: "stranger", kind: "refuse" },
    { place: "private", who: "guest", kind: "refuse" },
    { place: "direct", who: "guest", kind: "refuse" },
  ] as const)("$who in a $place channel: $kind", ({ place, who, kind }) => {
    expect(decide(open, situation({ channel: CHANNELS[place], user: USERS[who] })).kind).toBe(kind);
  });

  it("are looked at again for a channel that became shared meanwhile", () => {
    const before = situation();
    expect(decide(parseRules("", { dmKey: true }).rules, before).kind).toBe("answer");
    const after = { ...before, channel: { ...before.channel, shared: true } };
    expect(decide(parseRules("", { dmKey: true }).rules, after)).toMatchObject({
      kind: "refuse",
      code: "shared_channel",
    });
  });
});

describe("follow-ups without a mention", () => {
  const own = { own: true, onlyAsker: true, afterAnswer: true };
  const withOthers = { own: true, onlyAsker: false, afterAnswer: false };
  const text = (words: string) => textFacts(words, { botUserId: "U0SELF" });

  it.each([
    { mode: "own_threads", thread: own, words: "And on a phone?", kind: "answer", code: undefined },
    { mode: "own_threads", thread: withOthers, words: "And on a phone?", kind: "answer", code: undefined },
    { mode: "own_threads", thread: own, words: "I meant the one in Bergen", kind: "answer", code: undefined },
    { mode: "own_threads", thread: own, words: "thanks a lot!", kind: "stay_out", code: "not_a_question" },
    { mode: "own_threads", thread: own, words: ":+1:", kind: "stay_out", code: "not_a_question" },
    { mode: "own_threads", thread: own, words: "<@U0ANNA> is that right?", kind: "stay_out", code: "to_somebody_else" },
    {
      mode: "own_threads",
      thread: { own: false, onlyAsker: true, afterAnswer: true },
      words: "And?",
      kind: "stay_out",
      code: "not_own_thread",
    },
    { mode: "own_threads", thread: undefined, words: "And on a phone?", kind: "stay_out", code: "not_own_thread" },
    { mode: "own_threads_asker", thread: own, words: "And on a phone?", kind: "answer", code: undefined },
    { mode: "own_threads_asker", thread: withOthers, words: "And on a phone?", kind: "stay_out", code: "others_speak" },
    { mode: "off", thread: own, words: "And on a phone?", kind: "stay_out", code: "follow_ups_off" },
  ])("$mode, $words: $kind", ({ mode, thread, words, kind, code }) => {
    const decision = decide(
      rules(`defaults: {follow_ups: ${mode}}`),
      situation({ entry: "follow_up", text: text(words), ...(thread && { thread }) }),
    );
    expect({ kind: decision.kind, code: codeOf(decision) }).toEqual({ kind, code });
  });

  it("never refuse aloud: nobody asked the bot", () => {
    const strict = rules("defaults: {who_may_ask: [U0BOSS], listen: eager}");
    for (const entry of ["follow_up", "eager"] as const) {
      const decision = decide(strict, situation({ entry, ...(entry === "follow_up" && { thread: own }) }));
      expect(decision).toMatchObject({ kind: "stay_out", code: "not_allowed" });
    }
  });
});

describe("eager channels", () => {
  const eager = rules("channels: {C0PUBLIC: {listen: eager}}");
  const text = (words: string) => textFacts(words, { botUserId: "U0SELF" });

  it.each([
    { words: "How do I get access to the VPN?", kind: "answer", code: undefined },
    { words: "Standup is at ten.", kind: "stay_out", code: "not_a_question" },
    { words: "Good morning! How are you?", kind: "stay_out", code: "not_a_question" },
    { words: "<@U0ANNA> do you know where the key is?", kind: "stay_out", code: "to_somebody_else" },
    { words: "<!subteam^S0OPS> is the build broken?", kind: "stay_out", code: "to_somebody_else" },
  ])("$words: $kind", ({ words, kind, code }) => {
    const decision = decide(eager, situation({ entry: "eager", text: text(words) }));
    expect({ kind: decision.kind, code: codeOf(decision) }).toEqual({ kind, code });
  });

  it("leave threads alone, and other channels", () => {
    const inThread = situation({ entry: "eager", thread: { own: false, onlyAsker: false, afterAnswer: false } });
    expect(decide(eager, inThread)).toMatchObject({ kind: "stay_out", code: "in_a_thread" });
    const elsewhere = situation({ entry: "eager", channel: CHANNELS.private });
    expect(decide(eager, elsewhere)).toMatchObject({ kind: "stay_out", code: "not_eager" });
  });
});

describe("who may ask", () => {
  const listed = rules("channels: {C0PUBLIC: {who_may_ask: [U0BOSS, S0OPS, admins]}}");

  it.each([
    { user: { id: "U0BOSS", kind: "member" }, kind: "answer", code: undefined },
    { user: { id: "U0ADMIN", kind: "admin", groups: [] }, kind: "answer", code: undefined },
    { user: { id: "U0OPS", kind: "member", groups: ["S0OPS"] }, kind: "answer", code: undefined },
    { user: { id: "U0ANY", kind: "member", groups: [] }, kind: "refuse", code: "not_allowed" },
    { user: { id: "U0ANY", kind: "member" }, kind: "refuse", code: "groups_unknown" },
  ] as const)("$user.id, $user.kind: $kind $code", ({ user, kind, code }) => {
    const decision = decide(listed, situation({ user }));
    expect({ kind: decision.kind, code: codeOf(decision) }).toEqual({ kind, code });
  });

  it("tells which groups have to be looked up, and only those", () => {
    expect(groupsToLookUp(settingsFor(listed, CHANNELS.public))).toEqual(["S0OPS"]);
    expect(groupsToLookUp(settingsFor(listed, CHANNELS.private))).toEqual([]);
  });
});

describe("a place's own settings", () => {
  it("refuse in channels that are switched off, and say so", () => {
    const off = rules(
      "defaults: {enabled: false}\nchannels: {C0PUBLIC: {enabled: true}}\ndirect_messages: {enabled: false}",
    );
    expect(decide(off, situation()).kind).toBe("answer");
    expect(decide(off, situation({ channel: CHANNELS.private }))).toMatchObject({
      kind: "refuse",
      code: "switched_off",
    });
    const dm = decide(off, situation({ entry: "dm", channel: CHANNELS.direct }));
    expect(dm).toMatchObject({
      kind: "refuse",
      code: "switched_off",
      words: expect.stringContaining("direct messages"),
    });
  });

  it("reach the answer: persona, sets, sources, key, manner", () => {
    const own = rules(`
channels:
  C0PUBLIC: {persona: 7, document_sets: [Handbook], sources: [slack], key: dm, answer: ephemeral}
`);
    const decision = decide(own, situation());
    expect(decision).toMatchObject({
      kind: "answer",
      key: "dm",
      settings: { persona: 7, document_sets: ["Handbook"], sources: ["slack"], answer: "ephemeral" },
    });
    expect(decision.trace.join(" ")).toContain("key for direct messages");
  });

  it("do not reach direct messages", () => {
    const own = rules("defaults: {persona: 7, document_sets: [Handbook], follow_ups: off}");
    const decision = decide(own, situation({ entry: "dm", channel: CHANNELS.direct }));
    expect(decision).toMatchObject({ kind: "answer", settings: { document_sets: [] } });
    expect(decision.kind === "answer" && decision.settings).not.toHaveProperty("persona");
  });
});

describe("an empty mention", () => {
  const empty = textFacts("<@U0SELF>  ", { botUserId: "U0SELF" });

  it("asks what is wanted, except where a thread or a file says it", () => {
    const built = parseRules("", { dmKey: true }).rules;
    expect(decide(built, situation({ text: empty }))).toMatchObject({ kind: "refuse", code: "no_question" });
    expect(decide(built, situation({ text: { ...empty, files: 1 } })).kind).toBe("answer");
    expect(
      decide(built, situation({ text: empty, thread: { own: false, onlyAsker: false, afterAnswer: false } })).kind,
    ).toBe("answer");
  });
});

describe("pins", () => {
  const open = rules(`
defaults: {pins: members, pair: 3}
channels:
  C0OPTED: {pins: members, pair: 4}
  C0LISTED: {pins: [U0MEMBER]}
  C0OFF: {pins: off}
`);
  const opted = (kind: ChannelFacts["kind"], over: Partial<ChannelFacts> = {}): ChannelFacts => ({
    id: "C0OPTED",
    kind,
    shared: false,
    ...over,
  });

  it.each(
    Object.entries(CHANNELS).flatMap(([place, channel]) =>
      Object.entries(USERS).map(([who, user]) => ({ place, who, channel, user })),
    ),
  )("built in: nothing of $who in a $place channel is kept", ({ channel, user }) => {
    expect(decidePin(parseRules("", { dmKey: true }).rules, { channel, user }).kind).toBe("refuse");
  });

  it.each([
    { channel: CHANNELS.public, user: USERS.member, kind: "keep", detail: 3 },
    { channel: opted("public"), user: USERS.admin, kind: "keep", detail: 4 },
    { channel: opted("private"), user: USERS.member, kind: "keep", detail: 4 },
    { channel: opted("mpim"), user: USERS.member, kind: "keep", detail: 4 },
    { channel: { id: "C0LISTED", kind: "public", shared: false }, user: USERS.member, kind: "keep", detail: 3 },
    {
      channel: { id: "C0LISTED", kind: "public", shared: false },
      user: USERS.admin,
      kind: "refuse",
      detail: "not_allowed",
    },
    {
      channel: { id: "C0OFF", kind: "public", shared: false },
      user: USERS.member,
      kind: "refuse",
      detail: "not_opted_in",
    },
    { channel: CHANNELS.private, user: USERS.member, kind: "refuse", detail: "private" },
    { channel: CHANNELS.group, user: USERS.member, kind: "refuse", detail: "private" },
    { channel: CHANNELS.direct, user: USERS.member, kind: "refuse", detail: "direct_message" },
    { channel: opted("im"), user: USERS.member, kind: "refuse", detail: "direct_message" },
    { channel: opted("public", { shared: true }), user: USERS.member, kind: "refuse", detail: "shared_channel" },
    { channel: opted("public", { shared: "unknown" }), user: USERS.member, kind: "refuse", detail: "shared_channel" },
    { channel: opted("public", { archived: true }), user: USERS.member, kind: "refuse", detail: "archived" },
    { channel: opted("public"), user: USERS.guest, kind: "refuse", detail: "not_allowed" },
    { channel: opted("public"), user: USERS.stranger, kind: "refuse", detail: "not_allowed" },
    { channel: opted("public"), user: USERS.bot, kind: "refuse", detail: "not_allowed" },
    { channel: opted("public"), user: { ...USERS.member, self: true }, kind: "refuse", detail: "not_allowed" },
    { channel: opted("public"), user: { id: "U0", kind: "unknown" }, kind: "refuse", detail: "not_allowed" },
  ] as const)("$user.kind in $channel.id ($channel.kind): $kind $detail", ({ channel, user, kind, detail }) => {
    const decision = decidePin(open, { channel, user });
    expect(decision.kind).toBe(kind);
    expect(decision.kind === "keep" ? decision.pair : decision.code).toBe(detail);
  });
});

describe("who is named, and what is said where", () => {
  it("is an administrator only where the list says so", () => {
    const asked = situation({ user: USERS.admin });
    expect(decide(rules("defaults: { who_may_ask: [admins] }"), asked).kind).toBe("answer");
    expect(decide(rules("defaults: { who_may_ask: [U0ANY] }"), asked)).toMatchObject({ code: "not_allowed" });
  });

  it("tells whether it is direct messages or a channel that is switched off", () => {
    const direct = situation({ entry: "dm", channel: CHANNELS.direct });
    expect(decide(rules("direct_messages: { enabled: false }"), direct)).toMatchObject({
      code: "switched_off",
      words: expect.stringContaining("in direct messages here"),
    });
    expect(decide(rules("defaults: { enabled: false }"), situation())).toMatchObject({
      code: "switched_off",
      words: expect.stringContaining("in this channel"),
    });
  });

  it.each<[Entry, number, "nod" | undefined]>([
    ["mention", 0, "nod"],
    ["dm", 0, "nod"],
    ["mention", 1, undefined],
    ["command", 0, undefined],
    ["shortcut", 0, undefined],
  ])("thanks by %s with %i files is small talk: %s", (entry, files, talk) => {
    const text = textFacts("Thanks a lot!", { botUserId: "U0SELF", files });
    const decision = decide(parseRules("", { dmKey: false }).rules, situation({ entry, text }));
    expect(decision.kind).toBe("answer");
    expect(decision.kind === "answer" ? decision.talk : "none").toBe(talk);
  });
});

describe("the trace of an answer", () => {
  const traceOf = (yaml: string, over: Partial<Situation> = {}): readonly string[] =>
    decide(rules(yaml), situation(over)).trace.slice(1);

  it("says what holds in the channel, who answers, from what, and who will see it", () => {
    expect(traceOf("")).toEqual([
      "The public channel C0PUBLIC has no rules of its own; the defaults hold.",
      "The asker is a full member, and may ask here.",
      "The question goes to the server's own assistant, with the channel key; the answer comes from every document the key may see.",
      "The answer goes into the thread.",
    ]);
    const yaml = "channels:\n  C0PUBLIC: {persona: 7, document_sets: [IT, HR], sources: [web], answer: ephemeral}\n";
    expect(traceOf(yaml)).toEqual([
      "The public channel C0PUBLIC has rules of its own.",
      "The asker is a full member, and may ask here.",
      "The question goes to persona 7, with the channel key; the answer comes from IT, HR, sources web.",
      "The answer is shown to the asker alone, who can share it.",
    ]);
  });

  it("says of a direct message which rules and which key hold", () => {
    expect(traceOf("", { entry: "dm", channel: CHANNELS.direct })).toEqual([
      "The rules for direct messages hold.",
      "The asker is a full member, and may ask here.",
      "The question goes to the server's own assistant, with the key for direct messages; the answer comes from every document the key may see.",
      "The answer goes into the thread.",
    ]);
  });
});
