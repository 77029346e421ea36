/**
 * What the service makes of a question on its own: it goes on answering when nobody listens, and keeps what it wrote.
 * So an answer that broke off is looked for there before its question is asked again.
 */
import type { Answer, AskingClient, ConversationRef, Recovery } from "@threadlore/ask";
import { ask, failureCause, isFinal, resumeAnswer, sessionName } from "@threadlore/ask";
import type { SendMessageInput } from "@threadlore/client/models";
import { LEFT } from "./turn.ts";

/** A question that was sent, or may have been. */
export interface SentQuestion {
  readonly question: string;
  /** Part of the name its session was made with, which no other has. */
  readonly mark: string;
  readonly isPrivate: boolean;
  /** What was known of it. */
  readonly conversation: ConversationRef;
  /** Where the conversation stood: nothing up to there is the answer. */
  readonly place: ConversationRef;
}

const NAMING_MS = 10_000;
const STOPPING_MS = 5_000;
const PAGE_SIZE = 50;

/** What a new session is called until its answer has come: found by that where nothing of it arrived. */
export function markedName(sent: Pick<SentQuestion, "question" | "mark" | "isPrivate">): string {
  return sent.isPrivate ? sent.mark : `${sessionName(sent.question)} ${sent.mark}`;
}

/** Where a question is sent, and what is done where that is not what it was. */
export interface AskedIn {
  readonly client: AskingClient;
  readonly recovery: Recovery;
  /** The conversation it belongs to. */
  readonly place: ConversationRef;
  readonly signal: AbortSignal;
  readonly patienceMs: number;
  /** Called when the service has forgotten that conversation, before the question begins a new one. */
  onLost(): void;
}

/** Sends a question; where the service has forgotten the conversation, once more as the first of a new one. */
export async function* asked(
  sentIn: (place: ConversationRef) => SendMessageInput,
  { client, recovery, place, signal, patienceMs, onLost }: AskedIn,
): AsyncGenerator<Answer> {
  const options = { signal, recovery, patienceMs };
  let isLost = false;
  // The same words can stand there already, and another answer to them can be asked for.
  for await (const snapshot of ask(client, sentIn(place), { ...options, after: place.messageId })) {
    isLost = snapshot.failure?.code === "session_lost" && place.chatSessionId !== undefined;
    if (!isLost) yield snapshot;
  }
  if (!isLost) return;
  onLost();
  yield* ask(client, sentIn({}), options);
}

/** Gives a session the name people see; nobody waits for it. What is asked in a private window names nothing. */
export function giveName(sent: Pick<Sought, "conversation" | "isPrivate" | "question" | "recovery">): void {
  const { recovery, question, isPrivate } = sent;
  const { chatSessionId } = sent.conversation;
  if (isPrivate || chatSessionId === undefined) return;
  const call = { signal: AbortSignal.timeout(NAMING_MS) };
  recovery.renameSession(chatSessionId, sessionName(question), call).catch(() => {});
}

/** A question whose answer is looked for. */
export interface Sought extends SentQuestion {
  readonly recovery: Recovery;
  /** Characters of its answer that are shown already. */
  readonly shown?: number;
  readonly signal: AbortSignal;
  readonly patienceMs: number;
}

/**
 * Goes on with an answer from the service's own run, or from what it kept: yields it as it grows, as far as it is more
 * than is shown. Nothing at all where the service has no trace of the question.
 */
async function* resumed(sought: Sought): AsyncGenerator<Answer> {
  const { recovery, question, conversation, place, shown = 0, signal, patienceMs } = sought;
  const chatSessionId = await sessionOf(sought);
  if (chatSessionId === undefined) return;
  const before = {
    conversation: { ...conversation, chatSessionId },
    // The question before, where that one was to be answered once more.
    question: { message: question, parent_message_id: place.userMessageId },
    after: place.messageId,
  };
  for await (const answer of resumeAnswer(recovery, before, { signal, patienceMs })) {
    if (isFinal(answer.status) || answer.text.length > shown) yield answer;
  }
}

/**
 * Whether the service does nothing more about a question, so that it may be asked again. Where it cannot be asked, it
 * may still be at it.
 */
async function isQuiet(sought: Sought): Promise<boolean> {
  const { recovery, signal } = sought;
  try {
    const chatSessionId = await sessionOf(sought);
    if (chatSessionId === undefined) return true;
    return (await recovery.getSession(chatSessionId, { signal })).current_run?.run_id == null;
  } catch (error) {
    return isUnknown(error);
  }
}

/** Makes sure that an answer the person has stopped is written no more. */
async function settleStopped(stopped: Sought): Promise<void> {
  const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(STOPPING_MS)]);
  const sought = { ...stopped, signal };
  try {
    const chatSessionId = await sessionOf(sought);
    if (chatSessionId === undefined) return;
    await sought.recovery.stop(chatSessionId, { signal });
    while (!signal.aborted && !(await isQuiet(sought))) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  } catch {
    // A service that cannot be asked, or knows no way to stop: what is asked next will tell.
  }
}

/**
 * Looks for the first answer to a question before it is asked again. Returns where to ask it; undefined: the answer is
 * there, or being written, or nobody can say.
 */
export async function* firstAnswer(
  sought: Sought,
  status: Answer["status"],
): AsyncGenerator<Answer, ConversationRef | undefined> {
  if (status === "stopped") {
    await settleStopped(sought);
    return sought.conversation;
  }
  let last: Answer | undefined;
  try {
    for await (last of resumed(sought)) {
      if (last.failure === undefined) yield last;
      if (last.status === "done" || last.status === "stopped") return undefined;
    }
  } catch {
    // Nobody answers: neither would the question be.
  }
  if (last === undefined) return sought.conversation;
  const { conversation } = last;
  if (await isQuiet({ ...sought, conversation })) return conversation;
  yield last;
  return undefined;
}

/** Goes on with an answer of which a part is shown. Returns whether the service had the rest of it. */
export async function* restOf(sought: Sought): AsyncGenerator<Answer, boolean> {
  let last: Answer | undefined;
  try {
    for await (last of resumed(sought)) if (last.failure === undefined) yield last;
  } catch {
    // Nobody answers: what had come stays.
  }
  if (last === undefined || last.failure !== undefined) return false;
  giveName({ ...sought, conversation: last.conversation });
  return true;
}

/** Whether the service may have an answer, or be writing one, of which nothing is known here. */
export function mayBeThere({ status, failure }: Pick<Answer, "status" | "failure">): boolean {
  if (status === "stopped" || failure?.code === LEFT) return true;
  const cause = failure === undefined ? undefined : failureCause({ status, failure });
  return cause === "cut_off" || cause === "unreachable";
}

async function sessionOf(sought: Sought): Promise<string | undefined> {
  const { recovery, conversation, signal } = sought;
  if (conversation.chatSessionId !== undefined) return conversation.chatSessionId;
  const name = markedName(sought);
  try {
    const { sessions } = await recovery.listSessions({ pageSize: PAGE_SIZE }, { signal });
    return sessions.find((session) => session.name === name)?.id;
  } catch (error) {
    if (isUnknown(error)) return undefined;
    throw error;
  }
}

/** The service has no such session, or no such operation. */
function isUnknown(error: unknown): boolean {
  return error instanceof Error && (error.name === "NotFoundError" || error.name === "UnsupportedError");
}
