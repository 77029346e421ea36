import { markdownOf } from "@threadlore/documents/slack";
import type { DoubtRecord, KeptAnswer, PinRecord, RunResult, Task, TaskTools } from "@threadlore/inbox";
import { placeSettings } from "../../ask/presses.ts";
import type { BotContext } from "../../context.ts";
import { platformError } from "../../slack/read/people.ts";
import { readOne } from "../../slack/read/replies.ts";
import { refusalOf } from "../../slack/transport/refusals.ts";
import { spanOf, workingMoment } from "../calls/call-time.ts";
import { postedBy, postOnce, withoutLateOnes } from "../telling/tell-once.ts";
import { channelFinds } from "./channel-finds.ts";
import { type Asked, HIDDEN_TITLE, stillMessage } from "./still-message.ts";
import { endDoubt } from "./still-settle.ts";
import type { StillStep } from "./still-tasks.ts";

/** `event_type` of the metadata of a message that asks. */
const STILL_EVENT = "threadlore_still_true";
const DAY_MS = 86_400_000;
/** An owner who says nothing is reminded after so long, once. */
const REMIND_MS = 7 * DAY_MS;

type Doing = { readonly context: BotContext; readonly task: Task; readonly tools: TaskTools };

/** Asks the owner of a kept answer about a doubt, once; of one whose owner has left, the administrators. */
export async function askOwner(doing: Doing, step: StillStep<"ask"> | StillStep<"remind">): Promise<RunResult> {
  const { context, task } = doing;
  const { store, now, log } = context;
  const doubt = await store.findDoubt(step.doubt);
  const kept = doubt && (await store.findKeptAnswer(doubt.channel, doubt.ts));
  const pin = doubt && (await store.findPin(doubt.channel, doubt.ts));
  const isPosted = postedBy(task) !== undefined;
  if (doubt === undefined) return "gone";
  if (!isPosted) {
    if (kept === undefined || pin === undefined || pin.state === "tombstone") {
      await endDoubt(context, doubt, "retired");
      return "gone";
    }
    if (isOutOfTime(doubt, step)) return "stayed_out";
  }
  if (kept === undefined || pin === undefined) return "gone";
  const whom = await whomToAsk(context, doubt.owner);
  const moment = isPosted || whom.left !== undefined ? now() : workingMoment(now(), whom.timezone);
  if (moment > now()) return { later: moment };
  try {
    const channel = await whom.channel();
    if (channel === undefined) {
      log.warn("nobody can be asked whether an answer still holds", { channel: doubt.channel, ts: doubt.ts });
      await store.saveDoubt({ ...doubt, state: "asked", remindAt: undefined, updatedAt: now() });
      return "done";
    }
    const where = { channel, event: STILL_EVENT, text: "" };
    if (isPosted) return (await withoutLateOnes(doing, where)) ?? "done";
    const message = stillMessage(await askedOf(context, { doubt, kept, pin, left: whom.left, step }));
    const ts = await postOnce(doing, { ...where, ...message });
    await noteAsked(context, step, { channel, ts });
    return (await withoutLateOnes(doing, where)) ?? "done";
  } catch (error) {
    const { kind, code } = refusalOf(error, "chat.postMessage");
    if (platformError(error) === undefined || (kind !== "gone" && kind !== "other")) throw error;
    log.warn("owner not asked whether an answer still holds", { channel: doubt.channel, ts: doubt.ts, code });
    await store.saveDoubt({ ...doubt, state: "asked", remindAt: undefined, updatedAt: now() });
    return "failed";
  }
}

/** Something was said meanwhile, or it was asked already. */
function isOutOfTime({ state, remindAt }: DoubtRecord, step: StillStep<"ask"> | StillStep<"remind">): boolean {
  if (state === "over") return true;
  if (step.do === "remind") return remindAt === undefined;
  return state === "asked" && step.again !== true;
}

/** What was asked stands with the doubt; whoever has answered by then sees that there. */
async function noteAsked(
  context: BotContext,
  step: StillStep<"ask"> | StillStep<"remind">,
  message: { readonly channel: string; readonly ts: string },
): Promise<void> {
  const { store, now } = context;
  const doubt = await store.findDoubt(step.doubt);
  if (doubt === undefined) return;
  const isNoted = doubt.messages.some(({ ts, channel }) => ts === message.ts && channel === message.channel);
  const messages = isNoted ? doubt.messages : [...doubt.messages, message];
  const remindAt = step.do === "ask" ? now() + REMIND_MS : undefined;
  if (doubt.state !== "over") {
    await store.saveDoubt({ ...doubt, state: "asked", messages, remindAt, updatedAt: now() });
    return;
  }
  const isKept = (await store.findPin(doubt.channel, doubt.ts))?.state !== "tombstone";
  await endDoubt(context, { ...doubt, messages }, isKept ? "holds" : "retired");
}

/** Where somebody is asked: directly; who has left, in the channel for administrators. */
async function whomToAsk(context: BotContext, owner: string) {
  const { people, config, clients } = context;
  const account = await people.account(owner);
  if (account === undefined || (await people.hasLeft(owner))) {
    return { left: account?.name ?? "somebody", channel: () => Promise.resolve(config.adminChannel) };
  }
  const channel = async (): Promise<string | undefined> =>
    (await clients.posts.conversations.open({ users: owner })).channel?.id;
  return { timezone: account.timezone, channel };
}

interface Subject {
  readonly doubt: DoubtRecord;
  readonly kept: KeptAnswer;
  readonly pin: PinRecord;
  readonly left: string | undefined;
  readonly step: StillStep<"ask"> | StillStep<"remind">;
}

async function askedOf(context: BotContext, { doubt, kept, pin, left, step }: Subject): Promise<Asked> {
  const { place, settings } = await placeSettings(context, kept.channel);
  // Administrators are no members of a channel that is not everybody's.
  const isHidden = left !== undefined && place?.kind !== "public";
  const message = isHidden
    ? undefined
    : await readOne({ bot: context, channel: kept.channel }, kept.ts).catch(ifRefused);
  const words = message === undefined ? "" : await markdownOf(message.words, context.people);
  const { title, permalink } = pin;
  return {
    doubt,
    kept: { title: isHidden ? HIDDEN_TITLE : title, words, permalink },
    keptAt: kept.keptAt,
    days: Math.round((spanOf(settings.still_true_after) ?? 0) / DAY_MS),
    showsNewer: !isHidden && (await maySee(context, kept.channel, doubt.newer)),
    left,
    isReminder: step.do === "remind",
  };
}

/** Whether what the newer document says is for the readers of the channel. */
async function maySee(context: BotContext, channel: string, newer: DoubtRecord["newer"]): Promise<boolean> {
  return newer !== undefined && channelFinds(context, channel, newer.documentId, [newer.says, newer.title]);
}

function ifRefused(error: unknown): undefined {
  if (platformError(error) === undefined) throw error;
  return undefined;
}
