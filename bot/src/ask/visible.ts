import { Delivery, resumeDelivery } from "../slack/deliver/delivery.ts";
import {
  type Delivered,
  type DeliveryDeps,
  type EndOfAnswer,
  type Progress,
  readProgress,
} from "../slack/deliver/delivery-seam.ts";
import { TaskInterrupted } from "@threadlore/inbox";
import { askToMend } from "../inbox/mend.ts";
import { lookLater } from "../inbox/late-calls.ts";
import type { Turn } from "./turn.ts";
import { postMessage } from "../post-message.ts";
import { tellMarkup } from "../tell.ts";
import { noticeMessage } from "./answer-view.ts";
import { isDirect, placeOfAnswer } from "./question.ts";

/**
 * Shows something by a delivery and, whatever goes wrong, leaves nothing of it running. Where another run has the task
 * by then, what may have come late is looked at once that one has ended; what a lost call may do later still, after a
 * while.
 */
export async function withDelivery<Result>(turn: Turn, work: (delivery: Delivery) => Promise<Result>): Promise<Result> {
  const delivery = await openDelivery(turn);
  try {
    const result = await work(delivery);
    const { doubts } = delivery;
    if (doubts !== undefined) {
      await lookLater(turn, { touched: [], lostStarts: doubts.starts, anyStream: doubts.streams });
    }
    return result;
  } catch (error) {
    const traces = await delivery.abandon();
    if (error instanceof TaskInterrupted && error.interruption === "lost") await askToMend(turn, traces);
    throw error;
  }
}

/**
 * The one place where a turn shows anything: begun, or taken up where another process left it. What it showed is saved
 * with the task, so that there is never a second answer.
 */
async function openDelivery(turn: Turn): Promise<Delivery> {
  const { context, question, progress } = turn;
  const { responseUrl } = question;
  const place = placeOfAnswer(question);
  const kept = readProgress(progress.delivery);
  const byResponse = question.private && responseUrl !== undefined && !question.inThread;
  if (byResponse && kept?.stage !== "closed") return openByResponse(turn, responseUrl);
  const deps: DeliveryDeps = {
    ...deliveryDeps(turn),
    elsewhere: (gone, end) => elsewhere(turn, gone, end),
    note: (words) => context.later("note a delivery", () => turn.note(words)),
    limits: context.config.streaming.stream,
    patienceMs: context.patience.deliveryMs,
  };
  return kept === undefined ? new Delivery(place, deps) : resumeDelivery(place, kept, deps);
}

function deliveryDeps({ context, task, tools, save }: Turn): DeliveryDeps {
  const { clients, pacer, self, fetch } = context;
  const kept = { save: (delivery: Progress) => save({ delivery }), streamingOff: streamingOffIn(context) };
  return { clients, pacer, self, fetch, taskId: task.id, hold: tools.hold, ...kept };
}

/** How long a response address is tried, milliseconds. */
const RESPONSE_PATIENCE_MS = 60_000;

/** By the address that came with the command: only the asker sees it, also where the bot is not in the channel. */
function openByResponse(turn: Turn, responseUrl: string, own: Partial<DeliveryDeps> = {}): Delivery {
  const place = { ...placeOfAnswer(turn.question), private: true, responseUrl };
  return new Delivery(place, { ...deliveryDeps(turn), patienceMs: RESPONSE_PATIENCE_MS, ...own });
}

const CANNOT_POST = "I cannot post in this channel, so nobody sees the answer. Invite me to it, then ask again.";

/** The platform's words for a place the bot may not write in. */
export const CLOSED: ReadonlySet<string> = new Set([
  "channel_not_found",
  "not_in_channel",
  "is_archived",
  "restricted_action",
]);
/** The same, and those for a place it may not write in any more. */
const LEFT: ReadonlySet<string> = new Set([
  ...CLOSED,
  "is_inactive",
  "restricted_action_read_only_channel",
  "restricted_action_thread_locked",
]);

/**
 * Where the bot may not write, a private answer still reaches its asker by the response address. What was meant for
 * everybody is not shown to one person instead: they learn why nobody sees it, there or, without the answer, in a direct
 * message.
 */
async function elsewhere(turn: Turn, gone: Delivered & { kind: "gone" }, end: EndOfAnswer): Promise<Delivered> {
  const { question } = turn;
  if (question.responseUrl !== undefined) {
    const by = openByResponse(turn, question.responseUrl);
    if (end.do === "fail") return by.fail(end.message);
    return question.private ? by.finish(end.ending) : by.fail(noticeMessage(CANNOT_POST));
  }
  const isTold = !isDirect(question) && question.user !== "" && question.botId === undefined;
  if (isTold && LEFT.has(gone.reason)) await tellWhyNoAnswer(turn);
  return gone;
}

/** Once per question; best effort: the person may not take messages of apps. */
async function tellWhyNoAnswer({ context, question, task, note }: Turn): Promise<void> {
  const { clients, store, now } = context;
  const name = `told why not:${task.id}`;
  if ((await store.recall(name)) !== undefined) return;
  try {
    const opened = await clients.posts.conversations.open({ users: question.user });
    const channel = opened.channel?.id;
    if (channel === undefined) return;
    await store.remember(name, String(now()));
    await postMessage(context, {
      channel,
      text: `I could not answer your question in <#${question.channel}>: I may no longer write there. Invite me to it and ask again, or ask me here.`,
    });
    await note("The bot may no longer write there; who asked was told in a direct message.");
  } catch (error) {
    context.log.warn("asker not told", { task: task.id, error });
  }
}

/** Says something to the asker alone, outside of the answer; mrkdwn. Best effort. */
export async function tellPrivately(turn: Turn, words: string): Promise<void> {
  const { context, question } = turn;
  if (question.responseUrl === undefined)
    return tellMarkup(context, { channel: question.channel, user: question.user }, words);
  const delivery = openByResponse(turn, question.responseUrl, { save: () => Promise.resolve() });
  await delivery.fail(noticeMessage(words)).catch(() => undefined);
}

/** Plans and apps change: after so long streaming is tried again, milliseconds. */
const STREAMING_OFF_MS = 24 * 3_600_000;

/** Where streaming turned out not to work, kept for all instances; by configuration it is off everywhere. */
function streamingOffIn({ config, store, now }: Pick<Turn["context"], "config" | "store" | "now">) {
  const name = (scope: string): string => `streaming off:${scope}`;
  return {
    has: async (scope: string) =>
      config.streaming.streaming === "off" ||
      (await store.recall(name(scope), { since: now() - STREAMING_OFF_MS })) !== undefined,
    set: (scope: string, reason: string) => store.remember(name(scope), reason),
  };
}
