/** The streamed messages of an answer: what they hold, and how they come and go. */
import type { AnyBlock } from "@slack/types";

import { notificationLine } from "../../render/notification.ts";
import { planBlocks } from "../../render/task-cards.ts";
import { LIMITS } from "../../transport/limits.ts";
import type { Marked, PostedMessage } from "../../transport/calls.ts";
import type { Doubts, Progress } from "../delivery-seam.ts";
import { type Batch, blocksOf, layOut, messagesLeft, plainOf } from "../../layout/cut-into-messages.ts";
import { budgetAfter, freshBudget } from "../../layout/message-budget.ts";
import type { DeliveryState, StreamedMessage } from "./state.ts";

/** Whether more is shown as it comes. */
export const isLive = ({ tag }: DeliveryState): boolean => tag === "waiting" || tag === "streaming";

/** All of them, in order. */
export const streamedOf = ({ ended, open }: DeliveryState): readonly StreamedMessage[] =>
  open === undefined ? ended : [...ended, open];

/** What may be sent next of the view; `last`: nothing follows. */
export function nextBatch(state: DeliveryState, last = false): Batch {
  const { open, ended, cursor, view, limits, plainTables } = state;
  const budget = open?.budget ?? budgetAfter(ended.at(-1)?.budget ?? freshBudget);
  return layOut(budget, cursor, view, { limits, plainTables, last });
}

/** A message was started with the batch; `isDoubtful`, nobody said so. */
export function withOpened(state: DeliveryState, ts: string, batch: Batch, isDoubtful: boolean): DeliveryState {
  const open: StreamedMessage = {
    ts,
    number: state.nextNumber,
    from: state.cursor,
    budget: batch.budget,
    parts: batch.parts,
    closing: [],
    isDoubtful,
    isUnsure: false,
  };
  return {
    ...state,
    tag: state.tag === "waiting" ? "streaming" : state.tag,
    open,
    nextNumber: open.number + 1,
    shown: [...state.shown, { ts, how: "stream" }],
    cursor: batch.cursor,
    isProcessing: true,
    failedStarts: 0,
    again: state.again || batch.more,
  };
}

/** The batch, if there is one, is in the open message. */
export function withAdded(
  state: DeliveryState,
  batch: Batch | undefined,
  change: Partial<StreamedMessage> = {},
): DeliveryState {
  const { open } = state;
  if (open === undefined) return state;
  if (batch === undefined) return { ...state, open: { ...open, ...change } };
  const parts = [...open.parts, ...batch.parts];
  return { ...state, open: { ...open, budget: batch.budget, parts, ...change }, cursor: batch.cursor };
}

/** The open message is closed; the answer goes on in another. */
export function withoutOpen(state: DeliveryState): DeliveryState {
  const { open, ended } = state;
  if (open === undefined) return state;
  return { ...state, open: undefined, ended: [...ended, open] };
}

/** A message is no more: what was in it is still to be shown. */
export function forgotten(state: DeliveryState, ts: string): DeliveryState {
  const old = streamedOf(state).find((message) => message.ts === ts);
  return {
    ...state,
    open: state.open?.ts === ts ? undefined : state.open,
    ended: state.ended.filter((message) => message.ts !== ts),
    shown: state.shown.filter((message) => message.ts !== ts),
    cursor: old?.from ?? state.cursor,
  };
}

/** What is kept of how far it got. */
export function progressOf(state: DeliveryState, stage: Progress["stage"]): Progress {
  const doubts = doubtsOf(state);
  return { stage, messages: [...state.shown, ...state.slots], ...(doubts === undefined ? {} : { doubts }) };
}

/** What may come to be although it was taken for lost; undefined: nothing. */
export function doubtsOf({ lostStarts, isTwinPossible, isStreamPossible }: DeliveryState): Doubts | undefined {
  if (lostStarts.length === 0 && !isTwinPossible && !isStreamPossible) return undefined;
  return { starts: lostStarts, posts: isTwinPossible, ...(isStreamPossible ? { streams: true } : {}) };
}

/** What came of it, as far as its messages tell. */
export const outcomeOf = <Kind extends "delivered" | "stopped">(
  { shown, how }: Pick<DeliveryState, "shown" | "how">,
  kind: Kind,
) => ({ kind, messages: shown.map(({ ts }) => ts).filter((ts) => ts !== ""), how: shown[0]?.how ?? how });

/** What marks a message of the answer. */
export const markOf = ({ plan, remembered }: DeliveryState, part: number, last = false): Marked => ({
  ...(last ? remembered : {}),
  task: plan.task,
  part,
  last,
});

/** What a streamed message holds, as a message to post: its cards, its text, and what stands below. */
export function asMessage({ parts, closing, budget: { plan, rows } }: StreamedMessage): PostedMessage {
  const plain = plainOf(parts);
  const body = blocksOf(parts);
  // Cards alone are no message.
  const cards = body.length + closing.length === 0 ? [] : [...rows].map(([id, row]) => ({ id, ...row }));
  return { text: notificationLine(plain), plain, blocks: [...planBlocks(plan, cards), ...body, ...closing] };
}

/** What no streamed message holds, as messages to post; the closing blocks in the last of them, or in one of their own. */
export function restOf(state: DeliveryState, closing: readonly AnyBlock[], text: string): readonly PostedMessage[] {
  const messages = messagesLeft(state.cursor, state.view.pieces, state.limits).map((message): PostedMessage => ({
    text: notificationLine(message.text),
    plain: message.text,
    blocks: message.blocks,
  }));
  if (closing.length === 0) return messages;
  const last = messages.at(-1);
  const blocks = [...(last?.blocks ?? []), ...closing];
  if (last === undefined || blocks.length > LIMITS.messageBlocks) return [...messages, { text, blocks: closing }];
  return [...messages.slice(0, -1), { ...last, blocks }];
}
