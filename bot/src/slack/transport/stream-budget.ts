import type { Clock } from "./clock.ts";
import type { PACE } from "./limits.ts";

/** Limits that a test or a customer with other tiers may change; units as in `PACE`. */
export type PaceLimits = { readonly [Name in keyof typeof PACE]: number };

/** Hears of each stream that is opened and closed. */
export interface StreamMetrics {
  streamOpened(): void;
  streamClosed(): void;
}

/** The part of an open stream in the workspace's budget. */
export type AppendTurns = ReturnType<StreamBudget["open"]>;

interface Slot {
  readonly channel: string;
  readonly flush: () => void;
  /** When it was last let through. */
  last: number;
  /** The same before that, for when the turn is given back. */
  before: number;
}

const MINUTE = 60_000;

/**
 * The budget of one workspace for streams: how many may begin in a minute, and how its open ones share the appends.
 * Small: a few numbers, one object per open stream, one timer.
 */
export class StreamBudget {
  readonly #clock: Clock;
  readonly #limits: PaceLimits;
  /** Until when appends are held in a channel, by what the platform said. */
  readonly #heldUntil: (channel: string) => number;
  readonly #metrics: StreamMetrics | undefined;
  readonly #open = new Set<Slot>();
  #tokens: number;
  #refilledAt: number;
  /** Moments of the starts of the last minute, oldest first. */
  #starts: number[] = [];
  /** Streams with something to send, in the order they asked. */
  readonly #waiting = new Set<Slot>();
  #timer: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor(clock: Clock, limits: PaceLimits, heldUntil: (channel: string) => number, metrics?: StreamMetrics) {
    this.#metrics = metrics;
    this.#clock = clock;
    this.#limits = limits;
    this.#heldUntil = heldUntil;
    this.#tokens = limits.appendBurst;
    this.#refilledAt = clock.now();
  }

  /** Takes one of the minute's starts; false when there is none left. */
  takeStart(): boolean {
    const now = this.#clock.now();
    this.#starts = this.#starts.filter((at) => at > now - MINUTE);
    if (this.#starts.length >= this.#limits.startsPerMinute) return false;
    this.#starts.push(now);
    return true;
  }

  /** Whatever was saved up for a burst is gone: the platform counts differently. */
  limited(): void {
    this.#tokens = Math.min(1, this.#tokens);
  }

  /** A stream was opened; `flush` is called when it may send. */
  open(channel: string, flush: () => void) {
    const now = this.#clock.now();
    const slot: Slot = { channel, flush, last: now, before: now };
    this.#open.add(slot);
    this.#metrics?.streamOpened();
    return {
      /**
       * There is something to send: `flush` is called when it may be, at once if that is now. `isFirst`: without the wait
       * between two appends, for the first words, which somebody waits for.
       */
      request: (isFirst = false): void => {
        if (!this.#open.has(slot) || (!isFirst && this.#waiting.has(slot))) return;
        if (isFirst) slot.last = Number.NEGATIVE_INFINITY;
        this.#waiting.add(slot);
        this.#turn();
      },
      /** Nothing was sent after all: the turn is given back, and the stream need not wait. */
      unused: (): void => {
        if (slot.last === slot.before) return;
        slot.last = slot.before;
        this.#tokens = Math.min(this.#limits.appendBurst, this.#tokens + 1);
      },
      /** The stream is closed; `flush` is not called any more. */
      close: (): void => {
        if (!this.#open.delete(slot)) return;
        this.#metrics?.streamClosed();
        this.#waiting.delete(slot);
        if (this.#waiting.size === 0) this.#wake(Number.POSITIVE_INFINITY);
      },
    };
  }

  /** Lets through whoever is due, and sets the one timer for the next. */
  #turn(): void {
    this.#refill();
    const now = this.#clock.now();
    let next = Number.POSITIVE_INFINITY;
    const due: Slot[] = [];
    for (const slot of this.#waiting) {
      const at = Math.max(slot.last + this.#spacing(), this.#heldUntil(slot.channel));
      if (at <= now && this.#tokens >= 1) {
        this.#tokens -= 1;
        slot.before = slot.last;
        slot.last = now;
        this.#waiting.delete(slot);
        due.push(slot);
      } else {
        const missing = Math.max(0, 1 - this.#tokens);
        const token = now + Math.ceil((missing * MINUTE) / this.#limits.appendsPerMinute);
        next = Math.min(next, Math.max(at, token));
      }
    }
    this.#wake(next);
    for (const slot of due) slot.flush();
  }

  #refill(): void {
    const now = this.#clock.now();
    const gained = ((now - this.#refilledAt) * this.#limits.appendsPerMinute) / MINUTE;
    this.#tokens = Math.min(this.#limits.appendBurst, this.#tokens + Math.max(0, gained));
    this.#refilledAt = now;
  }

  /** How long a stream waits between two appends, milliseconds: longer the more streams are open. */
  #spacing(): number {
    return Math.max(this.#limits.minFlushMs, (this.#open.size * MINUTE) / this.#limits.appendsPerMinute);
  }

  #wake(at: number): void {
    if (this.#timer !== undefined && this.#timer.at === at) return;
    this.#timer?.cancel();
    this.#timer = undefined;
    if (at === Number.POSITIVE_INFINITY) return;
    const cancel = this.#clock.after(Math.max(1, at - this.#clock.now()), () => {
      this.#timer = undefined;
      this.#turn();
    });
    this.#timer = { at, cancel };
  }
}
