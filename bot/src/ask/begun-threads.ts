import type { ConversationsHistoryResponse, ConversationsRepliesResponse } from "@slack/web-api";
import type { Turn } from "./turn.ts";

/** `event_type` of the metadata of a message that begins a thread. */
export const BEGUN_EVENT = "threadlore_question";

/** Messages that began the thread of this question besides the one that counts: their posts came after all. */
export async function strayBeginnings(turn: Pick<Turn, "context" | "question" | "task" | "progress">) {
  if (turn.question.begins === undefined) return [];
  const found = await beginningsOf(turn);
  const counts = found.includes(turn.progress.began ?? "") ? turn.progress.began : found.toSorted()[0];
  return found.filter((ts) => ts !== counts);
}

/**
 * The ts of every message that began the thread of this question: among the newest of the channel, or in the whole of a
 * thread that was there. No moment of this machine's bounds it, whose clock need not be the platform's.
 */
export async function beginningsOf({ context, question, task }: Pick<Turn, "context" | "question" | "task">) {
  const { conversations } = context.clients.reads;
  const { channel, inThread } = question;
  const args = { channel, limit: 200, include_all_metadata: true };
  const found: string[] = [];
  let next: { cursor?: string } = {};
  do {
    const page: ConversationsHistoryResponse | ConversationsRepliesResponse = await (inThread
      ? conversations.replies({ ...args, ...next, ts: question.threadTs })
      : conversations.history(args));
    for (const { ts = "", metadata } of page.messages ?? []) {
      const payload: object = metadata?.event_payload ?? {};
      if (metadata?.event_type === BEGUN_EVENT && Reflect.get(payload, "task") === task.id) found.push(ts);
    }
    const cursor = inThread ? page.response_metadata?.next_cursor : undefined;
    next = cursor === undefined ? {} : { cursor };
  } while ((next.cursor ?? "") !== "");
  return found;
}
