/** Work of which one run at a time is under way: whoever asks for it meanwhile gets that one's result. */
export function singleFlight<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  return () => (running ??= work().finally(() => (running = undefined)));
}

/**
 * Work that is done again after a pause, one run at a time, until it is ended. A run resolves with the pause before the
 * next, milliseconds; undefined: none until `begin` is called again. It
 * never rejects: whoever makes it handles what may fail. Keeps no process alive.
 */
export class Repeated {
  readonly #run: (signal: AbortSignal) => Promise<number | undefined>;
  readonly #ended = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(run: (signal: AbortSignal) => Promise<number | undefined>) {
    this.#run = run;
  }

  /** Sets when the next run begins; one that was set before is given up. */
  begin(afterMs: number): void {
    clearTimeout(this.#timer);
    if (this.#ended.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#inTurn(this.#running);
    }, afterMs);
    this.#timer.unref();
  }

  async #inTurn(before: Promise<void>): Promise<void> {
    await before;
    const nextMs = this.#ended.signal.aborted ? undefined : await this.#run(this.#ended.signal);
    if (nextMs !== undefined) this.begin(nextMs);
  }

  /** Nothing is begun any more; resolves when what runs has left. */
  async end(): Promise<void> {
    this.#ended.abort();
    clearTimeout(this.#timer);
    await this.#running;
  }
}
