import { type Answer, answerSaying, saysAll, type Statement, statementsOf } from "@threadlore/ask";
import type { Deployment } from "@threadlore/client/deployment";
import type { Attempt } from "../../ask/asking.ts";
import { progressOf, type Turn } from "../../ask/turn.ts";
import { isOwn } from "../question-key.ts";
import { type PublicKnowledge, publicKnowledge } from "./public-knowledge.ts";

/** So many statements are looked at; each may cost a search. */
const MAX_STATEMENTS = 24;
/** Somebody waits for it; what was not looked at by then is not shown, milliseconds. */
const PATIENCE_MS = 60_000;

/** What is more. */
export interface OnlyMore {
  /** Undefined: nothing of what was looked at. */
  readonly answer: Answer | undefined;
  /** All of it was looked at. */
  readonly isWhole: boolean;
}

/**
 * What of an answer that was made with somebody's own account is more than everybody may see: statements that cite documents,
 * none of which the key of the answer for everybody sees, and whose words stand neither in that answer nor in what its key
 * finds for them. Whatever cannot be found out throws: it is then not shown.
 */
export async function onlyMore(turn: Turn, { settings, signal }: Attempt, answer: Answer): Promise<OnlyMore> {
  const { context, question } = turn;
  const first = await context.store.find(question.more ?? "");
  const { key = "channel", conversation = {} } = progressOf(first?.progress);
  const server = await context.accounts.server(isOwn(key) ? "channel" : key, question.user);
  const late = AbortSignal.timeout(context.patience.moreMs ?? PATIENCE_MS);
  const whileWaited = AbortSignal.any([signal, late]);
  const known = publicKnowledge(server, settings, whileWaited);
  const seen = new Map<string, boolean>();
  const kept: Statement[] = [];
  let looked = 0;
  let cited: readonly Statement[] | undefined;
  try {
    const told = await toldIn(server.deployment, conversation, whileWaited);
    cited = statementsOf(answer).filter(({ sources, text }) => sources.length > 0 && !saysAll(told, text));
    for (const statement of cited.slice(0, MAX_STATEMENTS)) {
      if (!(await citesPublic(statement, known, seen)) && !(await known.says(statement))) kept.push(statement);
      looked += 1;
    }
  } catch (error) {
    if (!late.aborted || signal.aborted) throw error;
  }
  const isWhole = looked === cited?.length;
  return { answer: kept.length === 0 ? undefined : answerSaying(answer, kept), isWhole };
}

async function citesPublic(
  { sources, text }: Statement,
  known: PublicKnowledge,
  seen: Map<string, boolean>,
): Promise<boolean> {
  for (const source of sources) {
    const isSeen = seen.get(source.documentId) ?? (await known.sees(source, source.passages[0] ?? text));
    seen.set(source.documentId, isSeen);
    if (isSeen) return true;
  }
  return false;
}

/** What the answer for everybody says, from the server's own record; empty where it keeps none. */
async function toldIn(
  { getSession }: Pick<Deployment, "getSession">,
  {
    chatSessionId,
    messageId,
  }: { readonly chatSessionId?: string | undefined; readonly messageId?: number | undefined },
  signal: AbortSignal,
): Promise<string> {
  if (chatSessionId === undefined || messageId === undefined) return "";
  const { messages } = await getSession(chatSessionId, { signal }).catch(() => {
    signal.throwIfAborted();
    return { messages: [] };
  });
  return messages.find(({ message_id: id }) => id === messageId)?.message ?? "";
}
