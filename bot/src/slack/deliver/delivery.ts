import type { AnyBlock } from "@slack/types";
import { backoffMs } from "@threadlore/client/delay";

import { randomUUID } from "node:crypto";

import { type Destination, type PostedMessage, SlackCalls } from "../transport/calls.ts";
import { STREAM } from "../transport/limits.ts";
import { type Clock, delay, machineClock } from "../transport/clock.ts";
import { type AppendTurns } from "../transport/stream-budget.ts";
import { PlaceGone } from "../transport/refusals.ts";
import {
  type Delivered,
  type DeliveryDeps,
  type Doubts,
  type Ending,
  type EndOfAnswer,
  type How,
  type Progress,
  type Traces,
  type View,
} from "./delivery-seam.ts";
import { NO_START_LEFT } from "./step/live.ts";
import type { Answered, Awaited, DeliveryEvent, DeliveryState, Effect, EndJob } from "./step/state.ts";
import { initialState, step } from "./step/step.ts";
import { doubtsOf } from "./step/streamed.ts";

/**
 * Goes on with a delivery that another process began, from what it kept: finds what was shown but not recorded, and
 * closes what is open. The answer then replaces what is there; there is never a second one.
 * @throws as `Delivery.finish` does.
 */
export function resumeDelivery(place: Destination, kept: Progress, deps: DeliveryDeps): Promise<Delivery> {
  return new Delivery(place, deps, kept).resumed();
}

/**
 * The one visible answer to a question, from the first sign of it to the end. Nothing is shown before the first `show`; a
 * private answer, and one in a workspace without streaming, is shown by `finish` only.
 *
 * It does what `step` wants done, tells it what came of it, and decides nothing itself. What lasts as long as a state does
 * (a turn among the streams, the timer of an open message, the two signals) follows the state.
 */
export class Delivery {
  readonly #deps: DeliveryDeps;
  readonly #clock: Clock;
  readonly #place: Destination;
  readonly #calls: SlackCalls;
  readonly #patienceMs: number;
  readonly #stoppedByUser = new AbortController();
  /** Aborted when the platform says that the person stopped this answer. */
  readonly stoppedByUser: AbortSignal = this.#stoppedByUser.signal;
  readonly #unseen = new AbortController();
  /** Aborted when nothing can be shown any more (place gone, token revoked, task taken over): asking on is of no use. */
  readonly unseen: AbortSignal = this.#unseen.signal;
  readonly #leaving = new AbortController();
  readonly #events: DeliveryEvent[] = [];
  #state: DeliveryState;
  /** Until when the job under way waits for the platform, milliseconds since 1970. */
  #until = 0;
  /** What was to be shown last, where it has not been asked for yet. */
  #pending: (() => View) | undefined;
  #newest: View = { cards: [], pieces: [] };
  #turns: AppendTurns | undefined;
  #age: { readonly ts: string; readonly cancel: () => void } | undefined;
  #work: Promise<void> | undefined;
  #ended: PromiseWithResolvers<Delivered> | undefined;
  #isStepping = false;

  constructor(place: Destination, deps: DeliveryDeps, kept?: Progress) {
    this.#deps = deps;
    this.#place = place;
    this.#clock = deps.clock ?? machineClock;
    this.#patienceMs = deps.patienceMs ?? 120_000;
    this.#calls = new SlackCalls(place, {
      ...deps,
      run: randomUUID().slice(0, 8),
      guard: () => this.#guard(),
      leaving: this.#leaving.signal,
    });
    const plan = { task: deps.taskId, questionTs: place.questionTs, isPrivate: place.private === true };
    this.#state = initialState(plan, { ...STREAM, ...deps.limits }, kept);
    this.#hear({ type: "opened" });
  }

  /** `stream` while the answer is (or will be) streamed, else how it will be posted: then the caller shows a status. */
  get how(): How {
    return this.#state.how;
  }

  /** It has not turned out yet whether it is streamed. */
  get isUndecided(): boolean {
    return this.#state.tag === "waiting" && this.#state.work !== undefined;
  }

  /** Resolves with this once it is known what another process left. */
  async resumed(): Promise<this> {
    while (this.#state.tag === "resuming") await this.#work;
    if (this.#state.tag === "broken") throw this.#state.error;
    return this;
  }

  /** What may still come to be although it was taken for lost, and has to be looked for later; undefined: nothing. */
  get doubts(): Doubts | undefined {
    return doubtsOf(this.#state);
  }

  /** What came of it. Set from the start when a resumed delivery was complete: nothing is left to ask or show. */
  get already(): Delivered | undefined {
    return this.#state.outcome;
  }

  /**
   * Shows the answer so far, soon. Never blocks, never throws. A function is asked only when there is a turn to show
   * what it gives, so that it is made once for each call to the platform, not once for each packet.
   */
  show(view: View | (() => View)): void {
    if (this.#ended !== undefined || this.#leaving.signal.aborted) return;
    this.#pending = typeof view === "function" ? view : () => view;
    this.#hear({ type: "shown" });
  }

  /**
   * Shows the end, whatever it takes: stream, else message with blocks, else plain text.
   * @throws {Unreachable} after `patienceMs` without an answer of the platform; nothing is lost, resume later.
   * @throws {WorkspaceRevoked} the token is no good any more.
   * @throws {MessageRefused} the platform takes no message at all, such as for a missing permission.
   */
  finish(ending: Ending): Promise<Delivered> {
    // A step does again what it did before, with what it heard since: messages are laid out once for all of that.
    const made = { ...ending, messages: once(ending.messages), plain: once(ending.plain) };
    return this.#orElsewhere({ do: "finish", ending: made });
  }

  /** Shows a failure in the same place, after what is there already. Throws as `finish` does. */
  fail(message: PostedMessage): Promise<Delivered> {
    return this.#orElsewhere({ do: "fail", message }, this.#ended === undefined ? this.#view() : undefined);
  }

  /** Ends it after somebody pressed Stop: closes what is open, posts nothing. Throws as `finish` does. */
  stop(closing: readonly AnyBlock[] = []): Promise<Delivered> {
    return this.#end({ do: "stop", closing });
  }

  /**
   * Leaves it as it is, for another run to go on with: no call is begun any more, and what was under way is over when this
   * resolves, with what it may have left behind. Never throws. After an end it changes nothing.
   */
  async abandon(): Promise<Traces> {
    this.#leaving.abort(new Error("This delivery was left for another run."));
    this.#follow();
    while (this.#work !== undefined) await this.#work;
    return { touched: [...this.#calls.touched], lostStarts: this.#state.lostStarts };
  }

  async #orElsewhere(end: EndOfAnswer, view?: View): Promise<Delivered> {
    const delivered = await this.#end(end, view);
    return (delivered.kind === "gone" ? await this.#deps.elsewhere?.(delivered, end) : undefined) ?? delivered;
  }

  #end(job: EndJob, view?: View): Promise<Delivered> {
    if (this.#ended === undefined) {
      this.#ended = Promise.withResolvers();
      this.#hear({ type: "end", job, view });
    }
    return this.#ended.promise;
  }

  #view(): View {
    if (this.#pending !== undefined) this.#newest = this.#pending();
    this.#pending = undefined;
    return this.#newest;
  }

  /** Takes the events in their order, also those that come of a step. */
  #hear(event: DeliveryEvent): void {
    this.#events.push(event);
    if (this.#isStepping) return;
    this.#isStepping = true;
    for (let next = this.#events.shift(); next !== undefined; next = this.#events.shift()) {
      const [state, effects] = step(this.#state, next);
      if (state.work?.job !== this.#state.work?.job) this.#until = this.#clock.now() + this.#patienceMs;
      this.#state = state;
      this.#follow();
      for (const effect of effects) this.#do(effect);
    }
    this.#isStepping = false;
  }

  /** Brings what lasts in line with the state. */
  #follow(): void {
    const { tag, open, isStopped, error, outcome } = this.#state;
    const isStreaming = tag === "streaming" && !this.#leaving.signal.aborted;
    if (isStreaming) {
      const { team, channel } = this.#place;
      this.#turns ??= this.#deps.pacer.open(team, channel, () => this.#hear({ type: "turn", view: this.#view() }));
    } else {
      this.#turns?.close();
      this.#turns = undefined;
    }
    this.#timeOpen(isStreaming ? open?.ts : undefined);
    if (isStopped) this.#stoppedByUser.abort();
    if (tag === "gone" || tag === "broken") {
      // Whoever can show it later goes on with the answer that is being written; where its place is gone, nobody can.
      const reason = error instanceof PlaceGone ? error : Object.assign(new Error("unseen"), { leaveRunning: true });
      this.#unseen.abort(reason);
    }
    if (tag === "broken") this.#ended?.reject(error);
    if (tag === "closed" && outcome !== undefined) this.#ended?.resolve(outcome);
  }

  /** Hears when the open message has been open for as long as one may be. */
  #timeOpen(ts: string | undefined): void {
    if (this.#age?.ts === ts) return;
    this.#age?.cancel();
    this.#age = undefined;
    if (ts === undefined) return;
    const isAged = (): void => this.#hear({ type: "turn", view: this.#view(), aged: ts });
    this.#age = { ts, cancel: this.#clock.after(this.#state.limits.ageMs, isAged) };
  }

  #do(effect: Effect): void {
    switch (effect.do) {
      case "await":
        this.#work = this.#await(effect.what);
        return;
      case "wantTurn":
        if (this.#leaving.signal.aborted) return;
        if (this.#turns === undefined) return this.#hear({ type: "turn", view: this.#view() });
        // The first words need not wait until the cards before them have rested.
        this.#turns.request(this.#state.open?.budget.isBegun === false && this.#view().pieces.length > 0);
        return;
      case "turnUnused":
        this.#turns?.unused();
        return;
      case "note":
        this.#deps.note?.(effect.words);
    }
  }

  async #await(what: Awaited): Promise<void> {
    let event: DeliveryEvent;
    try {
      const result = await this.#perform(what);
      event = { type: "answered", result, isLate: this.#leaving.signal.aborted || this.#clock.now() >= this.#until };
    } catch (error) {
      event = { type: "broke", error };
    }
    this.#work = undefined;
    this.#hear(event);
  }

  async #perform(what: Awaited): Promise<Answered> {
    const { streamingOff, pacer, settleMs = 1500 } = this.#deps;
    const { team, channel } = this.#place;
    const here = `${team}:${channel}`;
    switch (what.do) {
      case "save":
        await this.#save(what.progress);
        break;
      case "prepare": {
        const off = Promise.all((what.streams ? [team, here] : []).map((scope) => streamingOff.has(scope)));
        const [isOff] = await Promise.all([off, this.#save(what.progress)]);
        return { type: "done", isOff: isOff.includes(true) };
      }
      case "switchOff":
        await streamingOff.set(what.wide ? team : here, what.code);
        break;
      case "guard":
        await this.#guard();
        break;
      case "settle":
        await delay(this.#clock, settleMs);
        break;
      case "backOff":
        await delay(this.#clock, backoffMs(what.tries, BACK_OFF), this.#leaving.signal);
        break;
      case "start":
        if (pacer.takeStart(team, channel)) return this.#calls.perform(what, this.#until);
        return { type: "refused", refusal: { kind: "limited", code: NO_START_LEFT, waitMs: 0 } };
      default:
        return this.#calls.perform(what, this.#until);
    }
    return { type: "done" };
  }

  async #save(progress: Progress): Promise<void> {
    this.#leaving.signal.throwIfAborted();
    await this.#deps.save(progress);
  }

  async #guard(): Promise<void> {
    this.#leaving.signal.throwIfAborted();
    await this.#deps.hold?.();
    this.#leaving.signal.throwIfAborted();
  }
}

/** How waits grow while the platform does not answer. */
const BACK_OFF = { baseMs: 250, capMs: 8000 };

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
