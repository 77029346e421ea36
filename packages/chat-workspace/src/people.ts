import { Looks } from "./lookups/looks.ts";
import { settleStream } from "./messages/stream.ts";
import { seenBy } from "./seen.ts";
import type { StoredChannel, StoredMessage } from "./state.ts";
import { modalsOf, viewObject } from "./views.ts";
import type { Attachment, Message, SayOptions } from "./workspace.ts";

/** Most pins of one channel. */
export const MAX_PINS = 100;

/** A person in the workspace, and everything they can do. Each act sends the events Slack would send. */
export class Person extends Looks {
  /** Posts; resolves with the message's ts. */
  async say(channelId: string, text: string, options: SayOptions = {}): Promise<string> {
    const channel = this.open(channelId);
    const { threadTs } = options;
    if (threadTs !== undefined) this.message(channelId, threadTs);
    const files = (options.files ?? []).map((file) => this.#attach(file));
    const { id: user } = this.user;
    const { ts } = this.parts.acts.post({ channel: channel.id, user, text, threadTs, files });
    for (const file of files) this.parts.acts.fileShared(file, channel.id, user);
    return ts;
  }

  /** Posts with the app mentioned: both `app_mention` and `message` are delivered. */
  async mention(channel: string, text: string, options?: SayOptions): Promise<string> {
    const mention = `<@${this.state.app.botUserId}>`;
    return this.say(channel, text.includes(mention) ? text : `${mention} ${text}`, options);
  }

  /** Posts in the direct conversation with the app. */
  async dm(text: string, options?: SayOptions): Promise<string> {
    return this.say(this.#direct().id, text, options);
  }

  async edit(channel: string, ts: string, text: string): Promise<void> {
    this.parts.acts.edit(this.#own(channel, ts), this.user.id, { text });
  }

  async delete(channel: string, ts: string): Promise<void> {
    this.parts.acts.remove(this.user.kind === "admin" ? this.message(channel, ts) : this.#own(channel, ts));
  }

  async pin(channel: string, ts: string): Promise<void> {
    const { acts } = this.parts;
    const message = this.message(channel, ts);
    if (message.pin !== undefined) throw new Error("This message is pinned already.");
    if (acts.pinned(channel).length >= MAX_PINS) throw new Error(`A channel has no more than ${MAX_PINS} pins.`);
    acts.pin(message, this.user.id);
  }

  async unpin(channel: string, ts: string): Promise<void> {
    const message = this.message(channel, ts);
    if (message.pin === undefined) throw new Error("This message is not pinned.");
    this.parts.acts.unpin(message, this.user.id);
  }

  async react(channel: string, ts: string, name: string): Promise<void> {
    const message = this.message(channel, ts);
    if (this.#reacted(message, name)) throw new Error(`:${name}: is there already.`);
    this.parts.acts.react(message, this.user.id, name);
  }

  async unreact(channel: string, ts: string, name: string): Promise<void> {
    const message = this.message(channel, ts);
    if (!this.#reacted(message, name)) throw new Error(`There is no :${name}: of theirs on this message.`);
    this.parts.acts.unreact(message, this.user.id, name);
  }

  #reacted(message: StoredMessage, name: string): boolean {
    return message.reactions.some((one) => one.name === name && one.users.includes(this.user.id));
  }

  async join(channel: string): Promise<void> {
    const found = this.state.channel(channel);
    if (!found.members.has(this.user.id)) this.parts.acts.join(found, this.user.id);
  }

  async leave(channel: string): Promise<void> {
    const found = this.state.channel(channel);
    if (found.members.has(this.user.id)) this.parts.acts.leave(found, this.user.id);
  }

  async openHome(): Promise<void> {
    this.#openTab("home", this.home());
  }

  async openMessages(): Promise<void> {
    this.#openTab("messages");
  }

  #openTab(tab: "home" | "messages", view?: Record<string, unknown>): void {
    const { id: channel } = this.#direct();
    this.parts.delivery.tell({ type: "app_home_opened", user: this.user.id, channel, tab, view });
  }

  /** Presses the Stop button of the agent session in that thread. */
  async stop(channel: string, threadTs: string): Promise<void> {
    if (!this.parts.delivery.isSubscribed("agent_session_stopped")) {
      throw new Error("There is no Stop button: the app is not subscribed to agent_session_stopped.");
    }
    const inThread = this.state.messagesIn(channel).filter((one) => (one.threadTs ?? one.ts) === threadTs);
    for (const message of inThread) settleStream(this.state, message);
    const streaming = inThread.filter(({ stream }) => stream?.state === "in_progress");
    const working = this.state.sessions.get(`${channel}:${threadTs}`)?.status === "processing";
    if (streaming.length === 0 && !working) throw new Error("There is no Stop button: the app is not at work here.");
    for (const { stream } of streaming) if (stream !== undefined) stream.stoppedByUser = true;
    const streaming_message_ts = streaming.map(({ ts }) => ts);
    this.#tellOfSession("agent_session_stopped", channel, threadTs, { streaming_message_ts });
  }

  async renameSession(channel: string, threadTs: string, title: string): Promise<void> {
    this.message(channel, threadTs);
    const session = this.state.session(channel, threadTs);
    const previous_title = session.title;
    session.title = title;
    this.#tellOfSession("agent_session_title_changed", channel, threadTs, { title, previous_title });
  }

  #tellOfSession(type: string, channel: string, thread_ts: string, fields: Record<string, unknown>): void {
    this.parts.acts.tell({ type, channel, user: this.user.id, thread_ts, ...fields });
  }

  /** Messages only this person sees, oldest first; not those in a thread without replies, which Slack shows nobody. */
  ephemerals(channel?: string): readonly Message[] {
    const channels = channel === undefined ? [...this.state.channels.keys()] : [channel];
    return channels
      .flatMap((id) => this.state.messagesIn(id))
      .filter((one) => one.only === this.user.id && one.unshown !== true && !one.deleted)
      .toSorted((one, other) => (one.ts < other.ts ? -1 : 1))
      .map((one) => seenBy(this.state, one));
  }

  /** The published Home, if any. */
  home(): Record<string, unknown> | undefined {
    const view = this.state.homes.get(this.user.id);
    return view && viewObject(view);
  }

  /** Open modals, the topmost last. */
  modals(): readonly (Record<string, unknown> & { readonly id: string })[] {
    return modalsOf(this.state, this.user.id).map(viewObject);
  }

  #direct(): StoredChannel {
    return this.state.directOf(this.state.app.botUserId, this.user.id);
  }

  #own(channel: string, ts: string): StoredMessage {
    const message = this.message(channel, ts);
    if (message.user !== this.user.id) throw new Error("Only its author may do this to a message.");
    return message;
  }

  #attach({ name, mimetype, content }: Attachment): string {
    const id = this.state.id("F");
    this.state.files.set(id, {
      id,
      name,
      title: name,
      mimetype,
      user: this.user.id,
      created: Math.floor(this.state.now() / 1000),
      content: typeof content === "string" ? new TextEncoder().encode(content) : content,
      channels: new Set(),
    });
    return id;
  }
}
