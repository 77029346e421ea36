import type { AnyBlock, AnyChunk } from "@slack/types";

import type { View } from "./delivery-seam.ts";
import { LIMITS } from "../transport/limits.ts";
import type { Piece } from "../render/pieces.ts";
import type { PostedMessage, Posting, Shown } from "../transport/posting.ts";
import { saysTheSame } from "../transport/reconcile.ts";
import type { Closed, StreamCalls, StreamEnd } from "../transport/stream-calls.ts";
import { closeCards } from "./card-rows.ts";
import { type Batch, blocksOf, type Cursor, layOut, messagesLeft, plainOf, textOf } from "./layout.ts";
import { budgetAfter, freshBudget, type MessageBudget, type MessageLimits } from "./message-budget.ts";

/** One streamed message, and what it is known (or taken) to hold. */
export interface StreamedMessage {
  readonly ts: string;
  readonly number: number;
  /** Where in the pieces it begins. */
  readonly from: Cursor;
  budget: MessageBudget;
  /** Text and tables in it. */
  chunks: AnyChunk[];
  /** Blocks after its text. */
  closing: readonly AnyBlock[];
  /** A call for it was lost: it is read back in the end. */
  doubtful: boolean;
  /** Reading back does not tell: it is replaced in the end. */
  unsure: boolean;
}

/** What the messages need. */
export interface StreamedMessagesDeps {
  readonly posting: Posting;
  readonly stream: StreamCalls;
  readonly taskId: string;
  readonly note: (words: string) => void;
  readonly limits: MessageLimits;
  /** Every message of the answer, in order, streamed or not; kept in step. */
  readonly shown: Shown[];
  /** The pieces as they are now. */
  readonly pieces: () => readonly Piece[];
}

/** The streamed messages of one answer. Calls throw as `Delivery.finish` does, and `PlaceGone`. */
export interface StreamedMessages {
  readonly all: readonly StreamedMessage[];
  /** The one that is being added to. */
  readonly open: StreamedMessage | undefined;
  /** Number of the next message. Never given twice: by its number a lost message is found again. */
  readonly nextNumber: number;
  /** The platform shows the session as at work. */
  readonly isProcessing: boolean;
  /** What may be sent next of the view. */
  next(view: View, last?: boolean): Batch;
  /** A message was started with the batch; `doubtful`, nobody said so. */
  opened(ts: string, batch: Batch, doubtful: boolean): void;
  /** The batch is in the message. */
  accept(to: StreamedMessage, batch: Batch, then: MessageBudget): void;
  /** The platform ended the message by itself: it is put right, and the answer goes on in another. */
  endedByItself(old: StreamedMessage): Promise<void>;
  /** Ends the message because it is full or old; the answer goes on in another. One with nothing in it is deleted. */
  rollOver(old: StreamedMessage): Promise<void>;
  /** Ends it with a last call; why it did not end so. */
  close(old: StreamedMessage, manner: Omit<StreamEnd, "number">): Promise<Closed>;
  /** Ends it with nothing more; if even that is refused it is deleted, and its text counts as not shown. */
  shut(open: StreamedMessage): Promise<void>;
  /** Ends the open message with what fits of the rest; true: the closing blocks are in it. */
  end(open: StreamedMessage, view: View, closing: readonly AnyBlock[]): Promise<boolean>;
  /** Ends the open message with a failure said below what is there; false: it could not be said there. */
  endWith(open: StreamedMessage, view: View, blocks: readonly AnyBlock[]): Promise<boolean>;
  /** Ends the open message because somebody stopped the answer. */
  stop(open: StreamedMessage, blocks: readonly AnyBlock[]): Promise<void>;
  /** What no streamed message holds, as messages to post. */
  left(pieces: readonly Piece[]): PostedMessage[];
  /** Reads back every message of which a call was lost; what is not as it should be is replaced. */
  verify(isLastStreamed: boolean): Promise<void>;
  /** From now on tables are sent as text; false where they are already. */
  tablesAsText(): boolean;
  /** Whatever the budget was, what is in this message is too much: the next ones stay below it. */
  shorten(open: StreamedMessage): void;
}

/** The streamed messages of an answer that has none yet. */
export function createStreamedMessages(deps: StreamedMessagesDeps): StreamedMessages {
  const { posting, stream, taskId, note, shown } = deps;
  const all: StreamedMessage[] = [];
  let { limits } = deps;
  let cursor: Cursor = { piece: 0, offset: 0 };
  let open: StreamedMessage | undefined;
  /** What the next message knows of the cards of the earlier ones. */
  let budget: MessageBudget = freshBudget;
  let plainTables = false;
  let nextNumber = 1;
  let isProcessing = false;

  function next(view: View, last = false): Batch {
    return layOut(open?.budget ?? budget, cursor, view, { limits, plainTables, ...(last && { last }) });
  }

  function opened(ts: string, batch: Batch, doubtful: boolean): void {
    open = {
      ts,
      number: nextNumber,
      from: cursor,
      budget: batch.budget,
      chunks: batch.chunks.filter(isContent),
      closing: [],
      doubtful,
      unsure: false,
    };
    nextNumber += 1;
    all.push(open);
    shown.push({ ts, how: "stream" });
    cursor = batch.cursor;
    isProcessing = true;
  }

  function accept(to: StreamedMessage, batch: Batch, then: MessageBudget): void {
    to.budget = then;
    to.chunks.push(...batch.chunks.filter(isContent));
    cursor = batch.cursor;
  }

  /** The message is closed; the answer goes on in another. */
  function leave(old: StreamedMessage): void {
    budget = budgetAfter(old.budget);
    open = undefined;
  }

  async function close(old: StreamedMessage, manner: Omit<StreamEnd, "number">): Promise<Closed> {
    const closed = await stream.close(old.ts, { number: old.number, ...manner });
    if (closed === "closed") isProcessing = manner.status === "processing";
    return closed;
  }

  async function rollOver(old: StreamedMessage): Promise<void> {
    if (!old.budget.isBegun) return drop(old);
    const closed = await close(old, { chunks: closeCards(old.budget, limits), status: "processing", last: false });
    if (closed === "refused") await close(old, { chunks: [], status: "processing", last: false });
    if (closed === "expired") await repair(old);
    leave(old);
  }

  /** There is nothing in it that anybody would miss: it gives way to the next one, and its cards are shown there. */
  async function drop(old: StreamedMessage): Promise<void> {
    await close(old, { chunks: [], status: "processing", last: false });
    await posting.remove(old.ts);
    forget(old);
    cursor = old.from;
    open = undefined;
  }

  async function endedByItself(old: StreamedMessage): Promise<void> {
    await repair(old);
    leave(old);
  }

  /** After Slack ended a stream by itself the message looks broken until it is replaced by what it held. */
  async function repair(old: StreamedMessage): Promise<void> {
    const message = asMessage(old);
    if (message.blocks === undefined || message.blocks.length === 0) {
      await posting.remove(old.ts);
      forget(old);
      return;
    }
    await posting.replace(old.ts, message, { task: taskId, part: old.number, last: false });
    old.doubtful = false;
  }

  function forget(old: StreamedMessage): void {
    all.splice(all.indexOf(old), 1);
    const at = shown.findIndex(({ ts }) => ts === old.ts);
    if (at >= 0) shown.splice(at, 1);
  }

  /** What a streamed message holds, as a message to post. */
  function asMessage(of: StreamedMessage): PostedMessage {
    const plain = plainOf(of.chunks, deps.pieces());
    return { text: notification(plain), plain, blocks: [...blocksOf(of.chunks), ...of.closing] };
  }

  async function shut(old: StreamedMessage): Promise<void> {
    const chunks = closeCards(old.budget, limits, "failed");
    let closed = chunks.length === 0 ? "refused" : await close(old, { chunks, status: "active", last: false });
    if (closed === "refused") closed = await close(old, { chunks: [], status: "active", last: false });
    if (closed === "refused") {
      await posting.remove(old.ts);
      forget(old);
      cursor = old.from;
    } else if (closed === "expired") await repair(old);
    leave(old);
  }

  async function end(old: StreamedMessage, view: View, wanted: readonly AnyBlock[]): Promise<boolean> {
    const batch = next(view, true);
    const closing = batch.more ? [] : wanted;
    const last = !batch.more && !all.some(({ doubtful }) => doubtful);
    const chunks = batch.more ? [...batch.chunks, ...closeCards(batch.budget, limits)] : batch.chunks;
    const closed = await close(old, { chunks, blocks: closing, status: "active", last });
    if (closed === "refused") {
      await shut(old);
      return false;
    }
    old.closing = closing;
    accept(old, batch, batch.budget);
    leave(old);
    if (closed === "closed") return !batch.more;
    return (await replaceExpired(old, last)) && !batch.more;
  }

  /** Puts a stream that ended by itself right; true: its closing blocks are in it. */
  async function replaceExpired(old: StreamedMessage, last: boolean): Promise<boolean> {
    note("Slack had ended the stream by itself; its message is replaced.");
    const message = asMessage(old);
    const mark = { task: taskId, part: old.number, last };
    old.doubtful = false;
    const hasContent = (message.blocks?.length ?? 0) > 0;
    if (hasContent && (await posting.replace(old.ts, message, mark)) === "replaced") return true;
    // It gives way to a message of its own.
    await posting.remove(old.ts);
    forget(old);
    cursor = old.from;
    return false;
  }

  async function endWith(old: StreamedMessage, view: View, blocks: readonly AnyBlock[]): Promise<boolean> {
    const batch = next(view, true);
    // The cards as they are in the end, and none of them at work.
    const then = batch.more ? old.budget : batch.budget;
    const chunks = [...(batch.more ? [] : batch.chunks), ...closeCards(then, limits, "failed")];
    const closed = await close(old, { chunks, blocks, status: "active", last: true });
    if (closed === "closed") {
      accept(old, batch, batch.budget);
      old.closing = blocks;
      return true;
    }
    if (closed === "expired") await repair(old);
    else await shut(old);
    return false;
  }

  async function stop(old: StreamedMessage, blocks: readonly AnyBlock[]): Promise<void> {
    const chunks = closeCards(old.budget, limits, "stopped");
    const closed = await close(old, { chunks, blocks, status: "active", last: true });
    if (closed === "refused") await close(old, { chunks: [], status: "active", last: true });
  }

  function left(pieces: readonly Piece[]): PostedMessage[] {
    return messagesLeft(cursor, pieces, limits).map((message) => ({
      text: notification(message.text),
      plain: message.text,
      blocks: message.blocks,
    }));
  }

  async function verify(isLastStreamed: boolean): Promise<void> {
    for (const one of all) {
      if (!one.doubtful) continue;
      const read = await posting.read(one.ts);
      if (!one.unsure && (read === undefined || saysTheSame(read.text, textOf(one.chunks)))) continue;
      note("A message was not as it should be after a lost call; it is replaced.");
      const message = asMessage(one);
      const last = isLastStreamed && one === all.at(-1);
      const mark = { task: taskId, part: one.number, last };
      if ((await posting.replace(one.ts, message, mark)) !== "replaced")
        await posting.replace(one.ts, { text: message.plain ?? message.text }, mark);
    }
  }

  function tablesAsText(): boolean {
    const isNew = !plainTables;
    plainTables = true;
    return isNew;
  }

  function shorten({ budget: full }: StreamedMessage): void {
    limits = { ...limits, bytes: Math.max(SHORTEST, Math.min(limits.bytes, full.bytes)) };
  }

  return {
    all,
    get open() {
      return open;
    },
    get nextNumber() {
      return nextNumber;
    },
    get isProcessing() {
      return isProcessing;
    },
    next,
    opened,
    accept,
    endedByItself,
    rollOver,
    close,
    shut,
    end,
    endWith,
    stop,
    left,
    verify,
    tablesAsText,
    shorten,
  };
}

/** A message that is refused as too long with fewer bytes than this is refused for another reason. */
export const SHORTEST = 2000;

/** Whether a chunk is of the answer itself, not of the cards above it. */
const isContent = (chunk: AnyChunk): boolean => chunk.type === "markdown_text" || chunk.type === "blocks";

/** Whether any chunk is of the answer itself, not of the cards above it. */
export const hasContent = (chunks: readonly AnyChunk[]): boolean => chunks.some(isContent);

/** Text of a notification: the beginning, on one line. */
function notification(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= 240 ? line || "…" : `${line.slice(0, 239).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** Adds the closing blocks to the last of the messages, or as one of their own. */
export function addClosing(messages: PostedMessage[], closing: readonly AnyBlock[], text: string): void {
  const last = messages.at(-1);
  if (last?.blocks !== undefined && last.blocks.length + closing.length <= LIMITS.messageBlocks) {
    messages.splice(-1, 1, { ...last, blocks: [...last.blocks, ...closing] });
  } else messages.push({ text, blocks: closing });
}
