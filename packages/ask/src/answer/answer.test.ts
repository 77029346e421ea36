import type { Packet } from "@threadlore/client/models";
import {
  anything,
  array,
  assert,
  constantFrom,
  integer,
  object,
  oneof,
  option,
  property,
  record,
  string,
} from "fast-check";
import { describe, expect, it } from "vitest";
import { type Answer, emptyAnswer, reduce } from "./answer.ts";
import { NO_ANSWER } from "./no-answer.ts";
import { isFinal } from "./status.ts";

interface Place {
  turn?: number;
  tab?: number;
  sub?: number | null;
  model?: number | null;
}

// Packets as untyped as the wire: what does not fit the types must not break the reduction either.
function packet(type: string, fields: object = {}, place: Place = {}): Packet {
  const { turn = 0, tab = 0, sub = null, model = 0 } = place;
  const placement = { turn_index: turn, tab_index: tab, sub_turn_index: sub, model_index: model };
  return JSON.parse(JSON.stringify({ placement, obj: { type, ...fields } }));
}

const say = (content: string, place?: Place): Packet => packet("message_delta", { content }, place);
const start = (place?: Place, documents: object[] | null = null): Packet =>
  packet("message_start", { final_documents: documents }, place);
const stop = (place?: Place, stop_reason: string | null = null): Packet => packet("stop", { stop_reason }, place);
const play = (packets: readonly Packet[], from: Answer = emptyAnswer()): Answer => packets.reduce(reduce, from);

const shed = {
  document_id: "shed",
  semantic_identifier: "The shed",
  link: "https://handbook.example/shed",
  blurb: "Forty bicycles.",
  source_type: "web",
  updated_at: "2026-03-02T09:00:00+00:00",
};
const plan = { document_id: "plan", semantic_identifier: "Plan", link: null, blurb: "Soup.", source_type: "file" };

it("shows the same before an answer as where there is none", () => {
  expect(JSON.parse(JSON.stringify(emptyAnswer()))).toEqual(NO_ANSWER);
});

describe("reduce", () => {
  it("goes from waiting over searching and answering to done", () => {
    const packets = [
      packet("search_tool_start"),
      packet("search_tool_queries_delta", { queries: ["shed"] }),
      packet("section_end"),
      start({ turn: 1 }),
      say("Forty.", { turn: 1 }),
      stop({ turn: 1 }),
    ];
    const seen = packets.map((_, index) => play(packets.slice(0, index + 1)).status);
    expect(seen).toEqual(["searching", "searching", "searching", "answering", "answering", "done"]);
    expect(emptyAnswer().status).toBe("waiting");
  });

  it("leaves the answer it was given as it was", () => {
    const first = play([start(), say("One ")]);
    const copy = JSON.stringify(first);
    const left = play([say("two **bold**"), stop()], first);
    const right = play([say("three"), stop()], first);
    expect(JSON.stringify(first)).toBe(copy);
    expect([left.text, right.text]).toEqual(["One two **bold**", "One three"]);
    expect(Object.isFrozen(left)).toBe(true);
  });

  it("parses older snapshots rightly after newer ones were looked at", () => {
    const first = play([start(), say("a *b")]);
    const second = play([say("* c"), stop()], first);
    expect(second.blocks).toEqual([
      {
        type: "paragraph",
        children: [
          { type: "text", text: "a " },
          { type: "emphasis", children: [{ type: "text", text: "b" }] },
          { type: "text", text: " c" },
        ],
      },
    ]);
    expect(first.blocks).toEqual([{ type: "paragraph", children: [{ type: "text", text: "a " }] }]);
    expect(play([say("!"), stop()], first).blocks).toEqual([
      { type: "paragraph", children: [{ type: "text", text: "a *b!" }] },
    ]);
  });

  it("returns the same object for a heartbeat", () => {
    const answer = play([start(), say("One ")]);
    expect(reduce(answer, packet("chat_heartbeat", {}, { model: null }))).toBe(answer);
  });

  it("keeps earlier groups as preambles, and takes only the last for the answer", () => {
    const answer = play([
      start(),
      say("Let me check."),
      packet("custom_tool_start", { tool_name: "getPet" }, { tab: 1 }),
      start({ turn: 1 }),
      say("Here."),
      stop(),
    ]);
    expect(answer.preambles).toEqual(["Let me check."]);
    expect(answer.text).toBe("Here.");
    expect(answer.steps).toMatchObject([{ kind: "tool", name: "getPet", state: "done" }]);
  });

  it("begins an answer without a message_start", () => {
    expect(play([say("Just "), say("so."), stop()]).text).toBe("Just so.");
  });

  it("takes no text of a nested agent for the answer", () => {
    const answer = play([
      packet("research_agent_start", { research_task: "Who?" }, { turn: 1 }),
      start({ turn: 1, sub: 0 }),
      say("An inner note.", { turn: 1, sub: 0 }),
      packet("section_end", {}, { turn: 1 }),
      start({ turn: 2 }),
      say("Everyone.", { turn: 2 }),
      stop({ turn: 2 }),
    ]);
    expect(answer.text).toBe("Everyone.");
    expect(answer.preambles).toEqual([]);
    expect(answer.steps).toMatchObject([{ kind: "research", name: "Who?", text: "An inner note.", state: "done" }]);
  });

  it("marks a step failed where a wrapped error says so, and goes on", () => {
    const answer = play([
      packet("custom_tool_start", { tool_name: "open" }),
      packet("error"),
      packet("section_end"),
      say("It broke."),
      stop(),
    ]);
    expect(answer.steps).toMatchObject([{ name: "open", state: "failed" }]);
    expect(answer).toMatchObject({ status: "done", text: "It broke." });
    expect(answer.failure).toBeUndefined();
  });

  it("keeps the text when an error line follows it", () => {
    const answer = play([
      { chat_session_id: "s" },
      start(),
      say("Forty "),
      { error: "lost\n  File /srv/x.py", error_code: "CONNECTION_ERROR", is_retryable: true },
    ]);
    expect(answer).toMatchObject({
      status: "failed",
      text: "Forty ",
      failure: { code: "CONNECTION_ERROR", retryable: true },
    });
    expect(answer.failure?.message).toBe(
      "The server lost its connection to the language model. Ask again in a minute.",
    );
  });

  it("does not call a request that can never succeed retryable, and quotes only the first line of the server", () => {
    const answer = play([{ error: "Invalid session\nTraceback", error_code: "VALIDATION_ERROR", is_retryable: true }]);
    expect(answer.failure).toEqual({
      message: "The server could not use this question. It says: Invalid session",
      code: "VALIDATION_ERROR",
      retryable: false,
      outcome: "retryable",
      cause: "declined",
    });
  });

  it("can go on from an earlier snapshot after a later one was looked at to the end", () => {
    const earlier = play([start(), say("One")]);
    expect(JSON.stringify(play([stop()], earlier).blocks)).toContain("One");
    expect(JSON.stringify(play([say(" more *word*"), stop()], earlier).blocks)).toContain("One more ");
    expect(JSON.stringify(play([say(" other")], earlier).blocks)).toContain("One other");
  });

  it("takes a packet with an error for one, whatever else it holds", () => {
    const answer = play([say("Some"), { ...say(" more"), error: "lost", error_code: "CONNECTION_ERROR" }]);
    expect(answer).toMatchObject({ status: "failed", text: "Some", failure: { code: "CONNECTION_ERROR" } });
  });

  it("explains an error of an unknown code, or of none", () => {
    expect(play([{ error: "Out of ink" }]).failure).toEqual({
      message: "The server could not finish the answer. It says: Out of ink",
      retryable: false,
      outcome: "retryable",
      cause: "unexpected",
    });
    expect(play([{ error: "", error_code: "toString" }]).failure?.message).toBe(
      "The server could not finish the answer.",
    );
  });

  it("is stopped when the server says somebody cancelled, and its running steps with it", () => {
    const answer = play([
      packet("custom_tool_start", { tool_name: "slow" }),
      say("word0 "),
      stop({ model: null }, "user_cancelled"),
    ]);
    expect(answer).toMatchObject({ status: "stopped", text: "word0 ", steps: [{ state: "stopped" }] });
  });

  it("counts packets it does not know", () => {
    const answer = play([{ unknown: { trace: "x" } }, packet("weather_report"), say("Hi"), stop()]);
    expect(answer).toMatchObject({ skippedPackets: 2, text: "Hi", status: "done" });
  });

  it("knows the ids of the exchange", () => {
    const answer = play([{ chat_session_id: "s" }, { user_message_id: 7, reserved_assistant_message_id: 8 }]);
    expect(answer.conversation).toEqual({ chatSessionId: "s", userMessageId: 7, messageId: 8 });
  });
});

describe("several models", () => {
  const ids: Packet = { user_message_id: 1, responses: [{ message_id: 2 }, { message_id: 3 }] };
  const failed = (model_index: number): Packet => ({ error: "no", error_code: "AUTH_ERROR", details: { model_index } });

  it("shows the first model's answer, whoever is done first", () => {
    const answer = play([
      ids,
      say("Second.", { model: 1 }),
      stop({ model: 1 }),
      say("First.", { model: 0 }),
      stop({ model: 0 }),
    ]);
    expect(answer).toMatchObject({ text: "First.", status: "done", conversation: { messageId: 2 } });
  });

  it("shows the second model's answer when the first fails, before or after it spoke", () => {
    for (const packets of [
      [ids, say("Half", { model: 0 }), failed(0), say("Second.", { model: 1 }), stop({ model: 1 })],
      [ids, say("Second.", { model: 1 }), stop({ model: 1 }), failed(0)],
    ]) {
      expect(play(packets)).toMatchObject({ text: "Second.", status: "done", conversation: { messageId: 3 } });
      expect(play(packets).failure).toBeUndefined();
    }
  });

  it("fails when all of them fail, and when an error names no model", () => {
    expect(play([ids, failed(0), failed(1)]).status).toBe("failed");
    expect(play([ids, say("a", { model: 0 }), { error: "all gone" }]).status).toBe("failed");
  });
});

describe("sources", () => {
  it("keep the newest time, whatever offset it is written with", () => {
    const at = (updated_at: string): object => ({ ...shed, updated_at });
    for (const times of [
      ["2026-07-31T23:30:00Z", "2026-08-01T01:00:00+02:00"],
      ["2026-08-01T01:00:00+02:00", "2026-07-31T23:30:00Z"],
    ]) {
      expect(play([start({}, times.map(at))]).sources[0]?.updatedAt).toBe("2026-07-31T23:30:00Z");
    }
  });

  it("have no time that is only that of their arrival", () => {
    expect(play([start({}, [{ ...shed, date_is_arrival: true }])]).sources[0]?.updatedAt).toBeUndefined();
  });

  it("tell who wrote a message and where, but no place that only few people know", () => {
    const source = (known: object) => play([start({}, [{ ...shed, source_type: "slack", ...known }])]).sources[0];
    const kept = { primary_owners: ["Mara Lind"], metadata: { channel: "general", titled: "by hand" } };
    expect(source(kept)).toMatchObject({ author: "Mara Lind", channel: "general", hasOwnTitle: true });
    expect(source(kept)?.isKeptAnswer).toBeUndefined();
    expect(source({ ...kept, metadata: { ...kept.metadata, kept: "answer" } })).toMatchObject({ isKeptAnswer: true });
    expect(source({ metadata: { Channel: "general" } })).toMatchObject({ channel: "general" });
    expect(source({ metadata: { channel: "mpdm-a-b", visibility: "group conversation" } })?.channel).toBeUndefined();
    expect(source({ primary_owners: [7], metadata: "x" })?.author).toBeUndefined();
  });

  it("merges every passage of a document into one source, whichever packet told it", () => {
    const answer = play([
      packet("search_tool_documents_delta", { documents: [{ ...shed, updated_at: "2026-01-01T00:00:00Z" }, plan] }),
      start({ turn: 1 }, [{ ...shed, blurb: "The code changes." }]),
    ]);
    expect(answer.sources).toEqual([
      {
        documentId: "shed",
        title: "The shed",
        link: "https://handbook.example/shed",
        updatedAt: "2026-03-02T09:00:00+00:00",
        sourceType: "web",
        passages: ["Forty bicycles.", "The code changes."],
      },
      { documentId: "plan", title: "Plan", sourceType: "file", passages: ["Soup."] },
    ]);
    expect(answer.steps[0]?.documentIds).toEqual(["shed", "plan"]);
  });

  it("gives a document that was cited and never described its id as title, until it is described", () => {
    const cited = play([packet("citation_info", { citation_number: 3, document_id: "shed" }), say("Yes [[3]]().")]);
    expect(cited.citations).toMatchObject([{ number: 1, marks: [3], source: { title: "shed" } }]);
    const told = play([packet("search_tool_documents_delta", { documents: [shed] }), stop()], cited);
    expect(told.citations).toMatchObject([{ number: 1, marks: [3], source: { title: "The shed" } }]);
  });
});

describe("reduce, for any packets", () => {
  const types = constantFrom(
    "message_start",
    "message_delta",
    "citation_info",
    "stop",
    "section_end",
    "error",
    "search_tool_start",
    "search_tool_documents_delta",
    "custom_tool_delta",
    "research_agent_start",
    "intermediate_report_delta",
    "constructor",
    "__proto__",
    "nonsense",
  );
  const small = oneof(integer({ min: -1, max: 3 }), constantFrom(null, undefined, "1", Number.NaN, 2 ** 60));
  const anyPacket = oneof(
    record({
      placement: option(record({ turn_index: small, tab_index: small, sub_turn_index: small, model_index: small })),
      obj: record({
        type: types,
        content: anything(),
        documents: anything(),
        document_id: anything(),
        citation_number: small,
        queries: anything(),
        final_documents: anything(),
      }),
    }),
    object(),
    anything(),
    record({ user_message_id: anything(), responses: anything() }),
    record({ error: anything(), error_code: anything(), details: anything() }),
    record({ placement: anything(), obj: record({ type: constantFrom("message_delta"), content: string() }) }),
  );

  it("never throws, and stays in its final status once it has one", () => {
    assert(
      property(array(anyPacket, { maxLength: 30 }), (packets) => {
        let answer = emptyAnswer();
        for (const one of packets) {
          const before = answer;
          // Whatever came over the wire, seen as if it were a packet.
          answer = reduce(answer, one as Packet);
          expect(typeof answer.text).toBe("string");
          expect(Array.isArray(answer.blocks) && Array.isArray(answer.citations)).toBe(true);
          const complete = before.status === "done" || before.status === "stopped";
          expect(complete && !isFinal(answer.status)).toBe(false);
        }
        expect(() => JSON.stringify(answer)).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });
});
