/** What a delivery knows, what it may hear, and what it wants done: plain data, which `step` alone changes. */
import type { AnyBlock } from "@slack/types";

import type { Delivered, Ending, EndOfAnswer, How, LastMessage, Progress, Shown, View } from "../delivery-seam.ts";
import type { Batch, Cursor, Part } from "../../layout/cut-into-messages.ts";
import type { MessageBudget, MessageLimits } from "../../layout/message-budget.ts";
import type { SlackCall, SlackReply } from "../../transport/calls.ts";

/** One streamed message, and what it is known (or taken) to hold. */
export interface StreamedMessage {
  readonly ts: string;
  /** Number within the answer, from 1. Never given twice: by its number a lost message is found again. */
  readonly number: number;
  /** Where in the pieces it begins. */
  readonly from: Cursor;
  readonly budget: MessageBudget;
  readonly parts: readonly Part[];
  /** Blocks after its text. */
  readonly closing: readonly AnyBlock[];
  /** A call for it was lost: it is read back in the end. */
  readonly isDoubtful: boolean;
  /** Reading back does not tell: it is replaced in the end. */
  readonly isUnsure: boolean;
}

/**
 * Where a delivery stands. `resuming`: what another process left is looked for. `waiting`: nothing is streamed yet.
 * `streaming`: it is. `quiet`: nothing more is shown before the end. `closing`: the end was asked for. `closed`: it is
 * reached. `gone`: the place is no more. `broken`: it cannot go on, and says why.
 */
export type Tag = "resuming" | "waiting" | "streaming" | "quiet" | "closing" | "closed" | "gone" | "broken";

/** What is fixed for a delivery. */
export interface Plan {
  /** The task the answer is for. */
  readonly task: string;
  /** The question's ts: nothing older in the thread is looked at. */
  readonly questionTs: string;
  /** Only the recipient sees it. */
  readonly isPrivate: boolean;
}

/** A delivery at one moment. Immutable. */
export interface DeliveryState {
  readonly tag: Tag;
  readonly plan: Plan;
  readonly work: Work | undefined;
  /** How it is to end, once what is under way is over. */
  readonly end: Job | undefined;
  readonly how: How;
  /** Messages known to be ours, in order. */
  readonly shown: readonly Shown[];
  /** Messages of ours that wait to be replaced, after those. */
  readonly slots: readonly Shown[];
  /** Another process began it. */
  readonly isResumed: boolean;
  /** The answer as it was looked at last. */
  readonly view: View;
  readonly limits: MessageLimits;
  /** Tables are sent as text: their blocks were refused. */
  readonly plainTables: boolean;
  /** Streamed messages that are closed, in order. */
  readonly ended: readonly StreamedMessage[];
  /** The one that is added to. */
  readonly open: StreamedMessage | undefined;
  /** How much of the pieces is in messages. */
  readonly cursor: Cursor;
  readonly nextNumber: number;
  /** The platform shows the session as at work. */
  readonly isProcessing: boolean;
  readonly failedStarts: number;
  /** Streams that ended by themselves. */
  readonly expiries: number;
  /** ts of the message that has been open for as long as one may be. */
  readonly aged: string | undefined;
  /** There is more to show once the job under way is over. */
  readonly again: boolean;
  /** The person pressed Stop. */
  readonly isStopped: boolean;
  /** Text of first chunks of streams that may exist and were never found. */
  readonly lostStarts: readonly string[];
  /** A post was nowhere to be seen after its answer was lost, or may have been under way when its process ended; it may appear yet. */
  readonly isTwinPossible: boolean;
  /** The process before may have begun a stream that it did not record; it may appear yet. */
  readonly isStreamPossible: boolean;
  /** What goes into the metadata of the last message. */
  readonly remembered: NonNullable<Ending["remember"]>;
  /** The message that was posted last, of those that were. */
  readonly posted: LastMessage | undefined;
  /** What came of it, once `closed`. */
  readonly outcome: Delivered | undefined;
  /** Why it is `broken`. */
  readonly error: unknown;
}

/** How a delivery ends, as `Delivery` describes it. */
export type EndJob = EndOfAnswer | { readonly do: "stop"; readonly closing: readonly AnyBlock[] };

/** What a delivery does in one or more calls; `JOBS` in `step.ts` says how. */
export type Job =
  | { readonly do: "prepare" }
  | { readonly do: "resume" }
  | { readonly do: "show"; readonly batch: Batch }
  | EndJob
  /** The place is no more. */
  | { readonly do: "leave"; readonly reason: string };

/** A job under way. Each is given a span of patience with the platform of its own. */
export interface Work {
  readonly job: Job;
  /** The delivery as it was when the job began. */
  readonly from: DeliveryState;
  /** What has been heard since, in order: what came of what was waited for, and changes from outside. */
  readonly heard: readonly (Heard | { readonly type: "changed"; readonly change: Partial<DeliveryState> })[];
}

/** What came of what was waited for. `isLate`: the span of patience is over. */
export interface Heard {
  readonly type: "answered";
  readonly result: Answered;
  readonly isLate: boolean;
}

/** What a script waits for; one thing at a time. */
export type Awaited =
  | SlackCall
  /** Keeps the progress. */
  | { readonly do: "save"; readonly progress: Progress }
  /** Keeps that it begins, and asks whether streaming is off here (where `streams`). */
  | { readonly do: "prepare"; readonly progress: Progress; readonly streams: boolean }
  | { readonly do: "switchOff"; readonly wide: boolean; readonly code: string }
  /** Asks whether the answer is still this run's. */
  | { readonly do: "guard" }
  /** As long as a lost message may take to appear. */
  | { readonly do: "settle" }
  /** Longer with each try. */
  | { readonly do: "backOff"; readonly tries: number };

/** What is to be done outside. */
export type Effect =
  /** Its outcome comes back as `answered`, or `broke`. */
  | { readonly do: "await"; readonly what: Awaited }
  /** A `turn` to show more is wanted. */
  | { readonly do: "wantTurn" }
  /** The turn was not needed: nothing was sent. */
  | { readonly do: "turnUnused" }
  /** Decision trace. */
  | { readonly do: "note"; readonly words: string };

/** What came of what was waited for; `isOff`: streaming is, where that was asked. */
export type Answered = SlackReply & { readonly isOff?: boolean };

/** What a delivery may hear. */
export type DeliveryEvent =
  /** It begins. */
  | { readonly type: "opened" }
  /** There is something new to show. */
  | { readonly type: "shown" }
  /** It may be shown now. `aged`: ts of a message that has been open for long. */
  | { readonly type: "turn"; readonly view: View; readonly aged?: string }
  | Heard
  /** What was waited for cannot be had: the answer is not this run's any more, the token is revoked, and the like. */
  | { readonly type: "broke"; readonly error: unknown }
  /** It is to end. `view`: where the end does not say what the answer is. */
  | { readonly type: "end"; readonly job: EndJob; readonly view?: View };
