import type { AskingKey } from "../rules/rules.ts";
import { progressOf, type Turn, type TurnProgress } from "./turn.ts";

/**
 * Where a thread's conversation is kept: one per thread and key, so that what one key saw never helps the other; and
 * for private questions one per asker, so that nobody goes on from what somebody asked for themselves.
 */
export function conversationPlace(
  thread: { team: string; channel: string; threadTs: string; private?: boolean; user?: string },
  key: AskingKey,
): string {
  const asker = thread.private === true ? `:${thread.user ?? ""}` : "";
  return `${thread.team}:${thread.channel}:${thread.threadTs}:${key}${asker}`;
}

/** Where a question stands in its conversation: what it is a reply to. */
export interface Parent {
  /** Absent: the question begins a conversation. */
  readonly chatSessionId?: string | undefined;
  /** The message it follows; null: it is the first of its session. */
  readonly messageId: number | null;
}

/** How far the question got that is asked again; nothing where none is. */
export async function earlierTurn({ context, question }: Turn): Promise<TurnProgress> {
  return question.again === undefined ? {} : progressOf((await context.store.find(question.again))?.progress);
}

/**
 * Chooses, once, what the question follows: the thread's conversation, or, asked again, what the question followed the
 * first time. An answer that was not whole is looked for by what it had been asked with.
 */
export async function chooseParent(turn: Turn, key: AskingKey): Promise<Parent> {
  if (turn.progress.parent !== undefined) return turn.progress.parent;
  const before = await earlierTurn(turn);
  const { sent, conversation } = before;
  const parent = (before.key === key ? parentBefore(before) : undefined) ?? (await parentInThread(turn, key));
  const isSought = turn.question.finishes === true && sent !== undefined && before.key === key;
  await turn.save({ parent: { ...parent }, key, ...(isSought ? { sent, conversation } : {}) });
  return parent;
}

function parentBefore({ parent, conversation }: TurnProgress): Parent | undefined {
  if (parent === undefined) return undefined;
  return { ...parent, chatSessionId: parent.chatSessionId ?? conversation?.chatSessionId };
}

async function parentInThread({ context, question }: Turn, key: AskingKey): Promise<Parent> {
  const { chatSessionId, messageId } = (await context.store.conversations.get(conversationPlace(question, key))) ?? {};
  return chatSessionId === undefined ? { messageId: null } : { chatSessionId, messageId: messageId ?? -1 };
}

/** The server no longer has the conversation: the question begins one of its own, with the thread as material. */
export async function forgetConversation(turn: Turn, key: AskingKey): Promise<Parent> {
  await turn.note("The server no longer has the conversation of this thread, so the question was asked without it.");
  await turn.context.store.conversations.delete(conversationPlace(turn.question, key));
  const parent: Parent = { messageId: null };
  await turn.save({ parent: { ...parent }, lost: true, sent: undefined, conversation: undefined });
  return parent;
}
