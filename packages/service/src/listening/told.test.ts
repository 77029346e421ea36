import { describe, expect, it } from "vitest";
import { keyHeader, NAME, send, startNetwork } from "./network.harness.ts";

describe("what a service tells of itself", async () => {
  const lines: string[] = [];
  const { port, service } = await startNetwork(
    { trustedProxies: ["127.0.0.1"] },
    { logLevel: "info", logFormat: "json", log: (line) => lines.push(line), withMetrics: true },
    "file",
  );
  const ask = (path: string, more: Parameters<typeof send>[2] = {}) =>
    send(port, path, {
      ...more,
      headers: { host: NAME, "x-forwarded-for": "192.0.2.1", "x-request-id": "proxy-gave-it-1", ...more.headers },
    });
  const canary = "canary-4711";
  const document = { id: canary, semantic_identifier: canary, sections: [{ text: canary }] };
  const post = (path: string, value: unknown) => {
    const body = JSON.stringify(value);
    const headers = { ...keyHeader(), "content-type": "application/json", "content-length": String(body.length) };
    return ask(path, { method: "POST", body, headers });
  };

  it("T30 is a line of JSON for each request: who, what kind of thing, how it ended; no path, no text, no key", async () => {
    const { headers } = await post("/service-api/ingestion", { document });
    expect(headers["x-request-id"]).toBe("proxy-gave-it-1");
    await service.drain();
    await post("/chat/send-chat-message", { message: canary });
    await ask(`/persona/4711?q=${canary}`, { headers: keyHeader("tl_TESTwrongkey") });
    await ask(`/nowhere/${canary}`, { headers: keyHeader() });
    await ask("/health", { headers: { host: `${canary}.test` } });
    await expect.poll(() => lines.length).toBeGreaterThanOrEqual(5);
    const told = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ event }) => event === "request");
    expect(told[0]).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      level: "info",
      event: "request",
      method: "POST",
      route: "/service-api/ingestion",
      status: 200,
      ms: expect.any(Number),
      id: "proxy-gave-it-1",
      user: "owner",
      address: "192.0.2.1",
    });
    expect(told.map(({ route, status }) => [route, status])).toEqual([
      ["/service-api/ingestion", 200],
      ["/chat/send-chat-message", 200],
      ["/persona/:id", 401],
      [expect.stringMatching(/^(?:none|\/?\*)$/), 404],
      ["none", 403],
    ]);
    expect(new Set(told.map(({ address }) => address))).toEqual(new Set(["192.0.2.1"]));
    for (const line of lines) expect(line).not.toMatch(/canary|tl_TEST|4711/);
  });

  it("is counted, for administrators' keys alone, under names and labels of which there is no end in sight", async () => {
    for (const key of [undefined, "tl_TESTwrongkey"]) {
      expect((await ask("/metrics", { headers: key === undefined ? {} : keyHeader(key) })).status).toBe(401);
    }
    await Promise.all(Array.from({ length: 20 }, (_, at) => ask(`/nowhere/${canary}/${at}`, { headers: keyHeader() })));
    const { body, headers } = await ask("/metrics", { headers: keyHeader() });
    expect(headers["content-type"]).toContain("text/plain");
    const text = String(body);
    expect(text).toMatch(
      /threadlore_service_requests_total\{method="POST",route="\/chat\/send-chat-message",status="200"\} 1/,
    );
    expect(text).toMatch(/threadlore_service_open_requests 1\n/);
    expect(text).not.toMatch(/canary|192\.0\.2|owner|4711/);
    expect(text.match(/requests_total\{/g)?.length).toBeLessThan(12);
  });

  it("is nothing where it was not asked for", async () => {
    const plain = await startNetwork({ trustedProxies: ["127.0.0.1"] });
    const reply = await send(plain.port, "/metrics", {
      headers: { host: NAME, "x-forwarded-for": "192.0.2.1", ...keyHeader() },
    });
    expect(reply.status).toBe(404);
  });
});
