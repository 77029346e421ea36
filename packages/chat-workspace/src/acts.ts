import { messageObject, permalinkOf, userObject } from "./objects.ts";
import { withIds } from "./blocks.ts";
import { linksIn, unfurlDomains } from "./lookups/links.ts";
import type { Delivery } from "./delivery/delivery.ts";
import type { State, StoredChannel, StoredMessage } from "./state.ts";
import type { User } from "./workspace.ts";

/** A message to be; what is absent is empty. */
export type NewMessage = Pick<StoredMessage, "channel" | "user" | "text"> &
  Partial<Omit<StoredMessage, "ts" | "deleted" | "reactions" | "edited" | "pin">>;

/** What may change in a message. */
export type MessageChange = Partial<Pick<StoredMessage, "text" | "blocks" | "attachments" | "entities" | "metadata">>;

/** Everything that changes the workspace and tells the app of it; whether it may happen is asked before. */
export class Acts {
  readonly #state: State;
  readonly #delivery: Delivery;

  constructor(state: State, delivery: Delivery) {
    this.#state = state;
    this.#delivery = delivery;
  }

  /** Something happened: the app is told, as far as it hears of it, and whoever watches the workspace. */
  tell(event: Record<string, unknown>, channel?: string): void {
    this.#delivery.tell(event, channel);
    this.#state.changed();
  }

  /** Posts; an ephemeral message (`only`) is told to nobody. */
  post(message: NewMessage): StoredMessage {
    const stored: StoredMessage = {
      ...message,
      ts: this.#state.ts(),
      blocks: withIds(this.#state, message.blocks ?? []),
      attachments: [...(message.attachments ?? [])],
      entities: [],
      files: [...(message.files ?? [])],
      deleted: false,
      reactions: [],
    };
    this.#state.messagesIn(message.channel).push(stored);
    for (const id of stored.files) this.#state.files.get(id)?.channels.add(stored.channel);
    if (stored.only === undefined) this.#tellOfPost(stored);
    this.#state.changed();
    return stored;
  }

  /** The app posts as its bot user. */
  postAsApp(message: Omit<NewMessage, "user" | "botId">): StoredMessage {
    const { botUserId, botId } = this.#state.app;
    return this.post({ ...message, user: botUserId, botId });
  }

  #tellOfPost(stored: StoredMessage): void {
    const { reply_count: _, ...message } = messageObject(this.#state, stored);
    const event = {
      ...message,
      ...(stored.files.length > 0 && stored.subtype === undefined && { subtype: "file_share", upload: false }),
      ...(stored.broadcast === true && { subtype: "thread_broadcast" }),
      channel: stored.channel,
      channel_type: this.#channelType(stored.channel),
      event_ts: stored.ts,
      ...(stored.botId === undefined && { client_msg_id: this.#state.hex(32) }),
      ...this.#actionToken(stored),
    };
    this.#delivery.tell(event, stored.channel);
    if (stored.botId === undefined) this.#tellOfLinks(stored);
    const mentioned = stored.text.includes(`<@${this.#state.app.botUserId}>`);
    // In the direct conversation with the app a mention is an ordinary message.
    if (!mentioned || event.channel_type === "im" || stored.botId !== undefined) return;
    this.#delivery.tell({ ...event, type: "app_mention", channel_type: undefined, subtype: undefined }, stored.channel);
  }

  /** What the app may search with for whoever wrote: in a public channel only where it is mentioned. */
  #actionToken({ channel, text, user, botId }: StoredMessage): { action_token?: string } {
    const isPublic = this.#state.channels.get(channel)?.kind === "public";
    if (botId !== undefined || (isPublic && !text.includes(`<@${this.#state.app.botUserId}>`))) return {};
    const token = `${this.#state.digits(13)}.${this.#state.digits(12)}.${this.#state.hex(32)}`;
    this.#state.actionTokens.set(token, user);
    return { action_token: token };
  }

  /** The app hears of links of its domains wherever they are posted, also where it is no member; never of its own. */
  #tellOfLinks({ channel, ts, threadTs, user, text }: StoredMessage): void {
    const links = linksIn(text, unfurlDomains(this.#state));
    if (links.length === 0) return;
    const unfurlId = `${channel}.${ts}.${this.#state.hex(32)}`;
    this.#state.unfurlIds.set(unfurlId, { channel, ts });
    this.#delivery.tell({
      type: "link_shared",
      channel,
      is_bot_user_member: this.#state.appIsIn(channel),
      user,
      message_ts: ts,
      ...(threadTs !== undefined && { thread_ts: threadTs }),
      links,
      unfurl_id: unfurlId,
      source: "conversations_history",
      user_locale: "en-US",
    });
  }

  /** `channel_type` of events. */
  #channelType(id: string): string {
    const kind = this.#state.channels.get(id)?.kind ?? "public";
    return { public: "channel", private: "group", mpim: "mpim", im: "im" }[kind];
  }

  /** Changes a message in place. `quiet`: nobody is told, and it is not marked as edited (streams, unfurls). */
  edit(message: StoredMessage, by: string, change: MessageChange, options: { quiet?: boolean } = {}): void {
    const before = messageObject(this.#state, message);
    Object.assign(message, change, change.blocks !== undefined && { blocks: withIds(this.#state, change.blocks) });
    if (options.quiet !== true) {
      message.edited = { user: by, ts: this.#state.ts() };
      if (message.only === undefined) this.tellOfChange(message, before);
    }
    this.#state.changed();
  }

  /** Tells the app that a message is not what it was. `before`: as `messageObject` wrote it. */
  tellOfChange(message: StoredMessage, before: Record<string, unknown>): void {
    this.#tellHidden(message.channel, "message_changed", {
      message: messageObject(this.#state, message),
      previous_message: before,
    });
  }

  #tellHidden(channel: string, subtype: string, fields: Record<string, unknown>): void {
    const ts = this.#state.ts();
    const about = { channel, channel_type: this.#channelType(channel), ts, event_ts: ts };
    this.#delivery.tell({ type: "message", subtype, hidden: true, ...about, ...fields }, channel);
  }

  /** Deletes a message. The root of a thread with replies leaves a tombstone, as Slack does. */
  remove(message: StoredMessage): void {
    const before = messageObject(this.#state, message);
    delete message.pin;
    const hasReplies = before["reply_count"] !== undefined;
    if (hasReplies) {
      const blank = { text: "This message was deleted.", blocks: [], attachments: [], subtype: "tombstone" };
      Object.assign(message, blank);
      message.files.length = 0;
    } else message.deleted = true;
    if (message.only === undefined && hasReplies) this.tellOfChange(message, before);
    else if (message.only === undefined) {
      const fields = { deleted_ts: message.ts, previous_message: before };
      this.#tellHidden(message.channel, "message_deleted", fields);
    }
    this.#state.changed();
  }

  /** Pins a message that is not pinned. */
  pin(message: StoredMessage, by: string): void {
    message.pin = { by, at: Math.floor(this.#state.now() / 1000) };
    this.tell(this.#pinEvent("pin_added", message), message.channel);
  }

  /** Takes a pin away. */
  unpin(message: StoredMessage, by: string): void {
    const event = this.#pinEvent("pin_removed", message);
    delete message.pin;
    const left = this.pinned(message.channel).length;
    this.tell({ ...event, user: by, has_pins: left > 0, pin_count: String(left) }, message.channel);
  }

  /** Pinned messages of a channel, the latest pin first. */
  pinned(channel: string): StoredMessage[] {
    const pinned = this.#state.messagesIn(channel).filter((one) => one.pin !== undefined && !one.deleted);
    return pinned.toReversed().toSorted((one, other) => (other.pin?.at ?? 0) - (one.pin?.at ?? 0));
  }

  /** A pin as `pins.list` and the events hold it: a copy of the message with its address. */
  pinItem(message: StoredMessage): Record<string, unknown> {
    const permalink = permalinkOf(this.#state, message);
    return {
      type: "message",
      channel: message.channel,
      created: message.pin?.at,
      created_by: message.pin?.by,
      message: { ...messageObject(this.#state, message), permalink },
    };
  }

  #pinEvent(type: string, message: StoredMessage): Record<string, unknown> {
    const { channel, pin } = message;
    return {
      type,
      user: pin?.by,
      channel_id: channel,
      item: this.pinItem(message),
      item_user: message.user,
      pin_count: String(this.pinned(channel).length),
      pinned_info: { channel, pinned_by: pin?.by, pinned_ts: pin?.at },
    };
  }

  /** Adds a reaction that is not there. */
  react(message: StoredMessage, by: string, name: string): void {
    const already = message.reactions.find((one) => one.name === name);
    if (already === undefined) message.reactions.push({ name, users: [by] });
    else already.users.push(by);
    this.#tellOfReaction("reaction_added", message, by, name);
  }

  /** Takes a reaction away. */
  unreact(message: StoredMessage, by: string, name: string): void {
    message.reactions = message.reactions
      .map((one) => (one.name === name ? { name, users: one.users.filter((user) => user !== by) } : one))
      .filter((one) => one.users.length > 0);
    this.#tellOfReaction("reaction_removed", message, by, name);
  }

  #tellOfReaction(type: string, message: StoredMessage, user: string, reaction: string): void {
    const item = { type: "message", channel: message.channel, ts: message.ts };
    this.tell({ type, user, reaction, item, item_user: message.user }, message.channel);
  }

  /** Someone becomes a member; an app does so with every event from then on. */
  join({ id, kind, members }: StoredChannel, user: string, inviter?: string): void {
    members.add(user);
    const channel_type = kind === "public" ? "C" : "G";
    const team = this.#state.team.id;
    this.tell({ type: "member_joined_channel", user, channel: id, channel_type, team, inviter }, id);
  }

  /** Someone is no member any more; an app learns of itself by an event of its own. */
  leave({ id, kind, members }: StoredChannel, user: string): void {
    members.delete(user);
    if (user === this.#state.app.botUserId) {
      this.tell({ type: kind === "public" ? "channel_left" : "group_left", channel: id, actor_id: "" });
      return;
    }
    const channel_type = kind === "public" ? "C" : "G";
    this.tell({ type: "member_left_channel", user, channel: id, channel_type, team: this.#state.team.id }, id);
  }

  /** Archives a channel. */
  archive(channel: StoredChannel, by: string): void {
    channel.archived = true;
    const type = channel.kind === "public" ? "channel_archive" : "group_archive";
    this.tell({ type, channel: channel.id, user: by, is_moved: 0 }, channel.id);
  }

  /** Gives a channel another name; the app hears of it as of a channel and as a message in it. */
  rename(channel: StoredChannel, name: string, by: string): void {
    const { id, name: before, created, kind } = channel;
    channel.name = name;
    const isPublic = kind === "public";
    const words = `<@${by}> has renamed the ${isPublic ? "channel" : "group"} from "${before}" to "${name}"`;
    this.post({ channel: id, user: by, text: words, subtype: isPublic ? "channel_name" : "group_name" });
    const told = { id, name, name_normalized: name, created, is_channel: isPublic, is_mpim: kind === "mpim" };
    this.tell({ type: isPublic ? "channel_rename" : "group_rename", channel: told }, id);
  }

  /** Makes a public channel private, or a private one public. It keeps its id; a message in it says so. */
  convert(channel: StoredChannel, kind: "public" | "private", by: string): void {
    if (channel.kind === kind) return;
    channel.kind = kind;
    const rest = kind === "private" ? "Only invited people see or join it." : "Everybody here can see and join it.";
    const subtype = `channel_convert_to_${kind}`;
    this.post({ channel: channel.id, user: by, text: `made this channel *${kind}*. ${rest}`, subtype });
  }

  /** Shares a channel with another company, begins to, or ends that. */
  share(channel: StoredChannel, shared: StoredChannel["shared"]): void {
    const before = channel.shared;
    channel.shared = shared;
    const { partnerTeamId: team } = this.#state;
    const about = { channel: channel.id };
    if (shared === "yes" && before !== "yes") {
      this.tell({ type: "channel_shared", connected_team_id: team, ...about }, channel.id);
    } else if (shared !== "yes" && before === "yes") {
      const gone = { previously_connected_team_id: team, is_ext_shared: false };
      this.tell({ type: "channel_unshared", ...gone, ...about }, channel.id);
    } else this.#state.changed();
  }

  /** Ends an account. */
  deactivate(account: User): void {
    const ended = { ...account, deactivated: true };
    this.#state.users.set(account.id, ended);
    this.tell({ type: "user_change", user: userObject(this.#state, ended, { email: false }) });
  }

  /** A file was given to the workspace; the app hears of it with the message that shares it. */
  fileShared(id: string, channel: string, user: string): void {
    this.#delivery.tell(
      { type: "file_shared", channel_id: channel, file_id: id, user_id: user, file: { id } },
      channel,
    );
  }

  /** The bot token is good for nothing any more. */
  tellOfRevocation(): void {
    this.tell({ type: "tokens_revoked", tokens: { oauth: [], bot: [this.#state.app.botUserId] } });
  }
}
