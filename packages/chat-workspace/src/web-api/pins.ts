import { MAX_PINS } from "../people.ts";
import type { StoredMessage } from "../state.ts";
import { joinedChannel, messageOf } from "./conversations.ts";
import { required, method, SlackError, type Call, type Methods } from "./method.ts";
import type { Arguments } from "../fields.ts";

/** Methods about pins. */
export const pinMethods: Methods = {
  "pins.add": method({ tier: 2, scope: "pins:write" }, (args, call) => {
    const message = pinnable(args, call);
    if (message.pin !== undefined) throw new SlackError("already_pinned");
    if (call.acts.pinned(message.channel).length >= MAX_PINS) throw new SlackError("too_many_pins");
    call.acts.pin(message, call.state.app.botUserId);
  }),
  "pins.remove": method({ tier: 2, scope: "pins:write" }, (args, call) => {
    const message = pinnable(args, call);
    if (message.pin === undefined) throw new SlackError("no_pin");
    call.acts.unpin(message, call.state.app.botUserId);
  }),
  "pins.list": method({ tier: 2, scope: "pins:read" }, (args, call) => {
    const channel = joinedChannel(call, args);
    return { items: call.acts.pinned(channel.id).map((message) => call.acts.pinItem(message)) };
  }),
};

function pinnable(args: Arguments, call: Call): StoredMessage {
  const channel = joinedChannel(call, args);
  if (channel.archived) throw new SlackError("is_archived");
  const message = messageOf(call, channel.id, required(args, "timestamp"));
  if (message.subtype === "tombstone") throw new SlackError("not_pinnable");
  return message;
}
