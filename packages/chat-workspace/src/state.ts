import type { Channel, ChannelKind, Message, User, WorkspaceOptions } from "./workspace.ts";
import { seededRandom } from "./seeded-random.ts";

/** What a message is to the workspace itself; what people see of it is a `Message`. */
export interface StoredMessage {
  readonly ts: string;
  readonly channel: string;
  readonly threadTs?: string;
  readonly user: string;
  readonly botId?: string;
  /** As events name it; absent: an ordinary message. */
  subtype?: string;
  text: string;
  blocks: Record<string, unknown>[];
  attachments: Record<string, unknown>[];
  /** Work Objects below it, as the app told them of the links in it. */
  entities: Record<string, unknown>[];
  metadata?: Message["metadata"];
  edited?: { readonly user: string; readonly ts: string };
  deleted: boolean;
  readonly files: string[];
  reactions: { readonly name: string; readonly users: string[] }[];
  /** Who pinned it and when, seconds since 1970. */
  pin?: { readonly by: string; readonly at: number };
  /** Only for messages that are or were streamed. */
  stream?: StoredStream;
  /** The one person who sees it; absent: everybody in the channel. */
  readonly only?: string;
  /** Nobody sees it: it was meant for one person, in a thread nobody had replied in. */
  readonly unshown?: boolean;
  /** Name and picture of its own (`chat:write.customize`). */
  readonly look?: Readonly<Record<string, unknown>>;
  /** A reply that is also shown in the channel. */
  readonly broadcast?: boolean;
}

/** How far a streamed message has come. */
export interface StoredStream {
  state: "in_progress" | "stopped" | "expired";
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Task cards, in order of their first appearance. */
  readonly tasks: Record<string, unknown>[];
  /** Everything streamed so far, in order. */
  readonly chunks: Record<string, unknown>[];
  /** How its task cards are shown, as `task_display_mode` has it. */
  readonly display: string;
  /** A person pressed Stop. */
  stoppedByUser: boolean;
}

/** A channel with what can change. */
export interface StoredChannel {
  readonly id: string;
  name: string;
  kind: ChannelKind;
  readonly members: Set<string>;
  archived: boolean;
  shared: Channel["shared"];
  /** Seconds since 1970. */
  readonly created: number;
}

/** A file, bytes included. */
export interface StoredFile {
  readonly id: string;
  readonly name: string;
  title: string;
  readonly mimetype: string;
  readonly user: string;
  /** Seconds since 1970. */
  readonly created: number;
  content?: Uint8Array;
  /** Channels it was shared in. */
  readonly channels: Set<string>;
  /** Announced length of an upload, bytes. */
  readonly expectedLength?: number;
  /** Part of the address an upload is sent to. */
  readonly uploadTicket?: string;
}

/** A modal or a Home, as `views.*` answers it. */
export interface StoredView extends Record<string, unknown> {
  readonly id: string;
  readonly type: "modal" | "home";
  hash: string;
  state: { values: Record<string, Record<string, unknown>> };
}

/** What the platform knows of the agent's work in one thread. */
export interface StoredSession {
  readonly channel: string;
  readonly threadTs: string;
  status: "active" | "processing" | "suspended" | "closed";
  title?: string;
  /** Text of the legacy status line, such as "is thinking…"; empty: none. */
  line: string;
  loadingMessages: readonly string[];
  /** When a status was last set, milliseconds since 1970. */
  statusAt?: number;
  user?: string;
}

/** A token and what it may do. */
export interface StoredToken {
  readonly value: string;
  readonly kind: "bot" | "app" | "config";
  readonly scopes: readonly string[];
  revoked: boolean;
  /** Milliseconds since 1970; absent: never. */
  expiresAt?: number;
}

/** A permission to open one modal, from something a person did. */
export interface StoredTrigger {
  readonly user: string;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  used: boolean;
  /** The view the person acted in, if any. */
  readonly view?: string;
}

/** Where an answer to something a person did may be posted. */
export interface StoredResponseUrl {
  readonly secret: string;
  readonly user: string;
  readonly channel: string;
  /** The message acted on; its `ts`. */
  readonly source?: string;
  readonly threadTs?: string;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  uses: number;
}

/** A function of the app's that was begun for somebody. */
export interface StoredExecution {
  readonly id: string;
  readonly user: string;
  /** Type of each output, by its name. */
  readonly declared: Readonly<Record<string, string>>;
  state: "running" | "completed" | "failed";
  readonly settle: (ended: { outputs: Record<string, unknown> } | { error: string }) => void;
}

/** A message that is being written, with what the app shows of the links in it. */
export interface StoredPreview extends Pick<StoredMessage, "user" | "text" | "attachments" | "entities"> {}

/** Somebody opened a preview, or a result of the search; until it is answered. */
export interface StoredDetails {
  readonly ref: { readonly id: string };
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  /** The message it stands below; absent: it is a result of the search. */
  readonly at?: { readonly channel: string; readonly ts: string };
  readonly settle: (shown: {
    metadata: Record<string, unknown> | undefined;
    error: Record<string, unknown> | undefined;
  }) => void;
}

/** Whether a message is seen in its channel, and not only in a thread. */
export function standsInChannel({ ts, threadTs, broadcast }: StoredMessage): boolean {
  return threadTs === undefined || threadTs === ts || broadcast === true;
}

/** Scopes a full installation has. */
const EVERY_SCOPE: readonly string[] = [
  ["app_mentions:read", "assistant:write", "bookmarks:read", "canvases:read", "canvases:write"],
  ["channels:history", "channels:join", "channels:manage", "channels:read"],
  ["chat:write", "chat:write.customize", "chat:write.public", "commands", "emoji:read", "files:read", "files:write"],
  ["groups:history", "groups:read", "groups:write", "im:history", "im:read", "im:write", "links:read", "links:write"],
  ["metadata.message:read", "mpim:history", "mpim:read", "mpim:write", "pins:read", "pins:write"],
  [
    "reactions:read",
    "reactions:write",
    "search:read.files",
    "search:read.public",
    "search:read.users",
    "team:read",
    "usergroups:read",
  ],
  ["users:read", "users:read.email", "users:write", "users.profile:read"],
].flat();

/** What outlives the process where a workspace is kept in a file. What hangs on an open connection or dialog does not. */
export interface KeptState extends Pick<State, "users" | "channels" | "files"> {
  /** From which team, app and tokens are made. */
  readonly seed: number;
  readonly messages: ReadonlyMap<string, StoredMessage[]>;
  readonly lastMicroseconds: number;
}

/** Everything a workspace remembers. Changes go through `Acts` where the app is told of them. */
export class State {
  readonly options: WorkspaceOptions;
  random: () => number;
  readonly team;
  /** Id of the company channels are shared with, and strangers come from. */
  readonly partnerTeamId: string;
  readonly app;
  readonly credentials;
  /** Address without a slash at its end; known once the workspace listens. */
  url = "";
  installed = true;
  readonly users = new Map<string, User>();
  readonly channels = new Map<string, StoredChannel>();
  readonly files = new Map<string, StoredFile>();
  readonly views = new Map<string, StoredView>();
  /** Open modals by person, the topmost last. */
  readonly modals = new Map<string, readonly StoredView[]>();
  /** The published Home by person. */
  readonly homes = new Map<string, StoredView>();
  readonly triggers = new Map<string, StoredTrigger>();
  readonly responseUrls = new Map<string, StoredResponseUrl>();
  readonly tokens = new Map<string, StoredToken>();
  /** Codes that were handed out and not exchanged. */
  readonly codes = new Map<string, { readonly redirectUri: string }>();
  readonly refreshTokens = new Map<string, StoredToken>();
  readonly sessions = new Map<string, StoredSession>();
  /** Suggested prompts by channel, or channel and thread. */
  readonly prompts = new Map<string, { title?: string; prompts: readonly Record<string, unknown>[] }>();
  readonly executions = new Map<string, StoredExecution>();
  /** Whose words each token was handed out with. */
  readonly actionTokens = new Map<string, string>();
  /** Messages whose links the app was told of, by the id it may answer to. */
  readonly unfurlIds = new Map<string, { readonly channel: string; readonly ts: string }>();
  /** What people are writing, by the id the app may answer to. */
  readonly composed = new Map<string, StoredPreview>();
  readonly details = new Map<string, StoredDetails>();
  readonly #messages = new Map<string, StoredMessage[]>();
  readonly #listeners = new Set<() => void>();
  #lastMicroseconds = 0;

  constructor(options: WorkspaceOptions) {
    this.options = options;
    this.random = seededRandom(options.seed ?? 1);
    const name = options.teamName ?? "Harbour";
    const domain = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
    this.team = { id: this.id("T"), name, domain };
    const appName = options.app?.name ?? "Threadlore";
    this.app = { appId: this.id("A"), botId: this.id("B"), botUserId: this.id("U"), name: appName };
    this.credentials = {
      botToken: `xoxb-loopback-${this.id("")}-${this.id("")}`,
      appToken: `xapp-1-${this.app.appId}-${this.id("")}`,
      signingSecret: this.hex(32),
      clientId: `${this.digits(12)}.${this.digits(13)}`,
      clientSecret: this.hex(32),
      // What event bodies carry in `token`; long out of use, and still sent.
      verificationToken: this.id(""),
    };
    const { botToken, appToken } = this.credentials;
    const scopes = options.app?.scopes ?? EVERY_SCOPE;
    this.tokens.set(botToken, { value: botToken, kind: "bot", scopes, revoked: false });
    this.tokens.set(appToken, { value: appToken, kind: "app", scopes: ["connections:write"], revoked: false });
    this.partnerTeamId = this.id("T");
    this.users.set(this.app.botUserId, {
      id: this.app.botUserId,
      name: appName.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_"),
      realName: appName,
      kind: "bot",
      teamId: this.team.id,
      deactivated: false,
    });
  }

  /** What is to be kept, as it is now. */
  get kept(): KeptState {
    return {
      seed: this.options.seed ?? 1,
      users: this.users,
      channels: this.channels,
      files: this.files,
      messages: this.#messages,
      lastMicroseconds: this.#lastMicroseconds,
    };
  }

  /** Puts back what was kept. An answer that was being written then is over: the app that wrote it is not there. */
  restore(kept: KeptState): void {
    for (const [id, user] of kept.users) this.users.set(id, user);
    for (const [id, channel] of kept.channels) this.channels.set(id, channel);
    for (const [id, file] of kept.files) this.files.set(id, file);
    for (const [id, messages] of kept.messages) {
      // A file of an earlier version has none.
      for (const message of messages) message.entities ??= [];
      this.#messages.set(id, messages);
    }
    this.#lastMicroseconds = kept.lastMicroseconds;
    // Going on with the seed would hand out the same ids again.
    this.random = seededRandom(kept.lastMicroseconds % 0x7fff_ffff);
  }

  /** The workspace's clock, milliseconds since 1970. */
  now(): number {
    return this.options.now?.() ?? Date.now();
  }

  /** A new id such as `C7QK2M4ZP1X`, the same for the same seed. */
  id(prefix: string): string {
    const signs = Array.from({ length: 10 }, () => Math.floor(this.random() * 36).toString(36));
    return `${prefix}${signs.join("").toUpperCase()}`;
  }

  /** Random hexadecimal digits. */
  hex(length: number): string {
    return Array.from({ length }, () => Math.floor(this.random() * 16).toString(16)).join("");
  }

  /** Random decimal digits, the first not zero. */
  digits(length: number): string {
    return Array.from({ length }, (_, at) => Math.floor(at === 0 ? 1 + this.random() * 9 : this.random() * 10)).join(
      "",
    );
  }

  /** A new timestamp, seconds and six digits, later than every one before. */
  ts(): string {
    this.#lastMicroseconds = Math.max(this.#lastMicroseconds + 1, Math.round(this.now()) * 1000);
    const digits = String(this.#lastMicroseconds).padStart(7, "0");
    return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
  }

  /** All messages of a channel, deleted and ephemeral ones too, oldest first. */
  messagesIn(channel: string): StoredMessage[] {
    let list = this.#messages.get(channel);
    if (list === undefined) this.#messages.set(channel, (list = []));
    return list;
  }

  /** Messages of a channel that everybody in it may read. */
  readable(channel: string): StoredMessage[] {
    return this.messagesIn(channel).filter((one) => !one.deleted && one.only === undefined);
  }

  /** The message, if it is there and not deleted. */
  message(channel: string, ts: string): StoredMessage | undefined {
    return this.messagesIn(channel).find((one) => one.ts === ts && !one.deleted);
  }

  /** The channel. Throws an Error in plain words when there is none. */
  channel(id: string): StoredChannel {
    const channel = this.channels.get(id);
    if (channel === undefined) throw new Error(`There is no channel ${id}.`);
    return channel;
  }

  /** The agent's session in a thread, made when it is missing. */
  session(channel: string, threadTs: string): StoredSession {
    const key = `${channel}:${threadTs}`;
    let session = this.sessions.get(key);
    if (session === undefined) {
      session = { channel, threadTs, status: "active", line: "", loadingMessages: [] };
      this.sessions.set(key, session);
    }
    return session;
  }

  /** The direct conversation of two accounts, made when it is missing. */
  directOf(one: string, other: string): StoredChannel {
    for (const channel of this.channels.values()) {
      if (channel.kind === "im" && channel.members.has(one) && channel.members.has(other)) return channel;
    }
    return this.addChannel({ name: other, kind: "im", members: [one, other] });
  }

  /** Puts a channel in, nobody told. */
  addChannel(channel: { name: string; kind: ChannelKind; members: readonly string[] }): StoredChannel {
    const stored: StoredChannel = {
      id: this.id({ public: "C", private: "C", mpim: "G", im: "D" }[channel.kind]),
      name: channel.name,
      kind: channel.kind,
      members: new Set(channel.members),
      archived: false,
      shared: "no",
      created: Math.floor(this.now() / 1000),
    };
    this.channels.set(stored.id, stored);
    return stored;
  }

  /** Whether the app is in a channel. */
  appIsIn(channel: string): boolean {
    return this.channels.get(channel)?.members.has(this.app.botUserId) ?? false;
  }

  /** To be called after every change of anything visible. */
  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Calls the listener after every change; the returned function ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
