import { UnsupportedError } from "@threadlore/client";
import type { ConversationRef } from "@threadlore/ask";
import type { BotContext } from "../context.ts";
import type { Outcome, RunResult } from "@threadlore/inbox";
import type { AskingKey } from "../rules/rules.ts";
import type { Delivered } from "../slack/deliver/delivery-seam.ts";
import { conversationIn } from "./asking.ts";
import { conversationPlace, rememberConversation } from "./conversation.ts";
import { progressOf, type Turn } from "./turn.ts";

/** The outcome of a turn whose end was shown, or could not be. */
export function outcomeOf(delivered: Delivered, outcome: Outcome): Outcome {
  return delivered.kind === "delivered" ? outcome : delivered.kind;
}

/** Keeps what later clicks and questions need. */
export async function record(turn: Turn, delivered: Delivered, outcome: Outcome, key: AskingKey): Promise<RunResult> {
  const { context, task, question, progress } = turn;
  const conversation: ConversationRef = conversationIn(progress);
  const { team, channel, threadTs, user } = question;
  if (delivered.messages.length > 0) {
    await context.store.saveAnswer({
      taskId: task.id,
      team,
      channel,
      threadTs,
      messages: delivered.messages,
      askerId: user,
      details: { conversation, key, questionTs: question.ts, private: question.private },
      createdAt: context.now(),
    });
  }
  if (outcome === "answered" && delivered.kind === "delivered") await moveOn(turn, conversation, key);
  return outcomeOf(delivered, outcome);
}

/** The thread goes on from this answer; asked again, only where nothing came after the first one. */
async function moveOn({ context, question }: Turn, conversation: ConversationRef, key: AskingKey): Promise<void> {
  const { store } = context;
  const place = conversationPlace(question, key);
  if (question.again !== undefined) {
    const replaced = progressOf((await store.find(question.again))?.progress).conversation;
    const now = await store.conversations.get(place);
    if (now !== undefined && now.messageId !== replaced?.messageId) return;
  }
  const begun = (await store.conversations.get(place)) === undefined;
  await rememberConversation(store.conversations, place, conversation);
  const session = conversation.chatSessionId;
  if (begun && session !== undefined && (question.entry === "dm" || question.entry === "agent")) {
    context.later("title a session", () => titleSession(context, question, { session, key }));
  }
}

/** The server names the conversation, and the platform shows that name. */
async function titleSession(
  { servers, clients }: BotContext,
  question: Turn["question"],
  { session, key }: { session: string; key: AskingKey },
): Promise<void> {
  const { deployment } = servers[key];
  const title = await deployment.renameSession(session).catch((error: unknown) => {
    if (error instanceof UnsupportedError) return "";
    throw error;
  });
  if (title.trim() === "") return;
  await clients.posts.apiCall("agents.sessions.rename", {
    channel_id: question.channel,
    thread_ts: question.threadTs,
    title: title.trim().slice(0, 200),
  });
}
