import { describe, expect, it } from "vitest";
import { newHome, runCli } from "../testing/spawn-cli.ts";
import { rateLimit } from "./serve-settings.ts";
import { startServing } from "./serving.ts";

describe("a limit of serve", () => {
  it("gathers one budget for each scope, the last word holding", () => {
    const both = rateLimit("global=500/3600", rateLimit("user=30/60"));
    expect(both).toEqual({ user: { messages: 30, seconds: 60 }, global: { messages: 500, seconds: 3600 } });
    expect(rateLimit("user=1/1", both).user).toEqual({ messages: 1, seconds: 1 });
  });

  it.each(["", "user", "user=30", "user=0/60", "user=30/0", "team=1/1", "user=1e3/60", "user=-1/60"])(
    "refuses %j and says what it must look like",
    (text) => expect(() => rateLimit(text)).toThrow("such as user=30/60"),
  );

  it("holds for the service that was started with it, as does the leave to ask without a key", async () => {
    const settings = { rateLimits: rateLimit("global=1/60"), anonymous: true };
    const serving = await startServing({ folder: newHome().folder, port: 0, settings });
    const ask = (): Promise<Response> =>
      fetch(`${serving.url}/chat/send-chat-message`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ message: "Who keeps the kettle?", stream: false }),
      });
    try {
      const statuses = [(await ask()).status, (await ask()).status];
      expect(statuses).toEqual([200, 429]);
    } finally {
      await serving.close();
    }
  });

  it("is refused before anything starts when it is written wrong", async () => {
    const run = await runCli(["serve", "--limit", "much"], { home: newHome() });
    expect(run.code).toBe(2);
    expect(run.stderr).toContain("such as user=30/60");
  });
});
