import { createClient } from "@threadlore/client";
import { createDeployment } from "@threadlore/client/deployment";
import type { SendMessageInput } from "@threadlore/client/models";
import {
  afterThisTest,
  type RecordedRequest,
  type Reply,
  startDeployedServer,
  startFaultServer,
} from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import type { Answer } from "../answer/answer.ts";
import { ask, type AskOptions } from "../ask.ts";

const SESSION = "3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f";
const question = { message: "How many days of leave do I have?" };
const WHOLE = "Twenty-eight days.";
const SHOWN = "Twenty-eight ";

const placement = { turn_index: 0, tab_index: 0 };
const packet = (type: string, more: object = {}) => ({ placement, obj: { type, ...more } });
const text = (content: string) => packet("message_delta", { content });
const start = packet("message_start", { final_documents: null });
const stop = packet("stop", { stop_reason: null });
const ids = { user_message_id: 11, reserved_assistant_message_id: 12 };
const lines = (...packets: unknown[]) => packets.map((one) => `${JSON.stringify(one)}\n`).join("");
const heartbeats: Reply = { body: lines(packet("chat_heartbeat")).repeat(1_000), trickle: { bytes: 75, everyMs: 50 } };

/** What a person had seen when the connection broke. */
const BEGINNING = lines({ chat_session_id: SESSION }, ids, start, text(SHOWN));
const CUT: Reply = { body: BEGINNING, framing: "chunked", drop: { at: 100_000, of: "body" } };
const BEGUN_AND_SILENT: Reply = { body: `${BEGINNING}\n`, framing: "chunked", stall: { afterBody: BEGINNING.length } };
const SILENT: Reply = { stall: "before-head" };
const HEAD_ALONE: Reply = { stall: "after-head", framing: "chunked", body: "x" };
const TRICKLE: Reply = { body: " ".repeat(10_000), trickle: { bytes: 1, everyMs: 20 } };
const PAGE: Reply = { headers: { "content-type": "text/html" }, body: "<html>We will be back soon.</html>" };
const TO_LOGIN: Reply = { status: 307, headers: { location: "/auth/login" } };
const NO_RUN: Reply = { status: 404, json: { error_code: "NOT_FOUND", detail: "No run" } };

function message(id: number, words: string, more: object = {}) {
  const type = id % 2 === 1 ? "user" : "assistant";
  return { message_id: id, parent_message: id - 1, message: words, message_type: type, ...more };
}

const asked = message(11, question.message);

function session(messages: readonly unknown[], more: object = {}): Reply {
  return { json: { chat_session_id: SESSION, description: "x", messages, current_run: null, ...more } };
}

const answered = session([asked, message(12, WHOLE)]);

/** What a server answers, or, in a list, what first and what from then on. */
type Scripted = Reply | readonly [Reply, Reply];

interface Routes {
  send?: Reply;
  resume?: Scripted;
  session?: Scripted;
  /** What is listed once so many looks were made; before that, nothing. */
  listedAfter?: number;
  list?: Reply;
}

async function serve(routes: Routes) {
  const { send = CUT, resume = NO_RUN, session: detail = session([]), listedAfter = 0, list } = routes;
  const seen = new Map<string, number>();
  let name = "";
  const turn = (kind: string, scripted: Scripted): Reply => {
    const before = seen.get(kind) ?? 0;
    seen.set(kind, before + 1);
    return "length" in scripted ? scripted[before === 0 ? 0 : 1] : scripted;
  };
  const server = await startFaultServer(({ method, path, text: body }: RecordedRequest) => {
    if (path.includes("send-chat-message")) {
      name = (JSON.parse(body) as SendMessageInput).chat_session_info?.description ?? "";
      return send;
    }
    if (path.includes("resume-stream")) return turn("resume", resume);
    if (path.includes("get-chat-session")) return turn("session", detail);
    if (path.includes("get-user-chat-sessions")) {
      turn("list", NO_RUN);
      const isListed = (seen.get("list") ?? 0) > listedAfter;
      return list ?? { json: { sessions: isListed ? [{ id: SESSION, name }] : [] } };
    }
    return method === "PUT" ? { json: { new_name: "x" } } : { json: {} };
  });
  afterThisTest(() => server.close());
  const options = { baseUrl: server.url, apiKey: "key-of-somebody", retries: { retries: 0 } };
  const paths = () => server.requests.map(({ path }) => path.replace(/\?.*/, ""));
  return { server, paths, client: createClient(options), recovery: createDeployment(options) };
}

type Started = Awaited<ReturnType<typeof serve>>;

async function snapshots({ client, recovery }: Pick<Started, "client" | "recovery">, options: AskOptions = {}) {
  const all: Answer[] = [];
  for await (const one of ask(client, question, { recovery, patienceMs: 60_000, ...options })) all.push(one);
  return all;
}

const STOPPED = `/chat/stop-chat-session/${SESSION}`;

describe("patience with a broken answer ends in time", () => {
  it.each<[string, Routes]>([
    ["goes on with it by a head and nothing more", { resume: HEAD_ALONE }],
    ["takes the call to go on with it and says nothing", { resume: SILENT }],
    ["goes on with it byte by byte", { resume: TRICKLE }],
    ["beats for ever, and does not say for which question", { resume: heartbeats }],
    ["gives a conversation's head and nothing more", { session: HEAD_ALONE }],
    ["takes the call for the conversation and says nothing", { session: SILENT }],
    ["gives the conversation byte by byte", { session: TRICKLE }],
    ["writes it for ever", { session: session([asked, message(12, "")], { current_run: { run_id: 12 } }) }],
    ["never lists its conversations", { send: { resetAfterRequestBytes: 50 }, list: SILENT }],
    ["answers with a page for people", { resume: PAGE, session: PAGE }],
  ])("where a server %s", async (_what, routes) => {
    const served = await serve(routes);
    const began = performance.now();
    const end = (await snapshots(served, { patienceMs: 1_000 })).at(-1);
    expect(end).toMatchObject({ status: end?.text === "" ? "failed" : "partial", failure: { code: "partial" } });
    expect(performance.now() - began).toBeLessThan(2_500);
  });
});

describe("a broken answer is whole", () => {
  it.each<[string, Routes]>([
    ["by a page", { resume: PAGE }],
    ["by a redirect", { resume: TO_LOGIN }],
    ["by a line of 70 MB", { resume: { body: "x".repeat(70_000_000) } }],
    ["by a failure", { resume: { status: 500, json: { detail: "x" } } }],
    ["by a refusal", { resume: { status: 422, json: { detail: "x" } } }],
    ["by a run of another question", { resume: { body: lines({ ...ids, reserved_assistant_message_id: 14 }, stop) } }],
  ])("although the call to go on is answered %s", async (_what, routes) => {
    const served = await serve({ ...routes, session: answered });
    expect((await snapshots(served)).at(-1)).toMatchObject({ status: "done", text: WHOLE });
  });

  it.each<[string, Reply]>([
    ["a page for people", PAGE],
    ["a redirect to where people log in", TO_LOGIN],
    ["the first half of a reply", { body: '{"chat_session_id": "3' }],
    ["that the key is not known", { status: 401, json: { detail: "x" } }],
  ])("although the conversation was, for a moment, %s", async (_what, reply) => {
    const served = await serve({ session: [reply, answered] });
    expect((await snapshots(served)).at(-1)).toMatchObject({ status: "done", text: WHOLE });
  });

  it.each<[string, readonly unknown[], readonly unknown[]]>([
    ["are none", [asked, message(12, WHOLE)], [[null, 5, "x"]]],
    ["have another shape", [asked, message(12, WHOLE)], [[{ obj: null }, packet("message_delta", { content: 5 })]]],
    [
      "are another answer's",
      [message(9, "Who?"), message(10, "Ann."), asked, message(12, WHOLE)],
      [
        [start, text(WHOLE), stop],
        [start, text("Ann."), stop],
      ],
    ],
  ])("although the packets that are kept of it %s", async (_what, messages, packets) => {
    const served = await serve({ session: session(messages, { packets }) });
    expect((await snapshots(served)).at(-1)).toMatchObject({ status: "done", text: WHOLE });
  });

  it("although its question turned up some time after its connection had ended", async () => {
    const served = await serve({ send: { resetAfterRequestBytes: 50 }, session: answered, listedAfter: 3 });
    expect((await snapshots(served)).at(-1)).toMatchObject({ status: "done", text: WHOLE });
  });

  it("among 20,000 other messages", async () => {
    const others = Array.from({ length: 20_000 }, (_, at) => message(at * 2 + 101, "Who?"));
    const served = await serve({ session: session([...others, asked, message(12, WHOLE)]) });
    expect((await snapshots(served)).at(-1)).toMatchObject({ status: "done", text: WHOLE });
  });
});

describe("what is shown of a broken answer", () => {
  const went = "Error from model: it went wrong.";

  it.each<[string, Routes, object]>([
    [
      "a stored text that tells what went wrong",
      { session: session([asked, message(12, went, { error: went })]) },
      { status: "failed", failure: { message: expect.stringContaining(went) } },
    ],
    ["an answer that is stored as empty", { session: session([asked, message(12, "")]) }, { status: "done" }],
    [
      "a stored answer that was stopped earlier",
      { session: session([asked, message(12, "Twenty", { status: "stopped" })]) },
      { status: "stopped" },
    ],
    [
      "a run that failed before its first word",
      { resume: { body: lines(ids, { error: "x", error_code: "CONNECTION_ERROR" }) } },
      { status: "failed" },
    ],
  ])("is not taken back by %s", async (_what, routes, end) => {
    const all = await snapshots(await serve(routes));
    expect(all.at(-1)).toMatchObject({ ...end, text: SHOWN });
  });

  it("stays when its model fails after the cut, and the server keeps nothing but that", async () => {
    const server = await startDeployedServer({ bufferMs: 0 });
    afterThisTest(() => server.close());
    server.answerWith([{ piece: SHOWN }, { pauseMs: 100 }, { error: "RATE_LIMIT" }]);
    server.faults.cut = { at: { packets: 2 } };
    const options = { baseUrl: server.url, apiKey: server.keys.admin };
    const all = await snapshots({ client: createClient(options), recovery: createDeployment(options) });
    expect(all.at(-1)).toMatchObject({ status: "failed", text: SHOWN });
  });

  it("is said to have broken off, not to have never begun, where the server has no trace of it", async () => {
    const all = await snapshots(await serve({}), { patienceMs: 1_600 });
    const words = expect.stringMatching(/^The answer broke off/);
    expect(all.at(-1)).toMatchObject({ status: "partial", text: SHOWN, failure: { message: words } });
  });
});

describe("an answer from before", () => {
  const LOST: Reply = { resetAfterRequestBytes: 50 };
  const replayed: Reply = { body: lines(ids, start, text(WHOLE), stop) };
  const again = message(13, question.message);
  const end = async (routes: Routes, asking: Partial<SendMessageInput>, after?: number) => {
    const { client, recovery } = await serve({ send: LOST, ...routes });
    let last: Answer | undefined;
    const whole = { ...question, chat_session_id: SESSION, ...asking };
    for await (last of ask(client, whole, { recovery, patienceMs: 60_000, after }));
    return last;
  };
  const nothing = { status: "failed", text: "", failure: { code: "unavailable" } };

  it.each<[string, Partial<SendMessageInput>]>([
    ["the same words once more, after the newest message", { parent_message_id: -1 }],
    ["the same words once more, from the root", { parent_message_id: null }],
    ["another answer to it", { parent_message_id: 11 }],
  ])("is not taken for the one to %s, where that never arrived", async (_what, asking) => {
    expect(await end({ session: answered }, asking, 12)).toMatchObject(nothing);
    expect(await end({ session: answered, resume: replayed }, asking, 12)).toMatchObject(nothing);
  });

  it.each<[string, Partial<SendMessageInput>, readonly unknown[]]>([
    ["the same words once more", { parent_message_id: -1 }, [again, message(14, "Ten.")]],
    ["another answer to it", { parent_message_id: 11 }, [message(14, "Ten.", { parent_message: 11 })]],
  ])("does not stand in the way of the one to %s", async (_what, asking, more) => {
    const routes = { session: session([asked, message(12, WHOLE), ...more]), resume: replayed };
    expect(await end(routes, asking, 12)).toMatchObject({ status: "done", text: "Ten." });
  });
});

describe("a stop", () => {
  it.each<[string, Routes, (readonly string[])?]>([
    ["the question has arrived and nothing came back", { send: SILENT }],
    ["the text has begun", { send: BEGUN_AND_SILENT }],
    ["nobody answers whether it goes on", { resume: SILENT }],
    ["it goes on by a head and nothing more", { resume: HEAD_ALONE }],
    ["the conversation is read", { session: SILENT }],
    ["conversations are listed", { send: { resetAfterRequestBytes: 50 }, list: SILENT }, []],
    ["it is waited between two looks", { session: { status: 503, json: {} } }],
  ])("while %s ends the answer within 100 ms", async (_what, routes, calls = [STOPPED]) => {
    const served = await serve(routes);
    const controller = new AbortController();
    let stoppedAt = 0;
    const timer = setTimeout(() => {
      stoppedAt = performance.now();
      controller.abort();
    }, 500);
    afterThisTest(() => clearTimeout(timer));
    const all = await snapshots(served, { signal: controller.signal });
    expect(performance.now() - stoppedAt).toBeLessThan(100);
    expect(all.at(-1)?.status).toBe("stopped");
    await expect.poll(served.paths).toEqual(expect.arrayContaining([...calls]));
  });

  it("before anything of a question was heard ends its run as soon as it turns up", async () => {
    const served = await serve({ send: SILENT, listedAfter: 2 });
    const controller = new AbortController();
    const timer = setInterval(() => {
      if (served.server.requests.length > 0) controller.abort();
    }, 5);
    afterThisTest(() => clearInterval(timer));
    const all = await snapshots(served, { signal: controller.signal });
    expect(all.at(-1)?.status).toBe("stopped");
    await expect.poll(served.paths).toContain(STOPPED);
  });

  it("before the question left sends nothing at all", async () => {
    const served = await serve({ send: SILENT });
    expect((await snapshots(served, { signal: AbortSignal.abort() })).at(-1)?.status).toBe("stopped");
    expect(served.paths()).toEqual([]);
  });

  it("that leaves the run to others stops nothing", async () => {
    const served = await serve({ send: SILENT });
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort({ leaveRunning: true }), 300);
    afterThisTest(() => clearTimeout(timer));
    await snapshots(served, { signal: controller.signal });
    expect(served.paths()).toEqual(["/chat/send-chat-message"]);
  });
});

describe("leaving the loop", () => {
  it("while the server's own run is followed closes the connection and stops the run", async () => {
    const more = lines(ids, start, text(SHOWN), text("days"));
    const resume: Reply = { body: `${more}\n`, framing: "chunked", stall: { afterBody: more.length } };
    const { client, recovery, server, paths } = await serve({ resume });
    for await (const answer of ask(client, question, { recovery })) if (answer.text.endsWith("days")) break;
    await server.requests.find(({ path }) => path.includes("resume-stream"))?.closed;
    await expect.poll(paths).toContain(STOPPED);
  });
});
