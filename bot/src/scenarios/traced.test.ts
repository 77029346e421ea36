import { afterThisTest, startTraceCollector } from "@threadlore/testkit";
import { openTracing } from "@threadlore/tracing";
import { describe, expect, it } from "vitest";
import { useTowns } from "../testing/running-bot.ts";

const town = useTowns((one) => one.expectNoRefusals());

describe("a question in a channel, traced", { timeout: 120_000 }, () => {
  it("is one trace from the message to the knowledge server, without a word anybody wrote, and the log names it", async () => {
    const collector = await startTraceCollector();
    afterThisTest(() => collector.close());
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    const lines: string[] = [];
    const place = await town({
      parts: { tracing: openTracing({ name: "threadlore-bot", env, times: { delayMs: 10 } }) },
      env: { LOG_LEVEL: "info" },
      onLog: (line) => lines.push(line),
    });
    const { ada, general, knowledge } = place;
    const heard: (string | null)[] = [];
    knowledge.fault = async (request) => {
      if (request.url.endsWith("/chat/send-chat-message")) heard.push(request.headers.get("traceparent"));
      return undefined;
    };
    const ts = await ada.mention(general.id, "How many days of annual leave has Zebediah?");
    expect((await place.answered(general.id, ts)).shown).toContain("thirty days");
    await expect.poll(() => collector.spans().map(({ name }) => name)).toContain("task question");
    const spans = collector.spans();
    const task = spans.find(({ name }) => name === "task question");
    const ask = spans.find(({ name }) => name === "ask");
    expect(task?.parentSpanId).toBeUndefined();
    expect(ask).toMatchObject({ traceId: task?.traceId, parentSpanId: task?.spanId, kind: 3 });
    expect(spans.find(({ name }) => name === "material")).toMatchObject({ parentSpanId: task?.spanId });
    expect(heard).toEqual([`00-${task?.traceId}-${ask?.spanId}-01`]);
    expect(task?.attributes).toContainEqual({ key: "outcome", value: { stringValue: "answered" } });
    const ended = lines.map((line) => JSON.parse(line) as { event?: string; trace?: string });
    expect(ended.find(({ event }) => event === "question ended")?.trace).toBe(task?.traceId);
    const sent = collector.requests.map(({ body }) => body).join("\n");
    expect(sent).not.toMatch(/Zebediah|thirty|annual|Ada|tl_TEST/);
  });
});
