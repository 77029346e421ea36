import { delay } from "../delay.ts";
import { AbortedError, UnavailableError, type ClientError } from "../errors/errors.ts";

/**
 * One call's clock and its one way to end early: the caller's signal, the total time, or silence. Time is monotonic, so
 * that a clock set back or forward changes nothing; after a sleep of the machine a limit that has passed ends the call.
 */
export class CallWatch {
  readonly #controller = new AbortController();
  readonly #host: string;
  readonly #user: AbortSignal | undefined;
  readonly #totalTimer: ReturnType<typeof setTimeout>;
  #silenceTimer: ReturnType<typeof setTimeout> | undefined;
  #silenceMs = Number.POSITIVE_INFINITY;
  #lastSign = performance.now();
  #held = false;
  readonly startedAt = performance.now();
  /** Longest the call may take with every attempt, in milliseconds. */
  readonly totalMs: number;

  constructor(host: string, totalMs: number, user?: AbortSignal) {
    this.#host = host;
    this.#user = user;
    this.totalMs = totalMs;
    this.#totalTimer = setTimeout(() => this.#end(this.#tooSlow("The call", totalMs)), totalMs);
    if (user?.aborted === true) this.#stop();
    else user?.addEventListener("abort", this.#stop, { once: true });
  }

  /** Ends when the call must end; its reason is the error to throw. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get ended(): boolean {
    return this.#controller.signal.aborted;
  }

  /** Throws what ended the call early, if anything did. */
  check(): void {
    this.#controller.signal.throwIfAborted();
  }

  /** From now on at most this long without a sign of life. */
  allowSilence(milliseconds: number): void {
    this.#silenceMs = milliseconds;
    this.sign();
    clearTimeout(this.#silenceTimer);
    this.#arm(milliseconds);
  }

  /** The server did something that counts. Costs a clock reading: the timer is not touched. */
  sign(): void {
    this.#lastSign = performance.now();
    this.#held = false;
  }

  /** The caller is busy with what came: until the next sign, time is not held against the server. */
  hold(): void {
    this.#held = true;
  }

  /** The call is over; nothing fires from here on. */
  done(): void {
    clearTimeout(this.#totalTimer);
    clearTimeout(this.#silenceTimer);
    this.#user?.removeEventListener("abort", this.#stop);
  }

  /** Waits, or throws what ended the call meanwhile. */
  async delay(milliseconds: number): Promise<void> {
    await delay(milliseconds, this.signal);
    this.check();
  }

  /** The promise's outcome, or what ended the call before it. The promise's own late failure is swallowed. */
  async race<Value>(promise: Promise<Value>): Promise<Value> {
    const { signal } = this.#controller;
    let stop = () => {};
    const ended = new Promise<never>((_, reject) => {
      stop = () => reject(signal.reason);
      signal.addEventListener("abort", stop, { once: true });
    });
    if (signal.aborted) stop();
    promise.catch(() => {});
    try {
      return await Promise.race([ended, promise]);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  readonly #stop = () => {
    const cause: unknown = this.#user?.reason;
    this.#end(new AbortedError("The call was stopped.", { host: this.#host }, { cause }));
  };

  #end(error: ClientError): void {
    this.#controller.abort(error);
    this.done();
  }

  #arm(milliseconds: number): void {
    if (!Number.isFinite(milliseconds) || this.ended) return;
    this.#silenceTimer = setTimeout(() => {
      const left = this.#silenceMs - (performance.now() - this.#lastSign);
      if (this.#held) this.#arm(this.#silenceMs);
      else if (left <= 0) this.#end(this.#tooSlow("The server's silence", this.#silenceMs));
      else this.#arm(left);
    }, milliseconds);
  }

  #tooSlow(what: string, milliseconds: number): ClientError {
    const seconds = Math.round(milliseconds / 100) / 10;
    return new UnavailableError(
      `${what} took longer than ${seconds} s, so the call to ${this.#host} was given up. The server may still finish it.`,
      true,
      { host: this.#host },
    );
  }
}
