import type { AddressInfo } from "node:net";
import { createServer } from "node:http";
import { App, HTTPReceiver, LogLevel } from "@slack/bolt";
import { describe, expect, it } from "vitest";
import type { Workspace } from "../index.ts";
import { afterThisTest } from "@threadlore/testkit";
import { startPlace } from "../testing/bolt.harness.ts";

/** A genuine Bolt app with the HTTP receiver, entered in the workspace as its address for events. */
async function httpApp(workspace: Workspace): Promise<{ app: App; url: string }> {
  const { botToken, signingSecret } = workspace.credentials;
  const receiver = new HTTPReceiver({ signingSecret, logLevel: LogLevel.ERROR });
  const app = new App({
    token: botToken,
    receiver,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: workspace.slackApiUrl },
  });
  const server = await receiver.start({ port: 0, host: "127.0.0.1" });
  afterThisTest(() => receiver.stop());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/slack/events`;
  await workspace.useRequestUrl(url);
  return { app, url };
}

/** An address that answers as told and keeps what it was sent. */
async function scriptedAddress(statuses: readonly (number | "never")[], headers: Record<string, string> = {}) {
  const requests: { headers: NodeJS.Dict<string | string[]>; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => (body += part));
    request.on("end", () => {
      const status = statuses[requests.length] ?? 200;
      requests.push({ headers: request.headers, body });
      if (status !== "never") response.writeHead(status, headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterThisTest(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

describe("a Bolt app over signed HTTP", () => {
  it("answers the challenge, hears events, takes commands and buttons", async () => {
    const { workspace, ann, general } = await startPlace();
    const { app } = await httpApp(workspace);
    const button = { type: "button", action_id: "more", text: { type: "plain_text", text: "More" }, value: "7" };
    app.event("app_mention", async ({ say, event }) => {
      await say({ thread_ts: event.ts, text: "Here", blocks: [{ type: "actions", elements: [button] }] } as never);
    });
    app.command("/ask", async ({ ack, command }) => ack(`Looking for ${command.text}`));
    const pressed: unknown[] = [];
    app.action("more", async ({ ack, action }) => {
      await ack();
      pressed.push("value" in action ? action.value : undefined);
    });
    const ts = await ann.mention(general.id, "hello");
    const answer = await workspace.until(() => workspace.messages(general.id, ts)[1]);
    await ann.press({ channel: general.id, ts: answer.ts }, "more");
    expect(pressed).toEqual(["7"]);
    expect(await ann.command(general.id, "/ask", "tea & biscuits")).toEqual({ text: "Looking for tea & biscuits" });
    expect(ann.ephemerals(general.id).map(({ text }) => text)).toEqual(["Looking for tea & biscuits"]);
  });

  it("refuses what is forged or stale", async () => {
    const { workspace } = await startPlace();
    const { url } = await httpApp(workspace);
    const body = JSON.stringify({ type: "event_callback", event: { type: "message" } });
    const now = Math.floor(Date.now() / 1000);
    expect((await workspace.postSigned(url, body)).status).toBe(200);
    expect((await workspace.postSigned(url, body, { secret: "0".repeat(32) })).status).toBe(401);
    expect((await workspace.postSigned(url, body, { timestamp: now - 600 })).status).toBe(401);
  });
});

describe("an address that does not take an event", () => {
  it("gets it again with the number and the reason, body and id the same, signature new", async () => {
    const { requests, url } = await scriptedAddress([500, "never", 302, 200]);
    const { workspace, ann, general } = await startPlace({
      app: { requestUrl: url, events: ["message.channels"] },
      ackTimeoutMs: 1_000,
      redeliverAfterMs: [0, 10, 20],
    });
    await ann.say(general.id, "hello");
    await workspace.until(() => requests.length === 4);
    const said = (name: string) => requests.map(({ headers }) => headers[name]);
    expect(said("x-slack-retry-num")).toEqual([undefined, "1", "2", "3"]);
    expect(said("x-slack-retry-reason")).toEqual([undefined, "http_error", "http_timeout", "too_many_redirects"]);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    expect(said("x-slack-signature")).toEqual(Array(4).fill(expect.stringMatching(/^v0=[0-9a-f]{64}$/)));
  });

  it("may say that it wants no more", async () => {
    const { requests, url } = await scriptedAddress([500, 200], { "x-slack-no-retry": "1" });
    const { ann, general, workspace } = await startPlace({ app: { requestUrl: url }, redeliverAfterMs: [0] });
    const event = { type: "message", text: "x" };
    await workspace.deliver(event);
    expect(requests).toHaveLength(1);
    await ann.say(general.id, "another is another matter");
    await workspace.until(() => requests.length === 2);
  });

  it("is not entered when it does not echo the challenge", async () => {
    const { url } = await scriptedAddress([200]);
    const { workspace } = await startPlace();
    await expect(workspace.useRequestUrl(url)).rejects.toThrow(/did not answer the challenge/);
  });
});
