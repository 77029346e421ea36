import { describe, expect, it } from "vitest";
import { ask, call, gate, kindsOf, readLines, started, textOf, told } from "./routes/calling.ts";
import type { Place } from "./faults.ts";
import { placeholder } from "./world/sessions.ts";

const answer = "One two three";

describe("an answer that is cut", () => {
  it.each<[Place, { lines: number; text: string; rest: boolean }]>([
    ["after-head", { lines: 0, text: "", rest: false }],
    [{ bytes: 10 }, { lines: 0, text: "", rest: true }],
    [{ lines: 1 }, { lines: 1, text: "", rest: false }],
    [{ insideLine: 1 }, { lines: 1, text: "", rest: true }],
    [{ packets: 2 }, { lines: 4, text: "One ", rest: false }],
    [{ insidePacket: 2 }, { lines: 4, text: "One ", rest: true }],
    ["before-end", { lines: 7, text: answer, rest: false }],
  ])("%j breaks there, and goes on inside", async (at, expected) => {
    const server = await started();
    server.answerWith(answer);
    server.faults.cut = { at };
    const { lines, rest, whole } = await readLines(await ask(server, "Count"));
    expect({ lines: lines.length, text: textOf(lines), rest: rest !== "" }).toEqual(expected);
    expect(whole).toBe(false);
    expect(server.questions).toMatchObject([{ outcome: "finished", cut: true }]);
    expect((await readLines(await ask(server, "Again"))).whole).toBe(true);
  });

  it("before anything arrives leaves only a broken connection", async () => {
    const server = await started();
    server.faults.cut = { at: "before-head" };
    await expect(ask(server, "Count")).rejects.toThrow("fetch failed");
    expect(server.questions).toMatchObject([{ outcome: "finished", cut: true }]);
  });

  it("is cut at once, however long the server is silent then", async () => {
    const server = await started();
    server.answerNext(["One ", { until: new Promise(() => {}) }]);
    server.faults.cut = { at: { packets: 2 } };
    const { lines, whole } = await readLines(await ask(server, "Count"));
    expect([textOf(lines), whole, server.questions[0]?.outcome]).toEqual(["One ", false, "running"]);
  });

  it("can end cleanly, be reset, or hang", async () => {
    const server = await started({ heartbeatMs: 5 });
    server.answerWith(answer);
    server.faults.cut = [
      { at: { packets: 2 }, how: "clean" },
      { at: { packets: 2 }, how: "reset" },
    ];
    const clean = await readLines(await ask(server, "One"));
    expect({ ...clean, lines: clean.lines.length }).toEqual({ lines: 4, rest: "", whole: true });
    expect((await readLines(await ask(server, "Two"))).whole).toBe(false);
    server.faults.cut = { at: { packets: 2 }, how: "stall" };
    const hanging = await ask(server, "Three");
    await expect.poll(() => server.questions[2]?.cut).toBe(true);
    server.cutConnections();
    const { lines, whole } = await readLines(hanging);
    expect([textOf(lines), whole]).toEqual(["One ", false]);
  });

  it("can be any reply, chosen by what it is", async () => {
    const server = await started();
    server.faults.cut = ({ path, kind, number }) =>
      path === "/me" || (kind === "resumed" && number === 0) ? { at: { bytes: 5 } } : undefined;
    const me = await call(server, "GET", "/me", { key: server.keys.admin });
    await expect(me.text()).rejects.toThrow("terminated");
    const { lines, whole } = await readLines(await ask(server, "Count"));
    expect(whole).toBe(true);
    const path = `/chat/chat-session/${String(lines[0]?.["chat_session_id"])}/resume-stream`;
    const resume = async () => readLines(await call(server, "GET", path, { key: server.keys.admin }));
    expect((await resume()).whole).toBe(false);
    expect((await resume()).lines).toEqual(lines);
  });
});

describe("a server that restarts", () => {
  it("loses what it was writing, and is back at the same address", async () => {
    const server = await started();
    server.answerNext(["One ", { until: new Promise(() => {}) }]);
    const response = await ask(server, "Count");
    await server.down();
    expect((await readLines(response)).whole).toBe(false);
    await expect(call(server, "GET", "/health")).rejects.toThrow("fetch failed");
    await server.up();
    const [{ sessionId = "", outcome } = {}] = server.questions;
    expect(outcome).toBe("died");
    const [key, paths] = [
      server.keys.admin,
      [`get-chat-session/${sessionId}`, `chat-session/${sessionId}/resume-stream`],
    ];
    const [stored, resumed] = await Promise.all(
      paths.map((path) => told(call(server, "GET", `/chat/${path}`, { key }))),
    );
    expect(stored?.body).toMatchObject({ current_run: null, messages: [{}, {}, { message: placeholder }] });
    expect(resumed).toMatchObject({ status: 404, body: { error_code: "NOT_FOUND" } });
    await server.restart(1);
    expect((await told(call(server, "GET", "/health"))).body).toMatchObject({ success: true });
  });

  it("may have a proxy before it that answers for it", async () => {
    const server = await started();
    server.answerNext(["One ", { until: new Promise(() => {}) }]);
    const response = await ask(server, "Count");
    await server.down({ proxy: true });
    expect((await readLines(response)).whole).toBe(false);
    const page = await call(server, "GET", "/health");
    expect([page.status, page.headers.get("content-type")]).toEqual([502, "text/html"]);
    await server.up();
    expect((await call(server, "GET", "/health")).status).toBe(200);
  });

  it("breaks off what it would have given in one piece", async () => {
    const server = await started();
    server.answerNext([{ until: new Promise(() => {}) }]);
    const asked = ask(server, "Count", { stream: false });
    await expect.poll(() => server.questions.length).toBe(1);
    await Promise.all([expect(asked).rejects.toThrow("fetch failed"), server.restart(1)]);
    server.faults.cut = { at: { bytes: 9 } };
    await expect((await ask(server, "Count", { stream: false })).text()).rejects.toThrow("terminated");
    expect(server.questions).toMatchObject([{ outcome: "died" }, { outcome: "finished", cut: true }]);
  });

  it("may only be away from those who ask", async () => {
    const server = await started();
    const { opened, open } = gate();
    server.answerNext(["One ", { until: opened }, "two."]);
    const response = await ask(server, "Count");
    await server.down({ answers: "go-on" });
    open();
    expect((await readLines(response)).whole).toBe(false);
    await expect.poll(() => server.questions[0]?.outcome).toBe("finished");
    await server.up();
    const path = `/chat/chat-session/${server.questions[0]?.sessionId}/resume-stream`;
    expect(textOf((await readLines(await call(server, "GET", path, { key: server.keys.admin }))).lines)).toBe(
      "One two.",
    );
  });
});

describe("a model that fails", () => {
  it("says so before the answer, in it, or in the one piece", async () => {
    const server = await started();
    server.answerWith(answer);
    server.faults.model = { code: "RATE_LIMIT", times: 1 };
    const before = await readLines(await ask(server, "One"));
    expect(before.lines.at(-1)).toMatchObject({ error_code: "RATE_LIMIT", is_retryable: true });
    expect(before.lines).toHaveLength(3);
    server.faults.model = { code: "CONTEXT_TOO_LONG", when: { packets: 2 }, times: 1, message: "Too long." };
    const inside = await readLines(await ask(server, "Two"));
    expect(textOf(inside.lines)).toBe("One ");
    expect(inside.lines.at(-1)).toMatchObject({ error: "Too long.", is_retryable: false });
    server.faults.model = { code: "AUTH_ERROR" };
    const { status, body } = await told(ask(server, "Three", { stream: false }));
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { answer: "", error_msg: expect.stringMatching(/Authentication failed/) },
    });
    server.faults.model = undefined;
    expect(textOf((await readLines(await ask(server, "Four"))).lines)).toBe(answer);
    expect(server.questions.map(({ outcome }) => outcome)).toEqual(["failed", "failed", "failed", "finished"]);
  });

  it("without a word is told as an empty answer", async () => {
    const server = await started();
    server.answerNext([]);
    expect((await readLines(await ask(server, "Nothing"))).lines.at(-1)).toMatchObject({
      error_code: "EMPTY_LLM_RESPONSE",
    });
  });
});

describe("silence", () => {
  it("is broken by heartbeats, where servers have them", async () => {
    const server = await started({ heartbeatMs: 10 });
    const { opened, open } = gate();
    server.answerNext(["One ", { until: opened }, "two."]);
    const response = await ask(server, "Slowly");
    let text = "";
    for await (const bytes of response.body ?? []) {
      text += Buffer.from(bytes).toString();
      if (text.includes("chat_heartbeat")) open();
    }
    expect(text).toMatch(/"One "[^]*"model_index": null\}, "obj": \{"type": "chat_heartbeat"\}\}\n[^]*"two\."/);
  });

  it("lasts as long as it is said to", async () => {
    const server = await started({ heartbeatMs: 1 });
    server.answerWith(answer);
    server.faults.silence = { packets: 2, ms: 50 };
    server.faults.heartbeats = false;
    const asked = performance.now();
    const { lines } = await readLines(await ask(server, "Slowly"));
    expect(performance.now() - asked).toBeGreaterThan(45);
    expect(kindsOf(lines)).toEqual(["message_start", "message_delta", "stop"]);
  });
});

describe("a server that refuses", () => {
  it("has a budget that is used up, with and without an end", async () => {
    const server = await started();
    const resetAt = new Date(Date.now() + 90_000);
    server.faults.rateLimit = { scope: "user", resetAt, times: 1 };
    const limited = await ask(server, "One");
    const seconds = Number(limited.headers.get("retry-after"));
    expect([limited.status, seconds > 60 && seconds <= 90]).toEqual([429, true]);
    const told429 = { scope: "user", error_code: "RATE_LIMITED", retry_after_seconds: seconds };
    expect(await limited.json()).toMatchObject(told429);
    expect((await ask(server, "Two")).status).toBe(200);
    server.faults.rateLimit = {};
    const endless = await ask(server, "Three");
    expect([endless.status, endless.headers.get("retry-after")]).toEqual([429, null]);
    expect(Object.keys(await endless.json())).toEqual(["detail"]);
    server.faults.rateLimit = { retryAfter: 3 };
    expect((await ask(server, "Four")).headers.get("retry-after")).toBe("3");
    expect((await call(server, "GET", "/me", { key: server.keys.admin })).status).toBe(200);
  });

  it("answers 500 to every key while its database is away", async () => {
    const server = await started();
    server.faults.database = "down";
    for (const [method, path] of [
      ["GET", "/me"],
      ["POST", "/chat/send-chat-message"],
      ["GET", "/tool"],
    ] as const) {
      const { status, body } = await told(call(server, method, path, { key: server.keys.admin }));
      expect({ status, body }).toMatchObject({ status: 500, body: { detail: expect.stringMatching(/sqlalche/) } });
    }
    expect((await call(server, "GET", "/health")).status).toBe(200);
    expect((await call(server, "GET", "/me")).status).toBe(403);
    server.faults.database = "up";
    expect((await call(server, "GET", "/me", { key: server.keys.admin })).status).toBe(200);
  });

  it("cannot be searched while the search is broken", async () => {
    const server = await started();
    server.faults.search = "broken";
    expect((await call(server, "POST", "/search", { key: server.keys.admin, body: { query: "x" } })).status).toBe(500);
  });

  it("lacks what it is said to lack, and sends wrong slashes astray", async () => {
    const server = await started();
    server.faults.missing = ["/search", /resume-stream$/];
    const key = server.keys.admin;
    expect(await told(call(server, "POST", "/search", { key, body: { query: "x" } }))).toEqual({
      status: 404,
      body: { detail: "404: Not Found" },
    });
    expect((await call(server, "GET", "/chat/chat-session/x/resume-stream", { key })).status).toBe(404);
    expect((await call(server, "DELETE", "/me", { key })).status).toBe(405);
    const astray = await call(server, "GET", "/me/", { key });
    expect([astray.status, astray.headers.get("location")]).toEqual([307, `${server.origin}/me`]);
  });
});

describe("what is delivered twice", () => {
  it("is each line of an answer, or a whole reply", async () => {
    const server = await started();
    server.faults.duplicate = "lines";
    server.answerWith("One");
    const { lines } = await readLines(await ask(server, "Count"));
    expect(lines).toHaveLength(10);
    expect(lines[0]).toEqual(lines[1]);
    server.faults.duplicate = "replies";
    expect((await told(call(server, "GET", "/health"))).status).toBe(200);
  });
});
