import type { Packet, SendMessageInput } from "@threadlore/client/models";
import type { Answer } from "./answer.ts";
import { emptyAnswer, endedAs, reduce } from "./answer.ts";
import type { ConversationRef } from "./conversation.ts";
import { type Described, describe } from "./described.ts";
import { CUT_OFF, saysSessionLost, SESSION_LOST } from "./failure.ts";
import { findable, recovered, type Recovery } from "./recovery.ts";
import { sessionName } from "./session-name.ts";
import { isFinal } from "./status.ts";

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
  patienceMs?: number;
}

const PATIENCE_MS = 60_000;

/**
 * Asks a question and yields the answer as it grows: first the empty one, then a snapshot for each packet that changed
 * something. The last snapshot's status is final.
 *
 * Never throws for an answer that did not come off: the last snapshot says `failed`, `partial` (the connection ended
 * first, and nobody finished it) or `stopped` (`signal` was aborted), with `failure` in plain words, and keeps the text
 * that had arrived. `failure.code` is `session_lost` where the server does not know the session the question named.
 * Leaving the loop early closes the connection.
 */
export async function* ask(
  client: AskingClient,
  question: SendMessageInput,
  options: AskOptions = {},
): AsyncGenerator<Answer, void, undefined> {
  const { signal, recovery, patienceMs = PATIENCE_MS } = options;
  const sent = recovery === undefined ? question : findable(question);
  let answer = startedIn(question);
  yield answer;
  let cut: Described | "ended" = "ended";
  try {
    for await (const packet of client.streamMessage({ ...sent, stream: true }, { ...(signal && { signal }) })) {
      const next = isSessionLost(packet, question) ? endedAs(answer, "failed", SESSION_LOST) : reduce(answer, packet);
      if (next === answer) continue;
      answer = next;
      yield answer;
    }
    // A stream can end without a word, from a client that does not throw for it.
    if (isFinal(answer.status)) return giveName(question, answer, recovery);
  } catch (error) {
    cut = describe(error);
  }
  const wasStopped =
    signal?.aborted === true || (cut !== "ended" && (cut.outcome === "aborted" || cut.name === "AbortError"));
  if (wasStopped || recovery === undefined || !brokeOff(cut)) {
    yield wasStopped ? endedAs(answer, "stopped") : afterError(answer, cut, question);
    return giveName(question, answer, recovery);
  }
  for await (const snapshot of recovered({ recovery, question: sent, shown: answer, signal, patienceMs })) {
    answer = snapshot;
    yield snapshot;
  }
  giveName(question, answer, recovery);
}

/** A question an earlier process asked, or a panel that was closed since. */
export interface AskedBefore {
  /** What was known of the answer by then; `chatSessionId` is needed, the other ids make it sure. */
  readonly conversation: ConversationRef;
  /** The question as it was asked. */
  readonly question: Pick<SendMessageInput, "message" | "parent_message_id">;
}

/**
 * Goes on with the answer to a question that was asked before, from the server's own run or from what it kept: yields
 * snapshots as `ask` does. An answer the server has no trace of, or ended in the middle of, ends `failed`: whether to
 * ask again is the caller's to decide, and then nothing is asked twice. One that somebody stopped is `stopped`.
 */
export async function* resumeAnswer(
  recovery: Recovery,
  { conversation, question }: AskedBefore,
  { signal, patienceMs = PATIENCE_MS }: Omit<AskOptions, "recovery"> = {},
): AsyncGenerator<Answer, void, undefined> {
  const { chatSessionId = "", messageId, userMessageId } = conversation;
  let shown = reduce(emptyAnswer(), { chat_session_id: chatSessionId });
  if (messageId !== undefined) {
    const ids = { user_message_id: userMessageId ?? null, reserved_assistant_message_id: messageId };
    shown = reduce(shown, ids);
  }
  yield shown;
  yield* recovered({ recovery, question, shown, signal, patienceMs });
}

/** The empty answer, in the session the question itself names: servers do not repeat that one. */
function startedIn(question: SendMessageInput): Answer {
  const session = question.chat_session_id;
  return session == null ? emptyAnswer() : reduce(emptyAnswer(), { chat_session_id: session });
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
function giveName(question: SendMessageInput, { conversation }: Answer, recovery: Recovery | undefined): void {
  const { chatSessionId } = conversation;
  if (recovery === undefined || chatSessionId === undefined || findable(question) === question) return;
  const name = sessionName(question.message);
  recovery.renameSession(chatSessionId, name, { signal: AbortSignal.timeout(NAMING_MS) }).catch(() => {});
}
