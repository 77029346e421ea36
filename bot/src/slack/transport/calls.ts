import type { AnyBlock, AnyChunk } from "@slack/types";
import type { WebAPICallResult } from "@slack/web-api";

import type { Clients } from "./clients.ts";
import { CALL_TIMEOUT_MS } from "./limits.ts";
import type { Pacer } from "./pacing.ts";
import { ANSWER_EVENT, type AnswerMark, type BotIdentity, type OwnMessage, ownMessages } from "./reconcile.ts";
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
  /**
   * The address that came with a command. A private answer is shown by it, also where the bot is not in the channel; nobody
   * learns its messages' ts.
   */
  readonly responseUrl?: string;
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
  | { readonly do: "read"; readonly ts?: string | undefined };

/** What came of a call. */
export type SlackReply =
  /** `messages`: those that were asked for. */
  | { readonly type: "done"; readonly ts?: string; readonly messages?: readonly OwnMessage[] | undefined }
  | { readonly type: "refused"; readonly refusal: Refusal };

/** What the calls of one answer need. */
export interface SlackCallsDeps {
  readonly clients: Clients;
  /** The one of the process. */
  readonly pacer: Pacer;
  readonly self: BotIdentity;
  /** For response addresses. Default: the global one. */
  readonly fetch?: typeof fetch;
  /** This delivery among all of the answer; goes into the metadata of every message. */
  readonly run: string;
  /** Awaited right before each call that makes, ends or deletes a message. What it throws is thrown; the call is not made. */
  readonly guard: () => Promise<void>;
  /** Nothing is waited for any more. */
  readonly leaving: AbortSignal;
}

type MakingCall = Exclude<SlackCall, { do: "read" }>;

/** By which client, and which method of the platform, each call is made. */
const METHODS = {
  start: ["streaming", "chat.startStream"],
  append: ["streaming", "chat.appendStream"],
  stop: ["streaming", "chat.stopStream"],
  post: ["posts", "chat.postMessage"],
  postEphemeral: ["posts", "chat.postEphemeral"],
  update: ["posts", "chat.update"],
  delete: ["posts", "chat.delete"],
  settleSession: ["posts", "agents.sessions.setStatus"],
  read: ["reads", "conversations.replies"],
} as const satisfies Record<SlackCall["do"], readonly [keyof Clients, string]>;

/** The platform's name of a call. */
export const methodOf = (call: SlackCall): string => METHODS[call.do][1];

/** A response address takes so many messages in half an hour. */
const MAX_RESPONSES = 5;

/** Makes the calls of one answer. */
export class SlackCalls {
  /** Messages a call made, changed or deleted, or may have. */
  readonly touched = new Set<string>();
  #responses = 0;
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
    const { pacer, leaving: signal, guard } = this.#deps;
    const method = methodOf(call);
    const { team, channel } = this.#place;
    const isLive = call.do === "start" || call.do === "append";
    let refusedByGuard: { readonly error: unknown } | undefined;
    const paced = <Reply>(make: () => Promise<Reply>): Promise<Reply> =>
      pacer.call({ team, method, channel }, make, { until, signal });
    const guarded = async (making: MakingCall): Promise<SlackReply> => {
      await guard().catch((error: unknown) => {
        refusedByGuard = { error };
        throw error;
      });
      return this.#make(making);
    };
    try {
      if (call.do === "read") return { type: "done", messages: await this.#read(call.ts, paced) };
      if (call.do === "append") return await this.#make(call);
      return isLive ? await guarded(call) : await paced(() => guarded(call));
    } catch (error) {
      if (refusedByGuard !== undefined) throw refusedByGuard.error;
      const refusal = refusalOf(error, method);
      if (refusal.kind === "revoked") throw new WorkspaceRevoked(refusal.code, { cause: error });
      if (refusal.kind === "limited" && !isLive) throw new Unreachable(method, { cause: error });
      if (refusal.kind === "limited") pacer.limited({ team, method, channel }, refusal.waitMs);
      return { type: "refused", refusal };
    }
  }

  async #make(call: MakingCall): Promise<SlackReply> {
    const { clients } = this.#deps;
    const { responseUrl } = this.#place;
    if (call.do === "postEphemeral" && responseUrl !== undefined) return this.#respond(responseUrl, call.message);
    const [client, method] = METHODS[call.do];
    if ("ts" in call && call.do !== "append") this.touched.add(call.ts);
    const reply: WebAPICallResult & { ts?: string; message_ts?: string } = await clients[client].apiCall(
      method,
      this.#argumentsOf(call),
    );
    if (call.do === "start" || call.do === "post") this.touched.add(reply.ts ?? "");
    return { type: "done", ts: reply.ts ?? reply.message_ts ?? "" };
  }

  async #respond(url: string, message: PostedMessage): Promise<SlackReply> {
    if (this.#responses >= MAX_RESPONSES) return { type: "done", ts: "" };
    const { fetch: send = fetch } = this.#deps;
    const reply = await send(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ response_type: "ephemeral", replace_original: false, ...contentOf(message) }),
      redirect: "error",
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    });
    await reply.body?.cancel();
    if (reply.ok) {
      this.#responses += 1;
      return { type: "done", ts: "" };
    }
    const { status } = reply;
    const code = `response_url_${status}`;
    if (status >= 500 || status === 429) return { type: "refused", refusal: { kind: "lost", code } };
    const isGone = message.blocks === undefined || status === 404 || status === 410;
    return { type: "refused", refusal: isGone ? { kind: "gone", code } : { kind: "content", code, long: false } };
  }

  #read(ts: string | undefined, paced: <Reply>(make: () => Promise<Reply>) => Promise<Reply>): Promise<OwnMessage[]> {
    const { clients, self } = this.#deps;
    const { channel, threadTs, questionTs } = this.#place;
    const which = ts === undefined ? { after: questionTs } : { only: ts };
    const { conversations } = clients.reads;
    return ownMessages((args) => paced(() => conversations.replies({ channel, ts: threadTs, ...args })), self, which);
  }

  #argumentsOf(call: MakingCall): Record<string, unknown> {
    const { team, channel, threadTs, recipientUserId, recipientTeamId, active } = this.#place;
    switch (call.do) {
      case "start":
        return {
          channel,
          thread_ts: threadTs,
          recipient_user_id: recipientUserId ?? this.#deps.self.userId,
          recipient_team_id: recipientTeamId ?? team,
          task_display_mode: "plan",
          chunks: call.chunks,
        };
      case "append":
        return { channel, ts: call.ts, chunks: call.chunks };
      case "stop": {
        const { ts, chunks = [], blocks = [], status } = call;
        return {
          channel,
          ts,
          chunks: chunks.length === 0 ? undefined : chunks,
          blocks: blocks.length === 0 ? undefined : blocks,
          session_status: status,
          metadata: this.#metadata(call.mark),
        };
      }
      case "post": {
        const quietly = { unfurl_links: false, unfurl_media: false, metadata: this.#metadata(call.mark) };
        return { channel, thread_ts: threadTs, ...contentOf(call.message), ...quietly };
      }
      case "postEphemeral": {
        const thread = active === true ? threadTs : undefined;
        return { channel, thread_ts: thread, user: recipientUserId ?? "", ...contentOf(call.message) };
      }
      case "update": {
        const { ts, message, mark } = call;
        return { channel, ts, text: message.text, blocks: message.blocks ?? [], metadata: this.#metadata(mark) };
      }
      case "delete":
        return { channel, ts: call.ts };
      case "settleSession":
        return { channel_id: channel, thread_ts: threadTs, status: "active" };
    }
  }

  #metadata(mark: Marked | undefined): object | undefined {
    if (mark === undefined) return undefined;
    return { event_type: ANSWER_EVENT, event_payload: { ...mark, run: this.#deps.run } };
  }
}

/** What of a message is sent. */
const contentOf = ({ text, blocks }: PostedMessage) => ({ text, blocks });
