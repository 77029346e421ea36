import type { AnyChunk } from "@slack/types";

import type { Journal, StreamingOff, View } from "./delivery-seam.ts";
import type { Clock, Pacer, Turns } from "../transport/pacing.ts";
import { type How, type Place, PlaceGone, type Posting, type Shown } from "../transport/posting.ts";
import { isOlder, type OwnMessage, saysTheSame } from "../transport/reconcile.ts";
import type { Refusal } from "../transport/refusals.ts";
import type { StreamCalls } from "../transport/stream-calls.ts";
import { type Batch, textOf } from "./layout.ts";
import { budgetInDoubt, type MessageBudget } from "./message-budget.ts";
import { hasContent, SHORTEST, type StreamedMessage, type StreamedMessages } from "./streamed-messages.ts";

/** What the live part of a delivery needs. */
export interface LiveAnswerDeps {
  readonly pacer: Pacer;
  readonly clock: Clock;
  readonly posting: Posting;
  readonly stream: StreamCalls;
  readonly messages: StreamedMessages;
  readonly streamingOff: StreamingOff;
  readonly note: (words: string) => void;
  /** Every message of the answer, in order. */
  readonly shown: readonly Shown[];
  readonly save: (stage: Parameters<Journal["save"]>[0]["stage"]) => Promise<void>;
  /** How long a message is added to before another is begun, milliseconds. */
  readonly ageMs: number;
  /** How it is shown; with anything but `stream` nothing is shown before the end. */
  readonly how: How;
  /** Awaited before anything is shown; what it throws ends the delivery. */
  readonly prepare: () => Promise<void>;
}

/** An answer that is shown while it grows. */
export interface LiveAnswer {
  readonly how: How;
  readonly stoppedByUser: AbortSignal;
  readonly unseen: AbortSignal;
  /** What ended it before its time. */
  readonly trouble: { readonly error: unknown } | undefined;
  /** Text of first chunks of streams that may exist unknown to us. */
  readonly lostStarts: readonly string[];
  /** Shows the answer so far, soon. Never blocks, never throws. */
  show(view: View | (() => View)): void;
  /** The answer as it is now. */
  view(): View;
  /** Nothing more is shown live; resolves when nothing is under way. */
  end(): Promise<void>;
}

/** Shows an answer while it grows: one call at a time, as often as the platform's pace allows. */
export function createLiveAnswer({ team, channel, questionTs }: Place, deps: LiveAnswerDeps): LiveAnswer {
  const { pacer, clock, posting, stream, messages, note } = deps;
  const stoppedByUser = new AbortController();
  const unseen = new AbortController();
  const lostStarts: string[] = [];

  let { how } = deps;
  let newest: View = { cards: [], pieces: [] };
  /** What was to be shown last, where it has not been asked for yet. */
  let pending: (() => View) | undefined;
  let turns: Turns | undefined;
  let cancelAge = (): void => {};
  /** The message that was open for as long as one may be. */
  let aged: StreamedMessage | undefined;
  /** No more streaming in this delivery. */
  let isOver = how !== "stream";
  let isEnding = false;
  let failedStarts = 0;
  let expiries = 0;
  let work: Promise<void> | undefined;
  let again = false;
  let trouble: { readonly error: unknown } | undefined;

  const ready = prepare();

  async function prepare(): Promise<void> {
    try {
      const off = isOver ? [] : [deps.streamingOff.has(team), deps.streamingOff.has(`${team}:${channel}`)];
      await deps.prepare();
      if ((await Promise.all(off)).includes(true)) streamNoMore("streaming is off here");
    } catch (error) {
      giveUp(error);
    }
  }

  function giveUp(error: unknown): void {
    trouble = { error };
    // Whoever can show it later goes on with the answer that is being written; where its place is gone, nobody can.
    unseen.abort(error instanceof PlaceGone ? error : Object.assign(new Error("unseen"), { leaveRunning: true }));
  }

  function streamNoMore(why: string): void {
    note(`No streaming: ${why}.`);
    isOver = true;
    if (messages.all.length === 0) how = "post";
    turns?.close();
    turns = undefined;
    cancelAge();
  }

  function show(now: View | (() => View)): void {
    if (isEnding) return;
    pending = typeof now === "function" ? now : () => now;
    if (!isOver) ask();
  }

  function view(): View {
    if (pending !== undefined) newest = pending();
    pending = undefined;
    return newest;
  }

  /** Asks for a turn. The first words need not wait until the cards before them have rested. */
  function ask(): void {
    if (turns === undefined) flush();
    else if (messages.open?.budget.isBegun === false && view().pieces.length > 0) turns.requestSoon();
    else turns.request();
  }

  function flush(): void {
    if (isEnding || isOver || trouble !== undefined) return;
    if (work !== undefined) {
      again = true;
      return;
    }
    work = advance()
      .catch((error: unknown) => {
        streamNoMore("the delivery cannot go on");
        giveUp(error);
      })
      .finally(() => {
        work = undefined;
        const repeat = again;
        again = false;
        if (repeat && !isEnding && !isOver) ask();
      });
  }

  /** One step: opens a message, adds to it, or ends it because it is full or old. */
  async function advance(): Promise<void> {
    await ready;
    if (trouble !== undefined || isOver || isEnding) return;
    posting.begin();
    const batch = messages.next(view());
    const { open } = messages;
    if (open === undefined) {
      if (batch.chunks.length > 0) await begin(batch);
      return;
    }
    if (batch.chunks.length === 0) turns?.unused();
    const isIn = batch.chunks.length === 0 || (await append(open, batch));
    if (!isIn || messages.open === undefined) return;
    if (batch.more && !batch.full) again = true;
    if ((batch.full && batch.more) || aged === open) {
      await rollOver(open);
      again = true;
    }
  }

  async function begin(batch: Batch): Promise<void> {
    if (!pacer.takeStart(team, channel)) {
      if (messages.all.length === 0) streamNoMore("too many answers are being streamed; this one is posted");
      else again = true;
      return;
    }
    const started = await stream.start(batch.chunks);
    if ("reply" in started) await opened(started.reply, batch, false);
    else await notOpened(started.refusal, batch);
  }

  async function opened(ts: string, batch: Batch, doubtful: boolean): Promise<void> {
    messages.opened(ts, batch, doubtful);
    const { open } = messages;
    failedStarts = 0;
    turns ??= pacer.open(team, channel, flush);
    cancelAge();
    cancelAge = clock.after(deps.ageMs, () => {
      aged = open;
      flush();
    });
    if (batch.more) again = true;
    await deps.save("streaming");
  }

  async function notOpened(refusal: Refusal, batch: Batch): Promise<void> {
    failedStarts += 1;
    if (refusal.kind === "limited") {
      if (messages.all.length === 0) streamNoMore("Slack limits new streams; this answer is posted");
      else again = true;
      return;
    }
    if (refusal.kind === "lost") {
      note("No answer to the start of a stream: looking in the thread whether it is there.");
      const found = await posting.seek(isUnknownStart);
      if (found !== undefined) return opened(found.ts, batch, true);
      lostStarts.push(textOf(batch.chunks));
    } else if (refusal.kind === "unstreamable") return streamingIsOff(refusal);
    else if (refusal.kind !== "content" || !hasBlocks(batch.chunks) || !messages.tablesAsText()) {
      return streamNoMore(refusal.code);
    }
    if (failedStarts >= 2) streamNoMore("it could not be started");
    else again = true;
  }

  async function streamingIsOff(refusal: Refusal & { kind: "unstreamable" }): Promise<void> {
    await deps.streamingOff.set(refusal.wide ? team : `${team}:${channel}`, refusal.code);
    streamNoMore(refusal.code);
  }

  /** A message of ours in the thread that nobody knows of: the stream whose start was never answered. */
  function isUnknownStart(message: OwnMessage): boolean {
    const last = deps.shown.at(-1)?.ts ?? questionTs;
    return message.mark === undefined && !message.foreign && isOlder(last, message.ts);
  }

  /** Adds to the open message; false: it did not get in, and is still to be shown. */
  async function append(to: StreamedMessage, batch: Batch): Promise<boolean> {
    const refusal = await stream.append(to.ts, batch.chunks);
    if (refusal !== undefined) return notAppended(to, batch, refusal);
    messages.accept(to, batch, batch.budget);
    return true;
  }

  async function notAppended(to: StreamedMessage, batch: Batch, refusal: Refusal): Promise<boolean> {
    again = true;
    if (refusal.kind === "lost") return appendLost(to, batch);
    if (refusal.kind === "stopped") stopNow();
    else if (refusal.kind === "ended") await expired(to);
    else if (refusal.kind === "unstreamable") await streamingIsOff(refusal);
    else if (refusal.kind === "content" && refusal.long) await tooLong(to, refusal.code);
    else if (refusal.kind === "content" && hasBlocks(batch.chunks) && messages.tablesAsText()) return false;
    else if (refusal.kind !== "limited") streamNoMore(refusal.code);
    return false;
  }

  async function expired(old: StreamedMessage): Promise<void> {
    // Another run may have ended it; then nothing of it is this one's to repair.
    await posting.guard();
    expiries += 1;
    note("Slack ended the stream by itself; the answer goes on in a new message.");
    await messages.endedByItself(old);
    cancelAge();
    if (expiries > 2) streamNoMore("streams keep ending by themselves");
  }

  async function tooLong(to: StreamedMessage, code: string): Promise<void> {
    note(`Slack takes no more in this message (${code}).`);
    messages.shorten(to);
    if (to.budget.bytes < SHORTEST) streamNoMore("even short messages are too long");
    else await rollOver(to);
  }

  async function rollOver(old: StreamedMessage): Promise<void> {
    await messages.rollOver(old);
    cancelAge();
  }

  /** Nobody knows whether the text arrived, and sending it again could double it: the message itself tells. */
  async function appendLost(to: StreamedMessage, batch: Batch): Promise<boolean> {
    note("No answer to a part of the answer: reading the message back.");
    to.doubtful = true;
    const before = textOf(to.chunks);
    const sent = textOf(batch.chunks);
    const read = await posting.read(to.ts);
    const isKnown = read !== undefined && sent.trim() !== "";
    if (isKnown && saysTheSame(read.text, before) && !saysTheSame(sent, "")) return false;
    if (!isKnown || !saysTheSame(read.text, before + sent)) to.unsure ||= hasContent(batch.chunks);
    const then: MessageBudget = budgetInDoubt(batch.budget);
    messages.accept(to, batch, then);
    return true;
  }

  function stopNow(): void {
    note("The person stopped the answer.");
    isOver = true;
    turns?.close();
    cancelAge();
    stoppedByUser.abort();
  }

  async function end(): Promise<void> {
    isEnding = true;
    turns?.close();
    cancelAge();
    await ready;
    await work;
  }

  return {
    get how() {
      return how;
    },
    get trouble() {
      return trouble;
    },
    stoppedByUser: stoppedByUser.signal,
    unseen: unseen.signal,
    lostStarts,
    show,
    view,
    end,
  };
}

const hasBlocks = (chunks: readonly AnyChunk[]): boolean => chunks.some((chunk) => chunk.type === "blocks");
