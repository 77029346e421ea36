import type { BotContext } from "../context.ts";
import { changedMark, type QuestionBody } from "./question.ts";
import type { Message } from "../slack/read/message.ts";
import type { ThreadSoFar } from "../slack/read/replies.ts";
import { readThread, ThreadUnreadable } from "../slack/read/thread.ts";

/** What stood around a question when it was asked. */
export interface Surroundings {
  /** The thread up to the question; for a question about a message, up to that message. */
  readonly thread: ThreadSoFar;
  /** The question's message as it is now; what the event had, where it cannot be read. Undefined: it was deleted. */
  readonly message: Pick<Message, "text" | "files"> | undefined;
  /** The platform's word for why the thread could not be read. */
  readonly unreadable?: string;
}

const NOTHING: ThreadSoFar = { question: undefined, isGone: false, before: [], unread: 0, isRough: false };

/**
 * Reads the thread as it stood when the question was asked. What people write while an answer is in the making is not
 * looked at; an edit of the question itself is.
 */
export async function surroundingsOf(
  context: Pick<BotContext, "clients" | "pacer" | "store" | "now">,
  question: QuestionBody,
  signal: AbortSignal,
): Promise<Surroundings> {
  const { clients, pacer } = context;
  const asked = { text: question.text, files: question.files };
  const upTo = question.isMessage ? question.ts : question.about;
  if (upTo === undefined || (await isAsTheEventHadIt(context, question))) return { thread: NOTHING, message: asked };
  const { team, channel, threadTs } = question;
  try {
    const paced = <Result>(call: () => Promise<Result>): Promise<Result> =>
      pacer.call({ team, method: "conversations.replies" }, call, { signal });
    const thread = await readThread({ client: clients.reads, channel, paced }, { threadTs, ts: upTo });
    if (!question.isMessage) {
      const about = thread.question === undefined ? [] : [thread.question];
      return { thread: { ...thread, before: [...thread.before, ...about] }, message: asked };
    }
    const { question: found, isGone } = thread;
    // Where the reads ended half-way, what the event had is what is known.
    const known = isGone ? undefined : asked;
    return { thread, message: found === undefined ? known : { text: found.text, files: found.files } };
  } catch (error) {
    if (!(error instanceof ThreadUnreadable)) throw error;
    return { thread: NOTHING, message: asked, unreadable: error.reason };
  }
}

/** After so long an event that an edit or a deletion should have sent may be lost, milliseconds. */
const FRESH_MS = 60_000;

/** A message that began its own thread a moment ago has no thread to read, and its event held all of it. */
async function isAsTheEventHadIt({ store, now }: Pick<BotContext, "store" | "now">, question: QuestionBody) {
  const { ts, inThread, isMessage, again, shares } = question;
  if (inThread || !isMessage || again !== undefined || shares !== undefined) return false;
  if (now() - Number(ts) * 1_000 > FRESH_MS) return false;
  return (await store.recall(changedMark(question))) === undefined;
}
