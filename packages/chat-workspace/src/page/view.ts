/** What the page shows, as one JSON value: the server makes it for one person, the page only draws it. */
import type { Workspace } from "../running-workspace.ts";
import type { Channel, Message } from "../workspace.ts";

/** A person or the app, as the page names them. */
export interface AuthorView {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
}

/** A channel as one person sees it; `name` is the other's for a direct conversation. */
export interface ChannelView extends Pick<Channel, "id" | "name" | "kind" | "archived"> {
  readonly shared: boolean;
  readonly member: boolean;
  /** Moment of the newest message, to tell what is unread; empty when there is none. */
  readonly latest: string;
}

/** A block of Block Kit as the app sent it. */
export type BlockView = Readonly<Record<string, unknown>>;

/** A message as one person sees it. */
export interface MessageView extends Pick<
  Message,
  "channel" | "ts" | "text" | "blocks" | "edited" | "pinned" | "stream"
> {
  readonly author: AuthorView;
  /** Only the viewer sees it. */
  readonly ephemeral: boolean;
  readonly mine: boolean;
  readonly replies: number;
  readonly files: readonly { readonly id: string; readonly name: string }[];
  readonly reactions: readonly { readonly name: string; readonly count: number; readonly mine: boolean }[];
}

export interface ModalView {
  readonly id: string;
  readonly title: string;
  readonly submit: string;
  readonly close: string;
  readonly blocks: readonly BlockView[];
}

/** Everything one person sees. */
export interface View {
  readonly team: string;
  readonly app: AuthorView & { readonly connected: boolean };
  readonly me: AuthorView;
  readonly people: readonly AuthorView[];
  readonly channels: readonly ChannelView[];
  readonly channel: ChannelView;
  readonly messages: readonly MessageView[];
  readonly prompts: readonly { readonly title: string; readonly message: string }[];
  readonly thread?: {
    readonly ts: string;
    readonly messages: readonly MessageView[];
    readonly session?: ReturnType<Workspace["session"]>;
  };
  readonly home?: readonly BlockView[];
  readonly modal?: ModalView;
  readonly commands: readonly string[];
  readonly messageShortcuts: Workspace["offers"]["shortcuts"];
  readonly globalShortcuts: Workspace["offers"]["shortcuts"];
}

/** What the viewer looks at; part of the page's address, so that reloading keeps it. */
export interface Place {
  readonly as?: string;
  readonly channel?: string;
  readonly thread?: string;
  /** The app's Home in place of a channel. */
  readonly home?: boolean;
}
