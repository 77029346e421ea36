import { randomUUID } from "node:crypto";
import type { BotContext, TaskWork } from "../context.ts";
import { refusalOf, WorkspaceRevoked } from "../slack/transport/refusals.ts";
import { Inbox, type InboxOptions, type RunResult, type Store, type Task, type TaskKind } from "@threadlore/inbox";

/** Times of an inbox; each has its default there. */
export type InboxTimes = Pick<InboxOptions, "leaseMs" | "renewMs" | "pollMs" | "backoffMs" | "maxAttempts">;

/** What an inbox works with, and what is done where the platform wants nothing more of the bot. */
export interface WorkOptions {
  readonly store: Store;
  readonly context: () => BotContext;
  /** The token is no good any more; told once. */
  readonly onRevoked: (reason: string) => void;
  /** A test's clock, told to the store as well. */
  readonly clock?: () => number;
  readonly times?: InboxTimes;
}

/** An inbox for tasks of the kinds in `work`, `atOnce` at a time. */
export function workInbox(options: WorkOptions, work: Partial<Record<TaskKind, TaskWork>>, atOnce: number): Inbox {
  const { store, context, onRevoked, clock, times } = options;
  let revoked = false;
  const workOf = ({ kind }: Task): TaskWork => {
    const found = work[kind];
    if (found === undefined) throw new Error(`Nobody does tasks of the kind ${kind}.`);
    return found;
  };
  return new Inbox({
    store,
    owner: randomUUID(),
    async run(task, tools) {
      // Kept for when somebody has installed the app again and started the bot anew.
      const later = { later: context().now() + REVOKED_REST_MS };
      if (revoked) return later;
      try {
        return await traced(context(), task, () => workOf(task).run(context(), task, tools));
      } catch (error) {
        const reason = revocationIn(error);
        if (reason === undefined) throw error;
        if (!revoked) onRevoked(reason);
        revoked = true;
        return later;
      }
    },
    giveUp: (task, error, tools) => workOf(task).giveUp(context(), task, error, tools),
    onUntold: async (task, error, tools) => workOf(task).untold?.(context(), task, error, tools),
    onError: (error, words, task) =>
      context().log.warn("task trouble", { error, reason: words, task: task?.id, kind: task?.kind }),
    kinds: Object.keys(work) as TaskKind[],
    concurrency: atOnce,
    now: clock,
    ...times,
  });
}

/** A task as a span of its own; how long it waited before stands beside it. */
function traced({ tracing, now }: BotContext, task: Task, work: () => Promise<RunResult>): Promise<RunResult> {
  const facts = { attempt: task.attempts, "waited.ms": Math.max(0, now() - task.acceptedAt) };
  return tracing.run(`task ${task.kind}`, { kind: "consumer", facts }, async (span) => {
    const result = await work();
    span.tell({ outcome: typeof result === "string" ? result : "later" });
    return result;
  });
}

const REVOKED_REST_MS = 3_600_000;

/** The platform's word, where an error says that the bot's token is no good any more. */
function revocationIn(error: unknown): string | undefined {
  if (error instanceof WorkspaceRevoked) return error.code;
  const refusal = refusalOf(error, "");
  return refusal.kind === "revoked" ? refusal.code : undefined;
}
