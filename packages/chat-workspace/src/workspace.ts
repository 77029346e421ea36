/** What a test, a demonstration or the page sees in a workspace, and how it is made. */

/** How to make a workspace. */
export interface WorkspaceOptions {
  /** Port on loopback; default 0: any free one. */
  readonly port?: number;
  /** Its address as it tells it, where something that speaks TLS stands before it, such as `https://slack.com`. Default its own. */
  readonly publicUrl?: string;
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
    /** Functions its search consists of; absent: the platform's search shows nothing of it. */
    readonly search?: { readonly callbackId: string; readonly filtersCallbackId?: string };
    /** Domains whose links it hears of, at most five; absent: none. */
    readonly unfurlDomains?: readonly string[];
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
  /** Work Objects the app shows below it, for links in it. */
  readonly entities: readonly Record<string, unknown>[];
  /** Only for messages that are or were streamed. */
  readonly stream?: {
    readonly state: "in_progress" | "stopped" | "expired";
    readonly tasks: readonly Record<string, unknown>[];
    /** Title of the plan its cards are folded into; absent: they stand one by one. Empty: it has none yet. */
    readonly plan?: string;
    /** What was streamed, in its order: a text, or of how many of the message's blocks it is the turn. */
    readonly order: readonly (string | number)[];
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

/** How a request to the app is signed, for the odd ones. */
export interface SigningOptions {
  /** Default `application/json`. */
  readonly contentType?: string;
  /** Seconds since 1970; default now, by the real clock, which the app reads too. */
  readonly timestamp?: number;
  /** Default the app's own. */
  readonly secret?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** How long a reply is waited for. Default three seconds, as for events. */
  readonly timeoutMs?: number;
}
