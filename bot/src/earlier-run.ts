import {
  type Answer,
  ask,
  type ConversationRef,
  failureCause,
  isFinal,
  resumeAnswer,
  sessionName,
} from "@threadlore/ask";
import { ClientError, NotFoundError, UnsupportedError } from "@threadlore/client";
import type { SendMessageInput } from "@threadlore/client/models";
import type { Server } from "./context.ts";
import type { AskedBefore } from "./turn-progress.ts";

/** How a question that was sent before goes on. */
export interface GoingOn {
  readonly server: Server;
  readonly asked: AskedBefore;
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
 * it kept. Returns `ask` where the server has none of it, so that it is to be asked; else the final snapshot.
 * Never asks, so that nothing runs twice.
 */
export async function* goOn(earlier: GoingOn): AsyncGenerator<Answer, "ask" | Answer, undefined> {
  const { server, asked, signal, onlyWhole = false, patienceMs } = earlier;
  const waiting = { signal, ...(patienceMs !== undefined && { patienceMs }) };
  let conversation = earlier.conversation;
  if (conversation.chatSessionId === undefined) {
    const found = await sessionCalled(server, asked.name, signal);
    if (found === undefined) return "ask";
    if (typeof found !== "string") return yield* unreachable(found, asked, signal);
    conversation = { chatSessionId: found };
  }
  const question = { message: asked.message, ...(asked.after !== undefined && { parent_message_id: asked.after }) };
  // What was not whole and has ended is not shown a second time; what is being written is.
  const isLive = !onlyWhole || (await isOutOfReach(server, conversation, signal));
  let last: Answer | undefined;
  let isShown = false;
  for await (const answer of resumeAnswer(server.deployment, { conversation, question }, waiting)) {
    last = answer;
    if (isFinal(answer.status)) break;
    if (!isLive) continue;
    isShown ||= answer.text !== "";
    yield answer;
  }
  if (last === undefined) return "ask";
  const isItsEnd = !onlyWhole && (last.text !== "" || isServersOwn(last));
  const isTaken = last.status === "done" || isShown || isItsEnd || signal.aborted;
  if (!isTaken && !(await isOutOfReach(server, conversation, signal))) return "ask";
  yield last;
  return last;
}

/** Words the session is called by until its answer came: found by them when nothing else of it was heard. */
export function searchableName(message: string, reference: string): string {
  return `${sessionName(message)} · ${reference}`;
}

/** A failure the server kept as the answer, not one of looking for it. */
function isServersOwn({ status, failure }: Answer): boolean {
  return status === "stopped" || (status === "failed" && failure?.code === undefined);
}

/** The session's id; undefined: there is none; an error: the server did not say. */
async function sessionCalled(
  { deployment }: Server,
  name: string | undefined,
  signal: AbortSignal,
): Promise<string | ClientError | undefined> {
  if (name === undefined) return undefined;
  try {
    const { sessions } = await deployment.listSessions({ pageSize: 50 }, { signal });
    return sessions.find((session) => session.name === name)?.id;
  } catch (error) {
    if (error instanceof UnsupportedError || error instanceof NotFoundError) return undefined;
    if (error instanceof ClientError) return error;
    throw error;
  }
}

/** Whether it is being written, or nobody can say what became of it: asked again now, it could run twice. */
async function isOutOfReach(
  { deployment }: Server,
  { chatSessionId = "", messageId }: ConversationRef,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const { current_run: run } = await deployment.getSession(chatSessionId, { signal });
    return run != null && (messageId === undefined || run.run_id === messageId);
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    return error.outcome === "unavailable" || error.outcome === "partial" || error.outcome === "aborted";
  }
}

async function* unreachable(
  error: ClientError,
  { message }: AskedBefore,
  signal: AbortSignal,
): AsyncGenerator<Answer, Answer | "ask", undefined> {
  const nobody = {
    // oxlint-disable-next-line require-yield -- it never answers
    async *streamMessage() {
      throw error;
    },
  };
  for await (const answer of ask(nobody, { message } satisfies SendMessageInput, { signal })) {
    if (!isFinal(answer.status)) continue;
    yield answer;
    return answer;
  }
  return "ask";
}

/** Whether the server does not know the conversation of a follow-up any more, and nothing of an answer came. */
export function isConversationLost(answer: Answer): boolean {
  return failureCause(answer) === "session_lost" && answer.status === "failed" && answer.text === "";
}
