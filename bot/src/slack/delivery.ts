import type { AnyBlock, AnyChunk } from "@slack/types";
import { z } from "zod";

import type { Clients } from "./clients.ts";
import { LIMITS, STREAM } from "./limits.ts";
import { type Clock, machineClock, type Pacer, type Turns } from "./pacing.ts";
import type { Piece, TaskCard } from "./pieces.ts";
import { type Closed, createStreamCalls, type StreamEnd } from "./stream-calls.ts";
import {
  createPosting,
  type How,
  type Place,
  PlaceGone,
  type PostedMessage,
  type Posting,
  type Shown,
} from "./posting.ts";
import { isOlder, type OwnMessage, saysTheSame } from "./reconcile.ts";
import { type Refusal, Unreachable } from "./refusals.ts";
import {
  type Batch,
  blocksOf,
  closeCards,
  type Cursor,
  emptySheet,
  layOut,
  messagesLeft,
  plainOf,
  type Sheet,
  sheetAfter,
  sheetInDoubt,
  type SheetLimits,
  textOf,
} from "./stream.ts";

/** How far the delivery of an answer got. JSON-safe; kept with the task so that another process can go on. */
export interface Progress {
  /**
   * `starting`: a first message may exist that is not recorded. `streaming`: at least one message is recorded.
   * `posting`: whole messages are being posted or replaced. `closed`: all is delivered.
   */
  readonly stage: "starting" | "streaming" | "posting" | "closed";
  /** Messages known to be ours, in order. */
  readonly messages: readonly Shown[];
}

const progressSchema = z.object({
  stage: z.enum(["starting", "streaming", "posting", "closed"]),
  messages: z.array(z.object({ ts: z.string(), how: z.enum(["stream", "post", "plain", "ephemeral"]) })),
});

/** The progress in what was kept; undefined when it is none, such as for a task that never began to answer. */
export function readProgress(kept: unknown): Progress | undefined {
  return progressSchema.safeParse(kept).data;
}

/** Where progress is kept. */
export interface Journal {
  /** Awaited before every step that could be lost. When it throws, nothing more is sent and `finish` throws the same. */
  save(progress: Progress): Promise<void>;
}

/** What must outlive a restart about streaming. A scope is `team` or `team:channel`. */
export interface StreamingOff {
  has(scope: string): Promise<boolean>;
  set(scope: string, reason: string): Promise<void>;
}

/** The answer so far. Both lists are whole each time; pieces only ever grow at their end. */
export interface View {
  readonly cards: readonly TaskCard[];
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

/** What came of it. */
export type Delivered =
  | { readonly kind: "delivered"; readonly messages: readonly string[]; readonly how: How }
  /** The person pressed Stop; what was shown stays. */
  | { readonly kind: "stopped"; readonly messages: readonly string[]; readonly how: How }
  /** The place is no more: channel gone or archived, bot removed, message deleted. Nothing more to do, no error. */
  | { readonly kind: "gone"; readonly reason: string; readonly messages: readonly string[] };

/** One visible answer, from the first sign of it to the end. */
export interface Delivery {
  /** `stream` while the answer is (or will be) streamed, else how it will be posted: then the caller shows a status. */
  readonly how: How;
  /** Set when a resumed delivery turned out to be complete already: nothing is left to ask or show. */
  readonly already: Delivered | undefined;
  /** Aborted when the platform says that the person stopped this answer. */
  readonly stoppedByUser: AbortSignal;
  /** Aborted when nothing can be shown any more (place gone, token revoked, task taken over): asking on is of no use. */
  readonly unseen: AbortSignal;
  /**
   * Shows the answer so far, soon. Never blocks, never throws. A function is asked only when there is a turn to show
   * what it gives, so that it is made once for each call to the platform, not once for each packet.
   */
  show(view: View | (() => View)): void;
  /**
   * Shows the end, whatever it takes: stream, else message with blocks, else plain text.
   * @throws {Unreachable} after `patienceMs` without an answer of the platform; nothing is lost, resume later.
   * @throws {WorkspaceRevoked} the token is no good any more.
   * @throws {MessageRefused} the platform takes no message at all, such as for a missing permission.
   */
  finish(ending: Ending): Promise<Delivered>;
  /** Shows a failure in the same place, after what is there already. Throws as `finish` does. */
  fail(message: PostedMessage): Promise<Delivered>;
  /** Ends it after somebody pressed Stop: closes what is open, posts nothing. Throws as `finish` does. */
  stop(closing?: readonly AnyBlock[]): Promise<Delivered>;
}

/** What a delivery needs. */
export interface DeliveryDeps {
  readonly clients: Clients;
  /** The one of the process. */
  readonly pacer: Pacer;
  /** Who the bot is: its user id and its bot id. */
  readonly self: { readonly userId: string; readonly botId: string };
  /** The task the answer is for; goes into the metadata of every message. */
  readonly taskId: string;
  readonly journal: Journal;
  readonly streamingOff: StreamingOff;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Decision trace in plain words; never message text. */
  readonly note?: (words: string) => void;
  /** How long to go on without an answer of the platform, milliseconds. Default 120,000. */
  readonly patienceMs?: number;
  /** How long a lost message may take to appear in its thread, milliseconds. Default 1,500. */
  readonly settleMs?: number;
  /** Default: `STREAM`. */
  readonly limits?: Partial<SheetLimits>;
}

/**
 * Begins the one visible answer to a question. Nothing is shown before the first `show`; a private answer, and one in a
 * workspace without streaming, is shown by `finish` only.
 */
export function openDelivery(place: Place, deps: DeliveryDeps): Delivery {
  return createDelivery(place, deps, { shown: [], already: undefined });
}

/**
 * Goes on with a delivery that another process began, from what it kept: finds what was shown but not recorded, and
 * closes what is open. The answer then replaces what is there; there is never a second one.
 * @throws as `Delivery.finish` does.
 */
export async function resumeDelivery(place: Place, kept: Progress, deps: DeliveryDeps): Promise<Delivery> {
  const ts = kept.messages.map((message) => message.ts);
  const how = kept.messages[0]?.how ?? "post";
  if (kept.stage === "closed") {
    return createDelivery(place, deps, { shown: kept.messages, already: { kind: "delivered", messages: ts, how } });
  }
  if (place.private === true) return openDelivery(place, deps);
  const posting = postingFor(place, deps);
  try {
    const found = (await posting.own()) ?? [];
    const shown = withFound(kept.messages, found, deps.taskId);
    const done = isComplete(shown, found, deps.taskId);
    for (const message of shown) {
      const isOpen = message.how === "stream" && !found.some((one) => one.ts === message.ts && one.mark !== undefined);
      if (isOpen) await closeLeftOver(place, deps, posting, message.ts);
    }
    const messages = shown.map((message) => message.ts);
    if (done) await deps.journal.save({ stage: "closed", messages: shown });
    else if (shown.length > 0) await deps.journal.save({ stage: "streaming", messages: shown });
    const already: Delivered | undefined = done
      ? { kind: "delivered", messages, how: shown[0]?.how ?? "post" }
      : undefined;
    return createDelivery(place, deps, { shown, already });
  } catch (error) {
    if (!(error instanceof PlaceGone)) throw error;
    return createDelivery(place, deps, {
      shown: kept.messages,
      already: { kind: "gone", reason: error.code, messages: ts },
    });
  }
}

/** Recorded messages that still stand, and ours that are not recorded, by age. */
function withFound(recorded: readonly Shown[], found: readonly OwnMessage[], taskId: string): Shown[] {
  const known = new Map(recorded.map((message) => [message.ts, message]));
  for (const message of found) {
    if (known.has(message.ts) || message.foreign) continue;
    if (message.mark !== undefined && message.mark.task !== taskId) continue;
    known.set(message.ts, { ts: message.ts, how: message.mark === undefined ? "stream" : "post" });
  }
  return [...known.values()].toSorted((one, other) => (isOlder(one.ts, other.ts) ? -1 : 1));
}

/** Every message from the first to one that is marked as the last is there and final. */
function isComplete(shown: readonly Shown[], found: readonly OwnMessage[], taskId: string): boolean {
  const marks = shown.map(({ ts }) => found.find((message) => message.ts === ts)?.mark);
  return (
    marks.length > 0 && marks.every((mark, at) => mark?.task === taskId && mark.last === (at === marks.length - 1))
  );
}

async function closeLeftOver(place: Place, deps: DeliveryDeps, posting: Posting, ts: string): Promise<void> {
  const { channel } = place;
  for (let tries = 0; ; tries += 1) {
    const result = await posting.attempt("chat.stopStream", () =>
      deps.clients.streaming.chat.stopStream({ channel, ts, session_status: "processing" }),
    );
    // Whatever else the platform says, the message is replaced in the end.
    if ("reply" in result || result.refusal.kind !== "lost") return;
    if (posting.isLate()) throw new Unreachable("chat.stopStream");
    await posting.backOff(tries);
  }
}

function postingFor(place: Place, deps: DeliveryDeps): Posting {
  return createPosting(place, {
    clients: deps.clients,
    pacer: deps.pacer,
    clock: deps.clock ?? machineClock,
    self: deps.self,
    taskId: deps.taskId,
    note: deps.note ?? (() => {}),
    patienceMs: deps.patienceMs ?? 120_000,
    settleMs: deps.settleMs ?? 1500,
  });
}

/** One streamed message. */
interface Part {
  readonly ts: string;
  readonly number: number;
  /** Where in the pieces it begins. */
  readonly from: Cursor;
  sheet: Sheet;
  /** Text and tables it is known (or taken) to hold. */
  chunks: AnyChunk[];
  /** Blocks after its text. */
  closing: readonly AnyBlock[];
  /** A call for it was lost: it is read back in the end. */
  doubtful: boolean;
  /** Reading back does not tell: it is replaced in the end. */
  unsure: boolean;
}

function createDelivery(
  place: Place,
  deps: DeliveryDeps,
  start: { readonly shown: readonly Shown[]; readonly already: Delivered | undefined },
): Delivery {
  const { team, channel, threadTs } = place;
  const { clients, pacer, journal, taskId } = deps;
  const clock = deps.clock ?? machineClock;
  const note = deps.note ?? ((): void => {});
  const posting = postingFor(place, deps);
  const stream = createStreamCalls(place, { clients, pacer, posting, self: deps.self, taskId, note });
  const resumed = start.shown.length > 0;
  const stoppedByUser = new AbortController();
  const unseen = new AbortController();
  const shown: Shown[] = [...start.shown];
  const parts: Part[] = [];
  /** Text of first chunks of streams that may exist unknown to us. */
  const lostStarts: string[] = [];

  let limits: SheetLimits = { ...STREAM, ...deps.limits };
  let how: How = place.private === true ? "ephemeral" : resumed ? "post" : "stream";
  let view: View = { cards: [], pieces: [] };
  /** What was to be shown last, where it has not been asked for yet. */
  let pending: (() => View) | undefined;
  let cursor: Cursor = { piece: 0, offset: 0 };
  let part: Part | undefined;
  /** What the next message knows of the cards of the earlier ones. */
  let sheet: Sheet = emptySheet;
  let turns: Turns | undefined;
  let cancelAge = (): void => {};
  let isAged = false;
  let plainTables = false;
  /** No more streaming in this delivery. */
  let isStreamOver = how !== "stream";
  let failedStarts = 0;
  /** Number of the next message. Never given twice: by its number a lost message is found again. */
  let nextNumber = 1;
  let expiries = 0;
  let isEnding = false;
  let work: Promise<void> | undefined;
  let again = false;
  /** What ended it before its time: thrown by `finish`. */
  let trouble: { readonly error: unknown } | undefined;
  let isProcessing = false;

  const ready = start.already === undefined ? prepare() : Promise.resolve();
  ready.catch(() => {});

  async function prepare(): Promise<void> {
    try {
      const off = isStreamOver ? [] : [deps.streamingOff.has(team), deps.streamingOff.has(`${team}:${channel}`)];
      if (!resumed) await save("starting");
      if ((await Promise.all(off)).includes(true)) streamNoMore("streaming is off here");
    } catch (error) {
      trouble = { error };
      unseen.abort();
    }
  }

  function save(stage: Progress["stage"]): Promise<void> {
    return journal.save({ stage, messages: [...shown] });
  }

  function streamNoMore(why: string): void {
    note(`No streaming: ${why}.`);
    isStreamOver = true;
    if (parts.length === 0) how = "post";
    turns?.close();
    turns = undefined;
    cancelAge();
  }

  // ── Showing ──

  function show(now: View | (() => View)): void {
    if (isEnding) return;
    pending = typeof now === "function" ? now : () => now;
    if (!isStreamOver) ask();
  }

  /** The view as it is now. */
  function newestView(): View {
    if (pending !== undefined) view = pending();
    pending = undefined;
    return view;
  }

  /** Asks for a turn. The first words need not wait until the cards before them have rested. */
  function ask(): void {
    if (turns === undefined) flush();
    else if (part?.sheet.isBegun === false && newestView().pieces.length > 0) turns.requestSoon();
    else turns.request();
  }

  function flush(): void {
    if (isEnding || isStreamOver || trouble !== undefined) return;
    if (work !== undefined) {
      again = true;
      return;
    }
    work = advance()
      .catch((error: unknown) => {
        trouble = { error };
        streamNoMore("the delivery cannot go on");
        unseen.abort();
      })
      .finally(() => {
        work = undefined;
        const repeat = again;
        again = false;
        if (repeat && !isEnding && !isStreamOver) ask();
      });
  }

  /** One step: opens a message, adds to it, or ends it because it is full or old. */
  async function advance(): Promise<void> {
    await ready;
    if (trouble !== undefined || isStreamOver || isEnding) return;
    posting.begin();
    const batch = layOut(part?.sheet ?? sheet, cursor, newestView(), { limits, plainTables });
    if (part === undefined) {
      if (batch.chunks.length > 0) await begin(batch);
      return;
    }
    if (batch.chunks.length === 0) turns?.unused();
    const isIn = batch.chunks.length === 0 || (await append(part, batch));
    if (!isIn || part === undefined) return;
    if (batch.more && !batch.full) again = true;
    if ((batch.full && batch.more) || isAged) {
      await rollOver(part);
      again = true;
    }
  }

  async function begin(batch: Batch): Promise<void> {
    if (!pacer.takeStart(team, channel)) {
      if (parts.length === 0) streamNoMore("too many answers are being streamed; this one is posted");
      else again = true;
      return;
    }
    const started = await stream.start(batch.chunks);
    if ("reply" in started) await opened(started.reply, batch);
    else await notOpened(started.refusal, batch);
  }

  async function opened(ts: string, batch: Batch, doubtful = false): Promise<void> {
    part = {
      ts,
      number: nextNumber,
      from: cursor,
      sheet: batch.sheet,
      chunks: batch.chunks.filter(isContent),
      closing: [],
      doubtful,
      unsure: false,
    };
    nextNumber += 1;
    parts.push(part);
    shown.push({ ts, how: "stream" });
    cursor = batch.cursor;
    isAged = false;
    isProcessing = true;
    failedStarts = 0;
    turns ??= pacer.open(team, channel, flush);
    cancelAge = clock.after(limits.ageMs, () => {
      isAged = true;
      flush();
    });
    if (batch.more) again = true;
    await save("streaming");
  }

  async function notOpened(refusal: Refusal, batch: Batch): Promise<void> {
    failedStarts += 1;
    if (refusal.kind === "limited") {
      if (parts.length === 0) streamNoMore("Slack limits new streams; this answer is posted");
      else again = true;
      return;
    }
    if (refusal.kind === "lost") {
      note("No answer to the start of a stream: looking in the thread whether it is there.");
      const found = await posting.seek(isUnknownStart);
      if (found !== undefined) return opened(found.ts, batch, true);
      lostStarts.push(textOf(batch.chunks));
    } else if (refusal.kind === "unstreamable") {
      await deps.streamingOff.set(refusal.wide ? team : `${team}:${channel}`, refusal.code);
      return streamNoMore(refusal.code);
    } else if (refusal.kind === "content" && !plainTables && hasBlocks(batch.chunks)) plainTables = true;
    else return streamNoMore(refusal.code);
    if (failedStarts >= 2) streamNoMore("it could not be started");
    else again = true;
  }

  /** A message of ours in the thread that nobody knows of: the stream whose start was never answered. */
  function isUnknownStart(message: OwnMessage): boolean {
    const newest = shown.at(-1)?.ts ?? place.questionTs;
    return message.mark === undefined && !message.foreign && isOlder(newest, message.ts);
  }

  /** Adds to the open message; false: it did not get in, and is still to be shown. */
  async function append(to: Part, batch: Batch): Promise<boolean> {
    const refusal = await stream.append(to.ts, batch.chunks);
    if (refusal !== undefined) return notAppended(to, batch, refusal);
    accept(to, batch, batch.sheet);
    return true;
  }

  function accept(to: Part, batch: Batch, then: Sheet): void {
    to.sheet = then;
    to.chunks.push(...batch.chunks.filter(isContent));
    cursor = batch.cursor;
  }

  async function notAppended(to: Part, batch: Batch, refusal: Refusal): Promise<boolean> {
    again = true;
    switch (refusal.kind) {
      case "limited":
        return false;
      case "lost":
        return appendLost(to, batch);
      case "stopped":
        stopNow();
        return false;
      case "ended":
        expiries += 1;
        note("Slack ended the stream by itself; the answer goes on in a new message.");
        await repair(to);
        leave(to);
        if (expiries > 2) streamNoMore("streams keep ending by themselves");
        return false;
      case "content":
        if (refusal.long) {
          note(`Slack takes no more in this message (${refusal.code}).`);
          // Whatever the budget was, this was too much: the next messages stay below it.
          limits = { ...limits, bytes: Math.max(2000, Math.min(limits.bytes, to.sheet.bytes)) };
          if (to.sheet.bytes < 2000) streamNoMore("even short messages are too long");
          else await rollOver(to);
          return false;
        }
        if (!plainTables && hasBlocks(batch.chunks)) {
          plainTables = true;
          return false;
        }
        streamNoMore(refusal.code);
        return false;
      case "unstreamable":
        await deps.streamingOff.set(refusal.wide ? team : `${team}:${channel}`, refusal.code);
        streamNoMore(refusal.code);
        return false;
      default:
        streamNoMore(refusal.code);
        return false;
    }
  }

  /** Nobody knows whether the text arrived, and sending it again could double it: the message itself tells. */
  async function appendLost(to: Part, batch: Batch): Promise<boolean> {
    note("No answer to a part of the answer: reading the message back.");
    to.doubtful = true;
    const before = textOf(to.chunks);
    const sent = textOf(batch.chunks);
    const read = await posting.read(to.ts);
    const isKnown = read !== undefined && sent.trim() !== "";
    if (isKnown && saysTheSame(read.text, before) && !saysTheSame(sent, "")) return false;
    if (!isKnown || !saysTheSame(read.text, before + sent)) to.unsure ||= batch.chunks.some(isContent);
    accept(to, batch, sheetInDoubt(batch.sheet));
    return true;
  }

  function stopNow(): void {
    note("The person stopped the answer.");
    isStreamOver = true;
    turns?.close();
    cancelAge();
    stoppedByUser.abort();
  }

  /** The message is closed; the answer goes on in another. */
  function leave(old: Part): void {
    cancelAge();
    isAged = false;
    sheet = sheetAfter(old.sheet);
    part = undefined;
  }

  async function rollOver(old: Part): Promise<void> {
    const closed = await close(old, { chunks: closeCards(old.sheet, limits), status: "processing", last: false });
    if (closed === "refused") await close(old, { chunks: [], status: "processing", last: false });
    if (closed === "expired") await repair(old);
    leave(old);
  }

  /** After Slack ended a stream by itself the message looks broken until it is replaced by what it held. */
  async function repair(old: Part): Promise<void> {
    const message = asMessage(old);
    if (message.blocks === undefined || message.blocks.length === 0) {
      await posting.remove(old.ts);
      forget(old);
      return;
    }
    await posting.replace(old.ts, message, { task: taskId, part: old.number, last: false });
    old.doubtful = false;
  }

  function forget(old: Part): void {
    parts.splice(parts.indexOf(old), 1);
    const at = shown.findIndex(({ ts }) => ts === old.ts);
    if (at >= 0) shown.splice(at, 1);
  }

  /** What a streamed message holds, as a message to post. */
  function asMessage(of: Part): PostedMessage {
    const plain = plainOf(of.chunks, newestView().pieces);
    return { text: notification(plain), plain, blocks: [...blocksOf(of.chunks), ...of.closing] };
  }

  async function close(old: Part, manner: Omit<StreamEnd, "number">): Promise<Closed> {
    const closed = await stream.close(old.ts, { number: old.number, ...manner });
    if (closed === "closed") isProcessing = manner.status === "processing";
    return closed;
  }

  // ── Ending ──

  let ended: Promise<Delivered> | undefined;

  /** Everything that ends a delivery, once: nothing else is under way, and a place that is gone is no error. */
  function end(last: () => Promise<Delivered>): Promise<Delivered> {
    ended ??= (async () => {
      isEnding = true;
      turns?.close();
      cancelAge();
      if (start.already !== undefined) return start.already;
      await ready;
      await work;
      posting.begin();
      try {
        if (trouble !== undefined) throw trouble.error;
        const result = await last();
        await sweep();
        if (isProcessing) await settleSession();
        await save("closed");
        return result;
      } catch (error) {
        if (!(error instanceof PlaceGone)) throw error;
        await save("closed");
        return { kind: "gone", reason: error.code, messages: shown.map(({ ts }) => ts) };
      }
    })();
    return ended;
  }

  const outcome = (kind: "delivered" | "stopped"): Delivered => ({
    kind,
    messages: shown.map(({ ts }) => ts),
    how: shown[0]?.how ?? how,
  });

  function finish(ending: Ending): Promise<Delivered> {
    return end(async () => {
      if (stoppedByUser.signal.aborted && ending.withdrawn !== true) return endStopped([]);
      posting.remember(ending.remember ?? {});
      if (place.private === true) return endPrivately(ending.messages(), ending.plain);
      if (parts.length === 0) await deliverWhole(ending.messages(), ending.plain);
      else if (ending.rewritten === true || ending.withdrawn === true) {
        if (part !== undefined) await shut(part);
        await deliverWhole(ending.messages(), ending.plain);
      } else await endStream(ending);
      return outcome("delivered");
    });
  }

  async function endPrivately(messages: readonly PostedMessage[], plain?: Ending["plain"]): Promise<Delivered> {
    await save("posting");
    shown.push(...(await posting.whisper(messages, plain)));
    return outcome("delivered");
  }

  /** The whole answer as messages, in place of whatever is there. */
  async function deliverWhole(messages: readonly PostedMessage[], plain?: Ending["plain"]): Promise<void> {
    await save("posting");
    const slots = shown.splice(0);
    const left = [...slots];
    await posting.deliver(messages, {
      slots,
      ...(plain === undefined ? {} : { plain }),
      firstPart: 1,
      async shown(message) {
        shown.push(message);
        left.shift();
        await journal.save({ stage: "posting", messages: [...shown, ...left] });
      },
    });
  }

  /** Messages after what is streamed. */
  async function deliverRest(messages: readonly PostedMessage[]): Promise<void> {
    await save("posting");
    await posting.deliver(messages, {
      firstPart: nextNumber,
      async shown(message) {
        shown.push(message);
        await save("posting");
      },
    });
  }

  async function endStream(ending: Ending): Promise<void> {
    pending = undefined;
    view = ending;
    const { closing } = ending;
    let isClosing = false;
    if (part !== undefined) {
      const batch = layOut(part.sheet, cursor, view, { limits, plainTables, last: true });
      isClosing = await endPart(part, batch, ending);
    }
    const rest: PostedMessage[] = messagesLeft(cursor, view.pieces, limits).map((message) => ({
      text: notification(message.text),
      plain: message.text,
      blocks: message.blocks,
    }));
    if (!isClosing && closing.length > 0) addClosing(rest, closing, ending.text);
    await verify(rest.length === 0);
    if (rest.length > 0) await deliverRest(rest);
  }

  /** Ends the open message with what fits of the rest; true: the closing blocks are in it. */
  async function endPart(open: Part, batch: Batch, ending: Ending): Promise<boolean> {
    const closing = batch.more ? [] : ending.closing;
    const last = !batch.more && !parts.some(({ doubtful }) => doubtful);
    const chunks = batch.more ? [...batch.chunks, ...closeCards(batch.sheet, limits)] : batch.chunks;
    const closed = await close(open, { chunks, blocks: closing, status: "active", last });
    if (closed === "closed" || closed === "expired") {
      open.closing = closing;
      accept(open, batch, batch.sheet);
      leave(open);
      if (closed === "closed") return !batch.more;
      return (await replaceExpired(open, last)) && !batch.more;
    }
    await shut(open);
    return false;
  }

  /** Puts a stream that ended by itself right; true: its closing blocks are in it. */
  async function replaceExpired(old: Part, last: boolean): Promise<boolean> {
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

  /** Ends the open message with nothing more; if even that is refused it is deleted, and its text counts as not shown. */
  async function shut(open: Part): Promise<void> {
    const closed = await close(open, { chunks: [], status: "active", last: false });
    if (closed === "refused") {
      await posting.remove(open.ts);
      forget(open);
      cursor = open.from;
    } else if (closed === "expired") await repair(open);
    leave(open);
  }

  /** Reads back every message of which a call was lost; what is not as it should be is replaced. */
  async function verify(isLastStreamed: boolean): Promise<void> {
    for (const one of parts) {
      if (!one.doubtful) continue;
      const read = await posting.read(one.ts);
      if (!one.unsure && (read === undefined || saysTheSame(read.text, textOf(one.chunks)))) continue;
      note("A message was not as it should be after a lost call; it is replaced.");
      const message = asMessage(one);
      const last = isLastStreamed && one === parts.at(-1);
      const mark = { task: taskId, part: one.number, last };
      if ((await posting.replace(one.ts, message, mark)) !== "replaced")
        await posting.replace(one.ts, { text: message.plain ?? message.text }, mark);
    }
  }

  function fail(message: PostedMessage): Promise<Delivered> {
    return end(async () => {
      if (place.private === true) return endPrivately([message]);
      if (part === undefined) {
        if (resumed) await deliverWhole([message]);
        else await deliverRest([message]);
        return outcome("delivered");
      }
      const blocks = message.blocks ?? [{ type: "section", text: { type: "mrkdwn", text: message.text } }];
      const batch = layOut(part.sheet, cursor, newestView(), { limits, plainTables, last: true });
      const rest = batch.more ? [] : batch.chunks;
      const closed = await close(part, { chunks: rest, blocks, status: "active", last: true });
      if (closed !== "closed") {
        if (closed === "expired") await repair(part);
        else await shut(part);
        await deliverRest([message]);
      } else {
        accept(part, batch, batch.sheet);
        part.closing = blocks;
      }
      await verify(closed === "closed");
      return outcome("delivered");
    });
  }

  function stop(closing: readonly AnyBlock[] = []): Promise<Delivered> {
    return end(() => endStopped(closing));
  }

  async function endStopped(closing: readonly AnyBlock[]): Promise<Delivered> {
    if (part !== undefined) {
      const closed = await close(part, { chunks: [], blocks: closing, status: "active", last: true });
      if (closed === "refused") await close(part, { chunks: [], status: "active", last: true });
    }
    return outcome("stopped");
  }

  /** Deletes what came to be after all although it was taken for lost. */
  async function sweep(): Promise<void> {
    if (lostStarts.length === 0 && !posting.isInDoubt()) return;
    await posting.sweep(shown, (message) => lostStarts.some((text) => saysTheSame(text, message.text)));
  }

  /** Posting, unlike stopping a stream, leaves the "working" sign where it is. */
  async function settleSession(): Promise<void> {
    await posting.attempt("agents.sessions.setStatus", () =>
      clients.posts.agents.sessions.setStatus({ channel_id: channel, thread_ts: threadTs, status: "active" }),
    );
  }

  return {
    get how() {
      return how;
    },
    already: start.already,
    stoppedByUser: stoppedByUser.signal,
    unseen: unseen.signal,
    show,
    finish,
    fail,
    stop,
  };
}

const isContent = (chunk: AnyChunk): boolean => chunk.type === "markdown_text" || chunk.type === "blocks";
const hasBlocks = (chunks: readonly AnyChunk[]): boolean => chunks.some((chunk) => chunk.type === "blocks");

/** Text of a notification: the beginning, on one line. */
function notification(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= 240 ? line || "…" : `${line.slice(0, 239).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** Adds the closing blocks to the last of the messages, or as one of their own. */
function addClosing(messages: PostedMessage[], closing: readonly AnyBlock[], text: string): void {
  const last = messages.at(-1);
  if (last?.blocks !== undefined && last.blocks.length + closing.length <= LIMITS.messageBlocks) {
    messages.splice(-1, 1, { ...last, blocks: [...last.blocks, ...closing] });
  } else messages.push({ text, blocks: closing });
}
