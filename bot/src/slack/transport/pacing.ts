import { type Clock, delay, machineClock } from "./clock.ts";
import { PACE } from "./limits.ts";
import { refusalOf } from "./refusals.ts";
import { type PaceLimits, StreamBudget, type AppendTurns } from "./stream-budget.ts";

/** What is called, and where. */
export interface Call {
  readonly team: string;
  /** Such as `chat.postMessage`. */
  readonly method: string;
  /** Absent: the method belongs to no channel. */
  readonly channel?: string;
}

/**
 * When what may be called. One for the whole process: it holds the budgets of every workspace, and what Slack said in
 * its Retry-After, so that a refusal in one channel holds up nothing else.
 */
export interface Pacer {
  /** Takes one of the minute's stream starts; false when there is none left. */
  takeStart(team: string, channel: string): boolean;
  /** A stream was opened. Appends of all open streams share the workspace's budget, fairly. */
  open(team: string, channel: string, flush: () => void): AppendTurns;
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

/** Patience with 429s where the caller names none, milliseconds. */
const DEFAULT_PATIENCE_MS = 300_000;

/** Makes the pacer. */
export function createPacer(options: PacerOptions = {}): Pacer {
  const clock = options.clock ?? machineClock;
  const limits: PaceLimits = { ...PACE, ...options.limits };
  const teams = new Map<string, StreamBudget>();
  /** Until when a method is held, per channel (`team method channel`) or everywhere (`team method `). */
  const holds = new Map<string, number>();
  /** When a channel may be posted to again. */
  const posts = new Map<string, number>();

  const nameOf = (team: string, method: string, channel = ""): string => `${team} ${method} ${channel}`;
  const heldUntil = ({ team, method, channel = "" }: Call): number =>
    Math.max(holds.get(nameOf(team, method)) ?? 0, holds.get(nameOf(team, method, channel)) ?? 0);
  const wait = (what: Call): number => Math.max(0, heldUntil(what) - clock.now());

  function budgetOf(team: string): StreamBudget {
    const held = (channel: string): number => heldUntil({ team, method: "chat.appendStream", channel });
    const budget = teams.get(team) ?? new StreamBudget(clock, limits, held);
    teams.set(team, budget);
    return budget;
  }

  function limited(what: Call, waitMs: number): void {
    const now = clock.now();
    const until = now + waitMs;
    const ofMethod = nameOf(what.team, what.method);
    for (const [name, end] of holds) if (end <= now) holds.delete(name);
    const own = nameOf(what.team, what.method, what.channel);
    const elsewhere = [...holds.keys()].some((name) => name !== own && name.startsWith(ofMethod));
    holds.set(own, Math.max(until, holds.get(own) ?? 0));
    if (elsewhere && what.method !== "chat.postMessage") holds.set(ofMethod, Math.max(until, holds.get(ofMethod) ?? 0));
    if (what.method === "chat.appendStream") budgetOf(what.team).limited();
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

  return {
    takeStart: (team, channel) =>
      wait({ team, method: "chat.startStream", channel }) === 0 && budgetOf(team).takeStart(),
    open: (team, channel, flush) => budgetOf(team).open(channel, flush),
    limited,
    wait,
    call,
  };
}
