import type { AnyBlock, AnyChunk } from "@slack/types";
import type { ChatPostEphemeralArguments, ChatPostMessageArguments, ChatUpdateArguments } from "@slack/web-api";

import type { Clients } from "./clients.ts";
import { PACE } from "./limits.ts";
import type { Pacer } from "./pacing.ts";
import { ANSWER_EVENT, type AnswerMark, type OwnMessage, ownMessages } from "./reconcile.ts";
import { type Refusal, refusalOf, Unreachable, WorkspaceRevoked } from "./refusals.ts";

/** Where an answer goes, and to whom. */
export interface Destination {
  readonly team: string;
  readonly channel: string;
  /** The thread's root: the question's own ts when the question is one. */
  readonly threadTs: string;
  /** The question's own ts: nothing older in the thread can belong to its answer. */
  readonly questionTs: string;
  /** Who asked; the platform needs it to stream outside direct conversations. Absent: the bot itself. */
  readonly recipientUserId?: string;
  /** The asker's own workspace. Absent: `team`. */
  readonly recipientTeamId?: string;
  /** Only the recipient sees the answer (ephemeral): never streamed, never found again. Default false. */
  readonly private?: boolean;
  /**
   * Somebody has replied in the thread. Before that, the platform shows nobody a message for one person in it; it
   * stands in the channel then. Default false.
   */
  readonly active?: boolean;
}

/** One platform message: `blocks` are shown; `text` is the notification. */
export interface PostedMessage {
  readonly text: string;
  readonly blocks?: readonly AnyBlock[];
  /** The whole content without blocks, for where blocks are refused. Absent: what its blocks say. */
  readonly plain?: string;
}

/** What marks a message as part of an answer, and what else is kept in its metadata. */
export type Marked = Omit<AnswerMark, "run"> & Readonly<Record<string, string | number | boolean>>;

/** One call to the platform. Each is made once; only a 429, which says that nothing was done, is waited out. */
export type SlackCall =
  /** Begins a streamed message. A 429 is not waited out. */
  | { readonly do: "start"; readonly chunks: readonly AnyChunk[] }
  /** Adds to a streamed message. A 429 is not waited out. */
  | { readonly do: "append"; readonly ts: string; readonly chunks: readonly AnyChunk[] }
  /** Ends a streamed message. */
  | {
      readonly do: "stop";
      readonly ts: string;
      readonly chunks?: readonly AnyChunk[];
      readonly blocks?: readonly AnyBlock[];
      /** What the session shows from then on: `processing` while the answer goes on. */
      readonly status?: "processing" | "active";
      readonly mark?: Marked;
    }
  | { readonly do: "post"; readonly message: PostedMessage; readonly mark: Marked }
  /** Shows a message to the recipient only. */
  | { readonly do: "postEphemeral"; readonly message: PostedMessage }
  | { readonly do: "update"; readonly ts: string; readonly message: PostedMessage; readonly mark: Marked }
  | { readonly do: "delete"; readonly ts: string }
  /** Nobody is at work in the thread any more: posting, unlike stopping a stream, leaves the sign where it is. */
  | { readonly do: "settleSession" }
  /** Reads the bot's own messages in the thread since the question, or the one with this ts. */
  | { readonly do: "read"; readonly ts?: string };

/** What came of a call. */
export type SlackReply =
  | { readonly type: "done"; readonly ts?: string }
  | { readonly type: "read"; readonly messages: readonly OwnMessage[] | undefined }
  | { readonly type: "refused"; readonly refusal: Refusal };

/** What the calls of one answer need. */
export interface SlackCallsDeps {
  readonly clients: Clients;
  readonly pacer: Pacer;
  /** Who the bot is: its user id and its bot id. */
  readonly self: { readonly userId: string; readonly botId: string };
  /** This delivery among all of the answer; goes into the metadata of every message. */
  readonly run: string;
  /** Awaited right before each call that makes, ends or deletes a message. What it throws is thrown; the call is not made. */
  readonly guard: () => Promise<void>;
  /** Nothing is waited for any more. */
  readonly leaving: AbortSignal;
  /** Hears of each message a call made, changed or deleted, or may have. */
  readonly touched: (ts: string) => void;
}

const METHODS = {
  start: "chat.startStream",
  append: "chat.appendStream",
  stop: "chat.stopStream",
  post: "chat.postMessage",
  postEphemeral: "chat.postEphemeral",
  update: "chat.update",
  delete: "chat.delete",
  settleSession: "agents.sessions.setStatus",
  read: "conversations.replies",
} as const satisfies Record<SlackCall["do"], string>;

/** The platform's name of a call. */
export const methodOf = (call: SlackCall): string => METHODS[call.do];

/** Makes the calls of one answer. */
export class SlackCalls {
  readonly #place: Destination;
  readonly #deps: SlackCallsDeps;

  constructor(place: Destination, deps: SlackCallsDeps) {
    this.#place = place;
    this.#deps = deps;
  }

  /**
   * Makes one call, and says what came of it. 429s are waited out until `until`, milliseconds since 1970.
   * @throws {WorkspaceRevoked} the token is no good any more.
   * @throws {Unreachable} the platform still wants the call to wait when `until` has come.
   * @throws whatever the guard throws.
   */
  async perform(call: SlackCall, until: number): Promise<SlackReply> {
    const { pacer, leaving } = this.#deps;
    const method = methodOf(call);
    const { team, channel } = this.#place;
    const guarded: { refused?: { readonly error: unknown } } = {};
    const make = async (): Promise<SlackReply> => {
      if (call.do !== "append" && call.do !== "read") {
        await this.#deps.guard().catch((error: unknown) => {
          guarded.refused = { error };
          throw error;
        });
      }
      return this.#make(call, until);
    };
    const isLive = call.do === "start" || call.do === "append";
    try {
      return isLive || call.do === "read"
        ? await make()
        : await pacer.call({ team, method, channel }, make, { until, signal: leaving });
    } catch (error) {
      if (guarded.refused !== undefined) throw guarded.refused.error;
      const refusal = refusalOf(error, method, isLive ? PACE.retryAfterMs : 0);
      if (refusal.kind === "revoked") throw new WorkspaceRevoked(refusal.code, { cause: error });
      if (refusal.kind === "limited" && !isLive) throw new Unreachable(method, { cause: error });
      if (refusal.kind === "limited") pacer.limited({ team, method, channel }, refusal.waitMs);
      return { type: "refused", refusal };
    }
  }

  async #make(call: SlackCall, until: number): Promise<SlackReply> {
    const { channel, threadTs } = this.#place;
    const { streaming, posts } = this.#deps.clients;
    if ("ts" in call && call.ts !== undefined && call.do !== "append" && call.do !== "read")
      this.#deps.touched(call.ts);
    switch (call.do) {
      case "start":
        return this.#made((await streaming.chat.startStream(this.#startOf(call.chunks))).ts);
      case "append":
        await streaming.chat.appendStream({ channel, ts: call.ts, chunks: [...call.chunks] });
        return { type: "done" };
      case "stop":
        await streaming.chat.stopStream(this.#stopOf(call));
        return { type: "done" };
      case "post": {
        const quietly = { unfurl_links: false, unfurl_media: false, metadata: this.#metadata(call.mark) };
        const args = { channel, thread_ts: threadTs, ...contentOf(call.message), ...quietly };
        return this.#made((await posts.chat.postMessage(args as ChatPostMessageArguments)).ts);
      }
      case "postEphemeral": {
        const { active, recipientUserId: user = "" } = this.#place;
        const thread = active === true ? { thread_ts: threadTs } : {};
        const args = { channel, ...thread, user, ...contentOf(call.message) };
        return {
          type: "done",
          ts: (await posts.chat.postEphemeral(args as ChatPostEphemeralArguments)).message_ts ?? "",
        };
      }
      case "update": {
        const { ts, message, mark } = call;
        const args = { channel, ts, blocks: [], ...contentOf(message), metadata: this.#metadata(mark) };
        await posts.chat.update(args as ChatUpdateArguments);
        return { type: "done" };
      }
      case "delete":
        await posts.chat.delete({ channel, ts: call.ts });
        return { type: "done" };
      case "settleSession":
        await posts.agents.sessions.setStatus({ channel_id: channel, thread_ts: threadTs, status: "active" });
        return { type: "done" };
      case "read":
        return { type: "read", messages: await this.#read(call.ts, until) };
    }
  }

  #made(ts = ""): SlackReply {
    this.#deps.touched(ts);
    return { type: "done", ts };
  }

  #read(ts: string | undefined, until: number): Promise<OwnMessage[]> {
    const { clients, pacer, self, leaving } = this.#deps;
    const { team, channel, threadTs, questionTs } = this.#place;
    const reading = { reads: clients.reads, pacer, team, channel, threadTs, self, until, leaving };
    return ownMessages(reading, ts === undefined ? { after: questionTs } : { only: ts });
  }

  #startOf(chunks: readonly AnyChunk[]) {
    const { team, channel, threadTs, recipientUserId, recipientTeamId } = this.#place;
    return {
      channel,
      thread_ts: threadTs,
      recipient_user_id: recipientUserId ?? this.#deps.self.userId,
      recipient_team_id: recipientTeamId ?? team,
      task_display_mode: "plan" as const,
      chunks: [...chunks],
    };
  }

  #stopOf({ ts, chunks = [], blocks = [], status, mark }: SlackCall & { do: "stop" }) {
    return {
      channel: this.#place.channel,
      ts,
      ...(chunks.length === 0 ? {} : { chunks: [...chunks] }),
      ...(blocks.length === 0 ? {} : { blocks: [...blocks] }),
      ...(status === undefined ? {} : { session_status: status }),
      ...(mark === undefined ? {} : { metadata: this.#metadata(mark) }),
    };
  }

  #metadata(mark: Marked) {
    return { event_type: ANSWER_EVENT, event_payload: { ...mark, run: this.#deps.run } };
  }
}

function contentOf({ text, blocks }: PostedMessage): { text: string; blocks?: AnyBlock[] } {
  return { text, ...(blocks === undefined ? {} : { blocks: [...blocks] }) };
}
