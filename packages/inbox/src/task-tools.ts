import type { Store } from "./store/open.ts";
import type { Lease, Outcome, Task, TaskKind } from "./store/store.ts";

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
  /** How often the lease of a running task is renewed and Stop is noticed. Default 2,000, or a third of the lease. */
  readonly renewMs?: number;
  /** How often tasks accepted elsewhere are looked for. Default 1,000. */
  readonly pollMs?: number;
  /** How often a task that fails is begun before it is given up. Default 5. */
  readonly maxAttempts?: number;
  /** How long to wait after a failed attempt (1, 2, …), milliseconds. Default doubles from 1 s to at most 60 s. */
  readonly backoffMs?: (attempt: number) => number;
}

type Optional = "onUntold" | "kinds" | "leaseMs";

/** An inbox's options with their defaults, and what its runs have in common. */
export interface RunOptions extends Required<Omit<InboxOptions, Optional>>, Pick<InboxOptions, Optional> {
  readonly lease: () => Lease;
  /** How often a task failed in this process, until it ends. */
  readonly failures: Map<string, number>;
}

/** A task that runs here. */
export interface RunningTask {
  readonly task: Task;
  /** One per claim: after a lost lease the same process may get the task again, and must not answer for the old run. */
  readonly claimant: string;
  /** Aborted with `lost` when the task is another's, or may be; with `stopped` when somebody pressed Stop. */
  readonly controller: AbortController;
  /** When the claim was asked for, by `performance.now`. */
  readonly claimedAt: number;
}
