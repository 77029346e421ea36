import { createHmac } from "node:crypto";
import { App, LogLevel } from "@slack/bolt";
import { afterEach, describe, expect, it } from "vitest";
import { createHttpReceiver, type HttpReceiver } from "./http-receiver.ts";

const SECRET = ["signing", "secret", "of", "a", "test"].join("-");
const open: HttpReceiver[] = [];

afterEach(async () => {
  for (const receiver of open.splice(0)) await receiver.stop();
});

const logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  setName() {},
  getLevel: () => LogLevel.ERROR,
};

async function start(): Promise<{
  post: (sent: Uint8Array<ArrayBuffer>, signed: string) => Promise<number>;
  heard: string[];
}> {
  const heard: string[] = [];
  const receiver = createHttpReceiver({
    signingSecret: SECRET,
    host: "127.0.0.1",
    port: 0,
    logger,
    now: Date.now,
    onRefused() {},
  });
  const app = new App({ receiver, logger, authorize: () => Promise.resolve({ botId: "B1", botUserId: "U1" }) });
  app.event("app_mention", ({ event }) => {
    heard.push(event.text);
    return Promise.resolve();
  });
  await receiver.start();
  open.push(receiver);
  return {
    heard,
    async post(sent, signed) {
      const timestamp = String(Math.floor(Date.now() / 1000));
      const signature = `v0=${createHmac("sha256", SECRET).update(`v0:${timestamp}:${signed}`).digest("hex")}`;
      const headers = {
        "content-type": "application/json",
        "x-slack-request-timestamp": timestamp,
        "x-slack-signature": signature,
      };
      return (await fetch(receiver.url, { method: "POST", headers, body: sent })).status;
    },
  };
}

const bodyWith = (text: string): string =>
  JSON.stringify({
    type: "event_callback",
    event: { type: "app_mention", user: "U2", channel: "C1", ts: "1.1", text },
  });

describe("a body that is no UTF-8", () => {
  it("does not pass for the text it would be read as", async () => {
    const { post, heard } = await start();
    const signed = bodyWith("a \uFFFD b");
    const bytes = Buffer.from(signed);
    const at = bytes.indexOf(Buffer.from("\uFFFD"));
    const other = Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff]), bytes.subarray(at + 3)]);
    expect(await post(new Uint8Array(other), signed)).toBe(401);
    expect(heard).toEqual([]);
    expect(await post(new Uint8Array(bytes), signed)).toBe(200);
    expect(heard).toEqual(["a \uFFFD b"]);
  });
});
