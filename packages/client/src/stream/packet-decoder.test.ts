import { cutBody, listExchanges, loadExchange, ownStreams, ownTime, seededRandom } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { PartialAnswerError, ProtocolError, WrongBaseUrlError, type ClientError } from "../errors/errors.ts";
import type { Packet } from "../models.ts";
import { createPacketDecoder, DEFAULT_STREAM_LIMITS } from "./packet-decoder.ts";

const encoder = new TextEncoder();

interface Decoded {
  packets: Packet[];
  failure: ClientError | undefined;
  unknown: number;
}

function decode(body: Uint8Array | string, cut: Parameters<typeof cutBody>[1] = "whole"): Decoded {
  const decoder = createPacketDecoder({ host: "service.test", contentType: "text/event-stream" });
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  const packets = cutBody(bytes, cut).flatMap((chunk) => decoder.push(chunk.bytes));
  packets.push(...decoder.finish());
  return { packets, failure: decoder.failure, unknown: decoder.unknownPackets };
}

/** Every delta of the stream in order: enough to see that nothing was lost, doubled or invented. */
function textOf(packets: readonly Packet[]): string {
  return packets
    .map((packet) => ("obj" in packet && packet.obj.type === "message_delta" ? packet.obj.content : ""))
    .join("");
}

const delta = (content: string) => ({
  placement: { turn_index: 0, tab_index: 0 },
  obj: { type: "message_delta", content },
});
const stop = (model_index: number | null = 0) => ({
  placement: { turn_index: 0, tab_index: 0, model_index },
  obj: { type: "stop", stop_reason: null },
});
const lines = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");

describe("packets of a stream", () => {
  it.each(ownStreams.filter((stream) => stream.streamed).map((stream) => [stream.name, stream] as const))(
    "decode alike however the body is cut: %s",
    (_, { response, expected }) => {
      const whole = decode(response.body);
      const ended = whole.failure?.outcome ?? "whole";
      expect(ended).toBe(["partial", "protocol"].includes(expected.outcome) ? expected.outcome : "whole");
      expect(whole.packets).toHaveLength(expected.values);
      for (const cut of ["bytes", { seed: 1 }, { seed: 2, most: 7 }, { seed: 3, most: 500 }] as const) {
        expect(decode(response.body, cut)).toEqual(whole);
      }
    },
  );

  it("are told by their keys, error first", () => {
    const { packets } = decode(
      lines(
        { chat_session_id: "s", incognito: false },
        { user_message_id: null, reserved_assistant_message_id: 2 },
        delta("x"),
        { error: "broke", obj: {}, chat_session_id: "s", user_message_id: 1 },
      ),
    );
    expect(packets.map((packet) => Object.keys(packet)[0])).toEqual([
      "chat_session_id",
      "user_message_id",
      "placement",
      "error",
    ]);
  });

  it("are told apart by one key each, an error before all others", () => {
    const { packets } = decode(
      lines({ chat_session_id: "s" }, { user_message_id: 1 }, delta("x"), { error: "e", ...delta("x") }, { later: 1 }),
    );
    const keys = ["error", "chat_session_id", "user_message_id", "obj", "unknown"];
    const told = packets.map((packet) => keys.filter((key) => Object.hasOwn(packet, key)));
    expect(told.map(([first]) => first)).toEqual(["chat_session_id", "user_message_id", "obj", "error", "unknown"]);
    // An error keeps what stands beside it.
    expect(told.map(({ length }) => length)).toEqual([1, 1, 1, 2, 1]);
  });

  it("keep what they do not know, and count it", () => {
    const strange = [
      { placement: { turn_index: 0 }, obj: { type: "from_the_future", n: 1 } },
      { placement: { turn_index: 0 }, obj: { type: "message_delta", content: 7 } },
      { placement: "nowhere", obj: { type: "message_delta", content: "x" } },
      { user_message_id: "five" },
      { chat_session_id: 5 },
      {},
    ];
    const { packets, unknown, failure } = decode(lines(...strange, stop()));
    expect(packets.slice(0, -1)).toEqual(strange.map((value) => ({ unknown: value })));
    expect(unknown).toBe(strange.length);
    expect(failure).toBeUndefined();
  });

  it("fill in what older servers leave out of a placement", () => {
    const [packet] = decode(lines({ placement: { turn_index: 3 }, obj: { type: "section_end" } })).packets;
    expect(packet).toMatchObject({ placement: { turn_index: 3, tab_index: 0 } });
  });

  it.each([
    [{ error: "broke" }, "broke"],
    [{ error: "broke", is_retryable: "perhaps", details: 5 }, "broke"],
    [{ error: { message: "inside" } }, "inside"],
    [{ error: null }, "The server reported an error without a readable reason."],
  ])("an error stays an error: %j", (value, error) => {
    const { packets, failure } = decode(JSON.stringify(value));
    expect(packets).toEqual([expect.objectContaining({ error })]);
    expect(failure).toBeUndefined();
  });

  it("do not touch Object.prototype", () => {
    decode(
      `{"__proto__": {"polluted": 1}, "placement": {"turn_index": 0, "__proto__": {"polluted": 1}}, "obj": {"type": "section_end"}}\n`,
    );
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });
});

describe("the end of a stream", () => {
  it("comes with the last model's stop", () => {
    const ids = { user_message_id: 1, responses: [{ message_id: 2 }, { message_id: 3 }] };
    expect(decode(lines(ids, delta("a"), stop(0), delta("b"), stop(1))).failure).toBeUndefined();
    expect(decode(lines(ids, delta("a"), stop(0))).failure).toBeInstanceOf(PartialAnswerError);
    expect(decode(lines(ids, delta("a"), stop(0), { error: "the other broke" })).failure).toBeUndefined();
    expect(decode(lines(ids, delta("a"), stop(null))).failure).toBeUndefined();
  });

  it("is a partial answer when nothing said it was the end", () => {
    expect(decode(lines(delta("a"))).failure).toBeInstanceOf(PartialAnswerError);
    expect(decode("").failure).toBeInstanceOf(PartialAnswerError);
    expect(decode(": ping\n\n").failure).toBeInstanceOf(PartialAnswerError);
  });

  it("names what broke the connection, unless the answer was whole by then", () => {
    const lost = new TypeError("terminated");
    const decoder = createPacketDecoder();
    decoder.push(encoder.encode(lines(delta("a"))));
    expect(decoder.finish(lost)).toEqual([]);
    expect(decoder.failure).toMatchObject({ name: "PartialAnswerError", cause: lost });

    const whole = createPacketDecoder();
    whole.push(encoder.encode(lines(delta("a"), stop())));
    whole.finish(lost);
    expect(whole.failure).toBeUndefined();
  });

  it.each([
    ["a web page", "<!doctype html><title>Sign in</title>", WrongBaseUrlError],
    ["a text", "upstream connect error", ProtocolError],
    ["an error body", '{"detail": "No such thing"}', ProtocolError],
    ["an error body over several lines", '{\n  "detail": "x"\n}\n', ProtocolError],
    ["a complete response", '{"answer": "yes", "chat_session_id": "s", "message_id": 1}', ProtocolError],
    ["an event that is no JSON", "data: not json\n\n", ProtocolError],
    ["an event that is no object", "data: [1]\n\n", ProtocolError],
  ])("is a protocol error for %s, never an empty answer", (_, body, type) => {
    for (const cut of ["whole", "bytes"] as const) expect(decode(body, cut).failure).toBeInstanceOf(type);
  });

  it("names the content type and the host of what is no stream", () => {
    expect(decode("upstream connect error").failure?.message).toMatch(/service\.test.*text\/event-stream/);
  });

  it("gives everything before a broken packet, and nothing after it", () => {
    const { packets, failure } = decode(`${lines(delta("a"), delta("b"))}{"placement"\n${lines(delta("c"), stop())}`);
    expect(textOf(packets)).toBe("ab");
    expect(failure).toBeInstanceOf(ProtocolError);
  });
});

describe("a stream cut at any byte", () => {
  const recorded = listExchanges()
    .map((name) => loadExchange(name))
    .filter(({ response }) => (response.headers["content-type"] ?? "").startsWith("text/event-stream"));
  const streams = [...ownStreams.filter(({ streamed }) => streamed), ...recorded];

  it.each(streams.map(({ name, response }) => [name, response.body] as const))(
    "gives a beginning of its packets, says partial until its last packet, and never more: %s",
    (name, body) => {
      const whole = decode(body);
      const text = textOf(whole.packets);
      const ends = endsOf(whole.packets);
      // Every byte of short streams; of long ones as many as a moment allows, and every byte of the end.
      const step = Math.max(1, Math.ceil(body.length ** 2 / 10_000_000));
      for (let at = 0; at < body.length; at += at < body.length - 200 ? step : 1) {
        const { packets, failure } = decode(body.subarray(0, at), { at: [at >> 1] });
        // The packets before the last were compared when they were the last.
        expect(packets.at(-1)).toEqual(whole.packets[packets.length - 1]);
        expect(text.startsWith(textOf(packets))).toBe(true);
        // A broken line is told from a cut one only where more follows it.
        const broken = failure?.outcome === "protocol" && whole.failure?.outcome === "protocol";
        const due = endsOf(packets) >= ends && ends > 0 ? "whole" : "partial";
        expect(failure?.outcome ?? "whole", `cut at ${at}`).toBe(broken ? "protocol" : due);
      }
    },
    20_000,
  );

  /** How many packets end a model's answer: its stop or an error line. */
  function endsOf(packets: readonly Packet[]): number {
    return packets.filter((packet) => "error" in packet || ("obj" in packet && packet.obj.type === "stop")).length;
  }
});

describe("bounds of a stream", () => {
  const feed = (chunk: string, times: number) => {
    const decoder = createPacketDecoder();
    const bytes = encoder.encode(chunk);
    let packets = 0;
    for (let n = 0; n < times && decoder.failure === undefined; n++) packets += decoder.push(bytes).length;
    decoder.finish();
    return { failure: decoder.failure, packets };
  };

  it.each([
    ["an endless line of JSON", `{"a":"${"x".repeat(65_530)}`, "x".repeat(65_536)],
    ["an endless event line", `data: ${"x".repeat(65_530)}`, "x".repeat(65_536)],
    ["endless data lines", "data: x\n".repeat(8192), "data: x\n".repeat(8192)],
  ])("ends %s, with memory that does not grow with it", (_, first, more) => {
    const decoder = createPacketDecoder();
    decoder.push(encoder.encode(first));
    const bytes = encoder.encode(more);
    for (let n = 0; n < 1023 && decoder.failure === undefined; n++) decoder.push(bytes);
    expect(decoder.failure).toBeInstanceOf(ProtocolError);
    expect(decoder.failure?.message).toContain(String(DEFAULT_STREAM_LIMITS.maxPacketLength));
    const before = process.memoryUsage().heapUsed;
    for (let n = 0; n < 1000; n++) decoder.push(bytes);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(16_000_000);
  });

  it("ends a stream of more than 64 MB and keeps what came before", () => {
    const { failure, packets } = feed(lines(delta("x".repeat(999_000))), 100);
    expect(failure?.message).toContain("64000000 bytes");
    expect(packets).toBeGreaterThan(60);
  });

  it("reads a million empty events quickly", () => {
    const taken = ownTime(() =>
      expect(feed("data:\n\n".repeat(10_000), 100).failure).toBeInstanceOf(PartialAnswerError),
    );
    expect(taken).toBeLessThan(3000);
  });

  it.each(["lines", "events"])("reads a packet of 8 MB in pieces of 1 kB in linear time: %s", (framing) => {
    const json = JSON.stringify(delta("y".repeat(8_000_000)));
    const bytes = encoder.encode(framing === "lines" ? `${json}\n` : `data: ${json}\n\n`);
    const decoder = createPacketDecoder();
    let packets = 0;
    const taken = ownTime(() => {
      for (let at = 0; at < bytes.length; at += 1024) packets += decoder.push(bytes.subarray(at, at + 1024)).length;
    });
    expect(packets).toBe(1);
    expect(taken).toBeLessThan(1000);
  });
});

describe("random cuts", () => {
  it("never change the packets", () => {
    const body = ownStreams.filter(({ name }) => name === "preamble" || name === "data-frames-rich");
    const random = seededRandom(11);
    for (const { response } of body) {
      const whole = decode(response.body);
      for (let round = 0; round < 500; round++) {
        const seed = Math.floor(random() * 1e9);
        expect(decode(response.body, { seed, most: 1 + Math.floor(random() * 300) }), `seed ${seed}`).toEqual(whole);
      }
    }
  });
});
