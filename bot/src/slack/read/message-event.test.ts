import { expect, it } from "vitest";
import { readMessageEvent } from "./message-event.ts";

it.each([
  ["beside the message", { action_token: "a" }, "a"],
  ["with the assistant's thread", { assistant_thread: { action_token: "b" } }, "b"],
  ["in both places", { action_token: "a", assistant_thread: { action_token: "b" } }, "a"],
  ["nowhere", { assistant_thread: {} }, undefined],
])("finds what the platform can be searched by, %s", (_, over, token) => {
  const event = {
    type: "message",
    channel: "D0A",
    channel_type: "im",
    user: "U0A",
    ts: "1.000001",
    text: "Hi",
    ...over,
  };
  expect(readMessageEvent(event)?.actionToken).toBe(token);
});
