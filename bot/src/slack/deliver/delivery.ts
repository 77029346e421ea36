import type { AnyBlock } from "@slack/types";

import { randomUUID } from "node:crypto";

import {
  Abandoned,
  type Delivered,
  type Delivery,
  type DeliveryDeps,
  type Ending,
  type Progress,
  type Traces,
  type View,
} from "./delivery-seam.ts";
import { STREAM } from "../transport/limits.ts";
import { createLiveAnswer } from "./live-answer.ts";
import { machineClock } from "../transport/pacing.ts";
import {
  createPosting,
  type Place,
  PlaceGone,
  type PostedMessage,
  type Posting,
  type Shown,
} from "../transport/posting.ts";
import { isOlder, type OwnMessage, saysTheSame } from "../transport/reconcile.ts";
import { Unreachable } from "../transport/refusals.ts";
import { createStreamCalls } from "../transport/stream-calls.ts";
import type { MessageLimits } from "./message-budget.ts";
import { addClosing, createStreamedMessages } from "./streamed-messages.ts";

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
  const posting = postingFor(place, deps, bondOf(deps));
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

/** What binds a delivery to its run. */
interface Bond {
  readonly run: string;
  readonly leaving: AbortController;
  readonly touched: Set<string>;
  readonly guard: () => Promise<void>;
}

function bondOf({ hold }: DeliveryDeps): Bond {
  const leaving = new AbortController();
  const check = (): void => {
    if (leaving.signal.aborted) throw new Abandoned();
  };
  return {
    run: randomUUID().slice(0, 8),
    leaving,
    touched: new Set(),
    async guard() {
      check();
      await hold?.();
      check();
    },
  };
}

/** What of a thread concerns one answer, to look at and to put right; for whoever does neither show nor end it. */
export function postingFor(place: Place, deps: DeliveryDeps, bond: Bond = bondOf(deps)): Posting {
  return createPosting(place, {
    clients: deps.clients,
    pacer: deps.pacer,
    clock: deps.clock ?? machineClock,
    self: deps.self,
    taskId: deps.taskId,
    run: bond.run,
    guard: bond.guard,
    leaving: bond.leaving.signal,
    touched: (ts) => bond.touched.add(ts),
    note: deps.note ?? (() => {}),
    patienceMs: deps.patienceMs ?? 120_000,
    settleMs: deps.settleMs ?? 1500,
  });
}

function createDelivery(
  place: Place,
  deps: DeliveryDeps,
  start: { readonly shown: readonly Shown[]; readonly already: Delivered | undefined },
): Delivery {
  const { channel, threadTs } = place;
  const { clients, pacer, taskId } = deps;
  const bond = bondOf(deps);
  const journal: DeliveryDeps["journal"] = {
    async save(progress) {
      if (bond.leaving.signal.aborted) throw new Abandoned();
      await deps.journal.save(progress);
    },
  };
  const clock = deps.clock ?? machineClock;
  const note = deps.note ?? ((): void => {});
  const limits: MessageLimits = { ...STREAM, ...deps.limits };
  const posting = postingFor(place, deps, bond);
  const touched = (ts: string): void => void bond.touched.add(ts);
  const stream = createStreamCalls(place, { clients, pacer, posting, self: deps.self, taskId, note, touched });
  const resumed = start.shown.length > 0;
  const shown: Shown[] = [...start.shown];
  /** The end as it was asked for; until then whatever is shown live. */
  let final: View | undefined;

  const view = (): View => final ?? live.view();
  const messages = createStreamedMessages({
    posting,
    stream,
    taskId,
    note,
    limits,
    shown,
    pieces: () => view().pieces,
  });
  const live = createLiveAnswer(place, {
    pacer,
    clock,
    posting,
    stream,
    messages,
    streamingOff: deps.streamingOff,
    note,
    shown,
    save,
    ageMs: limits.ageMs,
    how: place.private === true ? "ephemeral" : resumed || start.already !== undefined ? "post" : "stream",
    prepare: async () => {
      if (!resumed && start.already === undefined) await save("starting");
    },
  });

  function save(stage: Progress["stage"]): Promise<void> {
    return journal.save({ stage, messages: [...shown] });
  }

  let ended: Promise<Delivered> | undefined;

  /** Everything that ends a delivery, once: nothing else is under way, and a place that is gone is no error. */
  function end(last: () => Promise<Delivered>): Promise<Delivered> {
    ended ??= (async () => {
      const settled = live.end();
      if (start.already !== undefined) return start.already;
      await settled;
      posting.begin();
      try {
        if (live.trouble !== undefined) throw live.trouble.error;
        const result = await last();
        await sweep();
        // What an earlier process began to stream or said of itself stands there still.
        if (messages.isProcessing || resumed) await settleSession();
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
    how: shown[0]?.how ?? live.how,
  });

  function finish(ending: Ending): Promise<Delivered> {
    return end(async () => {
      if (live.stoppedByUser.aborted && ending.withdrawn !== true) return endStopped([]);
      posting.remember(ending.remember ?? {});
      if (place.private === true) return endPrivately(ending.messages(), ending.plain);
      if (messages.all.length === 0) await deliverWhole(ending.messages(), ending.plain);
      else if (ending.rewritten === true || ending.withdrawn === true) {
        if (messages.open !== undefined) await messages.shut(messages.open);
        await deliverWhole(ending.messages(), ending.plain);
      } else await endStream(ending);
      return outcome("delivered");
    });
  }

  async function endPrivately(whole: readonly PostedMessage[], plain?: Ending["plain"]): Promise<Delivered> {
    await save("posting");
    shown.push(...(await posting.whisper(whole, plain)));
    return outcome("delivered");
  }

  /** The whole answer as messages, in place of whatever is there. */
  async function deliverWhole(whole: readonly PostedMessage[], plain?: Ending["plain"]): Promise<void> {
    await save("posting");
    const slots = shown.splice(0);
    const left = [...slots];
    await posting.deliver(whole, {
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
  async function deliverRest(rest: readonly PostedMessage[]): Promise<void> {
    await save("posting");
    await posting.deliver(rest, {
      firstPart: messages.nextNumber,
      async shown(message) {
        shown.push(message);
        await save("posting");
      },
    });
  }

  async function endStream(ending: Ending): Promise<void> {
    final = ending;
    const { closing } = ending;
    const isClosing = messages.open !== undefined && (await messages.end(messages.open, ending, closing));
    const rest = messages.left(ending.pieces);
    if (!isClosing && closing.length > 0) addClosing(rest, closing, ending.text);
    await messages.verify(rest.length === 0);
    if (rest.length > 0) await deliverRest(rest);
  }

  function fail(message: PostedMessage): Promise<Delivered> {
    return end(async () => {
      if (place.private === true) return endPrivately([message]);
      if (messages.open === undefined) {
        if (resumed) await deliverWhole([message]);
        else await deliverRest([message]);
        return outcome("delivered");
      }
      const blocks = message.blocks ?? [{ type: "section", text: { type: "mrkdwn", text: message.text } }];
      const isSaid = await messages.endWith(messages.open, view(), blocks);
      if (!isSaid) await deliverRest([message]);
      await messages.verify(isSaid);
      return outcome("delivered");
    });
  }

  function stop(closing: readonly AnyBlock[] = []): Promise<Delivered> {
    return end(() => endStopped(closing));
  }

  async function endStopped(closing: readonly AnyBlock[]): Promise<Delivered> {
    const { open } = messages;
    if (open !== undefined) await messages.stop(open, closing);
    return outcome("stopped");
  }

  /** Deletes what came to be after all although it was taken for lost. */
  async function sweep(): Promise<void> {
    if (live.lostStarts.length === 0 && !posting.isInDoubt()) return;
    await posting.sweep(shown, (message) => live.lostStarts.some((text) => saysTheSame(text, message.text)));
  }

  /** Posting, unlike stopping a stream, leaves the "working" sign where it is. */
  async function settleSession(): Promise<void> {
    await posting.attempt("agents.sessions.setStatus", () =>
      clients.posts.agents.sessions.setStatus({ channel_id: channel, thread_ts: threadTs, status: "active" }),
    );
  }

  async function abandon(): Promise<Traces> {
    bond.leaving.abort();
    await live.end();
    await ended?.catch(() => undefined);
    return { touched: [...bond.touched], lostStarts: live.lostStarts };
  }

  return {
    get how() {
      return live.how;
    },
    already: start.already,
    stoppedByUser: live.stoppedByUser,
    unseen: live.unseen,
    show: live.show,
    finish,
    fail,
    stop,
    abandon,
  };
}
