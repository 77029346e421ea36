import { randomUUID } from "node:crypto";
import { type Answer, ask, failureCause, isFinal, isStillAnswered, resumeAnswer } from "@threadlore/ask";
import { UnsupportedError } from "@threadlore/client";
import type { SendMessageInput } from "@threadlore/client/models";
import { isOwn, type QuestionKey } from "../accounts/question-key.ts";
import type { Connection } from "../accounts/still-connected.ts";
import type { Server } from "../knowledge-server/servers.ts";
import { rememberTitles } from "../lookups/titles.ts";
import type { Settings } from "../rules/settings.ts";
import type { Delivery } from "../slack/deliver/delivery.ts";
import type { AnswerView } from "./answer-view.ts";
import type { Material, Surroundings } from "./material/material.ts";
import { progressOf, type SentQuestion, type Turn, type TurnProgress } from "./turn.ts";

/** One time a question is asked, and where its answer is shown; an edited question is asked anew. */
export interface Attempt {
  readonly key: QuestionKey;
  /** As that key sees it. */
  readonly server: Server;
  readonly settings: Settings;
  readonly surroundings: Surroundings;
  readonly delivery: Delivery;
  readonly material: Material;
  readonly view: AnswerView;
  readonly signal: AbortSignal;
  /** Whether the account it is asked with is connected still. */
  readonly connection: Connection;
}

/**
 * The answer the server writes already or has, if the question was sent before; else the question is asked. Where the
 * answer stands is saved as soon as it is known, so that whoever goes on need not ask again.
 */
export async function* answersTo(turn: Turn, attempt: Attempt): AsyncGenerator<Answer, void, undefined> {
  for await (const answer of goneOnOrAsked(turn, attempt)) {
    const { chatSessionId, messageId } = turn.progress.conversation ?? {};
    const { conversation } = answer;
    if (conversation.chatSessionId !== chatSessionId || conversation.messageId !== messageId) {
      await turn.save({ conversation: { ...conversation } });
    }
    // What only one person may see, others need not find by.
    if (isFinal(answer.status) && !isOwn(attempt.key)) await rememberTitles(turn.context, answer);
    yield answer;
  }
}

async function* goneOnOrAsked(turn: Turn, attempt: Attempt): AsyncGenerator<Answer, void, undefined> {
  const { key, server, signal } = attempt;
  const { progress, task, context } = turn;
  const { client, deployment } = server;
  const parent = await chooseParent(turn, key);
  const request = requestOf(turn, attempt, parent);
  const { sent } = progress;
  if (sent !== undefined && sent.message === request.message) {
    if ((yield* goOn(turn, attempt, sent)) === "taken") return;
    await turn.note("The server had no answer to go on with, so it was asked again.");
  }
  const isNew = parent.chatSessionId === undefined;
  // An edited question is asked more than once in one attempt.
  const mark = `${task.id}-${randomUUID().slice(0, 4)}`;
  // Asked again, the same words stand there already; what was asked before may itself have been asked once more.
  const { conversation, sent: sentBefore } = await earlierTurn(turn);
  const newest = Math.max(parent.messageId ?? 0, conversation?.messageId ?? 0, sentBefore?.after ?? 0);
  const after = isNew ? undefined : newest;
  await turn.save({ sent: { message: request.message, ...(isNew ? { mark } : { after }) }, conversation: undefined });
  const patienceMs = context.patience.resumeMs;
  yield* ask(client, request, { signal, recovery: deployment, mark, after, patienceMs });
}

/**
 * The answer to a question that an earlier process sent, or an earlier attempt, from the server's own run or from what
 * it kept. Returns `ask` where the server has none of it, so that it is to be asked; `taken` after a final snapshot.
 * Never asks, so that nothing runs twice.
 */
async function* goOn(
  { context, question, tools, progress }: Turn,
  { server: { deployment }, signal }: Attempt,
  { message, mark, after }: SentQuestion,
): AsyncGenerator<Answer, "ask" | "taken", undefined> {
  const { conversation = {} } = progress;
  if (conversation.chatSessionId === undefined && mark === undefined) return "ask";
  const asked = { conversation, question: { message }, mark, after };
  const isStill = (): Promise<boolean> => isStillAnswered(deployment, asked, { signal });
  // Somebody asked again because the answer was not whole: nothing but a whole one is taken.
  const onlyWhole = question.finishes === true && tools.attempt === 1;
  // What was not whole and has ended is not shown a second time; what is being written is.
  const isLive = !onlyWhole || (await isStill());
  let last: Answer | undefined;
  let isShown = false;
  for await (const answer of resumeAnswer(deployment, asked, { signal, patienceMs: context.patience.resumeMs })) {
    last = answer;
    if (!isLive || isFinal(answer.status)) continue;
    isShown ||= answer.text !== "";
    yield answer;
  }
  if (last === undefined) return "ask";
  const isItsEnd = !onlyWhole && (last.text !== "" || isServersOwn(last));
  const isTaken = last.status === "done" || isShown || isItsEnd || signal.aborted;
  if (!isTaken && !(await isStill())) return "ask";
  yield last;
  return "taken";
}

/** An end the server kept as the answer's, not one of looking for it. */
function isServersOwn({ status, failure }: Answer): boolean {
  return status === "stopped" || (status === "failed" && failure?.code === undefined);
}

function requestOf({ context }: Turn, { material, settings }: Attempt, parent: Parent): SendMessageInput {
  const { document_sets: documentSets, sources, persona } = settings;
  const some = <One>(list: readonly One[]): One[] | undefined => (list.length === 0 ? undefined : [...list]);
  const filters = { document_set: some(documentSets), source_type: some(sources) };
  const isNew = parent.chatSessionId === undefined;
  return {
    message: material.message,
    origin: context.config.server.profile.botOrigin,
    additional_context: material.context || undefined,
    file_descriptors: some(material.files),
    internal_search_filters: filters.document_set || filters.source_type ? filters : undefined,
    chat_session_id: parent.chatSessionId,
    parent_message_id: isNew ? undefined : parent.messageId,
    // It can only be chosen with a new session.
    chat_session_info: isNew && persona !== undefined ? { persona_id: persona } : undefined,
  };
}

/** Names a session, or has the server find a name for it; the name, empty where the server does not offer that. */
export async function renameSession({ deployment }: Server, session: string, name?: string): Promise<string> {
  return deployment.renameSession(session, name).catch((error: unknown) => {
    if (error instanceof UnsupportedError) return "";
    throw error;
  });
}

/** Whether the server does not know the conversation of a follow-up any more, and nothing of an answer came. */
export function isConversationLost({ progress }: Turn, answer: Answer): boolean {
  if (progress.parent?.chatSessionId === undefined) return false;
  return failureCause(answer) === "session_lost" && answer.status === "failed" && answer.text === "";
}

/**
 * Where a thread's conversation is kept: one per thread and key, so that what one key saw never helps the other; and
 * for private questions one per asker, so that nobody goes on from what somebody asked for themselves.
 */
export function conversationPlace(
  thread: { team: string; channel: string; threadTs: string; private?: boolean; user?: string },
  key: QuestionKey,
): string {
  const asker = thread.private === true ? `:${thread.user ?? ""}` : "";
  return `${thread.team}:${thread.channel}:${thread.threadTs}:${key}${asker}`;
}

/** Where a question stands in its conversation: what it is a reply to. */
type Parent = NonNullable<TurnProgress["parent"]>;

/** How far the question got that is asked again; nothing where none is. */
export async function earlierTurn({ context, question }: Turn): Promise<TurnProgress> {
  return question.again === undefined ? {} : progressOf((await context.store.find(question.again))?.progress);
}

/**
 * Chooses, once, what the question follows: the thread's conversation, or, asked again, what the question followed the
 * first time. An answer that was not whole is looked for by what it had been asked with.
 */
async function chooseParent(turn: Turn, key: QuestionKey): Promise<Parent> {
  if (turn.progress.parent !== undefined) return turn.progress.parent;
  if (turn.question.more !== undefined) {
    // A conversation of its own, which ends with it.
    await turn.save({ parent: { messageId: null }, key });
    return { messageId: null };
  }
  const before = await earlierTurn(turn);
  const { sent, conversation } = before;
  const isSameKey = before.key === key;
  let parent: Parent;
  if (isSameKey && before.parent !== undefined) {
    parent = { ...before.parent, chatSessionId: before.parent.chatSessionId ?? conversation?.chatSessionId };
  } else {
    const { conversations } = turn.context.store;
    const { chatSessionId, messageId } = (await conversations.get(conversationPlace(turn.question, key))) ?? {};
    parent = chatSessionId === undefined ? { messageId: null } : { chatSessionId, messageId: messageId ?? -1 };
  }
  const isSought = turn.question.finishes === true && sent !== undefined && isSameKey;
  await turn.save({ parent, key, ...(isSought ? { sent, conversation } : {}) });
  return parent;
}

/** The server no longer has the conversation: the question begins one of its own, with the thread as material. */
export async function forgetConversation(turn: Turn, key: QuestionKey): Promise<void> {
  await turn.note("The server no longer has the conversation of this thread, so the question was asked without it.");
  await turn.context.store.conversations.delete(conversationPlace(turn.question, key));
  await turn.save({ parent: { messageId: null }, lost: true, sent: undefined, conversation: undefined });
}
