import type { Acts } from "./acts.ts";
import { Interactions, type InteractionParts } from "./interactions.ts";
import { settleStream } from "./messages/stream.ts";
import { seenBy } from "./seen.ts";
import type { State, StoredChannel, StoredMessage, StoredView } from "./state.ts";
import { modalsOf, viewObject } from "./views.ts";
import type { Attachment, Message, Person, SayOptions, User } from "./workspace.ts";

/** Most pins of one channel. */
export const MAX_PINS = 100;

/** A person and what they can do. Acts that the workspace would not let them do throw an Error in plain words. */
export class WorkspacePerson implements Person {
  readonly #joined: User;
  readonly #parts: InteractionParts;
  readonly #interactions: Interactions;

  constructor(parts: InteractionParts, user: User) {
    this.#parts = parts;
    this.#joined = user;
    this.#interactions = new Interactions(parts, user);
  }

  get user(): User {
    return this.#state.users.get(this.#joined.id) ?? this.#joined;
  }

  get #state(): State {
    return this.#parts.state;
  }

  get #acts(): Acts {
    return this.#parts.acts;
  }

  async say(channelId: string, text: string, options: SayOptions = {}): Promise<string> {
    const channel = this.#open(channelId);
    const { threadTs } = options;
    if (threadTs !== undefined) this.#message(channelId, threadTs);
    const files = (options.files ?? []).map((file) => this.#attach(file));
    const { id: user } = this.user;
    const { ts } = this.#acts.post({ channel: channel.id, user, text, threadTs, files });
    for (const file of files) this.#acts.fileShared(file, channel.id, user);
    return ts;
  }

  async mention(channel: string, text: string, options?: SayOptions): Promise<string> {
    const mention = `<@${this.#state.app.botUserId}>`;
    return this.say(channel, text.includes(mention) ? text : `${mention} ${text}`, options);
  }

  async dm(text: string, options?: SayOptions): Promise<string> {
    return this.say(this.#direct().id, text, options);
  }

  async edit(channel: string, ts: string, text: string): Promise<void> {
    const message = this.#own(channel, ts);
    this.#acts.edit(message, this.user.id, { text });
  }

  async delete(channel: string, ts: string): Promise<void> {
    const message = this.user.kind === "admin" ? this.#message(channel, ts) : this.#own(channel, ts);
    this.#acts.remove(message);
  }

  async pin(channel: string, ts: string): Promise<void> {
    const message = this.#message(channel, ts);
    if (message.pin !== undefined) throw new Error("This message is pinned already.");
    if (this.#acts.pinned(channel).length >= MAX_PINS) throw new Error(`A channel has no more than ${MAX_PINS} pins.`);
    this.#acts.pin(message, this.user.id);
  }

  async unpin(channel: string, ts: string): Promise<void> {
    const message = this.#message(channel, ts);
    if (message.pin === undefined) throw new Error("This message is not pinned.");
    this.#acts.unpin(message, this.user.id);
  }

  async react(channel: string, ts: string, name: string): Promise<void> {
    const message = this.#message(channel, ts);
    if (this.#reacted(message, name)) throw new Error(`:${name}: is there already.`);
    this.#acts.react(message, this.user.id, name);
  }

  async unreact(channel: string, ts: string, name: string): Promise<void> {
    const message = this.#message(channel, ts);
    if (!this.#reacted(message, name)) throw new Error(`There is no :${name}: of theirs on this message.`);
    this.#acts.unreact(message, this.user.id, name);
  }

  #reacted(message: StoredMessage, name: string): boolean {
    return message.reactions.some((one) => one.name === name && one.users.includes(this.user.id));
  }

  async join(channel: string): Promise<void> {
    const found = this.#state.channel(channel);
    if (!found.members.has(this.user.id)) this.#acts.join(found, this.user.id);
  }

  async leave(channel: string): Promise<void> {
    const found = this.#state.channel(channel);
    if (found.members.has(this.user.id)) this.#acts.leave(found, this.user.id);
  }

  async press(
    target: { channel: string; ts: string } | { viewId: string },
    actionId: string,
    value?: string,
  ): Promise<void> {
    if ("viewId" in target) {
      await this.#interactions.pressInView(this.#view(target.viewId), actionId, value);
      return;
    }
    const message = this.#message(target.channel, target.ts);
    await this.#interactions.pressInMessage(message, actionId, value);
  }

  async submit(viewId: string, values: Readonly<Record<string, string>>): Promise<Record<string, unknown> | undefined> {
    return this.#interactions.submit(this.#modal(viewId), values);
  }

  async dismiss(viewId: string): Promise<void> {
    await this.#interactions.dismiss(this.#modal(viewId));
  }

  async command(channel: string, command: string, text: string): Promise<Record<string, unknown> | undefined> {
    return this.#interactions.command(this.#open(channel).id, command, text);
  }

  async shortcut(callbackId: string, message: { channel: string; ts: string }): Promise<void> {
    await this.#interactions.messageShortcut(callbackId, this.#message(message.channel, message.ts));
  }

  async globalShortcut(callbackId: string): Promise<void> {
    await this.#interactions.globalShortcut(callbackId);
  }

  async openHome(): Promise<void> {
    this.#openTab("home");
  }

  async openMessages(): Promise<void> {
    this.#openTab("messages");
  }

  #openTab(tab: "home" | "messages"): void {
    const { id: channel } = this.#direct();
    const view = tab === "home" ? this.home() : undefined;
    const event = { type: "app_home_opened", user: this.user.id, channel, tab, event_ts: this.#state.ts() };
    this.#acts.tell(view === undefined ? event : { ...event, view });
  }

  async stop(channel: string, threadTs: string): Promise<void> {
    if (!this.#parts.delivery.isSubscribed("agent_session_stopped")) {
      throw new Error("There is no Stop button: the app is not subscribed to agent_session_stopped.");
    }
    const inThread = this.#state.messagesIn(channel).filter((one) => (one.threadTs ?? one.ts) === threadTs);
    for (const message of inThread) settleStream(this.#state, message);
    const streaming = inThread.filter(({ stream }) => stream?.state === "in_progress");
    const working = this.#state.sessions.get(`${channel}:${threadTs}`)?.status === "processing";
    if (streaming.length === 0 && !working) throw new Error("There is no Stop button: the app is not at work here.");
    for (const { stream } of streaming) if (stream !== undefined) stream.stoppedByUser = true;
    this.#acts.tell({
      type: "agent_session_stopped",
      channel,
      user: this.user.id,
      thread_ts: threadTs,
      streaming_message_ts: streaming.map(({ ts }) => ts),
      event_ts: this.#state.ts(),
    });
    this.#state.changed();
  }

  async renameSession(channel: string, threadTs: string, title: string): Promise<void> {
    this.#message(channel, threadTs);
    const session = this.#state.session(channel, threadTs);
    const before = session.title;
    session.title = title;
    this.#acts.tell({
      type: "agent_session_title_changed",
      channel,
      user: this.user.id,
      thread_ts: threadTs,
      title,
      ...(before !== undefined && { previous_title: before }),
      event_ts: this.#state.ts(),
    });
    this.#state.changed();
  }

  ephemerals(channel?: string): readonly Message[] {
    const channels = channel === undefined ? [...this.#state.channels.keys()] : [channel];
    return channels
      .flatMap((id) => this.#state.messagesIn(id))
      .filter((one) => one.only === this.user.id && one.unshown !== true && !one.deleted)
      .toSorted((one, other) => (one.ts < other.ts ? -1 : 1))
      .map((one) => seenBy(this.#state, one));
  }

  home(): Record<string, unknown> | undefined {
    const view = this.#state.views.get(this.#state.homes.get(this.user.id) ?? "");
    return view === undefined ? undefined : viewObject(view);
  }

  modals(): readonly (Record<string, unknown> & { readonly id: string })[] {
    return modalsOf(this.#state, this.user.id).map(viewObject);
  }

  // ── What is there to act on ───────────────────────────────────────────────────────────────────────────────────

  /** A channel the person may write in; a public one is joined in passing, as the button under it does. */
  #open(id: string): StoredChannel {
    const channel = this.#state.channel(id);
    if (this.user.deactivated) throw new Error(`The account of ${this.user.realName} is deactivated.`);
    if (channel.archived) throw new Error(`#${channel.name} is archived: nothing can be posted there.`);
    if (!channel.members.has(this.user.id)) {
      if (channel.kind !== "public") throw new Error(`${this.user.realName} is not in #${channel.name}.`);
      channel.members.add(this.user.id);
    }
    return channel;
  }

  #direct(): StoredChannel {
    return this.#state.directOf(this.#state.app.botUserId, this.user.id);
  }

  #message(channel: string, ts: string): StoredMessage {
    const message = this.#state.message(channel, ts);
    const seen =
      message !== undefined &&
      message.unshown !== true &&
      (message.only === undefined || message.only === this.user.id);
    if (!seen) throw new Error(`${this.user.realName} sees no message ${ts} in ${channel}.`);
    return message;
  }

  #own(channel: string, ts: string): StoredMessage {
    const message = this.#message(channel, ts);
    if (message.user !== this.user.id) throw new Error("Only its author may do this to a message.");
    return message;
  }

  #view(id: string): StoredView {
    const view = this.#state.views.get(id);
    if (view === undefined || view["user_id"] !== this.user.id) throw new Error(`There is no view ${id} to see.`);
    return view;
  }

  #modal(id: string): StoredView {
    const open = modalsOf(this.#state, this.user.id).find((view) => view.id === id);
    if (open === undefined) throw new Error(`The modal ${id} is not open.`);
    return open;
  }

  #attach({ name, mimetype, content }: Attachment): string {
    const id = this.#state.id("F");
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    this.#state.files.set(id, {
      id,
      name,
      title: name,
      mimetype,
      user: this.user.id,
      created: Math.floor(this.#state.now() / 1000),
      content: bytes,
      channels: new Set(),
    });
    return id;
  }
}
