import { startWorkspace } from "@threadlore/chat-workspace";
import { expect, it } from "vitest";
import { countRateLimits, createMetrics } from "./metrics.ts";
import { createClients } from "../slack/transport/clients.ts";
import { Pacer } from "../slack/transport/pacing.ts";

const newMetrics = () =>
  createMetrics({ backlog: () => Promise.resolve({ waiting: 0, running: 0 }), sockets: () => 2 });

it("counts every pause Slack asks for, by method", async () => {
  const workspace = await startWorkspace();
  try {
    const metrics = newMetrics();
    const { reads, posts } = createClients({
      botToken: workspace.credentials.botToken,
      slackApiUrl: workspace.slackApiUrl,
    });
    countRateLimits([reads, posts], metrics);
    workspace.faults.rateLimit("auth.test", { retryAfterS: 1 });
    await expect(reads.auth.test()).rejects.toThrow(/rate.limit/i);
    workspace.faults.rateLimit("chat.postMessage", { retryAfterS: 1 });
    await expect(posts.chat.postMessage({ channel: "C0", text: "hello" })).rejects.toThrow(/rate.limit/i);
    const text = await metrics.text();
    expect(text).toContain('threadlore_bot_rate_limited_total{method="auth.test"} 1');
    expect(text).toContain('threadlore_bot_rate_limited_total{method="chat.postMessage"} 1');
  } finally {
    await workspace.close();
  }
});

it("counts open streams, each once", async () => {
  const metrics = newMetrics();
  const pacer = new Pacer({ metrics });
  const first = pacer.open("T0", "C0", () => {});
  const second = pacer.open("T0", "C0", () => {});
  expect(await metrics.text()).toContain("threadlore_bot_open_streams 2");
  first.close();
  first.close();
  expect(await metrics.text()).toContain("threadlore_bot_open_streams 1");
  second.close();
  expect(await metrics.text()).toContain("threadlore_bot_open_streams 0");
});
