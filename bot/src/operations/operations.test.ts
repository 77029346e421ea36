import { request as rawRequest } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { createMetrics, type Metrics } from "./metrics.ts";
import type { ServerCondition } from "../knowledge-server/server-watch.ts";
import { type Condition, type Operations, startOperations } from "./operations.ts";

interface Bot {
  sockets: number | undefined;
  database: "well" | "gone" | "silent";
  notAccepted: string | undefined;
  accepting: boolean;
  rulesProblem: string | undefined;
  server: ServerCondition;
}

let running: Operations | undefined;
afterEach(() => running?.close());

async function start(over: Partial<Bot> = {}): Promise<{ url: string; bot: Bot; metrics: Metrics }> {
  const bot: Bot = {
    sockets: 2,
    database: "well",
    notAccepted: undefined,
    accepting: true,
    rulesProblem: undefined,
    server: { ok: true, findings: [] },
    ...over,
  };
  const backlog = () =>
    bot.database === "well" ? Promise.resolve({ waiting: 3, running: 1 }) : Promise.reject(new Error("gone"));
  const metrics = createMetrics({ backlog, sockets: () => bot.sockets });
  const condition: Condition = {
    sockets: () => bot.sockets,
    store: {
      check: () =>
        bot.database === "silent"
          ? new Promise(() => {})
          : bot.database === "gone"
            ? Promise.reject(new Error("gone"))
            : Promise.resolve(),
      backlog,
    },
    notAccepted: () => bot.notAccepted,
    accepting: () => bot.accepting,
    rulesProblem: () => bot.rulesProblem,
    serverWatch: { condition: () => bot.server },
    metrics,
  };
  running = await startOperations(0, condition);
  return { url: running.url, bot, metrics };
}

async function get(url: string): Promise<{ status: number; body: unknown }> {
  const reply = await fetch(url);
  return { status: reply.status, body: await reply.json() };
}

describe("health", () => {
  it("is good while the bot can do its work", async () => {
    const { url } = await start();
    expect(await get(`${url}/health`)).toEqual({
      status: 200,
      body: { ok: true, problems: [], sockets: 2, waiting: 3, running: 1, server: { ok: true, findings: [] } },
    });
  });

  it.each([
    { over: { sockets: 0 }, problem: "no connection to Slack is up" },
    { over: { database: "gone" }, problem: "the database does not answer" },
    { over: { database: "silent" }, problem: "the database does not answer" },
    { over: { notAccepted: "it is full" }, problem: "what came in could not be kept: it is full" },
  ] as const)("is bad with $over", async ({ over, problem }) => {
    const { url } = await start(over);
    expect(await get(`${url}/health`)).toMatchObject({ status: 503, body: { ok: false, problems: [problem] } });
  });

  it("stays good with a broken rules file, and says so; and without sockets by HTTP", async () => {
    const { url } = await start({ rulesProblem: "line 1", sockets: undefined });
    const { status, body } = await get(`${url}/health`);
    expect(status).toBe(200);
    expect(body).toEqual({
      ok: true,
      problems: [expect.stringContaining("rules file is broken")],
      waiting: 3,
      running: 1,
      server: { ok: true, findings: [] },
    });
  });
});

describe("readiness", () => {
  it("is there while events are taken", async () => {
    const { url, bot } = await start();
    expect((await get(`${url}/ready`)).status).toBe(200);
    bot.accepting = false;
    expect((await get(`${url}/ready`)).status).toBe(503);
    Object.assign(bot, { accepting: true, sockets: 0 });
    expect((await get(`${url}/ready`)).status).toBe(503);
    Object.assign(bot, { sockets: 2, notAccepted: "it is full" });
    expect((await get(`${url}/ready`)).status).toBe(503);
    Object.assign(bot, { notAccepted: undefined, database: "gone" });
    expect((await get(`${url}/ready`)).status).toBe(503);
    bot.database = "well";
    expect((await get(`${url}/ready`)).status).toBe(200);
  });
});

describe("metrics", () => {
  it("count what the bot does", async () => {
    const { url, metrics } = await start();
    metrics.questionEnded({ entry: "mention", outcome: "answered" });
    metrics.questionEnded({ entry: "mention", outcome: "answered" });
    metrics.questionEnded({ entry: "dm", outcome: "refused" });
    metrics.firstPacket(400);
    metrics.answered(4_000);
    metrics.streamOpened();
    metrics.streamOpened();
    metrics.streamClosed();
    metrics.rateLimited("chat.appendStream");
    metrics.ingestion("indexed");
    metrics.connected();
    metrics.eventsDropped();
    metrics.notAccepted();
    const reply = await fetch(`${url}/metrics`);
    expect(reply.headers.get("content-type")).toContain("text/plain");
    const lines = (await reply.text()).split("\n");
    for (const line of [
      'threadlore_bot_questions_total{entry="mention",outcome="answered"} 2',
      'threadlore_bot_questions_total{entry="dm",outcome="refused"} 1',
      'threadlore_bot_first_packet_seconds_bucket{le="0.25"} 0',
      'threadlore_bot_first_packet_seconds_bucket{le="0.5"} 1',
      "threadlore_bot_answer_seconds_sum 4",
      "threadlore_bot_open_streams 1",
      'threadlore_bot_rate_limited_total{method="chat.appendStream"} 1',
      'threadlore_bot_ingestions_total{state="indexed"} 1',
      "threadlore_bot_socket_connections_total 1",
      "threadlore_bot_not_accepted_total 1",
      "threadlore_bot_events_dropped_total 1",
      'threadlore_bot_tasks{state="waiting"} 3',
      'threadlore_bot_tasks{state="running"} 1',
      "threadlore_bot_sockets 2",
    ]) {
      expect(lines).toContain(line);
    }
  });

  it("leave out the backlog when the database does not tell it", async () => {
    const { url } = await start({ database: "gone" });
    const text = await (await fetch(`${url}/metrics`)).text();
    expect(text).not.toMatch(/^threadlore_bot_tasks\{/m);
    expect(text).toContain("threadlore_bot_sockets 2");
  });
});

describe("who is answered", () => {
  function status(url: string, host: string, options: { method?: string; path?: string } = {}): Promise<number> {
    return new Promise((resolve, reject) => {
      const call = rawRequest(
        url + (options.path ?? "/metrics"),
        { method: options.method ?? "GET", headers: { host } },
        (reply) => {
          reply.resume();
          resolve(reply.statusCode ?? 0);
        },
      );
      call.on("error", reject);
      call.end();
    });
  }

  it("is who names this machine, and nobody else", async () => {
    const { url } = await start();
    const { port } = new URL(url);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]) {
      expect(await status(url, host)).toBe(200);
    }
    for (const host of ["evil.test", `127.0.0.1.evil.test:${port}`, `localhost.evil.test`, "0.0.0.0", "192.168.0.1"]) {
      expect(await status(url, host)).toBe(403);
    }
    expect(await status(url, "localhost", { path: "/elsewhere" })).toBe(404);
    expect(await status(url, "localhost", { method: "POST" })).toBe(405);
  });

  it("is told when the port is taken", async () => {
    const { url } = await start();
    const second = startOperations(Number(new URL(url).port), {} as Condition);
    await expect(second).rejects.toMatchObject({ code: "EADDRINUSE" });
  });
});
