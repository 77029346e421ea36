import { setTimeout as pause } from "node:timers/promises";
import { startHeart, within } from "./heart.ts";
import { interruptionOf, TaskInterrupted } from "./interruption.ts";
import type { Lease, NewTask, Outcome, Store, Task, TaskKind } from "./store/store.ts";

/** What a task is worked on with. */
export interface TaskTools {
  /** Aborted when the task is to be left; its reason is a TaskInterrupted. */
  readonly signal: AbortSignal;
  /** How often it was begun, this time included. 1: nothing was saved yet. */
  readonly attempt: number;
  /**
   * Asks the store whether the task is still this run's, and makes it so for another lease: before anything that others
   * see and that cannot be done twice. Throws TaskInterrupted where the task was lost, and what the store throws.
   */
  hold(): Promise<void>;
  /** Saves how far it got, durably. Throws TaskInterrupted where the task was lost: then nothing was saved. */
  save(progress: unknown): Promise<void>;
}

/** How a run ended: for good, or to be begun again at a moment, milliseconds since 1970. */
export type RunResult = Outcome | { readonly later: number };

/** What an inbox needs. */
export interface InboxOptions {
  readonly store: Store;
  /** This process among all that share the store; never the same for two of them, nor for one after a restart. */
  readonly owner: string;
  /** Does a task. Throws what may pass: it is then begun again. */
  readonly run: (task: Task, tools: TaskTools) => Promise<RunResult>;
  /** Tells people that a task failed for good. Where this throws, the task is begun again later. */
  readonly giveUp: (task: Task, error: unknown, tools: TaskTools) => Promise<void>;
  /** Keeps for later that a task failed for good and nobody could be told; `error` says why not. Default: nothing. */
  readonly onUntold?: (task: Task, error: unknown, tools: TaskTools) => Promise<void>;
  /** Hears of what went wrong and was handled: a failed run, a store that does not answer. */
  readonly onError?: (error: unknown, words: string, task?: Task) => void;
  /** Most tasks at a time. Default 8. */
  readonly concurrency?: number;
  /** Only these kinds. Default all. */
  readonly kinds?: readonly TaskKind[];
  /** When things happen. Default Date.now; leases are told by the store. One that is given is a test's, and tells both. */
  readonly now?: () => number;
  /** How long a task stays this instance's without a sign of life, milliseconds. Default 15,000. */
  readonly leaseMs?: number;
  /** How often signs of life are given and Stop is noticed. Default 2,000, or a third of the lease. */
  readonly beatMs?: number;
  /** How often tasks accepted elsewhere are looked for. Default 1,000. */
  readonly pollMs?: number;
  /** How often a task that fails is begun before it is given up. Default 5. */
  readonly mostAttempts?: number;
  /** How long to wait after a failed attempt (1, 2, …), milliseconds. Default doubles from 1 s to at most 60 s. */
  readonly backoffMs?: (attempt: number) => number;
}

/** What became of the tasks that ran when the inbox was drained. */
export interface Drained {
  readonly finished: number;
  /** Given back for another instance, or for the next start. */
  readonly handedBack: number;
}

/** Tasks on their way from Slack to their end. */
export interface Inbox {
  /** Keeps a task; it is durable when this resolves. False: it was known already. */
  accept(task: NewTask): Promise<boolean>;
  /** Begins to work on tasks. */
  start(): void;
  /** Asks whoever runs the lane's task to stop; at once where that is this instance. False: nothing runs there. */
  requestStop(lane: string): Promise<boolean>;
  /** Takes no more tasks and waits for those that run; hands back what is not done by then. `accept` goes on working. */
  drain(timeoutMs: number): Promise<Drained>;
  /** As `drain`, without waiting. */
  stop(): Promise<Drained>;
}

/** How long an interrupted run may take to leave before its task is handed back all the same, milliseconds. */
const LEAVE_MS = 2_000;
/** How often the store is told of an end again when it does not answer. */
const SETTLE_TRIES = 6;

interface Run {
  readonly task: Task;
  /** One per claim: after a lost lease the same process may get the task again, and must not answer for the old run. */
  readonly owner: string;
  readonly controller: AbortController;
  settled: Promise<void>;
}

/**
 * Takes tasks out of the store and has them run: one at a time per lane, `concurrency` at a time here. Whatever happens
 * to the process, an accepted task is begun again until it ended.
 */
export function createInbox(options: InboxOptions): Inbox {
  const {
    store,
    owner,
    run,
    giveUp,
    kinds,
    concurrency = 8,
    now = Date.now,
    leaseMs = 15_000,
    pollMs = 1_000,
  } = options;
  const { beatMs = Math.min(2_000, leaseMs / 3), mostAttempts = 5, backoffMs = doubling } = options;
  const onError = options.onError ?? (() => undefined);
  const lease = (): Lease => ({ leaseMs, ...(options.now === undefined ? {} : { now: options.now() }) });

  const running = new Map<string, Run>();
  /** How often a task failed in this process, until it ends. */
  const failures = new Map<string, number>();
  let claims = 0;
  let looking: Promise<void> | undefined;
  let draining = false;
  let finished = 0;
  let handedBack = 0;
  const wake = new Awakening();

  async function look(): Promise<void> {
    let failing = false;
    for (;;) {
      if (draining) return;
      if (running.size >= concurrency) {
        await wake.within(undefined);
        continue;
      }
      const claimant = `${owner}#${++claims}`;
      const asked = performance.now();
      try {
        // What was lost is not begun again here before the run that lost it has left.
        const except = [...running.values()].map((entry) => entry.task.id);
        const task = await store.claim(claimant, { ...lease(), except, ...(kinds === undefined ? {} : { kinds }) });
        failing = false;
        if (task !== undefined && draining) await store.release(task.id, claimant);
        else if (task !== undefined) begin(task, claimant, asked);
        else await wake.within(pollMs);
      } catch (error) {
        if (!failing) onError(error, "The store does not say what there is to do; it is asked again every second.");
        failing = true;
        await wake.within(pollMs);
      }
    }
  }

  function begin(task: Task, claimant: string, claimedAt: number): void {
    const entry: Run = { task, owner: claimant, controller: new AbortController(), settled: Promise.resolve() };
    running.set(claimant, entry);
    entry.settled = work(entry, claimedAt)
      .catch((error: unknown) => onError(error, "The end of a task could not be kept; it will be begun again.", task))
      .finally(() => {
        running.delete(claimant);
        wake.now();
      });
  }

  async function work(entry: Run, claimedAt: number): Promise<void> {
    const { task, controller } = entry;
    const { owner: claimant } = entry;
    const heart = startHeart({ store, task, claimant, controller, leaseMs, beatMs, lease, onError, claimedAt });
    const tools: TaskTools = {
      signal: controller.signal,
      attempt: task.attempts,
      hold: heart.hold,
      async save(progress) {
        if (interruptionOf(controller.signal) !== "lost" && (await store.save(task.id, entry.owner, progress))) return;
        controller.abort(new TaskInterrupted("lost"));
        throw new TaskInterrupted("lost");
      },
    };
    try {
      const result = await attempt(task, tools);
      if (interruptionOf(controller.signal) === "lost") return;
      await settle(entry, result);
      if (result === "handed back") handedBack++;
      else finished++;
    } finally {
      heart.stop();
    }
  }

  async function attempt(task: Task, tools: TaskTools): Promise<RunResult | "handed back"> {
    // Whoever ends the process each time never gets to fail.
    if (task.attempts > 4 * mostAttempts) {
      return surrender(task, new Error(`The bot ended ${task.attempts - 1} times while it was at this task.`), tools);
    }
    try {
      const result = await run(task, tools);
      return result === "stopped" && interruptionOf(tools.signal) === "shutdown" ? "handed back" : result;
    } catch (error) {
      const interruption = interruptionOf(tools.signal);
      if (interruption === "shutdown" || interruption === "lost") return "handed back";
      if (interruption === "stopped") return "stopped";
      onError(error, `A task failed at attempt ${task.attempts}.`, task);
      // Runs that were lost or died are attempts too, but say nothing against the task.
      const failed = (failures.get(task.id) ?? 0) + 1;
      failures.set(task.id, failed);
      if (failed >= mostAttempts || task.attempts >= 4 * mostAttempts) return surrender(task, error, tools);
      return { later: now() + backoffMs(task.attempts) };
    }
  }

  async function surrender(task: Task, error: unknown, tools: TaskTools): Promise<RunResult | "handed back"> {
    try {
      await giveUp(task, error, tools);
    } catch (silenced) {
      if (interruptionOf(tools.signal) === "shutdown") return "handed back";
      onError(silenced, "Nobody could be told that a task failed.", task);
      if (task.attempts < 3 * mostAttempts) return { later: now() + backoffMs(task.attempts) };
      await options
        .onUntold?.(task, silenced, tools)
        .catch((unkept: unknown) => onError(unkept, "It could not be kept that nobody could be told.", task));
    }
    return "failed";
  }

  /** Tells the store how a run ended, again and again while the store does not answer. */
  async function settle(entry: Run, result: RunResult | "handed back"): Promise<void> {
    const { id } = entry.task;
    if (typeof result === "string") failures.delete(id);
    for (let tries = 1; ; tries++) {
      try {
        if (result === "handed back") await store.release(id, entry.owner);
        else if (typeof result === "object") await store.postpone(id, entry.owner, result.later);
        else if (!(await store.end(id, entry.owner, result, now())) && tries === 1) {
          onError(
            new TaskInterrupted("lost"),
            "A task ended here after another instance had taken it over.",
            entry.task,
          );
        }
        return;
      } catch (error) {
        if (tries === SETTLE_TRIES || interruptionOf(entry.controller.signal) === "lost") throw error;
        await pause(100 * 2 ** tries);
      }
    }
  }

  function stopHere(lane: string): boolean {
    const here = [...running.values()].filter(({ task }) => task.lane === lane);
    for (const { controller } of here) controller.abort(new TaskInterrupted("stopped"));
    return here.length > 0;
  }

  async function drain(timeoutMs: number): Promise<Drained> {
    draining = true;
    const before = { finished, handedBack };
    wake.now();
    const settled = async (): Promise<void> => {
      await looking;
      await Promise.all([...running.values()].map((entry) => entry.settled));
    };
    await within(settled(), timeoutMs);
    for (const { controller } of running.values()) controller.abort(new TaskInterrupted("shutdown"));
    await within(settled(), LEAVE_MS);
    for (const { task, owner: claimant } of running.values()) {
      running.delete(claimant);
      try {
        if (await store.release(task.id, claimant)) handedBack++;
      } catch (error) {
        onError(error, "A task could not be handed back; it is another's when its lease ends.", task);
      }
    }
    return { finished: finished - before.finished, handedBack: handedBack - before.handedBack };
  }

  return {
    async accept(task) {
      const isNew = await store.accept(task, now());
      if (isNew) wake.now();
      return isNew;
    },
    start() {
      looking ??= look();
    },
    async requestStop(lane) {
      const here = stopHere(lane);
      const asked = await store.requestStop(lane);
      // It may have been claimed for this instance at that very moment.
      if (asked && !here) stopHere(lane);
      return asked || here;
    },
    drain,
    stop: () => drain(0),
  };
}

function doubling(attempt: number): number {
  return Math.min(60_000, 1_000 * 2 ** (attempt - 1));
}

/** Ends a wait early; a call that came while nobody waited ends the next wait. */
class Awakening {
  #called = false;
  #end: (() => void) | undefined;

  now(): void {
    this.#called = true;
    this.#end?.();
  }

  async within(timeoutMs: number | undefined): Promise<void> {
    if (!this.#called) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = timeoutMs === undefined ? undefined : setTimeout(resolve, timeoutMs);
      this.#end = resolve;
      await promise;
      clearTimeout(timer);
    }
    this.#called = false;
  }
}
