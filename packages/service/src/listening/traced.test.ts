import { afterThisFile, type CollectedSpan, startScriptedModel, startTraceCollector } from "@threadlore/testkit";
import { openTracing } from "@threadlore/tracing";
import { describe, expect, it } from "vitest";
import { keyHeader, NAME, send, startNetwork } from "./network.harness.ts";

const CANARY = "canary-4711";
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const ASKER = "00f067aa0ba902b7";

describe("what a service does, traced", async () => {
  const collector = await startTraceCollector();
  const model = await startScriptedModel([{ text: `It is ${CANARY} [1].` }]);
  const tracing = openTracing({
    name: "threadlore-service",
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    times: { delayMs: 10 },
  });
  afterThisFile(async () => {
    await tracing.close();
    await Promise.all([collector.close(), model.close()]);
  });
  const lines: string[] = [];
  const { port, service } = await startNetwork(
    { trustedProxies: ["127.0.0.1"] },
    {
      logLevel: "info",
      logFormat: "json",
      log: (line) => lines.push(line),
      tracing,
      model: { baseUrl: model.url, name: "scripted" },
    },
    "file",
  );
  const post = (path: string, value: unknown, headers: Record<string, string> = {}) => {
    const body = JSON.stringify(value);
    const told = { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) };
    return send(port, path, { method: "POST", body, headers: { host: NAME, ...keyHeader(), ...told, ...headers } });
  };
  const spanNamed = async (name: string): Promise<CollectedSpan> => {
    await expect.poll(() => collector.spans().map((span) => span.name)).toContain(name);
    const found = collector.spans().find((span) => span.name === name);
    if (found === undefined) throw new Error(`There is no span ${name}.`);
    return found;
  };

  it("is below the call of whoever asked, and everything below that: the answer, its search, its model", async () => {
    await post("/service-api/ingestion", {
      document: { id: CANARY, semantic_identifier: CANARY, sections: [{ text: `The word is ${CANARY}.` }] },
    });
    await service.drain();
    const question = { message: `What is the word of ${CANARY}?`, stream: true };
    const { status } = await post("/chat/send-chat-message", question, { traceparent: `00-${TRACE}-${ASKER}-01` });
    expect(status).toBe(200);
    const request = await spanNamed("POST /chat/send-chat-message");
    expect(request).toMatchObject({ traceId: TRACE, parentSpanId: ASKER, kind: 2 });
    const answer = await spanNamed("answer");
    expect(answer).toMatchObject({ traceId: TRACE, parentSpanId: request.spanId });
    for (const name of ["search", "model"]) {
      expect(await spanNamed(name)).toMatchObject({ traceId: TRACE, parentSpanId: answer.spanId });
    }
    const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(told.find(({ route }) => route === "/chat/send-chat-message")).toMatchObject({ trace: TRACE });
  });

  it("holds no text, no path and no key, whatever is asked and however it ends", async () => {
    await post(`/persona/${CANARY}`, {});
    await send(port, `/persona/4711?q=${CANARY}`, { headers: { host: NAME, ...keyHeader("tl_TESTwrongkey") } });
    await post("/chat/send-chat-message", { message: CANARY }, { traceparent: CANARY });
    await expect.poll(() => collector.spans().filter(({ name }) => name === "answer").length).toBe(2);
    await spanNamed("GET /persona/{id}");
    const sent = collector.requests.map(({ body }) => body).join("\n");
    expect(sent).not.toMatch(/canary|tl_TEST|The word/);
    const wrong = await spanNamed("GET /persona/{id}");
    expect(wrong.attributes).toContainEqual({ key: "http.response.status_code", value: { intValue: "401" } });
  });

  it("is kept as this service says where anybody asks from elsewhere, and as they say whose key is right", async () => {
    const ask = (path: string, key: string, flags: string) => {
      const headers = { host: NAME, "x-forwarded-for": "192.0.2.1", "x-forwarded-proto": "https", ...keyHeader(key) };
      return send(port, path, { headers: { ...headers, traceparent: `00-${TRACE}-${ASKER}-${flags}` } });
    };
    expect((await ask("/admin/origins", "tl_TESTwrongkey", "00")).status).toBe(401);
    await spanNamed("GET /admin/origins");
    const [, own = ""] = keyHeader().authorization.split(" ");
    expect((await ask("/tool", own, "00")).status).toBe(200);
    await post("/chat/create-chat-session", {});
    await spanNamed("POST /chat/create-chat-session");
    expect(collector.spans().map(({ name }) => name)).not.toContain("GET /tool");
  });

  it("is kept as this service says where a page of a browser asks, which keeps nothing itself", async () => {
    const origin = `chrome-extension://${"a".repeat(32)}`;
    const other = TRACE.replace("4bf", "5bf");
    const from = { host: NAME, "x-forwarded-for": "192.0.2.1", "x-forwarded-proto": "https", origin };
    const headers = { ...from, ...keyHeader(), traceparent: `00-${other}-${ASKER}-00` };
    expect((await send(port, "/persona", { headers })).status).toBe(200);
    const span = await spanNamed("GET /persona");
    expect(span).toMatchObject({ traceId: other, parentSpanId: ASKER });
  });
});
