import type { Log } from "./operations/log.ts";

/** Work nobody waits for but the end. */
export class Background {
  readonly #running = new Set<Promise<void>>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  start(what: string, begin: () => Promise<unknown>): void {
    const work = begin().then(
      () => undefined,
      (error: unknown) => this.#log.warn("background work failed", { reason: what, error }),
    );
    const tracked: Promise<void> = work.finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
  }

  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
