import { afterThisTest, startScriptedModel } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { keyHeader, NAME, openSocket, send, startNetwork } from "./network.harness.ts";

/** A service of which an answer is being read that takes two seconds. */
async function answering(stopMs: number) {
  const model = await startScriptedModel([{ text: Array.from({ length: 20 }, () => "word "), everyMs: 100 }]);
  afterThisTest(() => model.close());
  const running = await startNetwork({ plainHttp: true, stopMs }, { model: { baseUrl: model.url, name: "scripted" } });
  const headers = { ...keyHeader(), "content-type": "application/json" };
  const post = (path: string, body: unknown) =>
    fetch(`${running.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  await post("/service-api/ingestion", {
    document: { semantic_identifier: "Lift", sections: [{ text: "The lift." }] },
  });
  await running.service.drain();
  const reply = await post("/chat/send-chat-message", { message: "Where is the lift?" });
  return { ...running, answer: reply.text() };
}

describe("a service that is told to stop", () => {
  it("lets the answer that runs end, turns away what is new, and says so to whoever watches it", async () => {
    const { answer, close, port } = await answering(10_000);
    const kept = await openSocket(port);
    const closing = close();
    const health = await send(port, "/health");
    expect([health.status, health.body]).toEqual([503, expect.objectContaining({ state: "stopping" })]);
    expect(health.headers.connection).toBe("close");
    const refused = await send(port, "/me", { headers: keyHeader() });
    expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "5"]);
    kept.write(`GET /me HTTP/1.1\r\nHost: ${NAME}\r\n\r\n`);
    const said = await answer;
    expect(said).toContain('"type":"stop"');
    expect(said).not.toContain("shutting down");
    await closing;
    await expect(send(port, "/health")).rejects.toThrow();
  });

  it("does not wait for longer than it was told", async () => {
    const { answer, close } = await answering(300);
    const [said] = await Promise.all([answer, close()]);
    expect(said).toContain("The service is shutting down");
  });

  it("stops at once where nobody waits for anything", async () => {
    const { close, port } = await startNetwork({ plainHttp: true, stopMs: 60_000 });
    await openSocket(port);
    const began = performance.now();
    await close();
    expect(performance.now() - began).toBeLessThan(30_000);
  });
});
