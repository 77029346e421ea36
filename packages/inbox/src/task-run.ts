import { delay } from "@threadlore/client/delay";
import { interruptionOf, TaskInterrupted } from "./interruption.ts";
import { keepLease } from "./lease.ts";
import type { RunningTask, RunOptions, RunResult, TaskTools } from "./task-tools.ts";
import type { Task } from "./store/store.ts";

/** Given back, so that it is begun again as though this run had not been. */
type HandedBack = "handed back";

/** It failed, and is begun again at a moment, milliseconds since 1970. */
interface FailedRun {
  readonly again: number;
}

/** How often the store is told of an end again when it does not answer. */
const SETTLE_TRIES = 6;

/**
 * Does a task and tells the store how it ended. Resolves with what became of it; rejects where the store could not be
 * told, so that it will be begun again.
 */
export async function runTask(running: RunningTask, options: RunOptions): Promise<"finished" | HandedBack | "lost"> {
  const { task, controller, claimant } = running;
  const { store } = options;
  const keeper = keepLease(running, options);
  const tools: TaskTools = {
    signal: controller.signal,
    attempt: task.attempts,
    hold: keeper.hold,
    async save(progress) {
      if (interruptionOf(controller.signal) !== "lost" && (await store.save(task.id, claimant, progress))) return;
      controller.abort(new TaskInterrupted("lost"));
      throw new TaskInterrupted("lost");
    },
  };
  try {
    const result = await attempt(task, tools, options);
    if (interruptionOf(controller.signal) === "lost") return "lost";
    await settle(running, result, options);
    return result === "handed back" ? result : "finished";
  } finally {
    keeper.stop();
  }
}

async function attempt(task: Task, tools: TaskTools, options: RunOptions): Promise<RunResult | FailedRun | HandedBack> {
  const { run, maxAttempts, failures, onError, now, backoffMs } = options;
  const tries = triesOf(task);
  // Whoever ends the process each time never gets to fail.
  if (tries > 4 * maxAttempts) {
    const error = new Error(`The bot ended ${tries - 1} times while it was at this task.`);
    return surrender(task, error, tools, options);
  }
  try {
    const result = await run(task, tools);
    return result === "stopped" && interruptionOf(tools.signal) === "shutdown" ? "handed back" : result;
  } catch (error) {
    const interruption = interruptionOf(tools.signal);
    if (interruption !== undefined) return interruption === "stopped" ? "stopped" : "handed back";
    onError(error, `A task failed at attempt ${task.attempts}.`, task);
    // Runs that were lost or died are attempts too, but say nothing against the task.
    const failed = (failures.get(task.id) ?? 0) + 1;
    failures.set(task.id, failed);
    if (failed >= maxAttempts || tries >= 4 * maxAttempts) return surrender(task, error, tools, options);
    return { again: now() + backoffMs(tries) };
  }
}

/** Runs that ended badly or not at all, and the one at hand. Whoever waits for a server that is away for days has not tried. */
const triesOf = ({ attempts, excused }: Task): number => attempts - excused;

async function surrender(
  task: Task,
  error: unknown,
  tools: TaskTools,
  { giveUp, onUntold, onError, maxAttempts, now, backoffMs }: RunOptions,
): Promise<RunResult | FailedRun | HandedBack> {
  try {
    await giveUp(task, error, tools);
  } catch (silenced) {
    if (interruptionOf(tools.signal) === "shutdown") return "handed back";
    onError(silenced, "Nobody could be told that a task failed.", task);
    const tries = triesOf(task);
    if (tries < 3 * maxAttempts) return { again: now() + backoffMs(tries) };
    await onUntold?.(task, silenced, tools).catch((unkept: unknown) =>
      onError(unkept, "It could not be kept that nobody could be told.", task),
    );
  }
  return "failed";
}

/** Tells the store how a run ended, again and again while the store does not answer. */
async function settle(
  { task, claimant, controller }: RunningTask,
  result: RunResult | FailedRun | HandedBack,
  { store, failures, onError, now }: RunOptions,
): Promise<void> {
  const { id } = task;
  if (typeof result === "string") failures.delete(id);
  for (let tries = 1; ; tries++) {
    try {
      if (result === "handed back") await store.release(id, claimant);
      else if (typeof result === "object") await store.postpone(id, claimant, ...putOff(result));
      else if (!(await store.end(id, claimant, result, now())) && tries === 1) {
        onError(new TaskInterrupted("lost"), "A task ended here after another instance had taken it over.", task);
      }
      return;
    } catch (error) {
      if (tries === SETTLE_TRIES || interruptionOf(controller.signal) === "lost") throw error;
      await delay(100 * 2 ** tries);
    }
  }
}

const putOff = (result: Exclude<RunResult, string> | FailedRun): [number, { isExcused: boolean }] =>
  "later" in result ? [result.later, { isExcused: true }] : [result.again, { isExcused: false }];
