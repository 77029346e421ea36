import type { CallRecord, TaskTools } from "@threadlore/inbox";
import { answerBehind, placeSettings } from "../../ask/presses.ts";
import type { BotContext } from "../../context.ts";
import { isMember } from "../../pins/pin-notices.ts";
import { platformError } from "../../slack/read/people.ts";
import { tellMarkup } from "../../tell.ts";
import { noteQuestion } from "../note-question.ts";
import { callMessage } from "./call-message.ts";
import { whyNotAsked } from "./call-person.ts";
import { closestTo, wordsOfQuestion } from "./call-question.ts";
import { reminderMoment } from "./call-remind.ts";
import type { CallStep } from "./call-tasks.ts";
import { helpersFor } from "./call-whom.ts";
import { sayOnce } from "./say-once.ts";

/** The asker of a private question agreed: a thread is begun with it where they chose, in the words they read. */
export async function publishCall(context: BotContext, work: CallStep<"publish">, tools: TaskTools): Promise<void> {
  const { store, now } = context;
  const { task, press, channel, words, named } = work;
  const answer = await answerBehind(context, { ...press, ref: task });
  if (answer === undefined || !answer.byAsker) return;
  const { question } = answer;
  const threadTs = question.private ? undefined : question.threadTs;
  const say = (text: string): Promise<void> => tellMarkup(context, { ...press, threadTs }, text);
  const known = await store.findCall(task);
  if (known?.ts !== undefined) return say(`This was asked already, in <#${known.channel}>.`);
  const { place, settings } = await placeSettings(context, channel);
  const why = await whyNotAsked(context, place, settings);
  if (place === undefined || why !== undefined) return say(why ?? CANNOT);
  // The form can be as old as they like.
  if (settings.helpers.length === 0 || !(await isMember(context.clients.reads, channel, press.user)))
    return say(CANNOT);
  // What they agreed to are the words they sent: others than the question's own are no agreement to those.
  const isAgreed = (await wordsOfQuestion(context, question)) === words;
  await noteQuestion(context, { taskId: task, question, reason: "human", isAgreed });
  const closest = await closestTo(context, { task, words, settings });
  const documents = closest.flatMap(({ id }) => id ?? []);
  const helpers = known?.helpers ?? (await helpersFor(context, place, { asker: press.user, documents }));
  if (helpers.length === 0) return say(CANNOT);
  const call: CallRecord = {
    task,
    channel,
    by: press.user,
    asker: press.user,
    question: words,
    private: { channel: question.channel, named },
    helpers,
    closest: closest.map(({ title, link }) => ({ title, link })),
    replies: [],
    state: "open",
    askedAt: now(),
    updatedAt: now(),
  };
  await store.saveCall(call);
  try {
    const message = callMessage(call, { keepers: [], visibility: "" });
    const ts = await sayOnce(context, tools, { channel, task, what: "call", since: call.askedAt, ...message });
    await store.saveCall({ ...call, ts, thread: ts, remindAt: await reminderMoment(context, helpers, settings) });
    await say(`I asked in <#${channel}>. You are told here when somebody replies.`);
  } catch (error) {
    if (platformError(error) === undefined) throw error;
    context.log.warn("nobody called", { channel, error });
    await say("I could not ask there: Slack did not take my message. Try again in a moment.");
  }
}

const CANNOT =
  "I cannot ask there any more: its helpers, or who is in it, changed. Press “Ask a person” again to choose.";
