import type { SessionDetail, StoredMessage } from "@threadlore/client/deployment";
import type { Packet } from "@threadlore/client/models";
import { type Answer, emptyAnswer, endedAs, inConversation, reduce } from "../answer/answer.ts";
import type { ConversationRef } from "../answer/conversation.ts";
import { failureFromServer } from "../failure/failure.ts";
import { isFinal } from "../answer/status.ts";

/**
 * What a session holds of an answer: `running`: it is being written; `died`: the server ended in the middle of it;
 * `absent`: the question never arrived there.
 */
export type Stored = Answer | "running" | "died" | "absent";

/** Stands in an answer's place until it is whole, and stays there when its server ends (docs/wire.md, section 1.8). */
const PLACEHOLDER = "Response was terminated prior to completion, try regenerating.";

/** States of a message, where a server tells them, in which it is no whole answer. */
const ENDED_EARLY = new Set(["interrupted", "stopped", "failed"]);

/**
 * The answer a session holds, as whole as the server keeps it.
 * @param known the ids the server told; without them the newest message that `isQuestion` takes for the question counts,
 * and of its answers those with an id above `after`
 */
export function storedAnswer(
  session: SessionDetail,
  known: ConversationRef,
  { isQuestion, after }: { isQuestion: (text: string, id: number) => boolean; after: number },
): Stored {
  const { messages } = session;
  const isAnswer = ({ message_type: type }: StoredMessage): boolean => type === "assistant";
  let question = messages.find(({ message_id: id }) => id === known.userMessageId);
  let message = messages.find((one) => isAnswer(one) && one.message_id === known.messageId);
  if (message === undefined) {
    question ??= newest(
      messages.filter((one) => one.message_type === "user" && isQuestion(one.message, one.message_id)),
    );
    if (question === undefined) return "absent";
    const asked = question.message_id;
    message = newest(messages.filter((one) => isAnswer(one) && one.parent_message === asked && one.message_id > after));
    // A question that is older than what was asked of it was to be answered once more.
    if (message === undefined && asked <= after) return "absent";
  }
  const run = session.current_run?.run_id;
  if (message === undefined) return run === undefined ? "died" : "running";
  if (run === message.message_id) return "running";
  if (message.message === PLACEHOLDER || message["status"] === "interrupted") return "died";
  const answers = messages.filter(isAnswer);
  return answerOf(session, message, answers.indexOf(message), question?.message_id ?? message.parent_message);
}

function newest(messages: readonly StoredMessage[]): StoredMessage | undefined {
  return messages.toSorted((one, other) => other.message_id - one.message_id)[0];
}

/** The answer made again: from the packets the server keeps of it, and from what its message holds beside them. */
function answerOf(
  session: SessionDetail,
  message: StoredMessage,
  place: number,
  userMessageId: number | null | undefined,
): Answer {
  const start = inConversation(emptyAnswer(), {
    chatSessionId: session.chat_session_id,
    messageId: message.message_id,
    userMessageId: userMessageId ?? undefined,
  });
  const packets = [...documentsOf(message), ...(packetsOf(session, place, message) ?? textOf(message))];
  const answer = packets.reduce((known, packet) => reduce(known, packet), start);
  if (message.error != null && message.error !== "") {
    const failure = failureFromServer(message.error, undefined, true);
    return endedAs(isFinal(answer.status) ? before(packets, start) : answer, "failed", failure);
  }
  if (isFinal(answer.status)) return answer;
  return ENDED_EARLY.has(String(message["status"])) ? endedAs(answer, "stopped") : reduce(answer, STOP);
}

/** The answer without the packets that end it. */
function before(packets: readonly Packet[], start = emptyAnswer()): Answer {
  return packets.reduce((answer, packet) => {
    const next = reduce(answer, packet);
    return isFinal(next.status) ? answer : next;
  }, start);
}

const placement = { turn_index: 0, tab_index: 0 };
/** Ends an answer as whole. */
export const STOP: Packet = { placement, obj: { type: "stop", stop_reason: null } };

function documentsOf({ context_docs: documents, citations, finding }: StoredMessage): Packet[] {
  const start = { placement, obj: { type: "message_start", final_documents: documents, finding } } as Packet;
  const cited = Object.entries(citations ?? {}).map(([number, id]): Packet => ({
    placement,
    obj: { type: "citation_info", citation_number: Number(number), document_id: id },
  }));
  return [start, ...cited];
}

/**
 * `packets` holds one list for each answer of the session, in the order of its messages. What does not tell the stored
 * text is another answer's list, or none.
 */
function packetsOf(
  session: SessionDetail,
  place: number,
  { message: text, error }: StoredMessage,
): Packet[] | undefined {
  const lists = session["packets"];
  const list: unknown = Array.isArray(lists) ? lists[place] : undefined;
  if (!Array.isArray(list) || list.length === 0 || text === error) return undefined;
  const packets = list as Packet[];
  return before(packets).text.trim() === text.trim() ? packets : undefined;
}

function textOf({ message, error }: StoredMessage): Packet[] {
  // Servers store what went wrong in the place of the text.
  if (message === error) return [];
  return [{ placement, obj: { type: "message_delta", content: message } }];
}
