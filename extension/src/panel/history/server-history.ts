/** Conversations the server keeps, for servers that do: also those held elsewhere. */
import type { Conversations } from "@threadlore/client/conversations";
import type { SessionDetail, StoredMessage } from "@threadlore/client/deployment";
import { type Answer, emptyAnswer, isFinal, reduce } from "@threadlore/ask";
import type { Packet } from "@threadlore/client/models";
import { holdTurn } from "../ask/held.ts";
import { type HeldTurn, newTurn } from "../ask/turn.ts";
import type { ListedConversation } from "./history.ts";
import { PRIVATE_SESSIONS } from "./this-window.ts";

const PAGE_SIZE = 50;

/** The server's newest conversations, without those of private windows; none where it has no such list. */
export async function readServerConversations(
  deployment: Pick<Conversations, "listSessions">,
  stopped: AbortSignal,
): Promise<ListedConversation[]> {
  const { sessions: all } = await deployment.listSessions({ pageSize: PAGE_SIZE }, { signal: stopped });
  const hidden = new Set(await PRIVATE_SESSIONS.readAll());
  const sessions = all.filter(({ id }) => !hidden.has(id));
  return sessions.map(({ id, name, time_updated, time_created }) => ({
    id,
    title: name ?? "",
    updatedAt: Date.parse(time_updated ?? time_created ?? "") || 0,
    isRemote: true,
  }));
}

/** The turns of a conversation the server kept, along its newest branch. */
export async function readServerTurns(
  deployment: Pick<Conversations, "getSession">,
  sessionId: string,
): Promise<HeldTurn[]> {
  return turnsOf(await deployment.getSession(sessionId));
}

/** Questions with the answers that stand today, and with their sources where the server keeps what would show them again. */
export function turnsOf({ chat_session_id: chatSessionId, messages, packets }: SessionDetail): HeldTurn[] {
  const answers = messages.filter(({ message_type }) => message_type === "assistant");
  const turns: HeldTurn[] = [];
  let question: StoredMessage | undefined;
  for (const message of newestBranch(messages)) {
    if (message.message_type === "user") question = message;
    else if (message.message_type === "assistant" && question !== undefined) {
      const told: unknown = Array.isArray(packets) ? packets[answers.indexOf(message)] : undefined;
      turns.push(turnOf(question, message, chatSessionId, shownAgain(told, message.message)));
      question = undefined;
    }
  }
  return turns;
}

/** The answer as its packets tell it; undefined where they do not, or tell another one. */
function shownAgain(packets: unknown, text: string): Answer | undefined {
  if (!Array.isArray(packets)) return undefined;
  try {
    const answer = (packets as Packet[]).reduce(reduce, emptyAnswer());
    return answer.text.trim() === text.trim() ? answer : undefined;
  } catch {
    return undefined;
  }
}

function turnOf(question: StoredMessage, answer: StoredMessage, chatSessionId: string, shown?: Answer): HeldTurn {
  const failed = typeof answer.error === "string" && answer.error !== "";
  const conversation = { chatSessionId, userMessageId: question.message_id, messageId: answer.message_id };
  const turn = newTurn(question.message, { page: false, company: true });
  turn.answer.value = {
    ...(shown ?? { ...emptyAnswer(), text: answer.message }),
    status: failed ? "failed" : shown !== undefined && isFinal(shown.status) ? shown.status : "done",
    conversation,
    ...(failed && { failure: { message: answer.error ?? "", retryable: true } }),
  };
  return holdTurn({ ...turn, isPrivate: false, mark: "" });
}

/** From the root, always the child that is newest; servers that keep no tree send their messages in order. */
function newestBranch(messages: readonly StoredMessage[]): StoredMessage[] {
  const byId = new Map(messages.map((message) => [message.message_id, message]));
  const root = messages.find(({ parent_message }) => parent_message == null);
  if (root?.latest_child_message == null) return [...messages];
  const branch: StoredMessage[] = [];
  for (let at: StoredMessage | undefined = root; at !== undefined && branch.length <= messages.length;) {
    branch.push(at);
    at = at.latest_child_message == null ? undefined : byId.get(at.latest_child_message);
  }
  return branch;
}
