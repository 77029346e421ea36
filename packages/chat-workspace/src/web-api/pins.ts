import { MAX_PINS } from "../people.ts";
import type { StoredMessage } from "../state.ts";
import { channelOf } from "./conversations.ts";
import { required, SlackError, type Call, type Methods } from "./method.ts";
import type { Arguments } from "../fields.ts";

/** Methods about pins. */
export const pinMethods: Methods = {
  "pins.add": {
    tier: 2,
    scope: "pins:write",
    run: (args, call) => {
      const message = pinnable(args, call);
      if (message.pin !== undefined) throw new SlackError("already_pinned");
      if (call.acts.pinned(message.channel).length >= MAX_PINS) throw new SlackError("too_many_pins");
      call.acts.pin(message, call.state.app.botUserId);
      return {};
    },
  },
  "pins.remove": {
    tier: 2,
    scope: "pins:write",
    run: (args, call) => {
      const message = pinnable(args, call);
      if (message.pin === undefined) throw new SlackError("no_pin");
      call.acts.unpin(message, call.state.app.botUserId);
      return {};
    },
  },
  "pins.list": {
    tier: 2,
    scope: "pins:read",
    run: (args, call) => {
      const channel = channelOf(call, args);
      if (!call.state.appIsIn(channel.id)) throw new SlackError("not_in_channel");
      return { items: call.acts.pinned(channel.id).map((message) => call.acts.pinItem(message)) };
    },
  },
};

function pinnable(args: Arguments, call: Call): StoredMessage {
  const channel = channelOf(call, args);
  if (!call.state.appIsIn(channel.id)) throw new SlackError("not_in_channel");
  if (channel.archived) throw new SlackError("is_archived");
  const message = call.state.message(channel.id, required(args, "timestamp"));
  if (message === undefined || message.only !== undefined) throw new SlackError("message_not_found");
  if (message.subtype === "tombstone") throw new SlackError("not_pinnable");
  return message;
}
