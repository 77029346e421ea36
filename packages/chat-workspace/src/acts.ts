import { channelTypeOf, fileObject, messageObject, permalinkOf, userObject } from "./objects.ts";
import { withIds } from "./blocks.ts";
import type { State, StoredChannel, StoredMessage } from "./state.ts";

/** Tells the app of an event, if it is subscribed and, where a channel is named, a member of it. */
export type Tell = (event: Record<string, unknown>, where?: { readonly channel?: string }) => void;

/** A message to be; what is absent is empty. */
export type NewMessage = Pick<StoredMessage, "channel" | "user" | "text"> &
  Partial<Omit<StoredMessage, "ts" | "deleted" | "reactions" | "edited" | "pin">>;

/** What may change in a message. */
export type MessageChange = Partial<Pick<StoredMessage, "text" | "blocks" | "attachments" | "metadata">>;

/** Everything that changes the workspace and tells the app of it; whether it may happen is asked before. */
export class Acts {
  readonly #state: State;
  readonly #tell: Tell;

  constructor(state: State, tell: Tell) {
    this.#state = state;
    this.#tell = tell;
  }

  /** Posts; an ephemeral message (`only`) is told to nobody. */
  post(message: NewMessage): StoredMessage {
    const stored: StoredMessage = {
      ...message,
      ts: this.#state.ts(),
      blocks: withIds(this.#state, message.blocks ?? []),
      attachments: [...(message.attachments ?? [])],
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
    const event = this.messageEvent(stored);
    this.#tell(event, { channel: stored.channel });
    const mentioned = stored.text.includes(`<@${this.#state.app.botUserId}>`);
    // In the direct conversation with the app a mention is an ordinary message.
    const direct = this.#channel(stored.channel)?.kind === "im";
    if (!mentioned || direct || stored.botId !== undefined) return;
    const { channel_type: _, subtype: __, ...rest } = event;
    this.#tell({ ...rest, type: "app_mention" }, { channel: stored.channel });
  }

  /** The event a new message is. */
  messageEvent(stored: StoredMessage): Record<string, unknown> {
    const channel = this.#channel(stored.channel);
    const { reply_count: _, ...message } = messageObject(this.#state, stored);
    return {
      ...message,
      ...(stored.files.length > 0 && stored.subtype === undefined && { subtype: "file_share", upload: false }),
      ...(stored.broadcast === true && { subtype: "thread_broadcast" }),
      channel: stored.channel,
      channel_type: channel === undefined ? "channel" : channelTypeOf(channel),
      event_ts: stored.ts,
      ...(stored.botId === undefined && { client_msg_id: this.#state.hex(32) }),
    };
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
    this.#tell(
      this.#hidden(message.channel, "message_changed", {
        message: messageObject(this.#state, message),
        previous_message: before,
      }),
      { channel: message.channel },
    );
  }

  #hidden(channel: string, subtype: string, fields: Record<string, unknown>): Record<string, unknown> {
    const ts = this.#state.ts();
    const place = this.#channel(channel);
    const channel_type = place === undefined ? "channel" : channelTypeOf(place);
    return { type: "message", subtype, hidden: true, channel, channel_type, ts, event_ts: ts, ...fields };
  }

  /** Deletes a message. The root of a thread with replies leaves a tombstone, as Slack does. */
  remove(message: StoredMessage): void {
    const before = messageObject(this.#state, message);
    if (message.pin !== undefined) delete message.pin;
    if (before["reply_count"] !== undefined) {
      const blank = { text: "This message was deleted.", blocks: [], attachments: [], subtype: "tombstone" };
      Object.assign(message, blank);
      message.files.length = 0;
      if (message.only === undefined) this.tellOfChange(message, before);
    } else {
      message.deleted = true;
      if (message.only === undefined) {
        const fields = { deleted_ts: message.ts, previous_message: before };
        this.#tell(this.#hidden(message.channel, "message_deleted", fields), { channel: message.channel });
      }
    }
    this.#state.changed();
  }

  /** Pins a message that is not pinned. */
  pin(message: StoredMessage, by: string): void {
    message.pin = { by, at: Math.floor(this.#state.now() / 1000) };
    this.#tell(this.#pinEvent("pin_added", message, by, message.pin.at), { channel: message.channel });
    this.#state.changed();
  }

  /** Takes a pin away. */
  unpin(message: StoredMessage, by: string): void {
    const at = message.pin?.at ?? 0;
    const creator = message.pin?.by ?? by;
    const event = this.#pinEvent("pin_removed", message, creator, at);
    delete message.pin;
    const left = this.pinned(message.channel).length;
    this.#tell({ ...event, user: by, has_pins: left > 0, pin_count: String(left) }, { channel: message.channel });
    this.#state.changed();
  }

  /** Pinned messages of a channel, the latest pin first. */
  pinned(channel: string): StoredMessage[] {
    const pinned = this.#state.messagesIn(channel).filter((one) => one.pin !== undefined && !one.deleted);
    return pinned.toReversed().toSorted((one, other) => (other.pin?.at ?? 0) - (one.pin?.at ?? 0));
  }

  /** A pin as `pins.list` and the events hold it: a copy of the message with its address. */
  pinItem(message: StoredMessage, by: string, at: number): Record<string, unknown> {
    const copy = { ...messageObject(this.#state, message), permalink: permalinkOf(this.#state, message) };
    const pinned = { ...copy, pinned_to: [message.channel] };
    return { type: "message", channel: message.channel, created: at, created_by: by, message: pinned };
  }

  #pinEvent(type: string, message: StoredMessage, by: string, at: number): Record<string, unknown> {
    return {
      type,
      user: by,
      channel_id: message.channel,
      item: this.pinItem(message, by, at),
      item_user: message.user,
      pin_count: String(this.pinned(message.channel).length),
      pinned_info: { channel: message.channel, pinned_by: by, pinned_ts: at },
      event_ts: this.#state.ts(),
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
    const event = { type, user, reaction, item, item_user: message.user, event_ts: this.#state.ts() };
    this.#tell(event, { channel: message.channel });
    this.#state.changed();
  }

  /** Someone becomes a member; an app does so with every event from then on. */
  join(channel: StoredChannel, user: string, inviter?: string): void {
    channel.members.add(user);
    const event = {
      type: "member_joined_channel",
      user,
      channel: channel.id,
      channel_type: channel.kind === "public" ? "C" : "G",
      team: this.#state.team.id,
      ...(inviter !== undefined && { inviter }),
      event_ts: this.#state.ts(),
    };
    this.#tell(event, { channel: channel.id });
    this.#state.changed();
  }

  /** Someone is no member any more; an app learns of itself by an event of its own. */
  leave(channel: StoredChannel, user: string): void {
    const letter = channel.kind === "public" ? "C" : "G";
    const event_ts = this.#state.ts();
    channel.members.delete(user);
    if (user === this.#state.app.botUserId) {
      const type = channel.kind === "public" ? "channel_left" : "group_left";
      this.#tell({ type, channel: channel.id, actor_id: "", event_ts });
    } else {
      const team = this.#state.team.id;
      const event = { type: "member_left_channel", user, channel: channel.id, channel_type: letter, team, event_ts };
      this.#tell(event, { channel: channel.id });
    }
    this.#state.changed();
  }

  /** Archives a channel. */
  archive(channel: StoredChannel, by: string): void {
    channel.archived = true;
    const type = channel.kind === "public" ? "channel_archive" : "group_archive";
    this.#tell(
      { type, channel: channel.id, user: by, is_moved: 0, event_ts: this.#state.ts() },
      { channel: channel.id },
    );
    this.#state.changed();
  }

  /** Shares a channel with another company, begins to, or ends that. */
  share(channel: StoredChannel, shared: StoredChannel["shared"]): void {
    const before = channel.shared;
    channel.shared = shared;
    const event_ts = this.#state.ts();
    const about = { channel: channel.id, event_ts };
    if (shared === "yes" && before !== "yes") {
      this.#tell({ type: "channel_shared", connected_team_id: this.#state.partnerTeamId, ...about }, about);
    }
    if (shared !== "yes" && before === "yes") {
      const gone = { previously_connected_team_id: this.#state.partnerTeamId, is_ext_shared: false };
      this.#tell({ type: "channel_unshared", ...gone, ...about }, about);
    }
    this.#state.changed();
  }

  /** Ends an account. */
  deactivate(user: string): void {
    const account = this.#state.users.get(user);
    if (account === undefined) return;
    const ended = { ...account, deactivated: true };
    this.#state.users.set(user, ended);
    const event_ts = this.#state.ts();
    this.#tell({ type: "user_change", user: userObject(this.#state, ended, { email: false }), event_ts });
    this.#state.changed();
  }

  /** A file was given to the workspace; the app hears of it with the message that shares it. */
  fileShared(file: string, channel: string, user: string): void {
    const stored = this.#state.files.get(file);
    if (stored === undefined) return;
    const { id } = fileObject(this.#state, stored);
    const event = { type: "file_shared", channel_id: channel, file_id: id, user_id: user, file: { id } };
    this.#tell({ ...event, event_ts: this.#state.ts() }, { channel });
  }

  /** Any other event, such as `app_home_opened`. */
  tell(event: Record<string, unknown>, where?: { readonly channel?: string }): void {
    this.#tell(event, where);
  }

  #channel(id: string): StoredChannel | undefined {
    return this.#state.channels.get(id);
  }
}
