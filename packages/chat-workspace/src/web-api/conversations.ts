import { channelObject, messageObject } from "../objects.ts";
import { standsInChannel, type State, type StoredChannel, type StoredMessage } from "../state.ts";
import type { ChannelKind } from "../workspace.ts";
import { names, required, requireScope, method, SlackError, text, type Call, type Methods } from "./method.ts";
import { asFlag, type Arguments } from "../fields.ts";
import { pageOf, type PageOf } from "./paging.ts";

const READ = ["channels:read", "groups:read", "im:read", "mpim:read"];
const HISTORY = ["channels:history", "groups:history", "im:history", "mpim:history"];
const PREFIX = { public: "channels", private: "groups", im: "im", mpim: "mpim" } as const;

/**
 * The channel an argument names, as far as the app may know of it: a private one only as its member. Throws
 * `channel_not_found`, `missing_scope`.
 */
export function channelOf(call: Call, args: Arguments, kind: "read" | "history" | "none" = "none"): StoredChannel {
  const channel = call.state.channels.get(required(args, "channel"));
  const hidden = channel !== undefined && channel.kind !== "public" && !call.state.appIsIn(channel.id);
  if (channel === undefined || hidden) throw new SlackError("channel_not_found");
  if (kind !== "none") requireScope(call.token, [`${PREFIX[channel.kind]}:${kind}`]);
  return channel;
}

/** The same, where the app has to be a member. Throws `not_in_channel` too. */
export function joinedChannel(call: Call, args: Arguments, kind?: "history"): StoredChannel {
  const channel = channelOf(call, args, kind);
  if (!call.state.appIsIn(channel.id)) throw new SlackError("not_in_channel");
  return channel;
}

/** A message everybody in its channel may read. Throws `message_not_found`, or the word given. */
export function messageOf({ state }: Call, channel: string, ts: string, error = "message_not_found"): StoredMessage {
  const message = state.readable(channel).find((one) => one.ts === ts);
  if (message === undefined) throw new SlackError(error);
  return message;
}

function within(messages: readonly StoredMessage[], args: Arguments): StoredMessage[] {
  const oldest = text(args, "oldest") ?? "0";
  const latest = text(args, "latest");
  const inclusive = asFlag(args["inclusive"]) === true;
  const after = (ts: string) => compareTs(ts, oldest) > 0 || (inclusive && compareTs(ts, oldest) === 0);
  const before = (ts: string) =>
    latest === undefined || compareTs(ts, latest) < 0 || (inclusive && compareTs(ts, latest) === 0);
  return messages.filter(({ ts }) => after(ts) && before(ts));
}

/** Which of two timestamps is later; they have more digits than a number holds. */
function compareTs(one: string, other: string): number {
  const [seconds, fraction] = parts(one);
  const [otherSeconds, otherFraction] = parts(other);
  return seconds - otherSeconds || fraction - otherFraction;
}

function parts(ts: string): [number, number] {
  const [seconds = "0", fraction = ""] = ts.split(".");
  return [Number(seconds), Number(fraction.padEnd(6, "0"))];
}

/** Methods about channels and what is in them. */
export const conversationMethods: Methods = {
  "conversations.info": method({ tier: 3, scope: READ }, (args, call) => {
    const channel = channelOf(call, args, "read");
    const members = asFlag(args["include_num_members"]) === true ? { num_members: channel.members.size } : {};
    const { num_members: _, ...known } = channelObject(call.state, channel);
    return { channel: { ...known, ...members } };
  }),
  "conversations.list": method({ tier: 2, scope: READ }, (args, { state, token }) => {
    const kinds = kindsIn(args);
    if (kinds.includes(undefined)) throw new SlackError("invalid_types");
    for (const kind of kinds) if (kind !== undefined) requireScope(token, [`${PREFIX[kind]}:read`]);
    return listed([...state.channels.values()], args, state, 1000);
  }),
  "users.conversations": method({ tier: 3, scope: READ }, (args, { state }) => {
    const user = text(args, "user") ?? state.app.botUserId;
    if (!state.users.has(user)) throw new SlackError("user_not_found");
    const theirs = [...state.channels.values()].filter(({ members }) => members.has(user));
    return listed(theirs, args, state, 999);
  }),
  "conversations.history": method({ tier: 3, scope: HISTORY }, (args, call) => {
    const channel = joinedChannel(call, args, "history");
    const roots = call.state.readable(channel.id).filter(standsInChannel);
    const page = pageOf(within(roots, args).toReversed(), args, 100, 999);
    return { ...told(page, args, call), pin_count: call.acts.pinned(channel.id).length };
  }),
  "conversations.replies": method({ tier: 3, scope: HISTORY }, (args, call) => {
    const channel = joinedChannel(call, args, "history");
    const messages = call.state.readable(channel.id);
    const named = messageOf(call, channel.id, required(args, "ts"), "thread_not_found");
    const root = named.threadTs ?? named.ts;
    // The root comes with every page, whatever the window.
    const parent = messages.filter((one) => one.ts === root);
    const replies = within(
      messages.filter((one) => one.threadTs === root && one.ts !== root),
      args,
    );
    const { entries, ...page } = pageOf(replies, { ...args, limit: limitLessRoot(args) }, 999, 1000);
    return told({ entries: [...parent, ...entries], ...page }, args, call);
  }),
  "conversations.members": method({ tier: 4, scope: READ }, (args, call) => {
    const channel = channelOf(call, args, "read");
    const { entries: members, response_metadata } = pageOf([...channel.members], args, 100, 1000);
    return { members, response_metadata };
  }),
  "conversations.open": method({ tier: 3, scope: ["im:write", "mpim:write"] }, (args, { state }) => {
    const named = text(args, "channel");
    const known = named === undefined ? undefined : state.channels.get(named);
    if (known !== undefined && known.kind === "im") return { channel: { id: known.id }, already_open: true };
    if (named !== undefined) throw new SlackError("channel_not_found");
    const users = names(args, "users") ?? [];
    if (users.length === 0) throw new SlackError("users_list_not_supplied");
    if (users.some((id) => !state.users.has(id))) throw new SlackError("user_not_found");
    const [first = ""] = users;
    if (users.length === 1) {
      const before = state.channels.size;
      const { id } = state.directOf(state.app.botUserId, first);
      const full = asFlag(args["return_im"]) === true ? { user: first, is_im: true } : {};
      return { channel: { id, ...full }, ...(state.channels.size === before && { already_open: true }) };
    }
    const members = [state.app.botUserId, ...users];
    const { id } = state.addChannel({ name: `mpdm-${users.join("--")}`, kind: "mpim", members });
    return { channel: { id } };
  }),
  "conversations.join": method({ tier: 3, scope: "channels:join" }, (args, call) => {
    const channel = channelOf(call, args);
    if (channel.archived) throw new SlackError("is_archived");
    if (channel.kind !== "public") throw new SlackError("method_not_supported_for_channel_type");
    const already = call.state.appIsIn(channel.id);
    if (!already) call.acts.join(channel, call.state.app.botUserId);
    return {
      channel: channelObject(call.state, channel),
      ...(already && { warning: "already_in_channel", response_metadata: { warnings: ["already_in_channel"] } }),
    };
  }),
};

/** Messages as history answers them; where no more are to come, it says nothing of a next page. */
function told({ entries, response_metadata }: PageOf<StoredMessage>, args: Arguments, { state }: Call) {
  const metadata = asFlag(args["include_all_metadata"]) === true;
  const has_more = response_metadata.next_cursor !== "";
  const messages = entries.map((one) => messageObject(state, one, { metadata }));
  return { messages, has_more, ...(has_more && { response_metadata }) };
}

/** A limit counts the root too. */
function limitLessRoot(args: Arguments): number | undefined {
  const limit = text(args, "limit");
  return limit === undefined ? undefined : Math.max(1, Number(limit) - 1);
}

const KINDS = new Map<string, ChannelKind>([
  ["public_channel", "public"],
  ["private_channel", "private"],
  ["mpim", "mpim"],
  ["im", "im"],
]);

/** The kinds of channels that are asked for; undefined stands for what is none. */
function kindsIn(args: Arguments): (ChannelKind | undefined)[] {
  return (names(args, "types") ?? ["public_channel"]).map((type) => KINDS.get(type));
}

/** One page of these channels, as far as they are asked for and the app may know of them. */
function listed(channels: StoredChannel[], args: Arguments, state: State, most: number): Record<string, unknown> {
  const kinds = kindsIn(args);
  const found = channels
    .filter((one) => kinds.includes(one.kind))
    .filter((one) => one.kind === "public" || state.appIsIn(one.id))
    .filter((one) => asFlag(args["exclude_archived"]) !== true || !one.archived);
  const { entries, response_metadata } = pageOf(found, args, 100, most);
  return { channels: entries.map((one) => channelObject(state, one)), response_metadata };
}
