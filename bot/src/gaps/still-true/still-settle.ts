import * as z from "zod";
import type { DoubtRecord, RunResult, Task, TaskTools } from "@threadlore/inbox";
import type { BotContext } from "../../context.ts";
import { placeSettings } from "../../ask/presses.ts";
import { beginPinTask } from "../../pins/pin-work.ts";
import { platformError } from "../../slack/read/people.ts";
import { refusalOf } from "../../slack/transport/refusals.ts";
import { postedBy, postOnce, withoutLateOnes } from "../telling/tell-once.ts";
import { isRefused } from "../../knowledge-server/not-offered.ts";
import { HIDDEN_TITLE, type StillEnding, overMessage } from "./still-message.ts";
import type { StillStep } from "./still-tasks.ts";

type Doing = { readonly context: BotContext; readonly task: Task; readonly tools: TaskTools };

/** `event_type` of the metadata of the line that says an answer is retired. */
const RETIRED_EVENT = "threadlore_retired";
/** Until it is looked again whether the document is gone, milliseconds. */
const GONE_MS = 1_000;

/** How it ends. `by`: who said so; `title`: of an answer whose record has none any more. */
interface Ending {
  readonly by?: string | undefined;
  readonly title?: string | undefined;
}

/** Nothing is asked any more: the messages that asked say so, and no word of the doubt is kept. */
export async function endDoubt(
  context: BotContext,
  doubt: DoubtRecord,
  ending: StillEnding,
  { by, title }: Ending = {},
): Promise<void> {
  const { store, clients, pacer, self, log, now } = context;
  const pin = await store.findPin(doubt.channel, doubt.ts);
  const { newer: _newer, ...rest } = doubt;
  await store.saveDoubt({ ...rest, state: "over", remindAt: undefined, updatedAt: now() });
  const whole = { title: pin?.title || (title ?? ""), permalink: pin?.permalink };
  for (const { channel, ts } of doubt.messages) {
    const shown = (await mayName(context, doubt, channel)) ? whole : { title: HIDDEN_TITLE };
    const message = overMessage(shown, ending, by);
    await pacer
      .call({ team: self.teamId, method: "chat.update", channel }, () =>
        clients.posts.chat.update({ channel, ts, ...message }),
      )
      .catch((error: unknown) => {
        if (platformError(error) === undefined) throw error;
        log.warn("question about an answer not brought up to date", { channel, ts, error });
      });
  }
}

/** Whether who reads this channel may know what was answered: its owner, directly; others, where everybody may. */
async function mayName(context: BotContext, doubt: DoubtRecord, channel: string): Promise<boolean> {
  const [there, asked] = await Promise.all([placeSettings(context, doubt.channel), placeSettings(context, channel)]);
  return there.place?.kind === "public" || asked.place?.kind === "im";
}

/** Everything that is open about one kept answer. */
async function endAll(
  context: BotContext,
  { channel, ts }: Pick<DoubtRecord, "channel" | "ts">,
  ending: StillEnding,
  how: Ending,
): Promise<void> {
  for (const doubt of await context.store.doubtsOf(channel, ts)) {
    if (doubt.state !== "over") await endDoubt(context, doubt, ending, how);
  }
}

/** Its owner says that it holds: at the server, which has its doubts ended there, and here, from where its age counts. */
export async function confirmAnswer(context: BotContext, step: StillStep<"holds">): Promise<RunResult> {
  const { store, servers, now } = context;
  const { channel, ts, by } = step;
  const kept = await store.findKeptAnswer(channel, ts);
  const pin = await store.findPin(channel, ts);
  if (kept === undefined || pin === undefined || pin.state === "tombstone") return "gone";
  const named = (await store.doubtsOf(channel, ts)).find((one) => one.named !== undefined)?.named;
  try {
    // Before anything is kept here: a look in between finds no doubt any more.
    await servers.ingest.kept.confirm(named ?? pin.serverId ?? pin.documentId);
  } catch (error) {
    // Then it holds here alone.
    if (!isRefused(error)) throw error;
  }
  await store.saveKeptAnswer({ ...kept, confirmedAt: now() });
  await endAll(context, step, "holds", { by });
  return "done";
}

/** It is taken back the way of a pin that was removed; its thread gets a line, and nobody is told. */
export async function retireAnswer(doing: Doing, step: StillStep<"retire">): Promise<RunResult> {
  const { context, task, tools } = doing;
  const { store, now } = context;
  const { channel, ts, by } = step;
  const pin = await store.findPin(channel, ts);
  const kept = await store.findKeptAnswer(channel, ts);
  const isPosted = postedBy(task) !== undefined;
  if (pin === undefined) return "gone";
  if (pin.state !== "tombstone") {
    const work = { channel, ts, by, moment: now(), certain: true, why: "removed" as const };
    // Its record loses it on the way, and its owner is to see which one it was.
    await tools.save({ title: pin.title });
    await beginPinTask(context, "unpin", work, `retired:${task.id}`);
    return { later: now() + GONE_MS };
  }
  await endAll(context, step, "retired", { by, title: Retiring.safeParse(task.progress).data?.title });
  const thread = step.thread ?? kept?.thread ?? pin.root;
  // Where its call is forgotten nobody else does it.
  if (kept !== undefined) await store.forgetKeptAnswer(channel, ts);
  if (thread === undefined) return "done";
  const message = { channel, thread, event: RETIRED_EVENT, text: RETIRED };
  try {
    if (!isPosted) await postOnce(doing, message);
    return (await withoutLateOnes(doing, message)) ?? "done";
  } catch (error) {
    const { kind } = refusalOf(error, "chat.postMessage");
    if (platformError(error) === undefined || (kind !== "gone" && kind !== "other")) throw error;
    return "done";
  }
}

/** What is saved of it until its line is posted. */
const Retiring = z.object({ title: z.string() });

const RETIRED = "The answer above was retired: I do not answer from it any more.";

/** The kept message was edited or is gone: what was asked about its former words is over. */
export async function answerWasMoved(context: BotContext, { channel, ts }: StillStep<"moved">): Promise<RunResult> {
  const { store, now } = context;
  const pin = await store.findPin(channel, ts);
  const kept = await store.findKeptAnswer(channel, ts);
  for (const doubt of await store.doubtsOf(channel, ts)) {
    if (doubt.state === "over") continue;
    if (pin === undefined || pin.state === "tombstone") await endDoubt(context, doubt, "retired");
    else if (pin.hash !== doubt.hash && pin.state !== "waiting") {
      if (kept !== undefined) await store.saveKeptAnswer({ ...kept, confirmedAt: now() });
      await endDoubt(context, doubt, "edited");
    }
  }
  return "done";
}

/** The server has nothing against it any more: the newer document is gone, or says something else. */
export async function doubtSettled(context: BotContext, { doubt: id }: StillStep<"settled">): Promise<RunResult> {
  const doubt = await context.store.findDoubt(id);
  if (doubt === undefined || doubt.state === "over") return "gone";
  await endDoubt(context, doubt, "settled");
  return "done";
}
