import { messageObject, permalinkOf } from "../objects.ts";
import type { State, StoredChannel, StoredMessage } from "../state.ts";
import { channelOf, messageOf } from "../web-api/conversations.ts";
import { asFlag, type Arguments, isObject } from "../fields.ts";
import { method, object, objects, required, SlackError, text, type Call, type Methods } from "../web-api/method.ts";
import { isActive, UNSHOWN } from "../response-urls.ts";
import { addToStream, beginStream, settleStream, type Addition } from "./stream.ts";

const WRITE = "chat:write";

/** The methods `chat.*` and `blocks.validate`. */
export const messageMethods: Methods = {
  "chat.postMessage": method({ tier: "post", scope: WRITE }, (args, call) => {
    const place = openTo(call, args);
    const threadTs = rootOf(call, place, args);
    const posted = call.acts.postAsApp({
      channel: place.id,
      ...saidBy(args),
      threadTs,
      metadata: metadataOf(args),
      look: lookOf(args, call),
      broadcast: threadTs !== undefined && asFlag(args["reply_broadcast"]) === true,
    });
    endStatusLine(call.state, place.id, threadTs);
    const message = messageObject(call.state, posted, { metadata: true });
    return { channel: place.id, ts: posted.ts, message };
  }),
  "chat.update": method({ tier: 3, scope: WRITE }, (args, call) => {
    const message = found(args, call);
    if (!isOwn(call.state, message)) throw new SlackError("cant_update_message");
    if (call.state.channels.get(message.channel)?.archived === true) throw new SlackError("is_inactive");
    if (message.stream?.state === "in_progress") throw new SlackError("streaming_state_conflict");
    update(message, args, call);
    const now = messageObject(call.state, message, { metadata: true });
    return { channel: message.channel, ts: message.ts, text: message.text, message: now };
  }),
  "chat.delete": method({ tier: 3, scope: WRITE }, (args, call) => {
    const message = found(args, call);
    if (!isOwn(call.state, message)) throw new SlackError("cant_delete_message");
    if (message.stream?.state === "in_progress") message.stream.state = "stopped";
    call.acts.remove(message);
    return { channel: message.channel, ts: message.ts };
  }),
  "chat.postEphemeral": method({ tier: 4, scope: WRITE }, (args, call) => {
    const place = openTo(call, args);
    const only = required(args, "user");
    if (!place.members.has(only)) throw new SlackError("user_not_in_channel");
    const threadTs = rootOf(call, place, args);
    const unshown = threadTs !== undefined && !isActive(call.state, place.id, threadTs);
    if (unshown) call.breach(UNSHOWN);
    const said = { channel: place.id, ...saidBy(args), threadTs, look: lookOf(args, call) };
    return { message_ts: call.acts.postAsApp({ ...said, only, unshown }).ts };
  }),
  "chat.getPermalink": method({ tier: 4 }, (args, call) => {
    const message = messageOf(call, channelOf(call, args).id, required(args, "message_ts"));
    return { channel: message.channel, permalink: permalinkOf(call.state, message) };
  }),
  "chat.startStream": method({ tier: 2, scope: WRITE }, (args, call) => {
    const place = openTo(call, args, { joined: true });
    const recipient = recipientOf(args, call, place);
    const threadTs = rootOf(call, place, args);
    const stream = beginStream(call.state.now(), text(args, "task_display_mode"));
    const { text: streamed, newBlocks: blocks } = addToStream(stream, additionOf(args));
    const said = { channel: place.id, threadTs, text: streamed, blocks, look: lookOf(args, call) };
    const posted = call.acts.postAsApp({ ...said, stream });
    const session = call.state.session(place.id, threadTs ?? posted.ts);
    Object.assign(session, { status: "processing", line: "", loadingMessages: [] });
    session.user ??= recipient;
    call.state.changed();
    return { channel: place.id, ts: posted.ts };
  }),
  "chat.appendStream": method({ tier: 4, scope: WRITE }, (args, call) => {
    const { stored, stream } = streaming(args, call);
    if (stream.stoppedByUser) throw new SlackError("stopped_by_user");
    const { text: streamed, newBlocks } = addToStream(stream, additionOf(args));
    const change = { text: streamed, blocks: [...stored.blocks, ...newBlocks] };
    call.acts.edit(stored, stored.user, change, { quiet: true });
    return { channel: stored.channel, ts: stored.ts };
  }),
  "chat.stopStream": method({ tier: 2, scope: WRITE }, (args, call) => {
    const { stored, stream } = streaming(args, call);
    const { text: streamed, newBlocks } = addToStream(stream, additionOf(args));
    stream.state = "stopped";
    const blocks = [...stored.blocks, ...newBlocks, ...(objects(args, "blocks") ?? [])];
    const change = { text: streamed, blocks, metadata: metadataOf(args) ?? stored.metadata };
    call.state.session(stored.channel, stored.threadTs ?? stored.ts).status = sessionStatusOf(args);
    call.acts.edit(stored, stored.user, change, { quiet: true });
    const message = messageObject(call.state, stored, { metadata: true });
    return { channel: stored.channel, ts: stored.ts, message };
  }),
  "blocks.validate": method({ tier: 3, judges: true }, (_args, { refusals }) => {
    const [first] = refusals;
    if (first === undefined) return;
    const errors = refusals.map(({ code, pointer, words }) => ({ code, pointer, message: words }));
    throw new SlackError(first.code, { errors });
  }),
};

/** The channel a message may be written to. A person's id stands for the direct conversation with them. */
function openTo(call: Call, args: Arguments, must: { readonly joined?: boolean } = {}): StoredChannel {
  const { state, token } = call;
  const named = required(args, "channel");
  const person = state.users.get(named);
  if (person !== undefined && person.kind !== "bot") return state.directOf(state.app.botUserId, person.id);
  const byName = [...state.channels.values()].find(({ kind, name }) => kind === "public" && `#${name}` === named);
  const place = byName ?? channelOf(call, args);
  if (place.archived) throw new SlackError("is_archived");
  const mayWrite = state.appIsIn(place.id) || (must.joined !== true && token.scopes.includes("chat:write.public"));
  if (!mayWrite) throw new SlackError("not_in_channel");
  return place;
}

/** The root of the thread that is written to; a reply stands for its thread. */
function rootOf(call: Call, place: StoredChannel, args: Arguments): string | undefined {
  const threadTs = text(args, "thread_ts");
  if (threadTs === undefined) return undefined;
  const root = messageOf(call, place.id, threadTs, "thread_not_found");
  return root.threadTs ?? root.ts;
}

function found(args: Arguments, call: Call): StoredMessage {
  const message = messageOf(call, channelOf(call, args).id, required(args, "ts"));
  settleStream(call.state, message);
  return message;
}

function isOwn(state: State, message: StoredMessage): boolean {
  return message.user === state.app.botUserId;
}

function streaming(args: Arguments, call: Call) {
  const stored = found(args, call);
  if (!isOwn(call.state, stored)) throw new SlackError("message_not_owned_by_app");
  const { stream } = stored;
  if (stream?.state !== "in_progress") throw new SlackError("message_not_in_streaming_state");
  return { stored, stream };
}

/** Text and blocks of a message to be. Markdown becomes a block, which is how it is read. */
function saidBy(args: Arguments): Pick<StoredMessage, "text" | "blocks" | "attachments"> {
  const markdown = text(args, "markdown_text");
  const attachments = objects(args, "attachments") ?? [];
  if (markdown !== undefined) return { text: markdown, blocks: [{ type: "markdown", text: markdown }], attachments };
  return { text: text(args, "text") ?? "", blocks: objects(args, "blocks") ?? [], attachments };
}

/** Blocks stay when only attachments are new, and go when text comes without them. Only text marks as edited. */
function update(message: StoredMessage, args: Arguments, call: Call): void {
  const said = saidBy(args);
  const hasBlocks = said.blocks.length > 0;
  const hasText = said.text !== "";
  const metadata = object(args, "metadata");
  // A streamed message that is rewritten is an ordinary one from then on: its cards are lost.
  delete message.stream;
  const change = {
    ...((hasText || hasBlocks) && { text: said.text, blocks: said.blocks }),
    ...(objects(args, "attachments") !== undefined && { attachments: said.attachments }),
    ...(metadata !== undefined && { metadata: metadataOf(args) }),
  };
  const before = messageObject(call.state, message);
  call.acts.edit(message, message.user, change, { quiet: hasBlocks });
  if (hasBlocks) call.acts.tellOfChange(message, before);
}

/** Event metadata, if the call has any; an empty object is none. */
function metadataOf(args: Arguments): StoredMessage["metadata"] {
  const metadata = object(args, "metadata");
  const type = metadata?.["event_type"];
  const fields = metadata?.["event_payload"];
  return typeof type === "string" && isObject(fields) ? { event_type: type, event_payload: fields } : undefined;
}

/** Name and picture of its own, without the scope left out as Slack does. */
function lookOf(args: Arguments, { token }: Call): StoredMessage["look"] {
  const username = text(args, "username");
  const emoji = text(args, "icon_emoji");
  const picture = text(args, "icon_url");
  if (!token.scopes.includes("chat:write.customize") || (username ?? emoji ?? picture) === undefined) return undefined;
  return {
    ...(username !== undefined && { username }),
    ...((emoji ?? picture) !== undefined && { icons: emoji === undefined ? { image_48: picture } : { emoji } }),
  };
}

/** A post of the app ends what its status line said. */
function endStatusLine(state: State, channel: string, threadTs: string | undefined): void {
  const session = threadTs === undefined ? undefined : state.sessions.get(`${channel}:${threadTs}`);
  if (session === undefined || session.line === "") return;
  Object.assign(session, { line: "", loadingMessages: [], status: "active" });
  state.changed();
}

/** Who the stream is for. Outside direct conversations it must be said. */
function recipientOf(args: Arguments, { state }: Call, place: StoredChannel): string | undefined {
  const user = text(args, "recipient_user_id");
  const team = text(args, "recipient_team_id");
  if (place.kind !== "im") {
    if (user === undefined) throw new SlackError("missing_recipient_user_id");
    if (team === undefined) throw new SlackError("missing_recipient_team_id");
  }
  if (user !== undefined && !state.users.has(user)) throw new SlackError("user_not_found");
  return user;
}

function additionOf(args: Arguments): Addition {
  return { markdownText: text(args, "markdown_text"), chunks: objects(args, "chunks", "invalid_chunks") };
}

function sessionStatusOf(args: Arguments): "active" | "processing" | "suspended" | "closed" {
  const status = text(args, "session_status");
  return status === "processing" || status === "suspended" || status === "closed" ? status : "active";
}
