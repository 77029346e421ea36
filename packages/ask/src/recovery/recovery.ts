/**
 * An answer that broke off is finished from the server's own run: deployed servers go on writing when a connection
 * ends, and keep what they wrote (docs/wire.md, section 1.8). Asked again instead, the question would run twice.
 */
import type { SessionDetail, SessionPage } from "@threadlore/client/deployment";
import type { Packet, SendMessageInput } from "@threadlore/client/models";
import { type Answer, emptyAnswer, inConversation, reduce } from "../answer/answer.ts";
import type { ConversationRef } from "../answer/conversation.ts";
import { type Described, describe } from "../failure/described.ts";
import { CUT_OFF, DIED, type Failure, LEFT_UNANSWERED, SESSION_LOST } from "../failure/failure.ts";
import { isFinal } from "../answer/status.ts";
import { storedAnswer } from "./stored-answer.ts";

/** What finishing an answer needs of a server; `createDeployment` of @threadlore/client gives it. */
export interface Recovery {
  resume(sessionId: string, options: { signal?: AbortSignal }): AsyncIterable<Packet>;
  getSession(sessionId: string, options: { signal?: AbortSignal }): Promise<SessionDetail>;
  listSessions(page: { pageSize: number }, options: { signal?: AbortSignal }): Promise<SessionPage>;
  renameSession(sessionId: string, name: string, options: { signal?: AbortSignal }): Promise<string>;
  stop(sessionId: string, options: { signal?: AbortSignal }): Promise<void>;
}

/** A question that was sent, or may have been. */
export interface Asked {
  readonly recovery: Recovery;
  readonly question: Pick<SendMessageInput, "message" | "parent_message_id" | "chat_session_info">;
  /** Id of the newest message that was there before the question, where one is known. */
  readonly after?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A question whose answer is to be finished. */
export interface SentQuestion extends Asked {
  /** What was known of the answer when it broke off. */
  readonly shown: Answer;
  /** Why the server could not be reached with it; absent where it said anything, or began to. */
  readonly unreached?: Failure | undefined;
  /** Longest time without a sign of the answer before it is given up, milliseconds. */
  readonly patienceMs: number;
}

/** What one look came to, when it did not finish the answer: why it never will be, or nothing: look again. */
interface Look {
  readonly ending?: Failure;
  /** The server could not be reached. */
  readonly isAway?: boolean;
  readonly conversation: ConversationRef;
}

export const NOTHING_SEEN: Look = { conversation: {} };

/** One look at what the server has of the answer: yields it as far as it came. Never throws. */
export async function* lookAt(sent: SentQuestion): AsyncGenerator<Answer, Look, undefined> {
  let conversation = sent.shown.conversation;
  try {
    const sessionId = conversation.chatSessionId ?? (await sessionOf(sent));
    if (sessionId === undefined) return { ending: LEFT_UNANSWERED, conversation };
    conversation = { ...conversation, chatSessionId: sessionId };
    const run = yield* runOf(sent, conversation);
    conversation = { ...conversation, ...run };
    return { ...(yield* storedOf(sent, conversation)), conversation };
  } catch (error) {
    return { ...endingOf(describe(error)), conversation };
  }
}

/** Only the server's own refusal ends the search for the answer; all else may pass. */
function endingOf({ outcome, name, failure, status }: Described): Pick<Look, "ending" | "isAway"> {
  // A page for people while the service is away, or a redirect to one: it was there a moment ago.
  if (name === "WrongBaseUrlError") return {};
  // A server without these operations: that it does not have them is nobody's question.
  if (name === "UnsupportedError") return { ending: CUT_OFF };
  // Nothing is looked up by an id but the session.
  if (name === "NotFoundError") return { ending: SESSION_LOST };
  if (outcome === "unavailable" && status === undefined) return { isAway: true };
  if (outcome === "unavailable" || outcome === "partial" || outcome === "rate_limited" || outcome === "aborted")
    return {};
  // A key it refuses is nobody's answer; all else it says of a question it had accepted is a failed one. The error is
  // left behind: it is of another call than the question's.
  return { ending: { ...failure, outcome: outcome === "auth" ? "auth" : "retryable" } };
}

/** The session that was created with the question, by the name it was given. */
export async function sessionOf({ recovery, question, signal }: Asked): Promise<string | undefined> {
  const name = question.chat_session_info?.description;
  if (name == null || name === "") return undefined;
  const { sessions } = await recovery.listSessions({ pageSize: 50 }, { signal });
  return sessions.find((session) => session.name === name)?.id;
}

/** Follows the run as far as it is sent: all of it from the first packet, then what comes. Nothing where there is none. */
async function* runOf(sent: SentQuestion, known: ConversationRef): AsyncGenerator<Answer, ConversationRef, undefined> {
  const { recovery, shown, signal } = sent;
  const sessionId = known.chatSessionId ?? "";
  let answer = inConversation(emptyAnswer(), { chatSessionId: sessionId });
  let isOurs = false;
  try {
    for await (const packet of recovery.resume(sessionId, { signal })) {
      answer = reduce(answer, packet);
      const { messageId, userMessageId } = answer.conversation;
      // The run of another question of the session: what is ours is looked up in the session.
      if (!isOurs && (messageId ?? userMessageId) !== undefined) {
        isOurs = await isRunOf(sent, answer.conversation);
        if (!isOurs) return {};
      }
      if (isOurs && (isFinal(answer.status) || isAsFar(answer, shown))) yield answer;
    }
  } catch (error) {
    // No run, or none that can be followed: what the session holds of it may be whole all the same.
    if (describe(error).outcome === "aborted") throw error;
  }
  return isOurs ? answer.conversation : {};
}

/** Whether a run with these ids answers the question that was sent. Servers tell a run again for minutes after its end. */
async function isRunOf(sent: SentQuestion, run: ConversationRef): Promise<boolean> {
  const { messageId, userMessageId } = sent.shown.conversation;
  if (messageId !== undefined) return messageId === run.messageId;
  if (run.messageId !== undefined && run.messageId <= (sent.after ?? 0)) return false;
  if (userMessageId !== undefined) return userMessageId === run.userMessageId;
  // A session that was made for this question holds no other.
  if (sent.shown.conversation.chatSessionId === undefined) return true;
  const session = await sent.recovery.getSession(run.chatSessionId ?? "", { signal: sent.signal });
  const asked = session.messages.find(({ message_id: id }) => id === run.userMessageId);
  return asked !== undefined && isQuestionOf(sent, asked.message, asked.message_id);
}

/** What the session holds of the answer. */
async function* storedOf(
  sent: SentQuestion,
  conversation: ConversationRef,
): AsyncGenerator<Answer, { ending?: Failure }, undefined> {
  const session = await sent.recovery.getSession(conversation.chatSessionId ?? "", { signal: sent.signal });
  const isQuestion = (text: string, id: number) => isQuestionOf(sent, text, id);
  const stored = storedAnswer(session, conversation, { isQuestion, after: sent.after ?? 0 });
  if (stored === "running") return {};
  if (stored === "died") return { ending: DIED };
  if (stored === "absent") return { ending: LEFT_UNANSWERED };
  yield stored;
  return {};
}

/** A message with the same words that is not from before. One that is answered once more is the parent itself. */
function isQuestionOf({ question, after = 0 }: SentQuestion, text: string, id: number): boolean {
  const { message, parent_message_id: parent } = question;
  return text.trim() === message.trim() && (id === parent || (id > after && id > (parent ?? 0)));
}

/** A surface that has shown more is not taken back to less. */
function isAsFar(answer: Answer, shown: Answer): boolean {
  if (answer.preambles.length !== shown.preambles.length) return answer.preambles.length > shown.preambles.length;
  return answer.text.length >= shown.text.length && answer.steps.length >= shown.steps.length;
}

/**
 * Whether the server may still be answering, so that asked again the question would run twice. True as well where it
 * cannot be asked.
 */
export async function mayStillRun(sent: Asked, known: ConversationRef): Promise<boolean> {
  try {
    const sessionId = known.chatSessionId ?? (await sessionOf(sent));
    if (sessionId === undefined) return false;
    const { current_run: run } = await sent.recovery.getSession(sessionId, { signal: sent.signal });
    return run != null && (known.messageId === undefined || run.run_id === known.messageId);
  } catch (error) {
    const { name, outcome } = describe(error);
    // No such session, or a server that keeps none that could be looked up: there is nothing to wait for.
    return !(name === "NotFoundError" || name === "UnsupportedError" || outcome === "auth" || outcome === "invalid");
  }
}
