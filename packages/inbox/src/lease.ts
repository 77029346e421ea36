import { within } from "@threadlore/client/delay";
import { TaskInterrupted } from "./interruption.ts";
import type { RunningTask, RunOptions } from "./task-tools.ts";

/** How long a lease that seems to have ended is asked about before the run is left, milliseconds. */
const LAST_ASK_MS = 2_000;

/** How often the store is asked again whether a lease is held where its answer took long. */
const HOLD_TRIES = 5;

/**
 * Renews the lease while a run lasts. Without an answer the run is left when its lease ends: it may be another's. Time is
 * monotonic here, and what it says is asked of the store before it counts.
 */
export function keepLease(
  { task, claimant, controller, claimedAt }: RunningTask,
  { store, renewMs, lease, onError }: RunOptions,
) {
  const { leaseMs } = lease();
  let lost = false;
  const lose = (): void => {
    lost = true;
    controller.abort(new TaskInterrupted("lost"));
  };
  let deadline: NodeJS.Timeout | undefined;
  let stopped = false;
  let unheard = false;
  let asking: Promise<boolean> | undefined;

  function keepUntil(moment: number): void {
    clearTimeout(deadline);
    if (!stopped) deadline = setTimeout(() => void expire(), Math.max(0, moment - performance.now()));
  }

  /** Resolves where the task is still this run's, with how long the answer took, milliseconds. Throws as `hold`. */
  async function ask(): Promise<number> {
    const asked = performance.now();
    const { held, stopRequested } = await store.renewLease(task.id, claimant, lease());
    unheard = false;
    if (!held) lose();
    // Also where somebody had pressed Stop before, which is what the signal says from then on.
    if (lost) throw new TaskInterrupted("lost");
    keepUntil(asked + leaseMs);
    if (stopRequested) controller.abort(new TaskInterrupted("stopped"));
    return performance.now() - asked;
  }

  async function isStillHeld(): Promise<boolean> {
    try {
      await ask();
      return true;
    } catch (error) {
      if (!(error instanceof TaskInterrupted) && !unheard) {
        onError(error, "The store does not take this instance's signs of life.", task);
        unheard = true;
      }
      return false;
    }
  }

  const renew = (): Promise<boolean> => (asking ??= isStillHeld().finally(() => (asking = undefined)));

  /** By this process's own clock the lease is over; after a pause of the whole process it may be held all the same. */
  async function expire(): Promise<void> {
    if ((await within(renew(), LAST_ASK_MS)) !== true && !stopped) lose();
  }

  keepUntil(claimedAt + leaseMs);
  // Stop may have been pressed while it waited for its next attempt.
  if (task.attempts > 1) void renew();
  const renewals = setInterval(() => void renew(), renewMs);
  return {
    /** Resolves where the task is still this run's, for another lease. Throws TaskInterrupted, and what the store throws. */
    async hold(): Promise<void> {
      // An answer that was long on its way, or lay unread while the process was paused, says nothing about now.
      for (let tries = 1; (await ask()) > leaseMs / 3 && tries < HOLD_TRIES; tries++) continue;
    },
    stop(): void {
      stopped = true;
      clearInterval(renewals);
      clearTimeout(deadline);
    },
  };
}
