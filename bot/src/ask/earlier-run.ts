import {
  type Answer,
  type ConversationRef,
  failureCause,
  isFinal,
  isStillAnswered,
  resumeAnswer,
} from "@threadlore/ask";
import type { Server } from "../context.ts";
import type { SentQuestion } from "./turn.ts";

/** How a question that was sent before goes on. */
export interface GoingOn {
  readonly server: Server;
  readonly sent: SentQuestion;
  /** What was known of the answer by then. */
  readonly conversation: ConversationRef;
  readonly signal: AbortSignal;
  /** Somebody asked again because the answer was not whole: nothing but a whole one is taken. Default false. */
  readonly onlyWhole?: boolean;
  /** How long it is looked for on a server that does not answer, milliseconds. Default as `ask` has it. */
  readonly patienceMs?: number | undefined;
}

/**
 * The answer to a question that an earlier process sent, or an earlier attempt, from the server's own run or from what
 * it kept. Returns `ask` where the server has none of it, so that it is to be asked; `taken` after a final snapshot.
 * Never asks, so that nothing runs twice.
 */
export async function* goOn(earlier: GoingOn): AsyncGenerator<Answer, "ask" | "taken", undefined> {
  const { server, sent, conversation, signal, onlyWhole = false, patienceMs } = earlier;
  const { message, mark, after } = sent;
  if (conversation.chatSessionId === undefined && mark === undefined) return "ask";
  const asked = { conversation, question: { message }, mark, after };
  const isStill = (): Promise<boolean> => isStillAnswered(server.deployment, asked, { signal });
  // What was not whole and has ended is not shown a second time; what is being written is.
  const isLive = !onlyWhole || (await isStill());
  let last: Answer | undefined;
  let isShown = false;
  for await (const answer of resumeAnswer(server.deployment, asked, { signal, patienceMs })) {
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

/** Whether the server does not know the conversation of a follow-up any more, and nothing of an answer came. */
export function isConversationLost(answer: Answer): boolean {
  return failureCause(answer) === "session_lost" && answer.status === "failed" && answer.text === "";
}
