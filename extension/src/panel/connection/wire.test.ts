import { createServer, type IncomingMessage } from "node:http";
import { afterThisFile } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { wireTo } from "./wire.ts";

/** A service that answers whatever it is asked with a session, and remembers with which trace. */
const seen: (string | undefined)[] = [];
const server = createServer((request: IncomingMessage, response) => {
  seen.push(request.headers["traceparent"]?.toString());
  response.setHeader("content-type", "application/json");
  response.end('{"chat_session_id":"4f0c2f36-8f5f-4f8e-a6f3-0a2d8a4b7c11"}');
});
await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
afterThisFile(() => new Promise((resolve) => void server.close(resolve)));
const port = (server.address() as { port: number }).port;

describe("what goes along with a question, so that it is found in the service's log", () => {
  it("is a trace of its own for each call, sampled or not as the service says", async () => {
    const { deployment } = wireTo({ baseUrl: `http://127.0.0.1:${port}`, apiKey: "key" }, () => true);
    seen.length = 0;
    await deployment.createSession({});
    await deployment.createSession({});
    expect(seen).toHaveLength(2);
    for (const header of seen) expect(header).toMatch(/^00-[\da-f]{32}-[89ab][\da-f]{15}-00$/);
    expect(new Set(seen).size).toBe(2);
  });

  it("is nothing where the service has not said that it takes it: a browser would refuse to send the question", async () => {
    let takes = false;
    const { deployment } = wireTo({ baseUrl: `http://127.0.0.1:${port}`, apiKey: "key" }, () => takes);
    seen.length = 0;
    await deployment.createSession({});
    // Another version may run by the next question.
    takes = true;
    await deployment.createSession({});
    expect(seen).toEqual([undefined, expect.any(String)]);
  });
});
