/** What could be asked next, for every front end alike. */
import { visibleText } from "../visible.ts";
import type { Answer } from "./answer.ts";

/** A question that a document of the answer before it answers. */
export interface FollowUp {
  readonly question: string;
  /** Of that document. */
  readonly documentId: string;
}

/** What follow-ups need of a server; `createDeployment` of @threadlore/client gives it. */
export interface FollowUpServer {
  followUps(
    messageId: number,
    options: { signal?: AbortSignal | undefined },
  ): Promise<readonly { readonly question: string; readonly document_id: string }[]>;
}

const MAX_FOLLOW_UPS = 3;
const MAX_LENGTH = 120;
/** An address, or markup: nothing a question needs. */
const NO_QUESTION = /[<>[\]{}|`\\]|:\/\/|\bwww\./i;

/**
 * At most three short questions that can be asked after an answer, each of which the server has tried and a document of
 * the answer answers. None where the answer is not complete or quotes no documents, and none from servers that say nothing
 * of how an answer stands to its question: those are not asked. Never throws: nobody waits for these.
 */
export async function followUps(
  server: FollowUpServer,
  {
    status,
    finding,
    citations,
    conversation: { messageId },
  }: Pick<Answer, "status" | "finding" | "citations" | "conversation">,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<readonly FollowUp[]> {
  if (status !== "done" || finding?.state !== "quote" || citations.length === 0 || messageId === undefined) return [];
  try {
    const told = await server.followUps(messageId, options);
    return told
      .filter(({ question }) => isShort(question))
      .slice(0, MAX_FOLLOW_UPS)
      .map(followUpOf);
  } catch {
    return [];
  }
}

function followUpOf({ question, document_id }: { readonly question: string; readonly document_id: string }): FollowUp {
  return { question, documentId: document_id };
}

/** Whether a text can be shown as a question as it is: one short line, all of which is seen. */
function isShort(question: string): boolean {
  const isLine = question.trim() !== "" && question.length <= MAX_LENGTH && !/[\r\n]/.test(question);
  return isLine && !NO_QUESTION.test(question) && visibleText(question) === question;
}
