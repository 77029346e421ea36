import type { ConversationRef, ConversationStore } from "@threadlore/ask";
import type { SendMessageInput } from "@threadlore/client/models";
import type { AskingKey } from "../rules/rules.ts";
import { progressOf, type Turn } from "./turn.ts";

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
  readonly chatSessionId?: string;
  /** The message it follows; null: it is the first of its session. */
  readonly messageId: number | null;
}

/** What a follow-up is a reply to. */
function parentOf(conversation: ConversationRef | undefined): Parent {
  const { chatSessionId, messageId } = conversation ?? {};
  return chatSessionId === undefined ? { messageId: null } : { chatSessionId, messageId: messageId ?? -1 };
}

/** The fields of a request that say where it stands. The persona can only be chosen with a new session. */
export function conversationFields(parent: Parent, persona: number | undefined): Partial<SendMessageInput> {
  if (parent.chatSessionId === undefined) {
    return persona === undefined ? {} : { chat_session_info: { persona_id: persona } };
  }
  return { chat_session_id: parent.chatSessionId, parent_message_id: parent.messageId };
}

/** Remembers where a conversation stands after an answer, if the server told enough to go on with it. */
export async function rememberConversation(
  store: ConversationStore,
  place: string,
  { chatSessionId, messageId, userMessageId }: ConversationRef,
): Promise<void> {
  if (chatSessionId === undefined) return;
  await store.set(place, {
    chatSessionId,
    messageId,
    userMessageId,
  });
}

/** What the question follows: the thread's conversation, or, asked again, what the question followed the first time. */
export async function parentFor({ context, question }: Turn, key: AskingKey): Promise<Parent> {
  const { store } = context;
  if (question.again !== undefined) {
    const before = progressOf((await store.find(question.again))?.progress);
    const session = before.parent?.chatSessionId ?? before.conversation?.chatSessionId;
    if (before.key === key && before.parent !== undefined) {
      return session === undefined ? before.parent : { chatSessionId: session, messageId: before.parent.messageId };
    }
  }
  return parentOf(await store.conversations.get(conversationPlace(question, key)));
}
