import { RateLimitError } from "@threadlore/client";
import { backoffMs } from "@threadlore/client/delay";
import type { RunResult, Task } from "@threadlore/inbox";
import type { BotContext } from "../../context.ts";
import { isAway } from "./gap-book.ts";

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
    return { later: asked ?? context.now() + backoffMs(task.attempts - 1, { baseMs: 2_000, capMs: 600_000 }) };
  }
}
