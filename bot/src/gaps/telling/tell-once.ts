import type { KnownBlock } from "@slack/types";
import * as z from "zod";
import type { RunResult, Task, TaskTools } from "@threadlore/inbox";
import type { BotContext } from "../../context.ts";
import { postMessage } from "../../post-message.ts";
import { LATE_CALLS_MS } from "../../slack/transport/limits.ts";
import { refusalOf } from "../../slack/transport/refusals.ts";

/** A message of ours that a task posts, once. */
export interface OnceMessage {
  readonly channel: string;
  /** Absent: at the root of the channel. */
  readonly thread?: string | undefined;
  readonly text: string;
  readonly blocks?: KnownBlock[] | undefined;
  /** `event_type` of its metadata, which bears the task's id. */
  readonly event: string;
}

const Posted = z.object({
  /** The message that counts. */
  posted: z.string(),
  /** When the next of the late looks is, milliseconds since 1970, and how many were begun; absent: none is needed. */
  looks: z.object({ begun: z.number(), until: z.number() }).optional(),
});

type Doing = { readonly context: BotContext; readonly task: Task; readonly tools: TaskTools };

/** Of a task that has posted its message: where; undefined: it has not, as far as is known. */
export const postedBy = (task: Pick<Task, "progress">): string | undefined =>
  Posted.safeParse(task.progress).data?.posted;

/**
 * Posts the message of a task, and never twice: what an earlier run, or a call without an answer, may have posted is looked
 * for first, by its metadata. Its ts, which is saved with the task. Throws as the platform does.
 */
export async function postOnce({ context, task, tools }: Doing, message: OnceMessage): Promise<string> {
  const known = postedBy(task);
  if (known !== undefined) return known;
  const { channel, thread, text, blocks, event } = message;
  const metadata = { event_type: event, event_payload: { task: task.id } };
  let isDoubtful = tools.attempt > 1;
  let ts = isDoubtful ? (await postedOf(context, task, message))[0] : undefined;
  try {
    ts ??= await postMessage(context, { channel, thread_ts: thread, text, blocks, metadata }, tools.hold);
  } catch (error) {
    if (refusalOf(error, "chat.postMessage").kind !== "lost") throw error;
    isDoubtful = true;
    ts = (await postedOf(context, task, message))[0];
    if (ts === undefined) throw error;
  }
  const posted = ts ?? "";
  const until = context.now() + (pausesOf(context)[0] ?? 0);
  await tools.save({ posted, ...(isDoubtful && { looks: { begun: 0, until } }) });
  return posted;
}

/**
 * After a call that nobody heard the end of, another one of the same message may come late: it is taken away, whenever it
 * came within some minutes. Undefined: there is nothing to wait for.
 */
export async function withoutLateOnes(doing: Doing, message: OnceMessage): Promise<RunResult | undefined> {
  const { context, task, tools } = doing;
  // What this run has saved is not in the task it was given.
  const { posted, looks } = Posted.safeParse((await context.store.find(task.id))?.progress).data ?? {};
  if (posted === undefined || looks === undefined) return undefined;
  if (context.now() < looks.until) return { later: looks.until };
  for (const ts of await postedOf(context, task, message)) {
    if (ts === posted) continue;
    await tools.hold();
    await context.clients.posts.chat.delete({ channel: message.channel, ts }).catch((error: unknown) => {
      context.log.warn("late message not taken away", { channel: message.channel, ts, error });
    });
  }
  const begun = looks.begun + 1;
  const pause = pausesOf(context)[begun];
  if (pause === undefined) return undefined;
  const until = context.now() + pause;
  await tools.save({ posted, looks: { begun, until } });
  return { later: until };
}

const pausesOf = ({ patience }: Pick<BotContext, "patience">): readonly number[] =>
  patience.lateCallsMs ?? LATE_CALLS_MS;

/** So much earlier than it says a task is taken to be: this machine's clock need not be the platform's. Seconds. */
const CLOCKS_APART_S = 600;

/** Every message of the task that stands there, oldest first. */
async function postedOf(
  { clients, pacer, self }: BotContext,
  task: Pick<Task, "id" | "acceptedAt">,
  { channel, thread, event }: OnceMessage,
): Promise<readonly string[]> {
  const { conversations } = clients.reads;
  const oldest = (task.acceptedAt / 1000 - CLOCKS_APART_S).toFixed(6);
  const args = { channel, oldest, limit: 200, include_all_metadata: true };
  const found: string[] = [];
  let next: { cursor?: string } = {};
  do {
    const page = await (thread === undefined
      ? pacer.call({ team: self.teamId, method: "conversations.history" }, () =>
          conversations.history({ ...args, ...next }),
        )
      : pacer.call({ team: self.teamId, method: "conversations.replies" }, () =>
          conversations.replies({ ...args, ...next, ts: thread }),
        ));
    for (const { ts = "", metadata } of page.messages ?? []) {
      const payload: object = metadata?.event_payload ?? {};
      if (metadata?.event_type === event && Reflect.get(payload, "task") === task.id) found.push(ts);
    }
    const cursor = page.response_metadata?.next_cursor ?? "";
    next = cursor === "" ? {} : { cursor };
  } while (next.cursor !== undefined);
  return found.toSorted();
}
