import { type CallRecord, placeOf, type TaskTools } from "@threadlore/inbox";
import type { BotContext } from "../../context.ts";
import { beginPinTask } from "../../pins/pin-work.ts";
import type { MessageEvent } from "../../slack/read/message-event.ts";
import { platformError } from "../../slack/read/people.ts";
import { readOne, readSince } from "../../slack/read/replies.ts";
import { beginCallTask, type CallStep } from "./call-tasks.ts";
import { postPrivately, update } from "./call-show.ts";

/** More replies than anybody waits for. */
const MAX_MESSAGES = 5_000;

/** A message, if it was said or deleted in a thread where people were asked. */
export async function hearOfCalls(context: BotContext, event: MessageEvent): Promise<void> {
  const { kind, channel, message, isMention, happenedAt } = event;
  const { ts, threadTs: thread = ts } = message;
  // It comes as a message, too.
  if (isMention || (kind !== "said" && kind !== "deleted")) return;
  if (kind === "said" && thread === ts) return;
  for (const call of await context.store.callsOfThread(channel, thread)) {
    // Who replied is known by their first message; a long talk is not read again for each that follows.
    const isKnown = message.user === call.asker || call.replies.some(({ user }) => user === message.user);
    const isWanted = kind === "said" ? call.state === "open" && !isKnown : true;
    const isOwn = message.user === context.self.userId || message.botId === context.self.botId;
    if (isWanted && !isOwn)
      await beginCallTask(context, channel, { do: "look", task: call.task }, `${kind}:${happenedAt}:${ts}`);
  }
}

/** The first message of each person who replied to a call, oldest first; whose question it is does not count. */
export async function repliesTo(context: BotContext, call: CallRecord): Promise<CallRecord["replies"]> {
  const { channel, thread = "", ts: after = "", asker } = call;
  const { self } = context;
  const messages = await readSince({ bot: context, channel }, { threadTs: thread, after }, MAX_MESSAGES);
  const first = new Map<string, { user: string; ts: string }>();
  for (const { user, ts, isNotice, isTombstone, byProgram } of messages) {
    if (user === "" || user === asker || user === self.userId || isNotice || isTombstone || byProgram) continue;
    if (!first.has(user)) first.set(user, { user, ts });
  }
  return [...first.values()];
}

/** Sees who replied by now, and whether the question is still there; shows both. */
export async function lookAtThread(context: BotContext, { task }: CallStep<"look">, tools: TaskTools): Promise<void> {
  const { store, now } = context;
  const call = await store.findCall(task);
  if (call?.ts === undefined || call.thread === undefined) return;
  try {
    const [replies, isThere] = await Promise.all([repliesTo(context, call), isQuestionThere(context, call)]);
    const question = isThere ? call.question : "";
    const isNews = call.replies.length === 0 && replies.length > 0;
    const seen: CallRecord = { ...call, replies, question };
    if (JSON.stringify(seen) !== JSON.stringify(call)) await store.saveCall({ ...seen, updatedAt: now() });
    if (call.question !== question) await withoutQuestion(context, call);
    if (call.state === "open") await update(context, seen);
    if (isNews && call.private !== undefined) await tellOfReply(context, seen, tools);
  } catch (error) {
    if (platformError(error) === undefined) throw error;
    // The channel is closed to the bot by now.
    context.log.warn("call not looked at", { channel: call.channel, error });
  }
}

async function isQuestionThere(context: BotContext, { channel, thread, questionTs }: CallRecord): Promise<boolean> {
  return questionTs === undefined || (await readOne({ bot: context, channel }, questionTs, thread)) !== undefined;
}

/** Whoever deletes their question, or wants to be forgotten, takes its words back: the answer is kept under words of its own. */
export async function withoutQuestion(context: BotContext, call: CallRecord): Promise<void> {
  const { store, now, self } = context;
  if (call.keeps === undefined) return;
  const kept = await store.findKeptAnswer(call.channel, call.keeps);
  if (kept === undefined) return;
  await store.saveKeptAnswer({ ...kept, question: "" });
  const place = placeOf({ team: self.teamId, channel: kept.channel, ts: kept.ts });
  const work = { channel: kept.channel, ts: kept.ts, moment: now(), certain: true };
  await beginPinTask(context, "edit", work, `without question:${place}`);
}

async function tellOfReply(context: BotContext, call: CallRecord, tools: TaskTools): Promise<void> {
  const [first] = call.replies;
  if (first === undefined) return;
  const where = call.channel.startsWith("D")
    ? "directly. You are told when the answer is kept"
    : `in <#${call.channel}>`;
  const text = `<@${first.user}> replied to your question ${where}.`;
  await postPrivately(context, tools, call, { what: "replied", text });
}
