import { postSigned, signedHttp } from "./delivery/signed-http.ts";
import type { Faults } from "./faults.ts";
import type { Parts } from "./workspace-parts.ts";
import { Person } from "./people.ts";
import { slackbotCall, type SlackbotReply } from "./slackbot.ts";
import { channelNow, seenBy } from "./seen.ts";
import { type State, standsInChannel } from "./state.ts";
import { isObject, parseJson } from "./fields.ts";
import type { ApiCall, Channel, ChannelKind, Message, SigningOptions, User, WorkspaceOptions } from "./workspace.ts";

/** How often a condition is looked at when nothing changes here: it may be about the app, milliseconds. */
const LOOK_MS = 25;

/** After this the platform ends a status line, and a session's `processing`, by itself; milliseconds. */
const STATUS_LINE_MS = 2 * 60_000;
const PROCESSING_MS = 60 * 60_000;

/** A workspace on loopback that listens. */
export class Workspace {
  /** Address of the page to talk in. */
  readonly url: string;
  /** Port on 127.0.0.1. */
  readonly port: number;
  /** What an app gets as `slackApiUrl`. */
  readonly slackApiUrl: string;
  readonly credentials: State["credentials"];
  readonly team: State["team"];
  readonly app: State["app"];
  readonly faults: Faults;
  /** Everything the app called, oldest first. */
  readonly calls: readonly ApiCall[];
  /** What the app's manifest offers people here. */
  readonly offers: Required<Pick<NonNullable<WorkspaceOptions["app"]>, "commands" | "shortcuts">> & {
    /** Whether it is among what people search. */
    readonly search: boolean;
  };
  readonly #state: State;
  readonly #parts: Parts;
  readonly #end: () => Promise<void>;
  #closed: Promise<void> | undefined;

  constructor(parts: Parts, port: number, end: () => Promise<void>) {
    this.#parts = parts;
    this.port = port;
    this.#end = end;
    this.#state = parts.state;
    const { url, credentials, team, app, options } = parts.state;
    this.url = `${url}/`;
    this.slackApiUrl = `${url}/api/`;
    this.credentials = credentials;
    this.team = team;
    this.app = app;
    this.faults = parts.faults;
    this.calls = parts.calls;
    const { commands = [], shortcuts = [], search } = options.app ?? {};
    this.offers = { commands, shortcuts, search: search !== undefined };
  }

  addUser(user: { name: string; realName?: string; kind?: User["kind"]; email?: string }): Person {
    const { kind = "member" } = user;
    const stored: User = {
      ...user,
      id: this.#state.id("U"),
      realName: user.realName ?? user.name,
      kind,
      // A stranger comes from the other company of a shared channel.
      teamId: kind === "stranger" ? this.#state.partnerTeamId : this.#state.team.id,
      deactivated: false,
    };
    this.#state.users.set(stored.id, stored);
    this.#state.changed();
    return new Person(this.#parts, stored);
  }

  person(userId: string): Person {
    const person = this.people().find(({ user }) => user.id === userId);
    if (person === undefined) throw new Error(`There is nobody with the id ${userId}.`);
    return person;
  }

  /** Everybody with an account, the app's own left out, in the order they were added. */
  people(): readonly Person[] {
    const users = [...this.#state.users.values()].filter(({ kind }) => kind !== "bot");
    return users.map((user) => new Person(this.#parts, user));
  }

  addChannel(channel: { name: string; kind?: ChannelKind; members?: readonly string[]; withApp?: boolean }): Channel {
    const { name, kind = "public", withApp = true } = channel;
    const everybody = this.people().filter(({ user }) => user.kind !== "stranger" && !user.kind.endsWith("guest"));
    const people = channel.members ?? everybody.map(({ user }) => user.id);
    const members = withApp ? [...people, this.app.botUserId] : people;
    const stored = this.#state.addChannel({ name, kind, members });
    this.#state.changed();
    return channelNow(stored);
  }

  channel(id: string): Channel {
    return channelNow(this.#state.channel(id));
  }

  channels(): readonly Channel[] {
    return [...this.#state.channels.values()].map(channelNow);
  }

  archive(channel: string): void {
    this.#parts.acts.archive(this.#state.channel(channel), this.#somebody());
  }

  rename(channel: string, name: string): void {
    this.#parts.acts.rename(this.#state.channel(channel), name, this.#somebody());
  }

  /** Makes a channel private, or public again. */
  convert(channel: string, kind: "public" | "private"): void {
    this.#parts.acts.convert(this.#state.channel(channel), kind, this.#somebody());
  }

  #somebody(): string {
    return this.people()[0]?.user.id ?? this.app.botUserId;
  }

  /** Shares a channel with another company, or begins to. */
  share(channel: string, state: Channel["shared"]): void {
    this.#parts.acts.share(this.#state.channel(channel), state);
  }

  removeApp(channel: string): void {
    this.#parts.acts.leave(this.#state.channel(channel), this.app.botUserId);
  }

  /** Ends an account: the person can do nothing any more. */
  deactivate(userId: string): void {
    this.#parts.acts.deactivate(this.person(userId).user);
  }

  inviteApp(channel: string, inviter?: string): void {
    this.#parts.acts.join(this.#state.channel(channel), this.app.botUserId, inviter);
  }

  /** The direct conversation of the app with a person. */
  dmOf(userId: string): Channel {
    return channelNow(this.#state.directOf(this.app.botUserId, userId));
  }

  /** What stands in a channel (roots only) or a thread (root first), oldest first, deleted ones left out. */
  messages(channel: string, threadTs?: string): readonly Message[] {
    return this.#state
      .readable(channel)
      .filter((one) =>
        threadTs === undefined ? standsInChannel(one) : one.ts === threadTs || one.threadTs === threadTs,
      )
      .map((one) => seenBy(this.#state, one));
  }

  message(channel: string, ts: string): Message | undefined {
    const found = this.#state.messagesIn(channel).find((one) => one.ts === ts);
    return found === undefined ? undefined : seenBy(this.#state, found);
  }

  /** The agent session of a thread: whether the app works there, its status text and title. */
  session(channel: string, threadTs: string) {
    const session = this.#state.sessions.get(`${channel}:${threadTs}`);
    if (session === undefined) return undefined;
    const age = this.#state.now() - (session.statusAt ?? this.#state.now());
    const lineOver = session.line !== "" && age > STATUS_LINE_MS;
    const over = lineOver || (session.status === "processing" && age > PROCESSING_MS);
    const status = over ? "active" : session.status;
    return { status, words: over ? "" : session.line, title: session.title ?? "" };
  }

  /** Prompts the app suggests in a direct conversation. */
  prompts(channel: string): readonly { readonly title: string; readonly message: string }[] {
    const prompts = this.#state.prompts.get(channel)?.prompts ?? [];
    return prompts.map((one) => ({ title: String(one["title"]), message: String(one["message"]) }));
  }

  /** An attached file. */
  file(id: string): { readonly name: string; readonly mimetype: string; readonly content: Uint8Array } | undefined {
    const file = this.#state.files.get(id);
    return file?.content && { name: file.name, mimetype: file.mimetype, content: file.content };
  }

  /** Sockets that are connected now. */
  sockets(): number {
    return this.#parts.sockets.connected;
  }

  /** Resolves when the condition holds, looked at after every change; rejects after `timeoutMs` (default 45,000). */
  until<Found>(condition: () => Found | undefined | false, timeoutMs = 45_000): Promise<Found> {
    return new Promise((resolve, reject) => {
      let soon: NodeJS.Immediate | undefined;
      const end = (): void => {
        clearImmediate(soon);
        clearInterval(looking);
        clearTimeout(late);
        unfollow();
      };
      const look = (): void => {
        soon = undefined;
        try {
          const found = condition();
          if (found === undefined || found === false) return;
          end();
          resolve(found);
        } catch (error) {
          end();
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      };
      // Not in the middle of a call: what it changed and its record are to be seen together.
      const unfollow = this.#state.onChange(() => {
        soon ??= setImmediate(look);
      });
      const looking = setInterval(look, LOOK_MS);
      const late = setTimeout(() => {
        end();
        reject(new Error(`Waited ${timeoutMs} ms in vain for: ${String(condition)}\n${this.#lately()}`));
      }, timeoutMs);
      look();
    });
  }

  /** The last calls, for whoever reads why a wait was in vain. */
  #lately(): string {
    const last = this.calls.slice(-8).map(({ method, status, response, refusals }) => {
      const why = response["error"] === undefined ? "" : ` ${String(response["error"])}`;
      return `  ${method} ${status}${why} ${refusals.join("; ")}`.trimEnd();
    });
    return `Last calls of the app:\n${last.join("\n") || "  none"}`;
  }

  /** Called after every change of anything visible; the returned function ends that. */
  onChange(listener: () => void): () => void {
    return this.#state.onChange(listener);
  }

  /**
   * Sends the app an event as it is, subscribed to or not; for forged and odd ones. `envelope`: fields of the body around
   * it. Resolves when it was acknowledged or is not tried again; while nobody is connected it waits.
   */
  async deliver(event: Record<string, unknown>, envelope?: Record<string, unknown>): Promise<void> {
    await this.#parts.delivery.event(event, envelope);
  }

  /**
   * Enters an address for events as the app's settings page does: it must echo a challenge, then everything is posted
   * there, signed, and nothing goes over sockets any more. Rejects when it does not.
   */
  async useRequestUrl(url: string): Promise<void> {
    const { signingSecret, verificationToken: token } = this.#state.credentials;
    const challenge = this.#state.hex(32);
    const body = JSON.stringify({ token, challenge, type: "url_verification" });
    const { status, text } = await postSigned(url, signingSecret, body);
    const parsed = parseJson(text);
    const echoed = isObject(parsed) ? parsed["challenge"] : text;
    if (status !== 200 || echoed !== challenge) {
      throw new Error(`${url} did not answer the challenge: it said ${status} ${text.slice(0, 200)}`);
    }
    this.#parts.delivery.transport = signedHttp(this.#state, url, this.#parts.ackTimeoutMs);
  }

  /** Posts to the app, signed; what is given makes it stale, forged or odd. */
  async postSigned(url: string, body: string, options: SigningOptions = {}): ReturnType<typeof postSigned> {
    return postSigned(url, this.credentials.signingSecret, body, options);
  }

  /** Asks an app's server as the workspace's own assistant does; see `slackbotCall`. */
  slackbot(url: string, message: Parameters<typeof slackbotCall>[2], options?: SigningOptions): Promise<SlackbotReply> {
    return slackbotCall((...given) => this.postSigned(...given), url, message, options);
  }

  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }
}
