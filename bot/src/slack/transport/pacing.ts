import { PACE } from "./limits.ts";
import { refusalOf } from "./refusals.ts";

/** Time, as the pacer and the deliveries see it; a test owns its own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs it once, after at least `ms`; the returned function takes that back. */
  after(ms: number, run: () => void): () => void;
}

/** The machine's own time. Its timers keep the process alive: what is waited for while draining still happens. */
export const machineClock: Clock = {
  now: Date.now,
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms`, or at once when the signal aborts. */
export function delay(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const done = (): void => {
      cancel();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    signal?.addEventListener("abort", done, { once: true });
  });
}

/** Limits that a test or a customer with other tiers may change; units as in `PACE`. */
export type PaceLimits = { readonly [Name in keyof typeof PACE]: number };

/** What is called, and where. */
export interface Call {
  readonly team: string;
  /** Such as `chat.postMessage`. */
  readonly method: string;
  /** Absent: the method belongs to no channel. */
  readonly channel?: string;
}

/** The part of an open stream in the workspace's budget. */
export interface Turns {
  /** There is something to send: `flush` is called when it may be, at once if that is now. */
  request(): void;
  /** As `request`, without the rest between two appends: for the first words, which somebody waits for. */
  requestSoon(): void;
  /** Nothing was sent after all: the turn is given back, and the stream need not rest. */
  unused(): void;
  /** The stream is closed; `flush` is not called any more. */
  close(): void;
}

/**
 * When what may be called. One for the whole process: it holds the budgets of every workspace, and what Slack said in
 * its Retry-After, so that a refusal in one channel holds up nothing else.
 */
export interface Pacer {
  /** Takes one of the minute's stream starts; false when there is none left. */
  takeStart(team: string, channel: string): boolean;
  /** A stream was opened. Appends of all open streams share the workspace's budget, fairly. */
  open(team: string, channel: string, flush: () => void): Turns;
  /** Notes a 429. A second one of the same method in another channel holds the method in the whole workspace. */
  limited(call: Call, waitMs: number): void;
  /** Milliseconds until the call may be made; 0: now. */
  wait(call: Call): number;
  /**
   * Makes a call in its turn, and again after each 429 (which says that nothing was done), until `until`.
   * @throws whatever `run` throws but a 429 that can be waited out.
   */
  call<Reply>(
    call: Call,
    run: () => Promise<Reply>,
    options?: { until?: number; signal?: AbortSignal },
  ): Promise<Reply>;
}

/** How to make a pacer. */
export interface PacerOptions {
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Default: `PACE`. */
  readonly limits?: Partial<PaceLimits>;
}

interface Slot {
  readonly channel: string;
  readonly flush: () => void;
  /** When it was last let through. */
  last: number;
  /** The same before that, for when the turn is given back. */
  before: number;
}

/** Workspace budgets. Small: a few numbers per workspace, one object per open stream, one timer per workspace. */
interface TeamPace {
  open: number;
  tokens: number;
  refilledAt: number;
  /** Moments of the starts of the last minute, oldest first. */
  starts: number[];
  /** Streams with something to send, in the order they asked. */
  readonly waiting: Set<Slot>;
  timer?: { readonly at: number; readonly cancel: () => void };
}

const MINUTE = 60_000;
/** Patience with 429s where the caller names none, milliseconds. */
const DEFAULT_PATIENCE_MS = 5 * MINUTE;

/** Makes the pacer. */
export function createPacer(options: PacerOptions = {}): Pacer {
  const clock = options.clock ?? machineClock;
  const limits = { ...PACE, ...options.limits };
  const teams = new Map<string, TeamPace>();
  /** Until when a method is held, per channel (`team method channel`) or everywhere (`team method `). */
  const holds = new Map<string, number>();
  /** When a channel may be posted to again. */
  const posts = new Map<string, number>();

  const nameOf = (team: string, method: string, channel = ""): string => `${team} ${method} ${channel}`;

  function paceOf(team: string): TeamPace {
    let pace = teams.get(team);
    if (pace === undefined) {
      pace = { open: 0, tokens: limits.appendBurst, refilledAt: clock.now(), starts: [], waiting: new Set() };
      teams.set(team, pace);
    }
    return pace;
  }

  function heldUntil(what: Call): number {
    const everywhere = holds.get(nameOf(what.team, what.method)) ?? 0;
    const here = what.channel === undefined ? 0 : (holds.get(nameOf(what.team, what.method, what.channel)) ?? 0);
    return Math.max(everywhere, here);
  }

  const wait = (what: Call): number => Math.max(0, heldUntil(what) - clock.now());

  function limited(what: Call, waitMs: number): void {
    const now = clock.now();
    const until = now + waitMs;
    const ofMethod = nameOf(what.team, what.method);
    for (const [name, end] of holds) if (end <= now) holds.delete(name);
    const own = nameOf(what.team, what.method, what.channel);
    const elsewhere = [...holds.keys()].some((name) => name !== own && name.startsWith(ofMethod));
    holds.set(own, Math.max(until, holds.get(own) ?? 0));
    if (elsewhere && what.method !== "chat.postMessage") holds.set(ofMethod, Math.max(until, holds.get(ofMethod) ?? 0));
    // Whatever was saved up for a burst is gone: the platform counts differently.
    if (what.method === "chat.appendStream") paceOf(what.team).tokens = Math.min(1, paceOf(what.team).tokens);
  }

  function refill(pace: TeamPace): void {
    const now = clock.now();
    const gained = ((now - pace.refilledAt) * limits.appendsPerMinute) / MINUTE;
    pace.tokens = Math.min(limits.appendBurst, pace.tokens + Math.max(0, gained));
    pace.refilledAt = now;
  }

  /** How long a stream rests between two appends: longer the more streams are open. */
  const rest = (pace: TeamPace): number => Math.max(limits.minFlushMs, (pace.open * MINUTE) / limits.appendsPerMinute);

  function dueAt(team: string, pace: TeamPace, slot: Slot): number {
    const held = heldUntil({ team, method: "chat.appendStream", channel: slot.channel });
    return Math.max(slot.last + rest(pace), held);
  }

  /** Lets through whoever is due, and sets the one timer of the workspace for the next. */
  function turn(team: string, pace: TeamPace): void {
    refill(pace);
    const now = clock.now();
    let next = Number.POSITIVE_INFINITY;
    const due: Slot[] = [];
    for (const slot of pace.waiting) {
      const at = dueAt(team, pace, slot);
      if (at <= now && pace.tokens >= 1) {
        pace.tokens -= 1;
        slot.before = slot.last;
        slot.last = now;
        pace.waiting.delete(slot);
        due.push(slot);
      } else {
        const token = pace.tokens >= 1 ? now : now + Math.ceil(((1 - pace.tokens) * MINUTE) / limits.appendsPerMinute);
        next = Math.min(next, Math.max(at, token));
      }
    }
    wake(team, pace, next);
    for (const slot of due) slot.flush();
  }

  function wake(team: string, pace: TeamPace, at: number): void {
    if (pace.timer !== undefined && pace.timer.at === at) return;
    pace.timer?.cancel();
    delete pace.timer;
    if (at === Number.POSITIVE_INFINITY) return;
    const cancel = clock.after(Math.max(1, at - clock.now()), () => {
      delete pace.timer;
      turn(team, pace);
    });
    pace.timer = { at, cancel };
  }

  function open(team: string, channel: string, flush: () => void): Turns {
    const pace = paceOf(team);
    const slot: Slot = { channel, flush, last: clock.now(), before: clock.now() };
    pace.open += 1;
    let closed = false;
    return {
      request() {
        if (closed || pace.waiting.has(slot)) return;
        pace.waiting.add(slot);
        turn(team, pace);
      },
      requestSoon() {
        if (closed) return;
        slot.last = Number.NEGATIVE_INFINITY;
        pace.waiting.add(slot);
        turn(team, pace);
      },
      unused() {
        if (slot.last === slot.before) return;
        slot.last = slot.before;
        pace.tokens = Math.min(limits.appendBurst, pace.tokens + 1);
      },
      close() {
        if (closed) return;
        closed = true;
        pace.open -= 1;
        pace.waiting.delete(slot);
        if (pace.waiting.size === 0) wake(team, pace, Number.POSITIVE_INFINITY);
      },
    };
  }

  function takeStart(team: string, channel: string): boolean {
    const now = clock.now();
    const pace = paceOf(team);
    pace.starts = pace.starts.filter((at) => at > now - MINUTE);
    if (pace.starts.length >= limits.startsPerMinute) return false;
    if (wait({ team, method: "chat.startStream", channel }) > 0) return false;
    pace.starts.push(now);
    return true;
  }

  /** Reserves the next moment a channel may be posted to; milliseconds until then. */
  function reservePost(what: Call): number {
    const now = clock.now();
    for (const [name, at] of posts) if (at <= now) posts.delete(name);
    const name = nameOf(what.team, "", what.channel);
    const at = Math.max(now, posts.get(name) ?? 0);
    posts.set(name, at + limits.postSpacingMs);
    return at - now;
  }

  async function call<Reply>(
    what: Call,
    run: () => Promise<Reply>,
    { until = clock.now() + DEFAULT_PATIENCE_MS, signal }: { until?: number; signal?: AbortSignal } = {},
  ): Promise<Reply> {
    for (;;) {
      const spacing = what.method === "chat.postMessage" ? reservePost(what) : 0;
      if (spacing > 0) await delay(clock, spacing, signal);
      for (let held = wait(what); held > 0; held = wait(what)) {
        await delay(clock, held, signal);
        signal?.throwIfAborted();
      }
      try {
        return await run();
      } catch (error) {
        const refusal = refusalOf(error, what.method, limits.retryAfterMs);
        if (refusal.kind !== "limited") throw error;
        limited(what, refusal.waitMs);
        if (clock.now() + refusal.waitMs > until) throw error;
      }
    }
  }

  return { takeStart, open, limited, wait, call };
}
