/** What a test, a demonstration or the page sees of a workspace. Everything a person can do in it is a {@link Person}. */

/** How to make a workspace. */
export interface WorkspaceOptions {
  /** Port on loopback; default 0: any free one. */
  readonly port?: number;
  /** Name of the team; default "Harbour". */
  readonly teamName?: string;
  /** How the app is installed; what is absent is what a full manifest has. */
  readonly app?: {
    readonly name?: string;
    /** Scopes of the bot token; absent: every one this workspace knows. */
    readonly scopes?: readonly string[];
    /** Event types delivered; absent: all. */
    readonly events?: readonly string[];
    readonly commands?: readonly string[];
    readonly shortcuts?: readonly {
      readonly name: string;
      readonly callbackId: string;
      readonly type: "message" | "global";
    }[];
    /** Whether bot tokens last twelve hours and are refreshed; default false. */
    readonly tokenRotation?: boolean;
    /** Where events, commands and interactions are posted, signed; absent: Socket Mode. */
    readonly requestUrl?: string;
  };
  /** Milliseconds since 1970; default the real clock. Decides timestamps of messages and the life of streams. */
  readonly now?: () => number;
  /** How long a streamed message may grow, milliseconds from its start. Default five minutes, as people measured it. */
  readonly streamLifeMs?: number;
  /** Whether Web API methods are limited as Slack does (tiers, one post a second and channel). Default false. */
  readonly rateLimits?: boolean;
  /**
   * Decides which socket gets an envelope, ids and tokens. Default 1; the same seed gives the same ones, so a workspace
   * that is more than a test's should be given a random one.
   */
  readonly seed?: number;
  /**
   * File in which people, channels, messages and files outlive the process; made when it is not there. Absent: nothing
   * is kept. With a file the seed counts only when it is made.
   */
  readonly file?: string;
  /** How long the app has to acknowledge what it is sent, milliseconds. Default 3,000, as Slack has it. */
  readonly ackTimeoutMs?: number;
  /**
   * After each failed delivery of an event (no acknowledgement in time, connection lost, refused), how long until it is
   * sent again, milliseconds; one number for each further attempt. Default as Slack has it: 0, a minute, five minutes.
   */
  readonly redeliverAfterMs?: readonly number[];
}

/** Kinds of channels. */
export type ChannelKind = "public" | "private" | "mpim" | "im";

/** A channel, group or direct conversation. */
export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly kind: ChannelKind;
  readonly members: readonly string[];
  readonly archived: boolean;
  /** Shared with another company (Slack Connect). */
  readonly shared: "no" | "pending" | "yes";
}

/** An account, as `users.info` tells it. */
export interface User {
  readonly id: string;
  readonly name: string;
  readonly realName: string;
  readonly email?: string;
  readonly kind: "member" | "admin" | "guest" | "single_channel_guest" | "stranger" | "bot";
  readonly teamId: string;
  readonly deactivated: boolean;
}

/** A message as people see it. */
export interface Message {
  readonly ts: string;
  readonly channel: string;
  readonly threadTs?: string;
  readonly user: string;
  readonly botId?: string;
  /** As stored (mrkdwn). For a streamed message: the markdown streamed so far. */
  readonly text: string;
  readonly blocks: readonly Record<string, unknown>[];
  readonly metadata?: { readonly event_type: string; readonly event_payload: Record<string, unknown> };
  readonly edited: boolean;
  readonly deleted: boolean;
  readonly files: readonly string[];
  readonly reactions: readonly { readonly name: string; readonly users: readonly string[] }[];
  readonly pinned: boolean;
  /** Only for messages that are or were streamed. */
  readonly stream?: {
    readonly state: "in_progress" | "stopped" | "expired";
    readonly tasks: readonly Record<string, unknown>[];
  };
  /** Everything a reader would see, as plain text: text, blocks, task cards, in order. */
  readonly shown: string;
}

/**
 * One call of the Web API, as it came in and was answered. Also what the app posted to a `response_url`, and what it
 * acknowledged a command (`command_reply`) or a submitted modal (`submission_reply`) with, under these names.
 */
export interface ApiCall {
  readonly at: number;
  readonly method: string;
  /** Arguments, JSON strings parsed. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly response: Readonly<Record<string, unknown>>;
  /** Status of the reply; 0: the connection was cut before it. */
  readonly status: number;
  /** Why Slack would refuse the payload, in plain words; empty when it would not. */
  readonly refusals: readonly string[];
  /** What Slack takes all the same and people never see, in plain words; empty when there is nothing of that kind. */
  readonly breaches: readonly string[];
}

/** A file to attach. */
export interface Attachment {
  readonly name: string;
  readonly mimetype: string;
  readonly content: Uint8Array | string;
}

/** Where and with what something is said. */
export interface SayOptions {
  readonly threadTs?: string;
  readonly files?: readonly Attachment[];
}

/** A person in the workspace, and everything they can do. Each act sends the events Slack would send. */
export interface Person {
  readonly user: User;
  /** Posts; resolves with the message's ts. */
  say(channel: string, text: string, options?: SayOptions): Promise<string>;
  /** Posts with the app mentioned: both `app_mention` and `message` are delivered. */
  mention(channel: string, text: string, options?: SayOptions): Promise<string>;
  /** Posts in the direct conversation with the app. */
  dm(text: string, options?: SayOptions): Promise<string>;
  edit(channel: string, ts: string, text: string): Promise<void>;
  delete(channel: string, ts: string): Promise<void>;
  pin(channel: string, ts: string): Promise<void>;
  unpin(channel: string, ts: string): Promise<void>;
  react(channel: string, ts: string, name: string): Promise<void>;
  unreact(channel: string, ts: string, name: string): Promise<void>;
  join(channel: string): Promise<void>;
  leave(channel: string): Promise<void>;
  /** Presses a button (or other element) of a message, of an ephemeral one too, of a modal or of the Home. */
  press(target: { channel: string; ts: string } | { viewId: string }, actionId: string, value?: string): Promise<void>;
  /** Fills in the open modal and submits it; resolves with the app's reply (`response_action`, errors), if any. */
  submit(viewId: string, values: Readonly<Record<string, string>>): Promise<Record<string, unknown> | undefined>;
  /** Closes a modal without submitting it. */
  dismiss(viewId: string): Promise<void>;
  /**
   * Types a slash command; resolves with what came back at once, if anything. Like every act that the app must
   * acknowledge, it rejects when the app does not, or is not connected: Slack tells the person, and tries no second time.
   */
  command(channel: string, command: string, text: string): Promise<Record<string, unknown> | undefined>;
  /** Chooses a message shortcut. */
  shortcut(callbackId: string, message: { channel: string; ts: string }): Promise<void>;
  /** Chooses a global shortcut. */
  globalShortcut(callbackId: string): Promise<void>;
  openHome(): Promise<void>;
  openMessages(): Promise<void>;
  /** Presses the Stop button of the agent session in that thread. */
  stop(channel: string, threadTs: string): Promise<void>;
  renameSession(channel: string, threadTs: string, title: string): Promise<void>;
  /** Messages only this person sees, oldest first; not those in a thread without replies, which Slack shows nobody. */
  ephemerals(channel?: string): readonly Message[];
  /** The published Home, if any. */
  home(): Record<string, unknown> | undefined;
  /** Open modals, the topmost last. */
  modals(): readonly (Record<string, unknown> & { readonly id: string })[];
}

/** What can be made to go wrong. `method` may be `*`. Each fault is spent after `times` (default 1) uses. */
export interface Faults {
  /** 429 with Retry-After. */
  rateLimit(method: string, options?: { retryAfterS?: number; times?: number }): void;
  /** A status such as 500 or 503, before anything was done. */
  fail(method: string, options?: { status?: number; times?: number }): void;
  /** `{ok: false, error}`, before anything was done. */
  refuse(method: string, error: string, options?: { times?: number; fields?: Record<string, unknown> }): void;
  /** The call takes effect, then the connection is cut before the answer. */
  dropResponse(method: string, options?: { times?: number }): void;
  /** The answer comes later; the effect at once, or with `before` also later. */
  delay(method: string, ms: number, options?: { times?: number; before?: boolean }): void;
  /** Each event is delivered this many times, with the same `event_id`. */
  duplicateEvents(copies: number): void;
  /** Events are delivered in a shuffled order within this many milliseconds. */
  shuffleEvents(withinMs: number): void;
  /** Socket Mode: `disconnect` frames to one socket or to all. */
  disconnectSockets(reason: "warning" | "refresh_requested" | "link_disabled", options?: { all?: boolean }): void;
  /** Socket Mode: TCP connections are cut. */
  killSockets(options?: { all?: boolean }): void;
  /** Socket Mode: the peer falls silent: no pings, no pongs, no frames. */
  silenceSockets(options?: { all?: boolean }): void;
  /** Socket Mode: an `app_rate_limited` envelope without inner event. */
  appRateLimited(): void;
  revokeToken(): void;
  uninstall(): void;
  /** Takes all faults back that are not spent. */
  clear(): void;
}

/** How a request to the app is signed, for the odd ones. */
export interface SigningOptions {
  /** Default `application/json`. */
  readonly contentType?: string;
  /** Seconds since 1970; default now, by the real clock, which the app reads too. */
  readonly timestamp?: number;
  /** Default the app's own. */
  readonly secret?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What an app answered. */
export interface AppResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A workspace on loopback. */
export interface Workspace {
  /** Address of the page to talk in. */
  readonly url: string;
  /** What an app gets as `slackApiUrl`. */
  readonly slackApiUrl: string;
  readonly credentials: {
    readonly botToken: string;
    readonly appToken: string;
    readonly signingSecret: string;
    readonly clientId: string;
    readonly clientSecret: string;
  };
  readonly team: { readonly id: string; readonly name: string; readonly domain: string };
  readonly app: { readonly appId: string; readonly botId: string; readonly botUserId: string; readonly name: string };
  readonly faults: Faults;
  /** Everything the app called, oldest first. */
  readonly calls: readonly ApiCall[];
  addUser(user: { name: string; realName?: string; kind?: User["kind"]; email?: string }): Person;
  person(userId: string): Person;
  /** Everybody with an account, the app's own left out, in the order they were added. */
  people(): readonly Person[];
  addChannel(channel: { name: string; kind?: ChannelKind; members?: readonly string[]; withApp?: boolean }): Channel;
  channel(id: string): Channel;
  channels(): readonly Channel[];
  archive(channel: string): void;
  /** Shares a channel with another company, or begins to. */
  share(channel: string, state: Channel["shared"]): void;
  removeApp(channel: string): void;
  /** Ends an account: the person can do nothing any more. */
  deactivate(userId: string): void;
  inviteApp(channel: string, inviter?: string): void;
  /** The direct conversation of the app with a person. */
  dmOf(userId: string): Channel;
  /** What stands in a channel (roots only) or a thread (root first), oldest first, deleted ones left out. */
  messages(channel: string, threadTs?: string): readonly Message[];
  message(channel: string, ts: string): Message | undefined;
  /** What the app's manifest offers people here. */
  readonly offers: Required<Pick<NonNullable<WorkspaceOptions["app"]>, "commands" | "shortcuts">>;
  /** The agent session of a thread: whether the app works there, its status text and title. */
  session(
    channel: string,
    threadTs: string,
  ):
    | {
        readonly status: "active" | "processing" | "suspended" | "closed";
        readonly words: string;
        readonly title: string;
      }
    | undefined;
  /** Prompts the app suggests in a direct conversation. */
  prompts(channel: string): readonly { readonly title: string; readonly message: string }[];
  /** An attached file. */
  file(id: string): { readonly name: string; readonly mimetype: string; readonly content: Uint8Array } | undefined;
  /** Sockets that are connected now. */
  sockets(): number;
  /** Resolves when the condition holds, looked at after every change; rejects after `timeoutMs` (default 10,000). */
  until<Found>(condition: () => Found | undefined | false, timeoutMs?: number): Promise<Found>;
  /** Called after every change of anything visible; the returned function ends that. */
  onChange(listener: () => void): () => void;
  /**
   * Sends the app an event as it is, subscribed to or not; for forged and odd ones. `envelope`: fields of the body around
   * it. Resolves when it was acknowledged or is not tried again; while nobody is connected it waits.
   */
  deliver(event: Record<string, unknown>, envelope?: Record<string, unknown>): Promise<void>;
  /**
   * Enters an address for events as the app's settings page does: it must echo a challenge, then everything is posted
   * there, signed, and nothing goes over sockets any more. Rejects when it does not.
   */
  useRequestUrl(url: string): Promise<void>;
  /** Posts to the app, signed; what is given makes it stale, forged or odd. */
  postSigned(url: string, body: string, options?: SigningOptions): Promise<AppResponse>;
  close(): Promise<void>;
}
