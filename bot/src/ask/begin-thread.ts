import { postMessage } from "../post-message.ts";
import { platformError } from "../slack/read/people.ts";
import { PACE } from "../slack/transport/limits.ts";
import { refusalOf } from "../slack/transport/refusals.ts";
import type { Turn } from "./turn.ts";
import { tellPrivately } from "./visible.ts";

/** `event_type` of the metadata of a message that begins a thread. */
const BEGUN_EVENT = "threadlore_question";

/** Begins, once, the thread the bot has to begin itself. False: it may not post there, which the asker is told. */
export async function isBegun(turn: Turn): Promise<boolean> {
  const { question, progress } = turn;
  if (question.begins === undefined || progress.began !== undefined) return true;
  const began = await postBeginning(turn, question.begins);
  if (began === undefined) {
    await turn.note("The bot may not post in this channel.");
    await tellPrivately(turn, "I cannot post in this channel. Invite me to it, then share again.");
    return false;
  }
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
  const earlier = tools.attempt > 1 ? await find(turn) : undefined;
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
    const isLost = refusalOf(error, "chat.postMessage", PACE.retryAfterMs).kind === "lost";
    const found = isLost ? await find(turn) : undefined;
    if (found !== undefined) return found;
    if (NOWHERE.has(platformError(error) ?? "")) return undefined;
    throw error;
  }
}

const NOWHERE: ReadonlySet<string> = new Set([
  "channel_not_found",
  "not_in_channel",
  "is_archived",
  "restricted_action",
]);

async function find({ context, question, task }: Turn): Promise<string | undefined> {
  const { conversations } = context.clients.reads;
  const { channel, threadTs, inThread } = question;
  // Nothing older than the question can be it.
  const oldest = String(Math.floor(task.acceptedAt / 1000) - 60);
  const window = { channel, oldest, limit: 200, include_all_metadata: true };
  const reply = await (inThread ? conversations.replies({ ...window, ts: threadTs }) : conversations.history(window));
  return reply.messages?.find(({ metadata }) => {
    const payload: object = metadata?.event_payload ?? {};
    return metadata?.event_type === BEGUN_EVENT && Reflect.get(payload, "task") === task.id;
  })?.ts;
}
