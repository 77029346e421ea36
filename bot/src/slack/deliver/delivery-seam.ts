import type { AnyBlock } from "@slack/types";
import { z } from "zod";

import type { Clock } from "../transport/clock.ts";
import type { Piece, TaskCard } from "../render/pieces.ts";
import type { PostedMessage, SlackCallsDeps } from "../transport/calls.ts";
import type { OwnMessage } from "../transport/reconcile.ts";
import type { MessageLimits } from "../layout/message-budget.ts";

const doubtsSchema = z.object({
  /** Texts of first chunks of streams that were begun without an answer of the platform, and not found. */
  starts: z.array(z.string()).readonly(),
  /** A post got no answer, or may have got none, and was not found. */
  posts: z.boolean(),
  /** A process ended while it was at the answer: a stream of it that nobody recorded may begin yet. Absent: none did. */
  streams: z.boolean().optional(),
});

/** Calls that may still take effect, long after nobody waits for them: then something stands there twice. JSON-safe. */
export type Doubts = Readonly<z.infer<typeof doubtsSchema>>;

const progressSchema = z.object({
  /**
   * `starting`: a first message may exist that is not recorded. `streaming`: at least one message is recorded.
   * `posting`: whole messages are being posted or replaced. `closed`: all is delivered.
   */
  stage: z.enum(["starting", "streaming", "posting", "closed"]),
  /** Messages known to be ours, in order. */
  messages: z
    .array(z.object({ ts: z.string(), how: z.enum(["stream", "post", "plain", "ephemeral"]) }).readonly())
    .readonly(),
  /** Kept before the call is made again, so that whoever goes on knows what to look for. Absent: none. */
  doubts: doubtsSchema.optional(),
});

/** How far the delivery of an answer got. JSON-safe; kept with the task so that another process can go on. */
export type Progress = Readonly<z.infer<typeof progressSchema>>;

/** A message known to be ours, and how it came to be. */
export type Shown = Progress["messages"][number];

/** How a message came to be. */
export type How = Shown["how"];

/** The progress in what was kept; undefined when it is none, such as for a task that never began to answer. */
export function readProgress(kept: unknown): Progress | undefined {
  return progressSchema.safeParse(kept).data;
}

/** Every message from the first to one that is marked as the last is there and final, and all are of one delivery. */
export function isComplete(shown: readonly Shown[], found: readonly OwnMessage[], taskId: string): boolean {
  const marks = shown.map(({ ts }) => found.find((message) => message.ts === ts)?.mark);
  return (
    marks.length > 0 &&
    marks.every(
      (mark, at) => mark?.task === taskId && mark.last === (at === marks.length - 1) && mark.run === marks[0]?.run,
    )
  );
}

/** The answer so far. Both lists are whole each time; pieces only ever grow at their end. */
export interface View {
  readonly cards: readonly TaskCard[];
  /** The row the cards are folded into. Absent: it is left as it is. */
  readonly plan?: string;
  readonly pieces: readonly Piece[];
}

/** Everything a finished answer is shown with. */
export interface Ending extends View {
  /** Shown after the text of the last message: sources, feedback, footer. At most 50 blocks. */
  readonly closing: readonly AnyBlock[];
  /** The whole answer, closing included, as messages to post; asked for only when they are needed. */
  readonly messages: () => readonly PostedMessage[];
  /** The same without blocks, for where they are refused. */
  readonly plain: () => readonly PostedMessage[];
  /** What people are notified with where only the end of a streamed answer has to be posted. Never empty. */
  readonly text: string;
  /** Kept in the metadata of the last message (conversation ids); never secret, never text. */
  readonly remember?: Readonly<Record<string, string | number | boolean>>;
  /** The text changed after parts of it were shown: the messages are replaced by `messages()`. Default false. */
  readonly rewritten?: boolean;
  /** What was shown may not stay: it is replaced likewise, even where the person pressed Stop. Default false. */
  readonly withdrawn?: boolean;
}

/** An end with something to say. */
export type EndOfAnswer =
  | { readonly do: "finish"; readonly ending: Ending }
  | { readonly do: "fail"; readonly message: PostedMessage };

/** The message of an answer that has its end in it, as it would be posted. */
export interface LastMessage {
  readonly ts: string;
  readonly message: PostedMessage;
}

/** What came of it. */
export type Delivered =
  /**
   * `stopped`: the person pressed Stop; what was shown stays. `last`: absent where it was delivered by another process,
   * and where nobody finds it again.
   */
  | {
      readonly kind: "delivered" | "stopped";
      readonly messages: readonly string[];
      readonly how: How;
      readonly last?: LastMessage;
    }
  /** The place is no more: channel gone or archived, bot removed, message deleted. Nothing more to do, no error. */
  | { readonly kind: "gone"; readonly reason: string; readonly messages: readonly string[] };

/** What a delivery that was left may have done unrecorded. */
export interface Traces {
  /** Messages it made, changed, ended or deleted, or tried to. */
  readonly touched: readonly string[];
  /** Text of first chunks of streams that may exist and were never found. */
  readonly lostStarts: readonly string[];
  /** There may be a stream besides, of which not even the text is known. Default false. */
  readonly anyStream?: boolean | undefined;
}

/** What a delivery needs. */
export interface DeliveryDeps extends Pick<SlackCallsDeps, "clients" | "pacer" | "self" | "fetch"> {
  /** The task the answer is for; goes into the metadata of every message. */
  readonly taskId: string;
  /** Keeps the progress, before every step that could be lost. When it throws, nothing more is sent and `finish` throws the same. */
  readonly save: (progress: Progress) => Promise<void>;
  /**
   * Asks whether the answer is still this run's, before each call that makes, ends or deletes a message. What it throws
   * ends the delivery, and `finish` throws the same. Default: it is.
   */
  readonly hold?: () => Promise<void>;
  /** What must outlive a restart about streaming. A scope is `team` or `team:channel`. */
  readonly streamingOff: {
    has(scope: string): Promise<boolean>;
    set(scope: string, reason: string): Promise<void>;
  };
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Where the place is gone: shows the end somewhere else, if it can. Default: nowhere. */
  readonly elsewhere?: (gone: Delivered & { kind: "gone" }, end: EndOfAnswer) => Promise<Delivered>;
  /** Decision trace in plain words; never message text. */
  readonly note?: (words: string) => void;
  /** How long to go on without an answer of the platform, milliseconds. Default 120,000. */
  readonly patienceMs?: number;
  /** How long a lost message may take to appear in its thread, milliseconds. Default 1,500. */
  readonly settleMs?: number;
  /** Default: `STREAM`. */
  readonly limits?: Partial<MessageLimits>;
}
