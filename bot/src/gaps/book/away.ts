import { RateLimitError } from "@threadlore/client";
import { backoffMs } from "@threadlore/client/delay";
import type { RunResult, Task } from "@threadlore/inbox";
import type { BotContext } from "../../context.ts";
import { isAway } from "./gap-book.ts";

/** The first pause, milliseconds. */
const BASE_MS = 2_000;

/** A task that needs the server's gaps: while that is away it waits, for hours if need be. */
export async function unlessAway(
  context: Pick<BotContext, "now">,
  task: Task,
  work: () => Promise<RunResult>,
): Promise<RunResult> {
  try {
    return await work();
  } catch (error) {
    if (!isAway(error)) throw error;
    const asked = error instanceof RateLimitError ? error.retryAt?.getTime() : undefined;
    const pause = backoffMs(task.attempts - 1, { baseMs: BASE_MS, capMs: 600_000 });
    // It may have been begun often for other reasons: what is new does not wait for long.
    const age = Math.max(BASE_MS, context.now() - task.acceptedAt);
    return { later: asked ?? context.now() + Math.min(pause, age) };
  }
}
