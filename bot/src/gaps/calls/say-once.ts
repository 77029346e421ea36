import type { KnownBlock } from "@slack/types";
import type { ConversationsHistoryResponse, ConversationsRepliesResponse } from "@slack/web-api";
import type { BotContext } from "../../context.ts";
import type { TaskTools } from "@threadlore/inbox";
import { postMessage } from "../../post-message.ts";

/** `event_type` of the metadata of what is said about a call. */
const CALL_EVENT = "threadlore_call";

/** What is said about a call. */
export interface CallSaying {
  readonly channel: string;
  /** Absent: it begins a thread. */
  readonly thread?: string | undefined;
  /** The answer the call is about, and what is said of it: together they are said once. */
  readonly task: string;
  readonly what: string;
  readonly text: string;
  readonly blocks?: KnownBlock[];
}

/**
 * Says it, once: a run that begins again looks first whether one before it has said it, since nobody knows what became of a
 * call whose reply nobody heard. Its ts. Rejects as the platform does.
 */
export async function sayOnce(context: BotContext, tools: TaskTools, post: CallSaying): Promise<string> {
  const { channel, thread, task, what, text, blocks } = post;
  const before = tools.attempt > 1 ? await saidBefore(context, post) : undefined;
  if (before !== undefined) return before;
  const metadata = { event_type: CALL_EVENT, event_payload: { task, what } };
  const message = { channel, text, ...(blocks && { blocks }), ...(thread && { thread_ts: thread }), metadata };
  const ts = await postMessage(context, message, tools.hold);
  if (ts === undefined) throw new Error("The platform took a message and did not name it.");
  return ts;
}

async function saidBefore({ clients, self }: BotContext, { channel, thread, task, what }: CallSaying) {
  const { conversations } = clients.reads;
  let cursor: string | undefined;
  do {
    const page: ConversationsHistoryResponse | ConversationsRepliesResponse = await (thread === undefined
      ? conversations.history({ channel, limit: 200, include_all_metadata: true })
      : conversations.replies({ channel, ts: thread, limit: 200, include_all_metadata: true, cursor }));
    for (const { ts, user, bot_id: bot, metadata } of page.messages ?? []) {
      const payload: object = metadata?.event_payload ?? {};
      const isThis = metadata?.event_type === CALL_EVENT && Reflect.get(payload, "task") === task;
      if (!isThis || Reflect.get(payload, "what") !== what) continue;
      // Metadata can be anybody's.
      if (user === self.userId || bot === self.botId) return ts;
    }
    cursor = thread === undefined ? undefined : page.response_metadata?.next_cursor || undefined;
  } while (cursor !== undefined);
  return undefined;
}
