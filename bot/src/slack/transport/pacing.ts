import { type Clock, delay, machineClock } from "./clock.ts";
import { PACE } from "./limits.ts";
import { refusalOf } from "./refusals.ts";
import { type AppendTurns, type PaceLimits, StreamBudget, type StreamMetrics } from "./stream-budget.ts";

/** What is called, and where. */
export interface Call {
  readonly team: string;
  /** Such as `chat.postMessage`. */
  readonly method: string;
  /** Absent: the method belongs to no channel. */
  readonly channel?: string;
}

/** Patience with 429s where the caller names none, milliseconds. */
const DEFAULT_PATIENCE_MS = 300_000;

/**
 * When what may be called. One for the whole process: it holds the budgets of every workspace, and what Slack said in
 * its Retry-After, so that a refusal in one channel holds up nothing else.
 */
export class Pacer {
  readonly #clock: Clock;
  readonly #limits: PaceLimits;
  readonly #metrics: StreamMetrics | undefined;
  readonly #teams = new Map<string, StreamBudget>();
  /** Until when a method is held, per channel (`team method channel`) or everywhere (`team method `). */
  readonly #holds = new Map<string, number>();
  /** When a channel may be posted to again. */
  readonly #posts = new Map<string, number>();

  /** `metrics` is told of each stream that is opened and closed. */
  constructor({
    clock = machineClock,
    limits,
    metrics,
  }: { clock?: Clock; limits?: Partial<PaceLimits>; metrics?: StreamMetrics } = {}) {
    this.#clock = clock;
    this.#limits = { ...PACE, ...limits };
    this.#metrics = metrics;
  }

  /** Takes one of the minute's stream starts; false when there is none left. */
  takeStart(team: string, channel: string): boolean {
    return this.wait({ team, method: "chat.startStream", channel }) === 0 && this.#budgetOf(team).takeStart();
  }

  /** A stream was opened. Appends of all open streams share the workspace's budget, fairly. */
  open(team: string, channel: string, flush: () => void): AppendTurns {
    return this.#budgetOf(team).open(channel, flush);
  }

  /** Milliseconds until the call may be made; 0: now. */
  wait(call: Call): number {
    return Math.max(0, this.#heldUntil(call) - this.#clock.now());
  }

  /** Notes a 429. A second one of the same method in another channel holds the method in the whole workspace. */
  limited({ team, method, channel }: Call, waitMs: number): void {
    const now = this.#clock.now();
    const hold = (name: string): unknown => this.#holds.set(name, Math.max(now + waitMs, this.#holds.get(name) ?? 0));
    for (const [name, end] of this.#holds) if (end <= now) this.#holds.delete(name);
    const [own, everywhere] = [nameOf(team, method, channel), nameOf(team, method)];
    const isElsewhere = [...this.#holds.keys()].some((name) => name !== own && name.startsWith(everywhere));
    hold(own);
    if (isElsewhere && method !== "chat.postMessage") hold(everywhere);
    if (method === "chat.appendStream") this.#budgetOf(team).limited();
  }

  /**
   * Makes a call in its turn, and again after each 429 (which says that nothing was done), until `until`.
   * @throws whatever `run` throws but a 429 that can be waited out.
   */
  async call<Reply>(
    call: Call,
    run: () => Promise<Reply>,
    { until = this.#clock.now() + DEFAULT_PATIENCE_MS, signal }: { until?: number; signal?: AbortSignal } = {},
  ): Promise<Reply> {
    for (;;) {
      const spacing = call.method === "chat.postMessage" ? this.#reservePost(call) : 0;
      if (spacing > 0) await delay(this.#clock, spacing, signal);
      for (let held = this.wait(call); held > 0; held = this.wait(call)) {
        await delay(this.#clock, held, signal);
        signal?.throwIfAborted();
      }
      try {
        return await run();
      } catch (error) {
        const refusal = refusalOf(error, call.method);
        if (refusal.kind !== "limited") throw error;
        this.limited(call, refusal.waitMs);
        if (this.#clock.now() + refusal.waitMs > until) throw error;
      }
    }
  }

  #heldUntil({ team, method, channel }: Call): number {
    return Math.max(this.#holds.get(nameOf(team, method)) ?? 0, this.#holds.get(nameOf(team, method, channel)) ?? 0);
  }

  #budgetOf(team: string): StreamBudget {
    const held = (channel: string): number => this.#heldUntil({ team, method: "chat.appendStream", channel });
    const budget = this.#teams.get(team) ?? new StreamBudget(this.#clock, this.#limits, held, this.#metrics);
    this.#teams.set(team, budget);
    return budget;
  }

  /** Reserves the next moment a channel may be posted to; milliseconds until then. */
  #reservePost({ team, channel }: Call): number {
    const now = this.#clock.now();
    for (const [name, at] of this.#posts) if (at <= now) this.#posts.delete(name);
    const name = nameOf(team, "", channel);
    const at = Math.max(now, this.#posts.get(name) ?? 0);
    this.#posts.set(name, at + this.#limits.postSpacingMs);
    return at - now;
  }
}

const nameOf = (team: string, method: string, channel = ""): string => `${team} ${method} ${channel}`;
