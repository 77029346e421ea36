/**
 * Why a task is to be left:
 * - `stopped`: somebody pressed Stop. Finish what is visible and answer `stopped`.
 * - `lost`: another instance has it, or may have it soon. Touch nothing any more.
 * - `shutdown`: this instance ends, and another one will take the task up from what was saved.
 */
export type Interruption = "stopped" | "lost" | "shutdown";

/** The reason of a task's signal; thrown by `save` of a task that was lost. */
export class TaskInterrupted extends Error {
  override readonly name = "TaskInterrupted";
  readonly interruption: Interruption;
  /** Whoever takes the task up goes on with the answer that is being written: the client leaves it running. */
  readonly leaveRunning: boolean;

  constructor(interruption: Interruption) {
    super(WORDS[interruption]);
    this.interruption = interruption;
    this.leaveRunning = interruption !== "stopped";
  }
}

const WORDS: Readonly<Record<Interruption, string>> = {
  stopped: "The task was stopped.",
  lost: "Another instance of the bot has taken this task over.",
  shutdown: "This instance of the bot is shutting down.",
};

/** Why a task's signal was aborted; undefined while it was not. */
export function interruptionOf(signal: AbortSignal): Interruption | undefined {
  return signal.reason instanceof TaskInterrupted ? signal.reason.interruption : undefined;
}
