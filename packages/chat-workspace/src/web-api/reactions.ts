import { messageObject } from "../objects.ts";
import type { StoredMessage } from "../state.ts";
import { channelOf, messageOf } from "./conversations.ts";
import { required, method, SlackError, text, type Call, type Methods } from "./method.ts";
import type { Arguments } from "../fields.ts";

/** Different reactions of one account to one message. */
const MAX_REACTIONS = 23;

/** Methods about reactions. */
export const reactionMethods: Methods = {
  "reactions.add": method({ tier: 3, scope: "reactions:write" }, (args, call) => {
    const { message, name, mine } = reacted(args, call);
    if (mine.includes(name)) throw new SlackError("already_reacted");
    if (mine.length >= MAX_REACTIONS) throw new SlackError("too_many_emoji");
    call.acts.react(message, call.state.app.botUserId, name);
  }),
  "reactions.remove": method({ tier: 2, scope: "reactions:write" }, (args, call) => {
    const { message, name, mine } = reacted(args, call);
    if (!mine.includes(name)) throw new SlackError("no_reaction");
    call.acts.unreact(message, call.state.app.botUserId, name);
  }),
  "reactions.get": method({ tier: 3, scope: "reactions:read" }, (args, call) => {
    const message = namedIn(args, call);
    return { type: "message", channel: message.channel, message: messageObject(call.state, message) };
  }),
};

function reacted(args: Arguments, call: Call): { message: StoredMessage; name: string; mine: string[] } {
  const name = required(args, "name").replaceAll(":", "");
  if (!/^[\p{L}\d_+'-]+$/u.test(name)) throw new SlackError("invalid_name");
  const message = namedIn(args, call);
  if (call.state.channels.get(message.channel)?.archived === true) throw new SlackError("is_archived");
  const mine = message.reactions.filter(({ users }) => users.includes(call.state.app.botUserId));
  return { message, name, mine: mine.map((one) => one.name) };
}

function namedIn(args: Arguments, call: Call): StoredMessage {
  const timestamp = text(args, "timestamp");
  if (text(args, "channel") === undefined || timestamp === undefined) throw new SlackError("no_item_specified");
  const channel = channelOf(call, args);
  if (!/^\d+\.\d+$/.test(timestamp)) throw new SlackError("bad_timestamp");
  return messageOf(call, channel.id, timestamp);
}
