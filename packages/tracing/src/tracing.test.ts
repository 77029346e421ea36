import { setTimeout as pause } from "node:timers/promises";
import { SpanKind, SpanStatusCode, TraceFlags } from "@opentelemetry/api";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import { afterThisTest, startTraceCollector, type TraceCollector } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { traceRequest } from "./otlp.ts";
import type { EndedSpan } from "./span.ts";
import { NO_TRACING, openTracing, type TracingOptions } from "./tracing.ts";

/** A collector that ends with the test. */
async function collector(...statuses: number[]): Promise<TraceCollector> {
  const started = await startTraceCollector(...statuses);
  afterThisTest(() => started.close());
  return started;
}

function open(url: string | undefined, more: Partial<TracingOptions> & { env?: Record<string, string> } = {}) {
  const problems: string[] = [];
  const tracing = openTracing({
    name: "threadlore-test",
    times: { delayMs: 20, restMs: 5 },
    onProblem: (problem) => problems.push(problem),
    ...more,
    env: { ...(url !== undefined && { OTEL_EXPORTER_OTLP_ENDPOINT: url }), ...more.env },
  });
  return { tracing, problems };
}

describe("what is traced", () => {
  it("reaches the collector as spans below each other, with what was told and the kind of what went wrong", async () => {
    const { url, requests, spans } = await collector(200);
    const { tracing } = open(url, { env: { OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20t" } });
    const failure = tracing.run("question", { kind: "consumer", facts: { entry: "mention" } }, async (span) => {
      await tracing.run("search", {}, async (inner) => inner.tell({ passages: 7, share: 0.5, hit: true }));
      span.tell({ outcome: "answered" });
      throw new TypeError("the wage of Anna is 4711");
    });
    await expect(failure).rejects.toThrow("the wage of Anna");
    await tracing.close();
    const [search, question] = spans();
    expect(search).toMatchObject({
      name: "search",
      kind: 1,
      traceId: question?.traceId,
      parentSpanId: question?.spanId,
    });
    expect(search?.attributes).toEqual([
      { key: "passages", value: { intValue: "7" } },
      { key: "share", value: { doubleValue: 0.5 } },
      { key: "hit", value: { boolValue: true } },
    ]);
    expect(question).toMatchObject({ name: "question", kind: 5, status: { code: 2 } });
    expect(question).not.toHaveProperty("parentSpanId");
    expect(question?.attributes.map(({ key, value }) => [key, value["stringValue"]])).toEqual([
      ["entry", "mention"],
      ["outcome", "answered"],
      ["error.type", "TypeError"],
    ]);
    expect(requests[0]?.headers).toMatchObject({ "content-type": "application/json", authorization: "Bearer t" });
    expect(requests[0]?.body).not.toContain("wage");
  });

  it("is written as OpenTelemetry's own serializer writes it", () => {
    const [traceId, spanId, parentSpanId] = [
      "4bf92f3577b34da6a3ce929d0e0e4736",
      "00f067aa0ba902b7",
      "00f067aa0ba902b8",
    ];
    const one: EndedSpan = {
      traceId,
      spanId,
      parentSpanId,
      isSampled: true,
      name: "POST /chat/send-message",
      kind: "server",
      begun: 1_763_712_000_123.25,
      ended: 1_763_712_001_500,
      facts: { "http.route": "/chat/send-message", "http.response.status_code": 200, words: "搜索", absent: undefined },
      failure: "TypeError",
    };
    const spanContext = { traceId, spanId, traceFlags: TraceFlags.SAMPLED };
    const theirs = {
      name: one.name,
      kind: SpanKind.SERVER,
      spanContext: () => spanContext,
      parentSpanContext: { ...spanContext, spanId: parentSpanId },
      startTime: [1_763_712_000, 123_250_000],
      endTime: [1_763_712_001, 500_000_000],
      status: { code: SpanStatusCode.ERROR },
      attributes: {
        "http.route": "/chat/send-message",
        "http.response.status_code": 200,
        words: "搜索",
        "error.type": "TypeError",
      },
      links: [],
      events: [],
      duration: [1, 376_750_000],
      ended: true,
      resource: resourceFromAttributes({ "service.name": "threadlore" }),
      instrumentationScope: { name: "threadlore" },
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    } as unknown as ReadableSpan;
    const bytes = JsonTraceSerializer.serializeRequest([theirs]) ?? new Uint8Array();
    const expected = JSON.parse(new TextDecoder().decode(bytes)) as unknown;
    const [ours] = spansIn(traceRequest([one], { "service.name": "threadlore" }));
    const [known] = spansIn(expected);
    // Theirs writes whole numbers as numbers; the encoding of Protobuf asks for texts and has both read.
    const asTheirs = JSON.stringify({ ...ours, flags: undefined }).replaceAll(/"intValue":"(\d+)"/g, '"intValue":$1');
    expect(known).toMatchObject(JSON.parse(asTheirs) as object);
    // What theirs has besides are counts of nothing.
    const more = Object.entries(known ?? {}).filter(([key]) => !(key in (ours ?? {})));
    expect(more.filter(([, value]) => value !== 0 && JSON.stringify(value) !== "[]")).toEqual([]);
  });

  it("goes on in another program by the header of a call, also where nobody has a collector", async () => {
    const headers: (string | null)[] = [];
    const fetch = async (request: Request): Promise<Response> => {
      headers.push(request.headers.get("traceparent"));
      return new Response();
    };
    const here = open(undefined).tracing;
    const there = open(undefined).tracing;
    const call = here.wrap(fetch);
    await call(new Request("http://a.example/"));
    await here.run("question", {}, async () => {
      await call(new Request("http://a.example/", { method: "POST", body: "x" }));
      await call(new Request("http://a.example/", { headers: { traceparent: "00-own" } }));
      const [, sent] = headers;
      const arrived = await there.run("request", { traceparent: sent }, async () => there.traceId());
      expect(arrived).toBe(here.traceId());
    });
    expect(headers[0]).toBeNull();
    expect(headers[1]).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/);
    expect(headers[2]).toBe("00-own");
    expect(here.traceId()).toBeUndefined();
  });

  it("of several questions at once is kept apart", async () => {
    const { tracing } = open(undefined);
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        tracing.run("question", {}, async () => {
          const before = tracing.traceId();
          await pause(at % 3);
          return before === tracing.traceId() ? before : "mixed";
        }),
      ),
    );
    expect(new Set(ids).size).toBe(20);
    expect(ids).not.toContain("mixed");
  });

  it("is kept by all programs of a trace or by none, and by share where nobody decided", async () => {
    const { url, spans } = await collector(200);
    const { tracing } = open(url, {
      env: { OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.5" },
    });
    const [traceId, spanId] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
    await tracing.run("not kept", { traceparent: `00-${traceId}-${spanId}-00` }, async () => {});
    await tracing.run("kept", { traceparent: `00-${traceId}-${spanId}-01` }, async () => {});
    for (let n = 0; n < 400; n += 1) await tracing.run("by share", {}, async () => {});
    await tracing.close();
    const names = spans().map(({ name }) => name);
    expect(names).not.toContain("not kept");
    expect(names).toContain("kept");
    // Outside of these once in a hundred million runs.
    expect(names.length).toBeGreaterThan(140);
    expect(names.length).toBeLessThan(262);
  });

  it("is kept as this program says where anybody may have begun it, until it is known who did", async () => {
    const { url, spans } = await collector(200);
    const [traceId, spanId] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
    const begin = (tracing: ReturnType<typeof open>["tracing"], name: string, flags: string) =>
      tracing.begin(name, { traceparent: `00-${traceId}-${spanId}-${flags}`, isFromAnybody: true });
    const none = open(url, { env: { OTEL_TRACES_SAMPLER: "parentbased_always_off" } }).tracing;
    begin(none, "of anybody", "01").end();
    const known = begin(none, "of somebody", "01");
    known.follow();
    await known.within(() => none.run("below", {}, async () => {}));
    known.end();
    await none.close();
    const all = open(url).tracing;
    begin(all, "kept in spite of it", "00").end();
    await all.close();
    expect(
      spans()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(["below", "kept in spite of it", "of somebody"]);
    expect(spans().find(({ name }) => name === "kept in spite of it")?.traceId).toBe(traceId);
  });

  it("costs nothing where it is off", async () => {
    const fetch = async (): Promise<Response> => new Response();
    expect(NO_TRACING.wrap(fetch)).toBe(fetch);
    expect(await NO_TRACING.run("x", {}, async (span) => (span.tell({ a: 1 }), 7))).toBe(7);
  });
});

describe("a collector", () => {
  it("that is busy is asked again; one that refuses is not", async () => {
    const busy = await collector(503, 429, 200);
    const first = open(busy.url);
    await first.tracing.run("a", {}, async () => {});
    await expect.poll(() => busy.requests.length).toBe(3);
    await first.tracing.close();
    expect(new Set(busy.requests.map(({ body }) => body)).size).toBe(1);
    expect(first.problems).toEqual([]);
    const strict = await collector(400);
    const second = open(strict.url);
    await second.tracing.run("a", {}, async () => {});
    await second.tracing.close();
    expect(strict.requests).toHaveLength(1);
    expect(second.problems).toEqual(["The collector takes no traces; what is traced meanwhile is lost."]);
  });

  it("that breaks off is told of once, and once when it is back", async () => {
    const { url, requests } = await collector(0, 0, 0, 0, 200);
    const { tracing, problems } = open(url);
    await tracing.run("lost", {}, async () => {});
    await expect.poll(() => problems.length).toBe(1);
    await tracing.run("taken", {}, async () => {});
    await tracing.close();
    expect(requests.at(-1)?.body).toContain('"taken"');
    expect(problems).toEqual([
      "The collector takes no traces; what is traced meanwhile is lost.",
      "The collector takes traces again. Spans lost meanwhile: 1.",
    ]);
  });

  it("that never answers holds up nothing, takes no more memory, and is not waited for at the end", async () => {
    let asked = 0;
    const silent: typeof globalThis.fetch = (_, init) => {
      asked += 1;
      return new Promise((_resolve, reject) => {
        init?.signal?.addEventListener("abort", () => reject(new Error("gone")));
      });
    };
    const { tracing, problems } = open("http://collector.example", {
      fetch: silent,
      env: { OTEL_EXPORTER_OTLP_TIMEOUT: "100" },
    });
    for (let n = 0; n < 20_000; n += 1) tracing.begin("a").end();
    await tracing.close();
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThan(5);
    expect(problems).toHaveLength(1);
  });
});

function spansIn(request: unknown): Record<string, unknown>[] {
  const { resourceSpans } = request as { resourceSpans: { scopeSpans: { spans: Record<string, unknown>[] }[] }[] };
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}
