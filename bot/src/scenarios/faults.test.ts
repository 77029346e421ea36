import { describe, expect, it } from "vitest";
import { seededRandom } from "@threadlore/testkit";
import { idle, type Town, useTowns } from "../testing/running-bot.ts";
import { scriptedAnswer } from "../testing/scripted-answer.ts";

/** Every test ends with nothing refused by Slack's rules, and nothing left undone. */
const town = useTowns((one) => one.expectNoRefusals());

const LEAVE = "How many days of annual leave do I have?";
const LONG = { timeout: 120_000 };
const SENTENCE = "The harbour office keeps the keys of the boat house, and hands them out against a signature. ";

const isChat = (request: Request): boolean => request.url.endsWith("send-chat-message");

describe("a server that fails is told of in plain words, with a reference and a way to try again", LONG, () => {
  const refused = (): Promise<never> =>
    Promise.reject(
      new TypeError("fetch failed", { cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED" }) }),
    );
  const reply =
    (status: number, detail: string, headers: Record<string, string> = {}) =>
    (): Promise<Response> =>
      Promise.resolve(Response.json({ detail }, { status, headers }));
  const faults: [string, () => Promise<Response>, RegExp][] = [
    ["is down", refused, /could not answer|reach|connect/i],
    ["does not know the key (401)", reply(401, "Invalid API key"), /Whoever set this up has to look/],
    ["has a fault of its own (500)", reply(500, "Internal Server Error"), /server/i],
    [
      "is a login page",
      () => Promise.resolve(new Response("<html>Log in</html>", { headers: { "content-type": "text/html" } })),
      /needs the attention of whoever runs this/,
    ],
    [
      "sends nothing but a closed stream",
      () => Promise.resolve(new Response("", { headers: { "content-type": "text/event-stream" } })),
      /cannot be reached/,
    ],
  ];

  it.each(faults)("3D service %s", async (_, fault, words) => {
    const place = await town();
    const { ada, general, knowledge } = place;
    knowledge.fault = (request) => (isChat(request) ? fault() : Promise.resolve(undefined));
    const ts = await ada.mention(general.id, LEAVE);
    const answer = await place.answered(general.id, ts);
    expect(answer.shown).toMatch(words);
    expect(answer.shown).toMatch(/Reference [0-9A-Z]+/);
    expect(answer.shown).toContain("[Retry]");
    await idle(place);
    expect(place.answers(general.id, ts)).toHaveLength(1);
    knowledge.fault = undefined;
    await ada.press({ channel: general.id, ts: answer.ts }, "question_retry");
    expect((await place.answered(general.id, ts, 2)).shown).toContain("thirty days");
  });

  it("3D service says when its budget is free again", async () => {
    const place = await town();
    const { ada, general, knowledge } = place;
    knowledge.fault = (request) =>
      Promise.resolve(
        isChat(request)
          ? Response.json({ detail: "Rate limit" }, { status: 429, headers: { "retry-after": "7200" } })
          : undefined,
      );
    const ts = await ada.mention(general.id, LEAVE);
    const answer = await place.answered(general.id, ts);
    expect(answer.shown).toMatch(/asked for now\. Ask again after 20[\d-]+ [\d:]+ UTC\./);
  });

  it("3D service slow: says so before long, and still answers", async () => {
    const place = await town();
    const { ada, general, knowledge, workspace } = place;
    const script = scriptedAnswer();
    const gate = Promise.withResolvers<void>();
    knowledge.fault = async (request) => {
      if (!isChat(request)) return undefined;
      await gate.promise;
      return script.response;
    };
    const ts = await ada.mention(general.id, LEAVE);
    await workspace.until(() => place.answers(general.id, ts)[0]?.shown.includes("slow to answer"));
    gate.resolve();
    script.say("Thirty days.");
    script.end();
    expect((await place.answered(general.id, ts)).shown).toContain("Thirty days.");
  });

  const SHORT = { firstByteMs: 1_000, idleMs: 1_000, quietIdleMs: 1_000 };

  it("3D service hangs before it answers: told so within the client's limits, and can be asked again", async () => {
    const place = await town({ parts: { serverTimeouts: SHORT } });
    const { ada, general, knowledge } = place;
    knowledge.fault = (request) => (isChat(request) ? new Promise(() => {}) : Promise.resolve(undefined));
    const ts = await ada.mention(general.id, LEAVE);
    const answer = await place.answered(general.id, ts);
    expect(answer.shown).toMatch(/Reference [0-9A-Z]+/);
    expect(answer.shown).toContain("[Retry]");
    await idle(place);
    expect(place.answers(general.id, ts)).toHaveLength(1);
    knowledge.fault = undefined;
    await ada.press({ channel: general.id, ts: answer.ts }, "question_retry");
    expect((await place.answered(general.id, ts, 2)).shown).toContain("thirty days");
  });

  it("3D service hangs in the middle: what came stays, is called incomplete, and can be asked again", async () => {
    const place = await town({ parts: { serverTimeouts: SHORT } });
    const { ada, general, knowledge } = place;
    const script = scriptedAnswer();
    knowledge.fault = (request) => Promise.resolve(isChat(request) ? script.response : undefined);
    const ts = await ada.mention(general.id, LEAVE);
    script.say(SENTENCE.repeat(3));
    const answer = await place.answered(general.id, ts);
    expect(answer.shown).toContain("boat house");
    expect(answer.shown).toContain("[Retry]");
    await idle(place);
    expect(place.answers(general.id, ts)).toHaveLength(1);
  });

  it("3D service lost in the middle: what came stays, is called incomplete, and can be asked again", async () => {
    const place = await town();
    const { ada, general, knowledge, workspace } = place;
    const script = scriptedAnswer();
    knowledge.fault = (request) => Promise.resolve(isChat(request) ? script.response : undefined);
    const ts = await ada.mention(general.id, LEAVE);
    script.say(SENTENCE.repeat(3));
    await workspace.until(() => place.answers(general.id, ts)[0]?.text.includes("boat house"));
    script.cut();
    const answer = await place.answered(general.id, ts);
    expect(answer.shown).toContain("boat house");
    expect(answer.shown).toMatch(/broke off before it was complete/);
    expect(answer.shown).toContain("[Retry]");
  });
});

describe("Slack that fails", LONG, () => {
  it("3D 429 on a stream is waited out, and another channel is not held up by it", async () => {
    const place = await town();
    const { ada, bo, general, workspace } = place;
    const side = workspace.addChannel({ name: "side", members: [ada.user.id, bo.user.id], withApp: true });
    workspace.faults.rateLimit("chat.startStream", { retryAfterS: 2 });
    const first = await ada.mention(general.id, LEAVE);
    const second = await bo.mention(side.id, LEAVE);
    expect((await place.answered(side.id, second)).shown).toContain("thirty days");
    expect((await place.answered(general.id, first)).shown).toContain("thirty days");
    await idle(place);
    expect(place.answers(general.id, first)).toHaveLength(1);
  });

  it.each(["chat.startStream", "chat.stopStream", "chat.appendStream"])(
    "3D dropped response of %s never makes a second answer",
    async (method) => {
      const place = await town();
      const { ada, general, workspace, knowledge } = place;
      const script = scriptedAnswer();
      knowledge.fault = (request) => Promise.resolve(isChat(request) ? script.response : undefined);
      workspace.faults.dropResponse(method);
      const ts = await ada.mention(general.id, LEAVE);
      script.say(SENTENCE.repeat(4));
      await workspace.until(() => workspace.calls.some((call) => call.method === "chat.startStream"));
      script.say(SENTENCE.repeat(4));
      script.end();
      await place.answered(general.id, ts);
      await idle(place);
      const answers = place.answers(general.id, ts);
      expect(answers).toHaveLength(1);
      expect(answers[0]?.shown.split("boat house")).toHaveLength(9);
    },
  );

  it("3D 500 from the platform on every posting method is outlived", async () => {
    const place = await town();
    const { ada, general, workspace } = place;
    for (const method of [
      "chat.startStream",
      "chat.stopStream",
      "chat.postMessage",
      "conversations.replies",
      "users.info",
    ]) {
      workspace.faults.fail(method, { status: 500 });
    }
    const ts = await ada.mention(general.id, LEAVE);
    expect((await place.answered(general.id, ts)).shown).toContain("thirty days");
    await idle(place);
    expect(place.answers(general.id, ts)).toHaveLength(1);
  });

  it("3D out of service before anything was shown: answered when it is back, once", async () => {
    const place = await town({ parts: { patience: { deliveryMs: 500, restMs: 20 } } });
    const { ada, general, workspace, knowledge, bot } = place;
    workspace.faults.fail("*", { status: 503, times: 1_000_000 });
    const ts = await ada.mention(general.id, LEAVE);
    const key = `question:${workspace.team.id}:${general.id}:${ts}`;
    // More attempts than make a question fail that is itself the trouble.
    await expect
      .poll(async () => (await bot.context.store.findByKey(key))?.attempts, { timeout: 60_000 })
      .toBeGreaterThan(5);
    const steps = await bot.context.store.traceOf(`${workspace.team.id}:${general.id}:${ts}`);
    expect(steps.map(({ words }) => words).join("\n")).not.toContain("given up");
    workspace.faults.clear();
    expect((await place.answered(general.id, ts)).shown).toContain("thirty days");
    await idle(place);
    expect(place.answers(general.id, ts)).toHaveLength(1);
    expect(knowledge.asked).toHaveLength(1);
  });

  it("3D out of service in the middle, longer than an answer waits: complete when it is back, once", async () => {
    const place = await town({ parts: { patience: { deliveryMs: 500, restMs: 20 } } });
    const { ada, general, workspace, knowledge, bot } = place;
    const script = scriptedAnswer();
    knowledge.fault = (request) => Promise.resolve(isChat(request) ? script.response : undefined);
    const ts = await ada.mention(general.id, LEAVE);
    script.say(SENTENCE.repeat(3));
    await workspace.until(() => place.answers(general.id, ts)[0]?.text.includes("boat house"));
    workspace.faults.fail("*", { status: 503, times: 1_000_000 });
    knowledge.fault = undefined;
    script.say(SENTENCE.repeat(3));
    script.end();
    const key = `question:${workspace.team.id}:${general.id}:${ts}`;
    await expect
      .poll(async () => (await bot.context.store.findByKey(key))?.attempts, { timeout: 60_000 })
      .toBeGreaterThan(2);
    workspace.faults.clear();
    await idle(place);
    const answers = place.answers(general.id, ts);
    expect(answers).toHaveLength(1);
    expect(answers[0]?.shown).toContain("thirty days");
    expect(answers[0]?.shown).not.toContain("boat house");
  });

  it.each([
    ["archived", (place: Town) => place.workspace.archive(place.general.id)],
    ["left by the bot", (place: Town) => place.workspace.removeApp(place.general.id)],
  ])("3D channel %s while it is answered: ends quietly", async (_, act) => {
    const place = await town();
    const { ada, general, workspace, knowledge, bot } = place;
    const script = scriptedAnswer();
    knowledge.fault = (request) => Promise.resolve(isChat(request) ? script.response : undefined);
    const ts = await ada.mention(general.id, LEAVE);
    await workspace.until(() => place.answers(general.id, ts).length === 1);
    act(place);
    script.say(SENTENCE.repeat(5));
    script.end();
    await idle(place);
    const task = await bot.context.store.findByKey(`question:${workspace.team.id}:${general.id}:${ts}`);
    expect(task).toMatchObject({ state: "ended" });
    expect(task?.attempts).toBeLessThan(3);
  });

  it("3D a workspace without streaming is asked again after a day, for it may have it by then", async () => {
    let ahead = 0;
    const place = await town({ parts: { now: () => Date.now() + ahead } });
    const { ada, general, workspace } = place;
    const starts = () => workspace.calls.filter(({ method }) => method === "chat.startStream").length;
    workspace.faults.refuse("chat.startStream", "feature_not_enabled");
    for (const [hours, wanted] of [
      [0, 1],
      [13, 1],
      [26, 2],
    ] as const) {
      ahead = hours * 3_600_000;
      expect((await place.answered(general.id, await ada.mention(general.id, LEAVE))).shown).toContain("thirty days");
      await idle(place);
      expect(starts()).toBe(wanted);
    }
  });

  it("3D events dropped by the platform: the bot goes on", async () => {
    const place = await town();
    const { ada, general, workspace } = place;
    workspace.faults.appRateLimited();
    const ts = await ada.mention(general.id, LEAVE);
    expect((await place.answered(general.id, ts)).shown).toContain("thirty days");
  });
});

describe("whoever runs the bot", LONG, () => {
  it("3D service down: the configured channel is told once an hour, in words without a key", async () => {
    const place = await town({ env: { ADMIN_CHANNEL: "C0000000000" } });
    const { ada, general, knowledge, workspace } = place;
    knowledge.fault = (request) =>
      Promise.resolve(isChat(request) ? Response.json({ detail: "Invalid API key" }, { status: 401 }) : undefined);
    for (let count = 0; count < 3; count += 1) await place.answered(general.id, await ada.mention(general.id, LEAVE));
    await idle(place);
    const alerts = workspace.calls.filter(({ args }) => args["channel"] === "C0000000000");
    expect(alerts).toHaveLength(1);
    expect(String(alerts[0]?.args["text"])).toContain("I cannot answer questions at the moment");
    expect(JSON.stringify(alerts)).not.toContain("tl_TEST");
  });

  it("3D token revoked: the bot keeps what was asked, and does not go on calling", async () => {
    const place = await town();
    const { ada, general, workspace, bot, knowledge } = place;
    const script = scriptedAnswer();
    knowledge.fault = (request) => Promise.resolve(isChat(request) ? script.response : undefined);
    const ts = await ada.mention(general.id, LEAVE);
    await workspace.until(() => place.answers(general.id, ts).length === 1);
    workspace.faults.revokeToken();
    script.say(SENTENCE.repeat(5));
    script.end();
    await expect.poll(() => bot.context.store.backlog(), { timeout: 60_000 }).toEqual({ waiting: 1, running: 0 });
    expect(await bot.ended).toMatchObject({ name: "WorkspaceRevoked" });
    const before = workspace.calls.length;
    await workspace.until(() => false, 3_000).catch(() => undefined);
    expect(workspace.calls.length - before).toBeLessThan(5);
  });
});

describe("connections", LONG, () => {
  it("3D socket: a bot that may never connect again says so to whoever runs it", async () => {
    const place = await town();
    place.workspace.faults.refuse("apps.connections.open", "account_inactive", { times: 10 });
    place.workspace.faults.killSockets({ all: true });
    expect(await place.bot.ended).toMatchObject({ data: { error: "account_inactive" } });
  });

  it.each([
    ["is asked to reconnect", (place: Town) => place.workspace.faults.disconnectSockets("refresh_requested")],
    ["has a connection cut", (place: Town) => place.workspace.faults.killSockets()],
    ["has all connections cut", (place: Town) => place.workspace.faults.killSockets({ all: true })],
    [
      "has all connections refreshed",
      (place: Town) => place.workspace.faults.disconnectSockets("warning", { all: true }),
    ],
    ["has a connection fall silent", (place: Town) => place.workspace.faults.silenceSockets()],
  ])("3D socket: a bot that %s answers what is asked right then, once", async (_, act) => {
    const place = await town({
      workspace: { app: { commands: ["/ask"] }, redeliverAfterMs: [200, 500, 1_000, 4_000] },
    });
    const { ada, general } = place;
    act(place);
    const asked: string[] = [];
    for (let count = 0; count < 6; count += 1) asked.push(await ada.mention(general.id, LEAVE));
    for (const ts of asked) await place.answered(general.id, ts);
    await idle(place);
    for (const ts of asked) expect(place.answers(general.id, ts)).toHaveLength(1);
  });
});

describe("duplicates", { timeout: 1_000_000 }, () => {
  it("3D duplicate deliveries: 500 questions, each delivered four times in any order, get 500 answers", async () => {
    const place = await town({ env: { STREAMING: "off", QUESTIONS_PER_USER: "off", QUESTIONS_PER_WORKSPACE: "off" } });
    const { workspace } = place;
    const random = seededRandom(7);
    workspace.faults.duplicateEvents(4);
    workspace.faults.shuffleEvents(400);
    const people = Array.from({ length: 10 }, (_, index) => workspace.addUser({ name: `asker${index}` }));
    const channels = Array.from({ length: 100 }, (_, index) =>
      workspace.addChannel({ name: `room-${index}`, members: people.map(({ user }) => user.id), withApp: true }),
    );
    const asked: { channel: string; ts: string }[] = [];
    for (let count = 0; count < 500; count += 1) {
      const person = people[Math.floor(random() * people.length)];
      const channel = channels[count % channels.length];
      if (person === undefined || channel === undefined) throw new Error("unreachable");
      asked.push({ channel: channel.id, ts: await person.mention(channel.id, `${LEAVE} (${count})`) });
    }
    await expect
      .poll(() => asked.filter(({ channel, ts }) => place.answers(channel, ts).length > 0).length, {
        timeout: 900_000,
        interval: 500,
      })
      .toBe(500);
    await idle(place);
    const counts = asked.map(({ channel, ts }) => place.answers(channel, ts).length);
    expect(counts.filter((count) => count !== 1)).toEqual([]);
    expect(place.knowledge.asked).toHaveLength(500);
  });
});
