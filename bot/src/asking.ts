import { type Answer, ask, type ConversationRef, sessionName } from "@threadlore/ask";
import { ClientError } from "@threadlore/client";
import type { SendMessageInput } from "@threadlore/client/models";
import type { Server } from "./context.ts";
import { conversationFields, type Parent } from "./conversation.ts";
import { goOn, searchableName } from "./earlier-run.ts";
import type { Material } from "./material.ts";
import type { AskingKey, Settings } from "./rules.ts";
import type { Turn } from "./running-turn.ts";
import { progressOf, type TurnProgress } from "./turn-progress.ts";

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
  const { server, signal, material, parent } = asking;
  const { progress, question, task, context } = turn;
  const { resumeMs } = context.patience;
  const request = requestOf(turn, asking);
  const { asked } = progress;
  if (asked !== undefined && asked.message === request.message) {
    const onlyWhole = question.finishes === true && turn.tools.attempt === 1;
    const earlier = { server, asked, conversation: conversationIn(progress), signal, onlyWhole, patienceMs: resumeMs };
    const taken = yield* goOn(earlier);
    if (taken !== "ask") return asked.name === undefined ? undefined : giveName(turn, asking, taken);
    await turn.note("The server had no answer to go on with, so it was asked again.");
  }
  const isNew = parent.chatSessionId === undefined;
  const name = searchableName(material.message, `${task.id}-${turn.tools.attempt}`);
  const after = Math.max(parent.messageId ?? 0, await newestKnown(turn));
  await turn.save({
    asked: { message: request.message, ...(isNew && { name }), ...(!isNew && after > 0 && { after }) },
    conversation: undefined,
  });
  const named = isNew
    ? { ...request, chat_session_info: { ...request.chat_session_info, description: name } }
    : request;
  let last: Answer | undefined;
  const recovering = { signal, recovery: server.deployment, ...(resumeMs !== undefined && { patienceMs: resumeMs }) };
  for await (const answer of ask(server.client, named, recovering)) {
    last = answer;
    yield answer;
  }
  if (isNew && last !== undefined) giveName(turn, asking, last);
}

/** The newest message of the server that is not of this question: asked again, the same words stand there already. */
async function newestKnown({ context, question }: Turn): Promise<number> {
  if (question.again === undefined) return 0;
  return progressOf((await context.store.find(question.again))?.progress).conversation?.messageId ?? 0;
}

/**
 * The conversation is called by the words of its first question, for whoever looks at the server's; those of direct
 * messages are named otherwise once they are answered. Nobody waits for it.
 */
function giveName({ context, question }: Turn, { server, material }: Asking, { conversation, status }: Answer): void {
  const session = conversation.chatSessionId;
  if (session === undefined || (isTitled(question) && status === "done")) return;
  context.later("name a conversation", () =>
    server.deployment.renameSession(session, sessionName(material.message)).catch((error: unknown) => {
      if (!(error instanceof ClientError)) throw error;
    }),
  );
}

/** Whether the platform shows the name of the conversation: the server is asked for one then. */
export function isTitled({ entry }: Pick<Turn["question"], "entry">): boolean {
  return entry === "dm" || entry === "agent";
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
): Promise<Pick<TurnProgress, "asked" | "conversation">> {
  if (question.again === undefined || question.finishes !== true) return {};
  const { asked, conversation, key: before } = progressOf((await context.store.find(question.again))?.progress);
  if (asked === undefined || before !== key) return {};
  return { asked, ...(conversation === undefined ? {} : { conversation }) };
}

/** Where the answer of a turn stands on the server, as far as it is known. */
export function conversationIn({ conversation = {} }: TurnProgress): ConversationRef {
  const { chatSessionId, messageId, userMessageId } = conversation;
  return {
    ...(chatSessionId === undefined ? {} : { chatSessionId }),
    ...(messageId === undefined ? {} : { messageId }),
    ...(userMessageId === undefined ? {} : { userMessageId }),
  };
}
