import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type ModelReply, quickest, startScriptedModel } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { openChat, streamedOf } from "../../chat.harness.ts";
import { carriers, OWNER_KEY, temporaryFolder } from "../../service.harness.ts";
import { abortMany, EXTRACTED, lastMessage, openWithModel, QUESTION, readUntil } from "./faults.harness.ts";

describe("3B LLM backend 429/5xx/timeout/garbage", () => {
  it.each<[string, ModelReply, string]>([
    ["429", { status: 429, retryAfter: 3600 }, "its server is over its limit (status 429)"],
    ["500", { status: 500 }, "its server failed (status 500)"],
    ["503", { status: 503, retryAfter: 30 }, "its server failed (status 503)"],
    ["a refused key", { status: 401 }, "its server refused the key (status 401)"],
    ["silence before the head", { stall: "before-head" }, "it said nothing for 0.3 s"],
    ["silence after the head", { stall: "after-head" }, "it said nothing for 0.3 s"],
    ["garbage", { garbage: "<html>Bad gateway</html>" }, "its reply was empty or unreadable"],
    ["garbage in the shape of an event", { garbage: "data: {not json\n\n" }, "its reply was unreadable"],
    ["an empty answer", { text: "" }, "it said nothing"],
    ["white space", { text: [" ", "\n\n"] }, "it said nothing"],
    ["a reset before the first word", { text: "Never seen", cutAfter: 0 }, "its reply broke off"],
  ])("3B LLM backend %s: the answer is extracted, with citations, and says so", async (_, reply, reason) => {
    // Only where it is silence that is told apart: any other reply may come late on a busy machine.
    const settings = reply.stall === undefined ? {} : { modelSilenceMs: 300 };
    const { chat, close } = await openWithModel([reply], { settings });
    const before = performance.now();
    const response = await chat.answer(QUESTION);
    // Not as long as it was told to wait, nor as long as a silence may last by default.
    expect(performance.now() - before).toBeLessThan(20_000);
    expect(response["answer"]).toBe(
      `The model could not answer: ${reason}. What follows is quoted from the sources instead.\n\n${EXTRACTED}`,
    );
    expect(response["citation_info"]).toHaveLength(1);
    expect(response["error_msg"]).toBeNull();
    await close();
  });

  it.each<[string, ModelReply]>([
    ["is cut", { text: "You get many many days", cutAfter: 2 }],
    ["falls silent", { text: "You get many", stall: "before-end" }],
  ])("3B LLM backend %s mid-answer: what it said becomes a preamble, the answer is extracted", async (_, reply) => {
    const { chat, close } = await openWithModel([reply], { settings: { modelSilenceMs: 300 } });
    const streamed = await chat.ask(QUESTION);
    const texts = streamed.packets.flatMap(({ obj }) =>
      obj?.type === "message_delta" ? [String(obj["content"])] : [],
    );
    expect(texts[0]).toContain("You");
    expect(streamed.types.filter((type) => type === "message_start")).toHaveLength(2);
    expect(streamed.answer).toMatch(/^The model could not answer: /);
    expect(streamed.answer).toContain(EXTRACTED);
    expect(streamed.types.at(-1)).toBe("stop");
    await close();
  });

  it("3B LLM backend unreachable: the answer is extracted, and says so", async () => {
    const { chat, model, close } = await openWithModel([{}]);
    await model.close();
    expect((await chat.answer(QUESTION))["answer"]).toContain("its server could not be reached");
    await close();
  });
});

describe.each(carriers)("3B client vanishes mid-stream, $name", (carrier) => {
  it("3B client vanishes mid-stream: the model's call is aborted within a second and the row marked", async () => {
    const { chat, model, close } = await openWithModel([{ text: "word ".repeat(500), everyMs: 20 }], {}, carrier);
    let sessionId = "";
    const vanish = async (): Promise<number> => {
      const gone = new AbortController();
      ({ sessionId } = await readUntil(chat, "message_delta", QUESTION, gone.signal));
      const before = performance.now();
      gone.abort();
      const [request] = model.server.requests.slice(-1);
      return ((await request?.closed) ?? Infinity) - before;
    };
    expect(await quickest(1_000, vanish)).toBeLessThan(1_000);
    const last = await lastMessage(chat, sessionId);
    expect(last).toMatchObject({ status: "interrupted", error: expect.stringContaining("cut off") });
    expect(last?.message).toMatch(/^word/);
    // The session is free again at once.
    const next = await readUntil(chat, "message_delta", { ...QUESTION, chat_session_id: sessionId });
    await next.reader.cancel();
    await close();
  });

  it("3B client vanishes while it waits for one complete response: the same", async () => {
    const { chat, model, close } = await openWithModel([{ text: "word ".repeat(500), everyMs: 20 }], {}, carrier);
    const headers = { authorization: `Bearer ${OWNER_KEY}`, "content-type": "application/json" };
    let asked = 0;
    const vanish = async (): Promise<number> => {
      const gone = new AbortController();
      const body = JSON.stringify({ ...QUESTION, stream: false });
      const init = { method: "POST", headers, body, signal: gone.signal };
      const reply = Promise.resolve(chat.fetch(`${chat.url}/chat/send-chat-message`, init)).catch(() => "aborted");
      const request = await model.server.received((asked += 1));
      const before = performance.now();
      gone.abort();
      const closedAt = await request.closed;
      await reply;
      return closedAt - before;
    };
    expect(await quickest(1_000, vanish)).toBeLessThan(1_000);
    await close();
  });

  it("POST /chat/stop-chat-session ends a run: a stop packet that says so, the text so far kept", async () => {
    const { chat, model, close } = await openWithModel([{ text: "word ".repeat(500), everyMs: 20 }], {}, carrier);
    const { sessionId, rest } = await readUntil(chat, "message_delta", QUESTION);
    expect(await chat.call("GET", `/chat/get-chat-session/${sessionId}`)).toMatchObject({
      body: { current_run: { run_id: expect.any(Number) } },
    });
    await chat.call("POST", `/chat/stop-chat-session/${sessionId}`);
    const streamed = streamedOf({ status: 200, headers: new Headers(), text: await rest() });
    expect(streamed.packets.at(-1)).toMatchObject({
      obj: { type: "stop", stop_reason: "user_cancelled" },
      placement: { model_index: null },
    });
    await model.server.requests[0]?.closed;
    const last = await lastMessage(chat, sessionId);
    expect(last).toMatchObject({ status: "stopped", error: null, message: streamed.answer });
    await close();
  });

  it("a stream sends heartbeats while the model is silent", async () => {
    const options = { settings: { heartbeatMs: 50, modelSilenceMs: 2_000 } };
    const { chat, close } = await openWithModel([{ stall: "before-head" }], options, carrier);
    const streamed = await chat.ask(QUESTION);
    const beats = streamed.packets.filter(({ obj }) => obj?.type === "chat_heartbeat");
    expect(beats.length).toBeGreaterThanOrEqual(4);
    expect(beats[0]).toMatchObject({ placement: { turn_index: 0, model_index: null } });
    await close();
  });
});

describe("3B kill mid-answer", () => {
  it("3B kill mid-answer: the client gets a part; after the restart the row is marked interrupted and keeps it", async () => {
    const folder = temporaryFolder();
    const database = `${folder.path}/kill.db`;
    const model = await startScriptedModel([{ text: "word ".repeat(500), everyMs: 20 }]);
    const script = join(import.meta.dirname, "answering-child.harness.ts");
    const child = spawn(process.execPath, [script, database, OWNER_KEY, model.url], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const { sessionId, rest } = await readUntil({ url: line.toString().trim(), fetch }, "message_delta", QUESTION);
    // Until a part of it is kept.
    await delay(2_500);
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await expect(rest()).rejects.toThrow();
    await exited;
    const restarted = await openChat({ database });
    const last = await lastMessage(restarted, sessionId);
    expect(last).toMatchObject({ status: "interrupted", error: expect.stringContaining("Ask again") });
    expect(last?.message).toMatch(/^word word/);
    const next = await restarted.answer({ ...QUESTION, chat_session_id: sessionId });
    expect(next["answer"]).toMatch(/^I found nothing/);
    await restarted.close();
    await model.close();
    folder.remove();
  });

  it("3B kill mid-answer: a service that closes tells its listeners and marks the row", async () => {
    const folder = temporaryFolder();
    const database = `${folder.path}/close.db`;
    const { chat, close } = await openWithModel([{ text: "word ".repeat(500), everyMs: 20 }], { database });
    const { sessionId, rest } = await readUntil(chat, "message_delta", QUESTION);
    await close();
    const { packets } = streamedOf({ status: 200, headers: new Headers(), text: await rest() });
    expect(packets.at(-1)).toMatchObject({ error: expect.stringContaining("shutting down"), is_retryable: true });
    const restarted = await openChat({ database });
    expect(await lastMessage(restarted, sessionId)).toMatchObject({ status: "interrupted" });
    await restarted.close();
    folder.remove();
  });
});

describe("3B client vanishes mid-stream, many times", () => {
  it("3B client vanishes mid-stream: 100 aborts leave no connection, no run and no waiting session behind", async () => {
    const report = await abortMany(100);
    expect(report).toMatchObject({ connections: 0, lastStatus: "interrupted" });
    expect(report.grownHandles).toBeLessThan(10);
  });
});
