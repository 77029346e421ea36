import { randomUUID } from "node:crypto";
import { type Answer, ask, type ConversationRef } from "@threadlore/ask";
import type { SendMessageInput } from "@threadlore/client/models";
import type { Server } from "../context.ts";
import { conversationFields, type Parent } from "./conversation.ts";
import { goOn } from "./earlier-run.ts";
import type { Material } from "./material.ts";
import type { AskingKey, Settings } from "../rules/rules.ts";
import type { Turn } from "./turn.ts";
import { progressOf, type TurnProgress } from "./turn.ts";

/** How a question is asked. */
export interface Asking {
  readonly server: Server;
  readonly settings: Settings;
  readonly parent: Parent;
  readonly material: Material;
  readonly signal: AbortSignal;
}

/** Where the answer stands is saved as soon as it is known, so that whoever goes on need not ask again. */
export async function keepPlace(turn: Turn, { conversation }: Answer): Promise<void> {
  const { chatSessionId, messageId } = turn.progress.conversation ?? {};
  if (conversation.chatSessionId === chatSessionId && conversation.messageId === messageId) return;
  await turn.save({ conversation: { ...conversation } });
}

/** The answer the server writes already or has, if the question was sent before; else the question is asked. */
export async function* answersTo(turn: Turn, asking: Asking): AsyncGenerator<Answer, void, undefined> {
  const { server, signal, parent } = asking;
  const { progress, question, task, context } = turn;
  const { resumeMs } = context.patience;
  const request = requestOf(turn, asking);
  const { sent } = progress;
  if (sent !== undefined && sent.message === request.message) {
    const onlyWhole = question.finishes === true && turn.tools.attempt === 1;
    const earlier = { server, sent, conversation: conversationIn(progress), signal, onlyWhole, patienceMs: resumeMs };
    if ((yield* goOn(earlier)) === "taken") return;
    await turn.note("The server had no answer to go on with, so it was asked again.");
  }
  const isNew = parent.chatSessionId === undefined;
  // An edited question is asked more than once in one attempt.
  const mark = `${task.id}-${randomUUID().slice(0, 4)}`;
  const after = isNew ? undefined : Math.max(parent.messageId ?? 0, await newestKnown(turn));
  await turn.save({ sent: { message: request.message, ...(isNew ? { mark } : { after }) }, conversation: undefined });
  yield* ask(server.client, request, { signal, recovery: server.deployment, mark, after, patienceMs: resumeMs });
}

/** The newest message of the server that is not of this question: asked again, the same words stand there already. */
async function newestKnown({ context, question }: Turn): Promise<number> {
  if (question.again === undefined) return 0;
  const { conversation, sent } = progressOf((await context.store.find(question.again))?.progress);
  // What was asked before may never have arrived, and itself have been asked once more.
  return Math.max(conversation?.messageId ?? 0, sent?.after ?? 0);
}

function requestOf({ context }: Turn, { material, parent, settings }: Asking): SendMessageInput {
  const { documentSets, sources, persona } = settings;
  const filters = {
    ...(documentSets.length === 0 ? {} : { document_set: [...documentSets] }),
    ...(sources.length === 0 ? {} : { source_type: [...sources] }),
  };
  return {
    message: material.message,
    origin: context.config.server.profile.botOrigin,
    ...(material.context === "" ? {} : { additional_context: material.context }),
    ...(material.files.length === 0 ? {} : { file_descriptors: [...material.files] }),
    ...(Object.keys(filters).length === 0 ? {} : { internal_search_filters: filters }),
    ...conversationFields(parent, persona),
  };
}

/** What the answer that was not whole had been asked with, where the same question is asked again to have it whole. */
export async function sentBefore(
  { context, question }: Turn,
  key: AskingKey,
): Promise<Pick<TurnProgress, "sent" | "conversation">> {
  if (question.again === undefined || question.finishes !== true) return {};
  const { sent, conversation, key: before } = progressOf((await context.store.find(question.again))?.progress);
  if (sent === undefined || before !== key) return {};
  return { sent, conversation };
}

/** Where the answer of a turn stands on the server, as far as it is known. */
export function conversationIn({ conversation = {} }: TurnProgress): ConversationRef {
  const { chatSessionId, messageId, userMessageId } = conversation;
  return {
    chatSessionId,
    messageId,
    userMessageId,
  };
}
