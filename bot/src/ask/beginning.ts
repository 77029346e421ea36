import { lookLater } from "../inbox/late-calls.ts";
import { postMessage } from "../post-message.ts";
import { platformError } from "../slack/read/people.ts";
import { refusalOf } from "../slack/transport/refusals.ts";
import type { Turn } from "./turn.ts";
import { BEGUN_EVENT, beginningsOf } from "./begun-threads.ts";
import { CLOSED, tellPrivately } from "./visible.ts";

/** Begins, once, the thread the bot has to begin itself. False: it may not post there, which the asker is told. */
export async function isBegun(turn: Turn): Promise<boolean> {
  const { question, progress, tools } = turn;
  if (question.begins === undefined || progress.began !== undefined) return true;
  const began = await postBeginning(turn, question.begins);
  if (began === undefined) {
    await turn.note("The bot may not post in this channel.");
    await tellPrivately(turn, "I cannot post in this channel. Invite me to it, then share again.");
    return false;
  }
  // A post of an earlier attempt may have been on its way still when it was looked for.
  if (tools.attempt > 1) await lookLater(turn, { touched: [], lostStarts: [] }, "begun");
  // In a thread that is there already, the answer goes below what was said.
  await turn.save({ began: question.inThread ? question.threadTs : began });
  return true;
}

/**
 * Posts the message a thread begins with; its ts. Undefined: the bot may not post there. One that was posted before the
 * bot was killed is found by its metadata and not posted twice.
 */
async function postBeginning(turn: Turn, text: string): Promise<string | undefined> {
  const { context, question, task, tools } = turn;
  const { channel, threadTs, inThread } = question;
  const [earlier] = tools.attempt > 1 ? await beginningsOf(turn) : [];
  if (earlier !== undefined) return earlier;
  const metadata = { event_type: BEGUN_EVENT, event_payload: { task: task.id } };
  try {
    return await postMessage(
      context,
      { channel, text, metadata, thread_ts: inThread ? threadTs : undefined },
      tools.hold,
    );
  } catch (error) {
    // Perhaps it was posted all the same: it is looked for before anybody posts again.
    const isLost = refusalOf(error, "chat.postMessage").kind === "lost";
    const [found] = isLost ? await beginningsOf(turn) : [];
    if (found !== undefined) return found;
    if (CLOSED.has(platformError(error) ?? "")) return undefined;
    throw error;
  }
}
