import { SocketModeReceiver, LogLevel } from "@slack/bolt";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { afterThisTest } from "@threadlore/testkit";
import { boltApp, callApi, connect, startPlace } from "../testing/bolt.harness.ts";
import type { Workspace } from "../index.ts";

interface Frame {
  readonly type: string;
  readonly envelope_id?: string;
  readonly reason?: string;
  readonly retry_attempt?: number;
  readonly retry_reason?: string;
  readonly num_connections?: number;
  readonly payload?: { readonly event_id?: string; readonly event?: { readonly type: string; readonly text?: string } };
}

/** A bare connection that keeps every frame and acknowledges only when told to. */
async function rawSocket(workspace: Workspace): Promise<{
  frames: Frame[];
  events: () => Frame[];
  acknowledge: (frame: Frame | undefined) => void;
  socket: WebSocket;
}> {
  const { url } = await callApi(workspace, "apps.connections.open", {}, workspace.credentials.appToken);
  const socket = new WebSocket(String(url));
  const frames: Frame[] = [];
  socket.on("message", (frame) => frames.push(JSON.parse(String(frame)) as Frame));
  socket.on("error", () => undefined);
  afterThisTest(async () => socket.terminate());
  await workspace.until(() => frames.find((frame) => frame.type === "hello"));
  return {
    frames,
    events: () => frames.filter((frame) => frame.type === "events_api"),
    acknowledge: (frame) => socket.send(JSON.stringify({ envelope_id: frame?.envelope_id, payload: {} })),
    socket,
  };
}

describe("a Bolt app over Socket Mode", () => {
  it("hears a mention and answers in the thread", async () => {
    const { workspace, ann, general } = await startPlace();
    const app = boltApp(workspace);
    app.event("app_mention", async ({ event, say }) => {
      await say({ text: `You said: ${event.text}`, thread_ts: event.ts });
    });
    await connect(app, workspace);
    const ts = await ann.mention(general.id, "hello");
    const answer = await workspace.until(() => workspace.messages(general.id, ts)[1]);
    expect(answer).toMatchObject({
      text: `You said: <@${workspace.app.botUserId}> hello`,
      user: workspace.app.botUserId,
      botId: workspace.app.botId,
      threadTs: ts,
    });
  });

  it("hears a mention twice, under two ids", async () => {
    const { workspace, ann, general } = await startPlace();
    const app = boltApp(workspace);
    const heard = new Map<string, string>();
    app.use(async ({ body, next }) => {
      if ("event_id" in body) heard.set(String(body.event_id), String(body.event.type));
      await next();
    });
    app.event("app_mention", async () => undefined);
    await connect(app, workspace);
    await ann.mention(general.id, "hello");
    await workspace.until(() => heard.size >= 2);
    expect([...heard.values()].toSorted()).toEqual(["app_mention", "message"]);
  });

  it.each(["refresh_requested", "warning"] as const)(
    "comes back after a %s, and hears what it missed",
    async (reason) => {
      const { workspace, ann, general } = await startPlace();
      const app = boltApp(workspace);
      const heard: string[] = [];
      app.message(async ({ message }) => void heard.push("text" in message ? String(message.text) : ""));
      await connect(app, workspace);
      workspace.faults.disconnectSockets(reason);
      expect(workspace.sockets()).toBe(0);
      await ann.say(general.id, "while away");
      expect(heard).toEqual([]);
      await workspace.until(() => heard.length > 0);
      expect(heard).toEqual(["while away"]);
      expect(workspace.sockets()).toBe(1);
    },
  );

  it("comes back after its connection was cut", async () => {
    const { workspace, ann, general } = await startPlace();
    const app = boltApp(workspace);
    const heard: string[] = [];
    app.message(async ({ message }) => void heard.push("text" in message ? String(message.text) : ""));
    await connect(app, workspace);
    workspace.faults.killSockets();
    await workspace.until(() => workspace.sockets() === 0);
    await ann.say(general.id, "still there?");
    await workspace.until(() => heard.includes("still there?"));
    expect(heard).toEqual(["still there?"]);
  });

  it("gives up a silent peer, and then hears what went nowhere", async () => {
    const { workspace, ann, general } = await startPlace({ ackTimeoutMs: 500, redeliverAfterMs: [0, 0, 0] });
    const app = boltApp(workspace);
    const heard: string[] = [];
    app.message(async ({ message }) => void heard.push("text" in message ? String(message.text) : ""));
    await connect(app, workspace);
    workspace.faults.silenceSockets();
    await ann.say(general.id, "into the void");
    await workspace.until(() => heard.includes("into the void"), 25_000);
    expect(workspace.calls.filter(({ method }) => method === "apps.connections.open").length).toBeGreaterThan(1);
  });

  it("is told of its limit by an envelope without an event", async () => {
    const { workspace } = await startPlace();
    const { frames } = await rawSocket(workspace);
    workspace.faults.appRateLimited();
    const frame = await workspace.until(() => frames.find(({ type }) => type === "events_api"));
    expect(frame.payload).toMatchObject({ type: "app_rate_limited", api_app_id: workspace.app.appId });
    expect(frame.payload?.event).toBeUndefined();
  });
});

describe("several connections", () => {
  it("share the events: each goes to one of them", async () => {
    const { workspace, ann, general } = await startPlace();
    const one = await rawSocket(workspace);
    const other = await rawSocket(workspace);
    expect(workspace.sockets()).toBe(2);
    for (let each = 0; each < 20; each += 1) await ann.say(general.id, `message ${each}`);
    await workspace.until(() => one.events().length + other.events().length >= 20);
    expect(one.events().length).toBeGreaterThan(2);
    expect(other.events().length).toBeGreaterThan(2);
    expect(one.events().length + other.events().length).toBe(20);
  });

  it("are chosen alike for the same seed", async () => {
    const shares = [];
    for (let run = 0; run < 2; run += 1) {
      const { workspace, ann, general } = await startPlace({ seed: 7, now: () => 1_800_000_000_000 });
      const one = await rawSocket(workspace);
      const other = await rawSocket(workspace);
      for (let each = 0; each < 8; each += 1) await ann.say(general.id, String(each));
      await workspace.until(() => one.events().length + other.events().length >= 8);
      shares.push(one.events().map((frame) => frame.payload?.event?.text));
    }
    expect(shares[0]).toEqual(shares[1]);
  });

  it("are ten at most", async () => {
    const { workspace } = await startPlace();
    for (let each = 0; each < 10; each += 1) await rawSocket(workspace);
    const { url } = await callApi(workspace, "apps.connections.open", {}, workspace.credentials.appToken);
    const socket = new WebSocket(String(url));
    afterThisTest(async () => socket.terminate());
    const frame = await new Promise<string>((resolve) => socket.once("message", (first) => resolve(String(first))));
    expect(JSON.parse(frame)).toMatchObject({ type: "disconnect", reason: "too_many_websockets" });
    expect(workspace.sockets()).toBe(10);
  });

  it("need a ticket each, good once", async () => {
    const { workspace } = await startPlace();
    const { url } = await callApi(workspace, "apps.connections.open", {}, workspace.credentials.appToken);
    const outcome = (address: string) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(address);
        afterThisTest(async () => socket.terminate());
        socket.once("message", () => resolve("welcome"));
        socket.once("error", (error) => resolve(error.message));
      });
    expect(await outcome(String(url))).toBe("welcome");
    expect(await outcome(String(url))).toContain("403");
  });

  it("of one Bolt app lose nothing while one of them is refreshed", async () => {
    const { workspace, ann, general } = await startPlace();
    const app = boltApp(workspace);
    const heard: string[] = [];
    app.message(async ({ message }) => void heard.push("text" in message ? String(message.text) : ""));
    await connect(app, workspace);
    const second = new SocketModeReceiver({
      appToken: workspace.credentials.appToken,
      logLevel: LogLevel.ERROR,
      clientPingTimeout: 400,
      installerOptions: { clientOptions: { slackApiUrl: workspace.slackApiUrl } },
    });
    second.init(app);
    await second.start();
    afterThisTest(() => second.stop());
    await workspace.until(() => workspace.sockets() === 2);
    workspace.faults.disconnectSockets("refresh_requested");
    await ann.say(general.id, "nobody waits");
    await workspace.until(() => heard.length === 1);
    expect(heard).toEqual(["nobody waits"]);
  });
});

describe("an event that is not acknowledged", () => {
  it("comes again under the same id, saying why and how often", async () => {
    const { workspace } = await startPlace({ ackTimeoutMs: 50, redeliverAfterMs: [10, 20] });
    const { events } = await rawSocket(workspace);
    // Resolves once it is not tried again.
    await workspace.deliver({ type: "message", text: "hello" });
    await workspace.until(() => events().length >= 3);
    expect(events().map((frame) => [frame.retry_attempt, frame.retry_reason])).toEqual([
      [0, ""],
      [1, "timeout"],
      [2, "timeout"],
    ]);
    expect(new Set(events().map((frame) => frame.payload?.event_id)).size).toBe(1);
    expect(new Set(events().map((frame) => frame.envelope_id)).size).toBe(3);
  });

  it("does not come again once it is", async () => {
    const { workspace } = await startPlace({ redeliverAfterMs: [0, 0] });
    const { events, acknowledge } = await rawSocket(workspace);
    const delivered = workspace.deliver({ type: "message", text: "hello" });
    acknowledge(await workspace.until(() => events()[0]));
    await delivered;
    expect(events()).toHaveLength(1);
  });

  it("comes again over another connection when its own is lost", async () => {
    const { workspace, ann, general } = await startPlace({ redeliverAfterMs: [0] });
    const first = await rawSocket(workspace);
    await ann.say(general.id, "hello");
    await workspace.until(() => first.events().length === 1);
    first.socket.terminate();
    const second = await rawSocket(workspace);
    const again = await workspace.until(() => second.events()[0]);
    expect(again).toMatchObject({ retry_attempt: 1, retry_reason: "connection_failed" });
  });

  it("waits while nobody is connected, in order", async () => {
    const { workspace, ann, general } = await startPlace();
    await ann.say(general.id, "one");
    await ann.say(general.id, "two");
    const { events } = await rawSocket(workspace);
    await workspace.until(() => events().length >= 2);
    expect(events().map((frame) => frame.payload?.event?.text)).toEqual(["one", "two"]);
    expect(events().map((frame) => frame.retry_attempt)).toEqual([1, 1]);
  });
});

describe("which events are delivered", () => {
  it("is what the app subscribed to, where it is a member", async () => {
    const { workspace, ann, general } = await startPlace({ app: { events: ["message.channels", "pin_added"] } });
    const { events } = await rawSocket(workspace);
    const elsewhere = workspace.addChannel({ name: "elsewhere", withApp: false });
    const pinnedThere = await ann.mention(elsewhere.id, "not for the app");
    await ann.pin(elsewhere.id, pinnedThere);
    await ann.dm("nor this");
    const ts = await ann.mention(general.id, "for the app");
    await ann.react(general.id, ts, "tada");
    await ann.pin(general.id, ts);
    await workspace.until(() => events().length >= 2);
    expect(events().map((frame) => frame.payload?.event?.type)).toEqual(["message", "pin_added"]);
  });

  it("may be each several times, and in another order", async () => {
    const { workspace, ann, general } = await startPlace();
    const { events } = await rawSocket(workspace);
    workspace.faults.duplicateEvents(3);
    workspace.faults.shuffleEvents(300);
    for (let each = 0; each < 6; each += 1) await ann.say(general.id, String(each));
    await workspace.until(() => events().length >= 18);
    const ids = events().map((frame) => frame.payload?.event_id);
    expect(new Set(ids).size).toBe(6);
    const texts = events().map((frame) => frame.payload?.event?.text);
    expect(texts).not.toEqual(texts.toSorted());
    workspace.faults.clear();
    await ann.say(general.id, "calm");
    await workspace.until(() => events().length === 19);
  });

  it("may be anything: a forged one arrives as it is", async () => {
    const { workspace, general } = await startPlace();
    const { events, acknowledge } = await rawSocket(workspace);
    const event = { type: "message", channel: general.id, channel_type: "channel", user: "U0", text: "odd", ts: "1.0" };
    const delivered = workspace.deliver(event, { team_id: "T0FORGED", event_id: "Ev1" });
    acknowledge(await workspace.until(() => events()[0]));
    await delivered;
    expect(events()[0]?.payload).toMatchObject({ team_id: "T0FORGED", event_id: "Ev1", event });
  });
});
