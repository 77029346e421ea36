import { leavesRunning } from "@threadlore/client/delay";
import type { Packet, SendMessageInput } from "@threadlore/client/models";
import { type Answer, emptyAnswer, endedAs, inConversation, reduce } from "./answer/answer.ts";
import type { ConversationRef } from "./answer/conversation.ts";
import { type Described, describe } from "./failure/described.ts";
import { CUT_OFF, saysSessionLost, SESSION_LOST } from "./failure/failure.ts";
import { recovered } from "./recovery/recovered.ts";
import { mayStillRun, type Recovery } from "./recovery/recovery.ts";
import { findable, newMark, sessionName } from "./recovery/session-name.ts";
import { stopRun } from "./recovery/stop-run.ts";
import { isFinal } from "./answer/status.ts";

/** What `ask` needs of a client; `createClient` of @threadlore/client gives it. */
export interface AskingClient {
  streamMessage(request: SendMessageInput, options: { signal?: AbortSignal }): AsyncIterable<Packet>;
}

/** How a question is asked. */
export interface AskOptions {
  signal?: AbortSignal | undefined;
  /**
   * With it, an answer that breaks off is finished from the server's own run, and a conversation that begins here gets a
   * name. Without it, such an answer ends `partial`.
   */
  recovery?: Recovery | undefined;
  /** Longest time without a sign of a broken answer before it is given up, milliseconds. Default 60,000. */
  patienceMs?: number | undefined;
  /**
   * Stands beside the words a new conversation is called by until its first answer has come; whoever keeps it finds the
   * question again with `resumeAnswer`. No other question may have it. Default: eight random characters.
   */
  mark?: string | undefined;
  /**
   * Id of the newest message of the conversation that is known. What is not newer is not taken for the question, nor for
   * its answer: needed where the same words stand in the conversation already, or a question is answered once more.
   * Default: `parent_message_id`.
   */
  after?: number | undefined;
  /** Called when the connection broke off, before the rest of the answer is looked for on the server. */
  onBreak?: (() => void) | undefined;
  /** False: no words are told as a name, the mark stays it: for what is asked in a private window. Default true. */
  isNamed?: boolean | undefined;
}

const PATIENCE_MS = 60_000;

/**
 * Asks a question and yields the answer as it grows: first the empty one, then a snapshot for each packet that changed
 * something. The last snapshot's status is final.
 *
 * Never throws for an answer that did not come off: the last snapshot says `failed`, `partial` (the connection ended
 * first, and nobody finished it) or `stopped` (`signal` was aborted), with `failure` in plain words, and keeps the text
 * that had arrived. `failure.code` is `session_lost` where the server does not know the session the question named.
 * Leaving the loop early closes the connection, and stops the server's run as a stop by the signal does.
 */
export async function* ask(
  client: AskingClient,
  question: SendMessageInput,
  options: AskOptions = {},
): AsyncGenerator<Answer, void, undefined> {
  const { signal, recovery, mark = newMark(), isNamed = true } = options;
  const sent = recovery === undefined ? question : findable(question, { mark, isNamed });
  let told: ConversationRef = {};
  try {
    for await (const answer of answersTo(client, question, sent, options)) {
      yield answer;
      told = answer.conversation;
    }
  } finally {
    // Whoever goes on with it names it then, and finds it by its mark until it has kept the session it was told of: a
    // caller that does not come back may have failed to.
    if (isNamed && sent !== question && !leavesRunning(signal)) giveName(question, told, recovery);
  }
}

/** @param sent the question as the server gets it, with the name of the session it begins */
async function* answersTo(
  client: AskingClient,
  question: SendMessageInput,
  sent: SendMessageInput,
  options: AskOptions,
): AsyncGenerator<Answer, void, undefined> {
  const {
    signal,
    recovery,
    patienceMs = PATIENCE_MS,
    onBreak,
    after = question.parent_message_id ?? undefined,
  } = options;
  // Servers do not repeat the session the question itself names.
  let answer = inConversation(emptyAnswer(), { chatSessionId: question.chat_session_id ?? undefined });
  yield answer;
  const wasSent = signal?.aborted !== true;
  let cut: Described | "ended" = "ended";
  try {
    for await (const packet of client.streamMessage({ ...sent, stream: true }, { signal })) {
      const next = isSessionLost(packet, question) ? endedAs(answer, "failed", SESSION_LOST) : reduce(answer, packet);
      if (next === answer) continue;
      answer = next;
      yield answer;
    }
    // A stream can end without a word, from a client that does not throw for it.
    if (isFinal(answer.status)) return;
  } catch (error) {
    cut = describe(error);
  }
  const wasStopped =
    signal?.aborted === true || (cut !== "ended" && (cut.outcome === "aborted" || cut.name === "AbortError"));
  if (wasStopped || recovery === undefined || !brokeOff(cut)) {
    // The client stops what it knows the session of.
    const isUnheard = wasStopped && wasSent && answer.conversation.chatSessionId === undefined;
    if (isUnheard && recovery !== undefined && !leavesRunning(signal)) stopRun({ recovery, question: sent }, {});
    return yield wasStopped ? endedAs(answer, "stopped") : afterError(answer, cut, question);
  }
  onBreak?.();
  const unreached = isUnheardOf(cut) ? cut.failure : undefined;
  try {
    const left = { recovery, question: sent, after, shown: answer, unreached, signal, patienceMs };
    for await (answer of recovered(left)) {
      yield answer;
    }
  } finally {
    const isLeft = !isFinal(answer.status);
    if (isLeft && !leavesRunning(signal)) stopRun({ recovery, question: sent }, answer.conversation);
  }
}

/** A question an earlier process asked, or a panel that was closed since. */
export interface AskedBefore extends Pick<AskOptions, "mark" | "isNamed" | "after"> {
  /**
   * What was known of the answer by then. Without a session it is found by `mark`; without ids the newest question of
   * the session with the same words is taken for it.
   */
  readonly conversation: ConversationRef;
  /** The question as it was asked. Messages before `parent_message_id`, and up to `after`, are not taken for it. */
  readonly question: Pick<SendMessageInput, "message" | "parent_message_id">;
}

/**
 * Goes on with the answer to a question that was asked before, from the server's own run or from what it kept: yields
 * snapshots as `ask` does. An answer the server has no trace of, or ended in the middle of, ends `failed`: whether to
 * ask again is the caller's to decide (see `isStillAnswered`). One that somebody stopped is `stopped`. A conversation
 * that began with the question gets its name.
 */
export async function* resumeAnswer(
  recovery: Recovery,
  asked: AskedBefore,
  { signal, patienceMs = PATIENCE_MS }: Pick<AskOptions, "signal" | "patienceMs"> = {},
): AsyncGenerator<Answer, void, undefined> {
  let answer = inConversation(emptyAnswer(), asked.conversation);
  yield answer;
  const { after } = asked;
  const sent = { recovery, question: sentAs(asked), after, shown: answer, signal, patienceMs };
  for await (answer of recovered(sent)) yield answer;
  if (asked.mark !== undefined && asked.isNamed !== false) giveName(asked.question, answer.conversation, recovery);
}

/**
 * Whether the server may still be answering a question that was asked before, so that asked again it would run twice.
 * True as well where the server cannot be asked. Never throws.
 */
export function isStillAnswered(
  recovery: Recovery,
  asked: AskedBefore,
  { signal }: Pick<AskOptions, "signal"> = {},
): Promise<boolean> {
  return mayStillRun({ recovery, question: sentAs(asked), signal }, asked.conversation);
}

function sentAs({ question, mark, isNamed = true }: AskedBefore): SendMessageInput {
  const sent: SendMessageInput = { message: question.message, parent_message_id: question.parent_message_id };
  return mark === undefined ? sent : findable(sent, { mark, isNamed });
}

function isSessionLost(packet: Packet, question: SendMessageInput): boolean {
  return question.chat_session_id != null && "error" in packet && saysSessionLost(packet.error);
}

/** Whether the server may be answering all the same. A status below 500, or of its own, was said by the server itself. */
function brokeOff(cut: Described | "ended"): boolean {
  if (cut === "ended" || cut.outcome === "partial") return true;
  const byGateway = cut.status === 502 || cut.status === 504;
  return cut.outcome === "unavailable" && cut.maybeProcessed && (cut.status === undefined || byGateway);
}

/** Whether nothing came back at all, as where there is no network. */
function isUnheardOf(cut: Described | "ended"): cut is Described {
  return cut !== "ended" && cut.outcome === "unavailable" && cut.status === undefined;
}

function afterError(answer: Answer, cut: Described | "ended", question: SendMessageInput): Answer {
  if (cut === "ended") return endedAs(answer, "partial", CUT_OFF);
  const { outcome, message, name, failure } = cut;
  if (outcome === "partial") return endedAs(answer, "partial", { ...CUT_OFF, ...(message === "" ? {} : { message }) });
  const isLost = question.chat_session_id != null && (name === "NotFoundError" || failure.code === "SESSION_NOT_FOUND");
  return endedAs(answer, "failed", isLost ? SESSION_LOST : failure);
}

/** In milliseconds. Nobody waits for it. */
const NAMING_MS = 5_000;

/** A conversation that began here is called by the words of its first question; it had a mark beside them until now. */
function giveName(
  { message }: Pick<SendMessageInput, "message">,
  { chatSessionId }: ConversationRef,
  recovery: Recovery | undefined,
): void {
  if (chatSessionId === undefined) return;
  const signal = AbortSignal.timeout(NAMING_MS);
  recovery?.renameSession(chatSessionId, sessionName(message), { signal }).catch(() => {});
}
