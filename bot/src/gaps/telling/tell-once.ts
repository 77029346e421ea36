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

/** How far a task got with a message that is posted once, as it is saved with it. */
export const Posted = z.object({
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
  const { ts: posted, isDoubtful } = await postMarked(context, tools, markedBy(task, message));
  await tools.save({ posted, ...(isDoubtful && { looks: { begun: 0, until: firstLook(context) } }) });
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
  return lookForLateOnes(context, tools, { message: markedBy(task, message), posted, looks });
}

function markedBy(task: Pick<Task, "id" | "acceptedAt">, message: OnceMessage): MarkedMessage {
  return { ...message, mark: { task: task.id }, since: task.acceptedAt };
}

/** A message that is known again by what its metadata bears. */
export interface MarkedMessage extends OnceMessage {
  /** Of no other message of this event. */
  readonly mark: Readonly<Record<string, string>>;
  /** It cannot have been posted before, milliseconds since 1970. */
  readonly since: number;
}

/**
 * Posts a message unless it stands there: a run that begins again looks first, since nobody knows what became of a call whose
 * reply nobody heard. Its ts; `isDoubtful`: another one of it may come late. Throws as the platform does.
 */
export async function postMarked(
  context: BotContext,
  tools: TaskTools,
  message: MarkedMessage,
): Promise<{ readonly ts: string; readonly isDoubtful: boolean }> {
  const { channel, thread, text, blocks, event, mark } = message;
  const metadata = { event_type: event, event_payload: mark };
  // A task that is handed back when the bot stops does not know of the run it had.
  const isFirst = await context.store.rememberFirst(`posting:${event}:${Object.values(mark).join(":")}`, "begun");
  const isAgain = !isFirst || tools.attempt > 1;
  const [before] = isAgain ? await postedOf(context, message) : [];
  if (before !== undefined) return { ts: before, isDoubtful: true };
  try {
    const posted = await postMessage(context, { channel, thread_ts: thread, text, blocks, metadata }, tools.hold);
    return { ts: posted ?? "", isDoubtful: isAgain };
  } catch (error) {
    if (refusalOf(error, "chat.postMessage").kind !== "lost") throw error;
    const [ts] = await postedOf(context, message);
    if (ts === undefined) throw error;
    return { ts, isDoubtful: true };
  }
}

/** What is known of the looks for late ones of a message that was posted. */
export interface LateLooks {
  readonly message: MarkedMessage;
  /** The one that counts. */
  readonly posted: string;
  readonly looks: { readonly begun: number; readonly until: number };
}

/** One of these looks, if its time has come: takes away what came late. Undefined: it was the last. */
export async function lookForLateOnes(
  context: BotContext,
  tools: TaskTools,
  { message, posted, looks }: LateLooks,
): Promise<RunResult | undefined> {
  if (context.now() < looks.until) return { later: looks.until };
  for (const ts of await postedOf(context, message)) {
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

/** Where the first look for late ones is: so long after the message was posted. */
export const firstLook = (context: Pick<BotContext, "patience" | "now">): number =>
  context.now() + (pausesOf(context)[0] ?? 0);

const pausesOf = ({ patience }: Pick<BotContext, "patience">): readonly number[] =>
  patience.lateCallsMs ?? LATE_CALLS_MS;

/** So much earlier than it says a message is taken to be: this machine's clock need not be the platform's. Seconds. */
const CLOCKS_APART_S = 600;

/** Every message of ours with this mark that stands there, oldest first. */
async function postedOf(
  { clients, pacer, self }: BotContext,
  { channel, thread, event, mark, since }: MarkedMessage,
): Promise<readonly string[]> {
  const { conversations } = clients.reads;
  const oldest = (since / 1000 - CLOCKS_APART_S).toFixed(6);
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
    for (const { ts = "", user, bot_id: bot, metadata } of page.messages ?? []) {
      const payload: object = metadata?.event_payload ?? {};
      // Metadata can be anybody's.
      const isOurs = user === self.userId || bot === self.botId;
      const isThis = Object.entries(mark).every(([name, value]) => Reflect.get(payload, name) === value);
      if (isOurs && isThis && metadata?.event_type === event) found.push(ts);
    }
    const cursor = page.response_metadata?.next_cursor ?? "";
    next = cursor === "" ? {} : { cursor };
  } while (next.cursor !== undefined);
  return found.toSorted();
}
