import type { AnyBlock, AnyChunk } from "@slack/types";

import type { Clients } from "./clients.ts";
import { PACE } from "./limits.ts";
import type { Pacer } from "./pacing.ts";
import { type Attempt, type Place, PlaceGone, type Posting } from "./posting.ts";
import { type Refusal, refusalOf, Unreachable, WorkspaceRevoked } from "./refusals.ts";

/** How the end of a streamed message was taken: `expired`, the platform had ended it by itself. */
export type Closed = "closed" | "expired" | "refused";

/** The end of a streamed message. */
export interface StreamEnd {
  /** Number of the message within the answer, from 1. */
  readonly number: number;
  /** What is appended before it ends. */
  readonly chunks: readonly AnyChunk[];
  /** Shown below what was streamed. */
  readonly blocks?: readonly AnyBlock[];
  /** What the session shows from then on: `processing` while the answer goes on. */
  readonly status: "processing" | "active";
  /** With this message the answer is complete and final. */
  readonly last: boolean;
}

/** The three calls of a stream, in one place of one answer. */
export interface StreamCalls {
  /** Starts a message; its ts. One attempt. @throws {PlaceGone} {WorkspaceRevoked} */
  start(chunks: readonly AnyChunk[]): Promise<Attempt<string>>;
  /** Adds to a message; why not. One attempt. @throws {PlaceGone} {WorkspaceRevoked} */
  append(ts: string, chunks: readonly AnyChunk[]): Promise<Refusal | undefined>;
  /** Ends a message once, whatever is lost on the way. @throws {PlaceGone} {WorkspaceRevoked} {Unreachable} */
  close(ts: string, end: StreamEnd): Promise<Closed>;
}

/** What the calls need. */
export interface StreamCallsDeps {
  readonly clients: Clients;
  readonly pacer: Pacer;
  readonly posting: Posting;
  readonly self: { readonly userId: string };
  readonly taskId: string;
  readonly note: (words: string) => void;
  /** Hears of each message a call made or ended, or may have. */
  readonly touched: (ts: string) => void;
}

/** Makes the calls of one answer. */
export function createStreamCalls(place: Place, deps: StreamCallsDeps): StreamCalls {
  const { team, channel, threadTs } = place;
  const { pacer, posting, note } = deps;
  const { startStream, appendStream, stopStream } = deps.clients.streaming.chat;

  /** One attempt, which waits for nothing; a 429 is noted with the pacer. */
  async function once<Reply>(method: string, run: () => Promise<Reply>): Promise<Attempt<Reply>> {
    try {
      return { reply: await run() };
    } catch (error) {
      const refusal = refusalOf(error, method, PACE.retryAfterMs);
      if (refusal.kind === "limited") pacer.limited({ team, method, channel }, refusal.waitMs);
      if (refusal.kind === "revoked") throw new WorkspaceRevoked(refusal.code, { cause: error });
      if (refusal.kind === "gone") throw new PlaceGone(refusal.code);
      return { refusal };
    }
  }

  async function start(chunks: readonly AnyChunk[]): Promise<Attempt<string>> {
    await posting.guard();
    const result = await once("chat.startStream", () =>
      startStream({
        channel,
        thread_ts: threadTs,
        recipient_user_id: place.recipientUserId ?? deps.self.userId,
        recipient_team_id: place.recipientTeamId ?? team,
        task_display_mode: "plan",
        chunks: [...chunks],
      }),
    );
    if (!("reply" in result)) return result;
    const ts = result.reply.ts ?? "";
    deps.touched(ts);
    return { reply: ts };
  }

  async function append(ts: string, chunks: readonly AnyChunk[]): Promise<Refusal | undefined> {
    const result = await once("chat.appendStream", () => appendStream({ channel, ts, chunks: [...chunks] }));
    return "reply" in result ? undefined : result.refusal;
  }

  async function close(ts: string, end: StreamEnd): Promise<Closed> {
    const args = {
      channel,
      ts,
      ...(end.chunks.length === 0 ? {} : { chunks: [...end.chunks] }),
      ...(end.blocks === undefined || end.blocks.length === 0 ? {} : { blocks: [...end.blocks] }),
      session_status: end.status,
      metadata: posting.metadata({ task: deps.taskId, part: end.number, last: end.last }),
    };
    // Only a stop that took effect leaves our mark on a message.
    const isClosed = async (): Promise<boolean> => (await posting.read(ts))?.mark?.task === deps.taskId;
    deps.touched(ts);
    for (let tries = 0; ; tries += 1) {
      const result = await posting.attempt("chat.stopStream", () => stopStream(args));
      if ("reply" in result) return "closed";
      const { refusal } = result;
      if (refusal.kind === "gone") throw new PlaceGone(refusal.code);
      if (refusal.kind === "ended") return tries > 0 && (await isClosed()) ? "closed" : "expired";
      if (refusal.kind !== "lost") {
        note(`Slack refused the end of the stream (${refusal.code}).`);
        return "refused";
      }
      note("No answer to the end of a stream: reading the message back.");
      if (await isClosed()) return "closed";
      if (posting.isLate()) throw new Unreachable("chat.stopStream");
      await posting.backOff(tries);
    }
  }

  return { start, append, close };
}
