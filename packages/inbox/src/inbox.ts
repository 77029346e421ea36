import { backoffMs as backoff, delay, within } from "@threadlore/client/delay";
import { runTask } from "./task-run.ts";
import type { InboxOptions, RunningTask, RunOptions } from "./task-tools.ts";
import { TaskInterrupted } from "./interruption.ts";
import type { NewTask } from "./store/store.ts";

/** How long an interrupted run may take to leave before its task is handed back all the same, milliseconds. */
const LEAVE_MS = 2_000;

/**
 * Tasks on their way from a platform to their end. Takes them out of the store and has them run: one at a time per
 * partition, `concurrency` at a time here. Whatever happens to the process, an accepted task is begun again until it ended.
 */
export class Inbox {
  readonly #options: RunOptions;
  readonly #running = new Map<string, RunningTask & { readonly settled: Promise<void> }>();
  /** Aborted when there may be something to do; also while nobody waits for that. */
  #wake = new AbortController();
  #claims = 0;
  #looking: Promise<void> | undefined;
  #draining = false;
  #finished = 0;
  #handedBack = 0;

  constructor(options: InboxOptions) {
    const { leaseMs = 15_000, now } = options;
    this.#options = {
      ...options,
      onError: options.onError ?? (() => undefined),
      concurrency: options.concurrency ?? 8,
      renewMs: options.renewMs ?? Math.min(2_000, leaseMs / 3),
      pollMs: options.pollMs ?? 1_000,
      maxAttempts: options.maxAttempts ?? 5,
      backoffMs: options.backoffMs ?? ((attempt) => backoff(attempt - 1, { baseMs: 1_000, capMs: 60_000 })),
      now: now ?? Date.now,
      lease: () => ({ leaseMs, now: now?.() }),
      failures: new Map(),
    };
  }

  /** Keeps a task; it is durable when this resolves. False: it was known already. */
  async accept(task: NewTask): Promise<boolean> {
    const isNew = await this.#options.store.accept(task, this.#options.now());
    if (isNew) this.#wake.abort();
    return isNew;
  }

  /** Begins to work on tasks. */
  start(): void {
    this.#looking ??= this.#look();
  }

  /** Asks whoever runs the partition's task to stop; at once where that is this instance. False: nothing runs there. */
  async requestStop(partitionKey: string): Promise<boolean> {
    const here = this.#stopHere(partitionKey);
    const asked = await this.#options.store.requestStop(partitionKey);
    // It may have been claimed for this instance at that very moment.
    if (asked && !here) this.#stopHere(partitionKey);
    return asked || here;
  }

  /**
   * Takes no more tasks and waits for those that run; hands back what is not done by then, for another instance or for the
   * next start. `accept` goes on working. Resolves with how many did the one and the other.
   */
  async drain(timeoutMs: number): Promise<{ finished: number; handedBack: number }> {
    this.#draining = true;
    const before = { finished: this.#finished, handedBack: this.#handedBack };
    this.#wake.abort();
    const settled = async (): Promise<void> => {
      await this.#looking;
      await Promise.all([...this.#running.values()].map((running) => running.settled));
    };
    await within(settled(), timeoutMs);
    for (const { controller } of this.#running.values()) controller.abort(new TaskInterrupted("shutdown"));
    await within(settled(), LEAVE_MS);
    for (const { task, claimant } of this.#running.values()) {
      this.#running.delete(claimant);
      try {
        if (await this.#options.store.release(task.id, claimant)) this.#handedBack++;
      } catch (error) {
        this.#options.onError(error, "A task could not be handed back; it is another's when its lease ends.", task);
      }
    }
    return { finished: this.#finished - before.finished, handedBack: this.#handedBack - before.handedBack };
  }

  async #look(): Promise<void> {
    const { store, owner, kinds, concurrency, lease, onError } = this.#options;
    let failing = false;
    while (!this.#draining) {
      if (this.#running.size >= concurrency) {
        await this.#rest();
        continue;
      }
      const claimant = `${owner}#${++this.#claims}`;
      const claimedAt = performance.now();
      try {
        // What was lost is not begun again here before the run that lost it has left.
        const except = [...this.#running.values()].map(({ task }) => task.id);
        const task = await store.claim(claimant, { ...lease(), except, kinds });
        failing = false;
        if (task === undefined) await this.#rest();
        else if (this.#draining) await store.release(task.id, claimant);
        else this.#begin({ task, claimant, claimedAt, controller: new AbortController() });
      } catch (error) {
        const words = "The store does not say what there is to do; it is asked again every second.";
        if (!failing) onError(error, words);
        failing = true;
        await this.#rest();
      }
    }
  }

  /** Until something was accepted or ended here; not for long, since others accept tasks as well. */
  async #rest(): Promise<void> {
    await delay(this.#options.pollMs, this.#wake.signal);
    this.#wake = new AbortController();
  }

  #begin(running: RunningTask): void {
    const { task, claimant } = running;
    const work = async (): Promise<void> => {
      try {
        const end = await runTask(running, this.#options);
        if (end === "finished") this.#finished++;
        else if (end === "handed back") this.#handedBack++;
      } catch (error) {
        this.#options.onError(error, "The end of a task could not be kept; it will be begun again.", task);
      }
      this.#running.delete(claimant);
      this.#wake.abort();
    };
    this.#running.set(claimant, { ...running, settled: work() });
  }

  #stopHere(partitionKey: string): boolean {
    const here = [...this.#running.values()].filter(({ task }) => task.partitionKey === partitionKey);
    for (const { controller } of here) controller.abort(new TaskInterrupted("stopped"));
    return here.length > 0;
  }
}
