import { createClient } from "@threadlore/client";
import type { Packet } from "@threadlore/client/models";
import { listExchanges, loadExchange, ownStream, ownStreams, type Replayable, replayFetch } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import type { Answer } from "./answer/answer.ts";
import { ask } from "./ask.ts";
import { isFinal } from "./answer/status.ts";

async function snapshots(exchange: Replayable, signal?: AbortSignal): Promise<Answer[]> {
  const client = createClient({
    baseUrl: "http://127.0.0.1:9",
    apiKey: "tl_TEST",
    fetch: replayFetch(exchange, { cut: { seed: 7 } }),
  });
  const all: Answer[] = [];
  for await (const answer of ask(
    client,
    { message: "Who may use the shed?" },
    signal === undefined ? {} : { signal },
  )) {
    all.push(answer);
  }
  return all;
}

async function lastOf(exchange: Replayable): Promise<Answer> {
  const last = (await snapshots(exchange)).at(-1);
  if (last === undefined) throw new Error("ask yielded nothing");
  return last;
}

const failsOutright = new Set(["rate_limited", "invalid", "auth"]);

describe("ask over own streams", () => {
  for (const stream of ownStreams.filter((one) => one.streamed && !failsOutright.has(one.expected.outcome))) {
    const { outcome, text } = stream.expected;
    it(`${stream.name}: ends ${outcome} with the text of the last group`, async () => {
      const answer = await lastOf(stream);
      expect(answer.status).toBe(outcome === "protocol" ? "failed" : outcome);
      expect(answer.text).toBe(text);
      expect(answer.failure === undefined).toBe(outcome === "done" || outcome === "stopped");
      expect(answer.failure?.message ?? "").not.toMatch(/Traceback|stack/);
    });
  }

  it("yields the empty answer first and never throws for a refusal", async () => {
    for (const stream of ownStreams.filter((one) => one.streamed && failsOutright.has(one.expected.outcome))) {
      const all = await snapshots(stream);
      expect(all[0]?.status).toBe("waiting");
      expect(all.at(-1)?.status).toBe("failed");
      expect(all.at(-1)?.failure?.message).not.toBe("");
    }
  });

  it("shows in every snapshot a beginning of the final text", async () => {
    for (const stream of ownStreams.filter((one) => one.streamed && one.name !== "two-models")) {
      const all = await snapshots(stream);
      const last = all.at(-1);
      const group = all.filter((answer) => answer.preambles.length === last?.preambles.length);
      for (const answer of group) expect(last?.text.startsWith(answer.text)).toBe(true);
    }
  });
});

describe("ask", () => {
  const question = { message: "Who may use the shed?" };

  async function lastFrom(packets: () => AsyncIterable<Packet>, options?: { signal?: AbortSignal }): Promise<Answer> {
    let last: Answer | undefined;
    for await (const answer of ask({ streamMessage: packets }, question, options)) last = answer;
    if (last === undefined) throw new Error("ask yielded nothing");
    return last;
  }

  const said = (content: string): Packet => ({
    placement: { turn_index: 0, tab_index: 0 },
    obj: { type: "message_delta", content },
  });

  it("ends stopped, and closes the stream, when the signal is aborted while text arrives", async () => {
    const controller = new AbortController();
    const all: Answer[] = [];
    const client = createClient({
      baseUrl: "http://127.0.0.1:9",
      apiKey: "tl_TEST",
      fetch: replayFetch(ownStream("plain"), { cut: "bytes" }),
    });
    for await (const answer of ask(client, question, { signal: controller.signal })) {
      all.push(answer);
      if (answer.text !== "") controller.abort();
    }
    expect(all.at(-1)?.status).toBe("stopped");
    expect(all.at(-1)?.failure).toBeUndefined();
    expect(all.at(-1)?.text).not.toBe("");
  });

  it("ends partial when a client's stream just ends", async () => {
    const answer = await lastFrom(async function* () {
      yield said("Forty ");
    });
    expect(answer).toMatchObject({ status: "partial", text: "Forty ", failure: { code: "partial", retryable: true } });
  });

  it("says so in plain words when something unexpected is thrown", async () => {
    const answer = await lastFrom(async function* () {
      yield said("Forty ");
      throw new TypeError("socket is a teapot");
    });
    expect(answer.status).toBe("failed");
    expect(answer.text).toBe("Forty ");
    expect(answer.failure?.message).toBe(
      "The answer failed for a reason this program did not expect: socket is a teapot",
    );
  });

  it("says when asking again can help, where a limit is reached and the server says how long", async () => {
    const fetch = async () => Response.json({ detail: "x" }, { status: 429, headers: { "retry-after": "3600" } });
    const client = createClient({ baseUrl: "http://127.0.0.1:9", apiKey: "tl_TEST", fetch });
    const began = Date.now();
    let last: Answer | undefined;
    for await (const answer of ask(client, question)) last = answer;
    expect(last?.failure).toMatchObject({ code: "rate_limited", retryable: true });
    const wait = Date.parse(last?.failure?.retryAt ?? "") - began;
    expect(wait).toBeGreaterThan(3_590_000);
    expect(wait).toBeLessThan(3_610_000);
    expect(JSON.parse(JSON.stringify(last))).toMatchObject({ failure: { retryAt: last?.failure?.retryAt } });
  });

  it("leaves the moment out where nobody told it", async () => {
    const answer = await lastFrom(async function* () {
      yield said("Forty ");
      throw Object.assign(new Error("busy"), { outcome: "rate_limited", retryAt: new Date(Number.NaN) });
    });
    expect(answer.failure).toEqual({
      message: "busy",
      code: "rate_limited",
      retryable: true,
      outcome: "rate_limited",
      cause: "limit",
    });
  });

  it("carries the client's word and its error to whoever shows the failure, and the error no further", async () => {
    const thrown = Object.assign(new Error("No such persona."), { outcome: "invalid", issues: [] });
    const answer = await lastFrom(() => {
      throw thrown;
    });
    expect(answer.failure).toMatchObject({ outcome: "invalid", cause: "declined" });
    expect(answer.failure?.error).toBe(thrown);
    expect(JSON.stringify(answer.failure)).not.toContain("issues");
    const strange = await lastFrom(() => {
      throw new TypeError("x is not a function");
    });
    expect(strange.failure).toMatchObject({ cause: "unexpected" });
    expect(strange.failure?.outcome).toBeUndefined();
    expect(strange.failure?.error).toBeUndefined();
  });

  it("keeps a complete answer complete when only the connection fails behind it", async () => {
    const answer = await lastFrom(async function* () {
      yield said("Forty.");
      yield { placement: { turn_index: 0, tab_index: 0 }, obj: { type: "stop" } };
      throw Object.assign(new Error("reset"), { outcome: "unavailable" });
    });
    expect(answer).toMatchObject({ status: "done", text: "Forty." });
    expect(answer.failure).toBeUndefined();
  });

  it("remembers the session the question named, which servers do not repeat", async () => {
    const chat_session_id = "7c9e2f04-31ab-4f5d-8a60-5be1d2c3f4a5";
    const client = {
      async *streamMessage(): AsyncGenerator<Packet> {
        yield { user_message_id: 1, reserved_assistant_message_id: 2 };
      },
    };
    let last: Answer | undefined;
    for await (const answer of ask(client, { ...question, chat_session_id })) last = answer;
    expect(last?.conversation).toEqual({ chatSessionId: chat_session_id, userMessageId: 1, messageId: 2 });
  });

  it("closes the stream when the reader leaves the loop", async () => {
    let closed = false;
    const client = {
      async *streamMessage(): AsyncGenerator<Packet> {
        try {
          for (;;) yield said("more ");
        } finally {
          closed = true;
        }
      },
    };
    for await (const answer of ask(client, question)) if (answer.text.length > 20) break;
    expect(closed).toBe(true);
  });
});

const recorded = listExchanges().filter((name) => /^(chat-stream|proxy-chat-stream)/.test(name));

describe.runIf(recorded.length > 0)("ask over recorded streams", () => {
  /** Recorded complete responses whose question was asked as a stream too, and ran to the same end. */
  const pairs = listExchanges()
    .filter((name) => name.startsWith("chat-json-") && name !== "chat-json-stopped")
    .filter((name) => listExchanges().includes(name.replace("chat-json-", "chat-stream-")))
    .map((name) => ({ name, whole: JSON.parse(new TextDecoder().decode(loadExchange(name).response.body)) }))
    .filter(({ whole }) => typeof whole.answer === "string");

  it("finds the complete responses to compare with", () => {
    expect(pairs.length).toBeGreaterThanOrEqual(8);
  });

  it("ends every recorded stream with a final status and without a trace of the server's insides", async () => {
    for (const name of recorded) {
      const exchange = loadExchange(name);
      const answer = await lastOf(exchange);
      const has = (phenomenon: string): boolean => exchange.phenomena.includes(phenomenon);
      expect(isFinal(answer.status), name).toBe(true);
      expect(answer.status === "stopped", name).toBe(has("user-cancelled"));
      const fails = (has("error-line") && !has("multi-model")) || exchange.response.status !== 200;
      expect(answer.status === "failed", name).toBe(fails || name === "chat-stream-multi-model-bad-session");
      expect(answer.preambles.length > 0, name).toBe(has("several-message-starts"));
      expect(answer.skippedPackets, name).toBe(0);
      expect(
        answer.steps.every((step) => step.state !== "running"),
        name,
      ).toBe(true);
      expect(JSON.stringify(answer.failure ?? {}), name).not.toMatch(/Traceback|File "|stack_trace/);
      const numbers = answer.citations.map((citation) => citation.number);
      expect(numbers, name).toEqual(numbers.map((_, at) => at + 1));
    }
  });

  for (const { name, whole } of pairs) {
    it(`${name}: the streamed answer is the complete one`, async () => {
      const answer = await lastOf(loadExchange(name.replace("chat-json-", "chat-stream-")));
      expect(answer.text).toBe(whole.answer);
      expect(answer.status === "failed").toBe(whole.error_msg !== null);
      const cited = whole.citation_info.map((one: { document_id: string }) => one.document_id);
      expect(answer.citations.map((one) => one.source.documentId).toSorted()).toEqual(cited.toSorted());
    });
  }

  it("numbers out-of-order citations densely, with links that hold parentheses", async () => {
    const answer = await lastOf(loadExchange("chat-stream-search-citations-mixed"));
    expect(answer.citations.map(({ number, marks, source }) => [number, marks, source.title])).toEqual([
      [1, [4], "Betriebsurlaub Süd 🏖"],
      [2, [2], "#people: leave question"],
      [3, [3], "Overtime (2026)"],
      [4, [1], "Leave Policy"],
    ]);
    expect(answer.steps[0]).toMatchObject({ kind: "search", state: "done" });
    expect(answer.steps[0]?.queries).toContain("overtime facts");
  });

  it("shows a deep research as plan, agents and their searches", async () => {
    const answer = await lastOf(loadExchange("chat-stream-deep-research"));
    expect(answer.steps.map(({ kind, name, inside }) => [kind, name, inside])).toEqual([
      ["plan", "", undefined],
      ["research", "Find the leave entitlement", undefined],
      ["research", "Find the overtime rule", undefined],
      ["search", "", "1.0"],
      ["search", "", "1.1"],
    ]);
    expect(answer.steps[1]?.text).toContain("Findings: 27 days");
    expect(answer.text).toMatch(/^Findings: 27 days/);
  });

  it("keeps the first model's answer when the second fails", async () => {
    const answer = await lastOf(loadExchange("chat-stream-multi-model-one-fails"));
    expect(answer).toMatchObject({ status: "done", text: "Small says hi.", conversation: { messageId: 423 } });
  });
});
