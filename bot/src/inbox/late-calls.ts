import * as z from "zod";
import type { BotContext } from "../context.ts";
import { placeOf, type RunResult, type Task, taskKey, type TaskTools } from "@threadlore/inbox";
import type { Turn } from "../ask/turn.ts";
import { QuestionBody } from "../ask/question.ts";
import type { Traces } from "../slack/deliver/delivery-seam.ts";
import { LATE_CALLS_MS } from "../slack/transport/limits.ts";

/** What a run did to the messages of an answer, or may have: what is looked for later. JSON-safe. */
export const LateBody = z.object({
  /** The task whose answer it is. */
  task: z.string(),
  touched: z.array(z.string()),
  lostStarts: z.array(z.string()),
  anyStream: z.boolean().optional(),
  /** Only waits, and has the thread looked at after each of these, milliseconds. Absent: it is looked at now. */
  pauses: z.array(z.number()).optional(),
});
type LateBody = z.infer<typeof LateBody>;

const Waited = z.object({
  /** How many of the pauses have begun. */
  begun: z.number(),
  /** When the last of them is over, milliseconds since 1970. */
  until: z.number(),
});

/**
 * Has the thread of an answer looked at some time after it has ended, more than once: a call that was taken for lost, and
 * made again, can take effect after everybody has stopped looking, and would leave a second answer. Kept in the store, so
 * that it happens whatever becomes of this process. A run that asks again changes nothing.
 */
export async function lookLater(
  { context, task, tools }: Turn,
  { touched, lostStarts, anyStream }: Traces,
  what: "late" | "begun" = "late",
): Promise<void> {
  const pauses = [...(context.patience.lateCallsMs ?? LATE_CALLS_MS)];
  await keep(context, task, `${what}-${tools.attempt}`, {
    task: task.id,
    touched: [...touched],
    lostStarts: [...lostStarts],
    anyStream,
    pauses,
  });
}

/** Waits for the next look, or asks for it: the look itself is a task of the thread, so that nobody else is at work there. */
export async function waitForLate(
  context: BotContext,
  { task, tools, late, body }: { task: Task; tools: TaskTools; late: Task; body: LateBody & { pauses: number[] } },
): Promise<RunResult> {
  const { begun, until } = Waited.safeParse(task.progress).data ?? { begun: 0, until: 0 };
  if (context.now() < until) return { later: until };
  if (begun > 0) await keep(context, late, `${task.id}-${begun}`, { ...body, pauses: undefined });
  const pause = body.pauses[begun];
  if (pause === undefined) return "done";
  const end = context.now() + pause;
  await tools.save({ begun: begun + 1, until: end });
  return { later: end };
}

/** One that waits has a partition of its own, so that nothing of the thread waits with it. */
async function keep({ inbox }: BotContext, { id, partitionKey, body: of }: Task, once: string, body: LateBody) {
  const place = QuestionBody.parse(of);
  const isWaiting = body.pauses !== undefined;
  await inbox.accept({
    key: taskKey("mend", place, `${id}-${once}`),
    kind: "mend",
    partitionKey: isWaiting ? `late:${id}` : partitionKey,
    place: `mend:${placeOf(place)}`,
    body,
  });
}
