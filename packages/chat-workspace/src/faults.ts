import type { Acts } from "./acts.ts";
import type { Delivery } from "./delivery/delivery.ts";
import type { Sockets } from "./delivery/sockets.ts";
import type { State } from "./state.ts";

/** What befalls one call. */
export type Fault =
  | { readonly kind: "rateLimit"; readonly retryAfterS: number }
  | { readonly kind: "fail"; readonly status: number }
  | { readonly kind: "refuse"; readonly error: string; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly kind: "dropResponse" }
  | { readonly kind: "delay"; readonly ms: number; readonly before: boolean }
  | { readonly kind: "hold"; readonly came: () => void; readonly released: Promise<void> };

interface FaultyParts {
  readonly state: State;
  readonly acts: Acts;
  readonly delivery: Delivery;
  readonly sockets: Sockets;
}

/** What can be made to go wrong. `method` may be `*`. Each fault is spent after `times` (default 1) uses. */
export class Faults {
  readonly #parts: FaultyParts;
  /** Faults of calls that are not spent, in the order they were planned. */
  #planned: { readonly method: string; readonly fault: Fault; left: number }[] = [];

  constructor(parts: FaultyParts) {
    this.#parts = parts;
  }

  #plan(method: string, fault: Fault, times = 1): void {
    this.#planned.push({ method, fault, left: times });
  }

  /** The fault of a call that came, spent with that. */
  take(method: string): Fault | undefined {
    const found = this.#planned.find((one) => one.method === method || one.method === "*");
    if (found === undefined) return undefined;
    found.left -= 1;
    if (found.left <= 0) this.#planned = this.#planned.filter((one) => one !== found);
    return found.fault;
  }

  /** 429 with Retry-After. */
  rateLimit(method: string, { retryAfterS = 1, times }: { retryAfterS?: number; times?: number } = {}): void {
    this.#plan(method, { kind: "rateLimit", retryAfterS }, times);
  }

  /** A status such as 500 or 503, before anything was done. */
  fail(method: string, { status = 500, times }: { status?: number; times?: number } = {}): void {
    this.#plan(method, { kind: "fail", status }, times);
  }

  /** `{ok: false, error}`, before anything was done. */
  refuse(method: string, error: string, options: { times?: number; fields?: Record<string, unknown> } = {}): void {
    this.#plan(method, { kind: "refuse", error, fields: options.fields ?? {} }, options.times);
  }

  /** The call takes effect, then the connection is cut before the answer. */
  dropResponse(method: string, { times }: { times?: number } = {}): void {
    this.#plan(method, { kind: "dropResponse" }, times);
  }

  /** The answer comes later; the effect at once, or with `before` also later. */
  delay(method: string, ms: number, { times, before = false }: { times?: number; before?: boolean } = {}): void {
    this.#plan(method, { kind: "delay", ms, before }, times);
  }

  /**
   * The call takes effect, and is answered, once it is released, whoever waits for it by then. `came` resolves when the call
   * is there.
   */
  hold(method: string): { readonly came: Promise<void>; readonly release: () => void } {
    const came = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    this.#plan(method, { kind: "hold", came: came.resolve, released: released.promise });
    return { came: came.promise, release: released.resolve };
  }

  /** Each event is delivered this many times, with the same `event_id`. */
  duplicateEvents(copies: number): void {
    this.#parts.delivery.copies = copies;
  }

  /** Events are delivered in a shuffled order within this many milliseconds. */
  shuffleEvents(withinMs: number): void {
    this.#parts.delivery.shuffleMs = withinMs;
  }

  /** Socket Mode: `disconnect` frames to one socket or to all. */
  disconnectSockets(
    reason: "warning" | "refresh_requested" | "link_disabled",
    { all = false }: { all?: boolean } = {},
  ): void {
    this.#parts.sockets.disconnect(reason, all);
  }

  /** Socket Mode: TCP connections are cut. */
  killSockets({ all = false }: { all?: boolean } = {}): void {
    this.#parts.sockets.kill(all);
  }

  /** Socket Mode: the peer falls silent: no pings, no pongs, no frames. */
  silenceSockets({ all = false }: { all?: boolean } = {}): void {
    this.#parts.sockets.silence(all);
  }

  /** Socket Mode: an `app_rate_limited` envelope without inner event. */
  appRateLimited(): void {
    this.#parts.delivery.appRateLimited();
  }

  revokeToken(): void {
    const { state, acts } = this.#parts;
    const token = state.tokens.get(state.credentials.botToken);
    if (token !== undefined) token.revoked = true;
    acts.tellOfRevocation();
  }

  uninstall(): void {
    const { state, acts } = this.#parts;
    acts.tellOfRevocation();
    acts.tell({ type: "app_uninstalled" });
    state.installed = false;
  }

  /** Takes all faults back that are not spent. */
  clear(): void {
    this.#planned = [];
    this.duplicateEvents(1);
    this.shuffleEvents(0);
  }
}
