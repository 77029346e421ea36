import type { KeptAnswer } from "@threadlore/inbox";
import { answerBehind } from "../../ask/presses.ts";
import type { BotContext } from "../../context.ts";
import { beginPinTask } from "../../pins/pin-work.ts";
import { tell, tellMarkup } from "../../tell.ts";
import { update } from "./call-show.ts";
import type { CallStep } from "./call-tasks.ts";
import { gapOfQuestion } from "../tell-askers.ts";
import { decideKeepFor, hasWords, wordsOf } from "../keep/keep-answer.ts";

/** Somebody pressed "Keep as the answer": what they wrote since the call becomes a document, the way of pins. */
export async function keepReply(context: BotContext, step: CallStep<"keep">, once: string) {
  const { task, press, replier, shown } = step;
  const { store, people, now } = context;
  const { user, channel } = press;
  const call = await store.findCall(task);
  // A button of another channel's message can only have been forged.
  if (call?.ts === undefined || call.thread === undefined || call.channel !== channel) return;
  const { thread, ts: after } = call;
  const say = (words: string): Promise<void> => tell(context, channel, user, words, thread);
  if (user !== replier) {
    const words = `These are words of <@${replier}>: only they can have them kept.`;
    return tellMarkup(context, { channel, user, threadTs: thread }, words);
  }
  const before = call.keeps === undefined ? undefined : await store.findPin(channel, call.keeps);
  const isBusy = call.state === "kept" && before?.state !== "failed" && before?.state !== "tombstone";
  const keptBy = call.keeps && (await store.findKeptAnswer(channel, call.keeps))?.owner;
  if (isBusy && keptBy !== user) return say("Somebody's answer to this is kept already. You can add yours by hand.");
  const place = await people.place(channel, { fresh: true });
  if (place === undefined) return say("I cannot see this channel. Invite me to it, then try again.");
  const decision = await decideKeepFor(context, place, user, call.under);
  if (decision.kind === "refuse") return say(decision.words);
  if (shown !== undefined && shown !== place.kind) {
    // What they agreed to was said of another channel than it is now.
    await update(context, call, { pin: before });
    return say(place.kind === "public" ? PUBLIC_NOW : PRIVATE_NOW);
  }
  const messages = await wordsOf(context, { channel, thread, after }, user);
  const [first] = messages;
  const until = messages.at(-1)?.ts;
  if (first === undefined || until === undefined || !hasWords(messages)) return say(NO_WORDS);
  const gap = call.panel?.gap ?? (await gapOfQuestion(context, task));
  const kept: KeptAnswer = {
    channel,
    ts: first.ts,
    task,
    owner: user,
    thread,
    until,
    question: call.question,
    ...(call.under !== undefined && { under: call.under }),
    keptAt: now(),
    confirmedAt: now(),
    ...(gap !== undefined && { gap }),
  };
  await store.saveKeptAnswer(kept);
  const next = { ...call, state: "kept", keeps: first.ts, updatedAt: now() } as const;
  await store.saveCall(next);
  const work = { channel, ts: first.ts, by: user, moment: now(), certain: true, how: "answer" as const };
  await beginPinTask(context, "add", work, `answer:${once}`);
  await update(context, next, { pin: await store.findPin(channel, first.ts) });
}

const PRIVATE_NOW =
  "This channel was made private meanwhile, so nothing was kept. Press it again if it is to be kept still.";
const PUBLIC_NOW =
  "This channel was made public meanwhile, so nothing was kept. Press it again if it is to be kept still.";
const NO_WORDS = "There is no text of yours here that could be found. Write the answer out, then press it again.";

/** Somebody pressed "Mark as resolved". */
export async function resolveCall(context: BotContext, { task, press }: CallStep<"resolve">): Promise<void> {
  const { store, now } = context;
  const call = await store.findCall(task);
  if (call?.ts === undefined || call.channel !== press.channel || call.state !== "open") return;
  // Of a question that was private, everybody there may say so.
  if (call.private === undefined && (await answerBehind(context, { ...press, ref: task })) === undefined) return;
  const next = { ...call, state: "resolved", resolvedBy: press.user, updatedAt: now() } as const;
  await store.saveCall(next);
  await update(context, next);
}
