import type { TaskTools } from "@threadlore/inbox";
import { answerBehind, placeSettings } from "../../ask/presses.ts";
import type { BotContext } from "../../context.ts";
import { isMember } from "../../pins/pin-notices.ts";
import { platformError } from "../../slack/read/people.ts";
import { tellMarkup } from "../../tell.ts";
import { noteQuestion } from "../note-question.ts";
import { beginCall, NOT_TAKEN } from "./call-begin.ts";
import { mentionOf } from "./call-message.ts";
import { whyNotAsked } from "./call-person.ts";
import { closestTo, wordsOfQuestion } from "./call-question.ts";
import type { CallStep } from "./call-tasks.ts";
import { directHelpers, helpersFor } from "./call-whom.ts";
import { askedIn } from "./private-form.ts";

/** The asker of a private question agreed: a thread is begun with it where they chose, in the words they read. */
export async function publishCall(context: BotContext, work: CallStep<"publish">, tools: TaskTools): Promise<void> {
  const { store } = context;
  const { task, press, words, named: isNamed } = work;
  const answer = await answerBehind(context, { ...press, ref: task });
  if (answer === undefined || !answer.byAsker) return;
  const { question } = answer;
  const threadTs = question.private ? undefined : question.threadTs;
  const say = (text: string): Promise<void> => tellMarkup(context, { ...press, threadTs }, text);
  const known = await store.findCall(task);
  if (known?.ts !== undefined) return say(askedIn(known));
  // The form can be as old as they like.
  const chosen = await (isChannel(work.channel) ? inChannel : directly)(context, work);
  if (typeof chosen === "string") return say(chosen);
  const { channel, helpers: named, under } = chosen;
  const { place, settings } = await placeSettings(context, channel);
  if (place === undefined) return say(CANNOT);
  // What they agreed to are the words they sent: others than the question's own are no agreement to those, nor is one reader's to all.
  const isAgreed = isChannel(work.channel) && (await wordsOfQuestion(context, question)) === words;
  await noteQuestion(context, { taskId: task, question, reason: "human", isAgreed });
  const closest = await closestTo(context, { task, words, settings });
  const documents = closest.flatMap(({ id }) => id ?? []);
  const before = known?.channel === channel ? known : undefined;
  const helpers = before?.helpers ?? named ?? (await helpersFor(context, place, { asker: press.user, documents }));
  if (helpers.length === 0) return say(CANNOT);
  const call = {
    task,
    channel,
    by: press.user,
    asker: press.user,
    question: words,
    private: { channel: question.channel, named: isNamed },
    ...(under !== undefined && { under }),
    helpers,
    closest,
  };
  const begun = await beginCall(context, tools, call, { settings, what: "call" });
  await say(
    "refused" in begun
      ? NOT_TAKEN
      : `I asked ${chosenWords(channel, helpers)}. You are told here when somebody replies.`,
  );
}

/** Where a question goes that its asker has agreed to have asked, and whose rules hold for an answer there. */
interface Chosen {
  readonly channel: string;
  /** Absent: whom the channel's rules name. */
  readonly helpers?: readonly string[];
  readonly under?: string | undefined;
}

type Choose = (context: BotContext, work: CallStep<"publish">) => Promise<Chosen | string>;

const isChannel = (id: string): boolean => !/^[UW]/.test(id);

/** To a channel; else why not. */
const inChannel: Choose = async (context, { channel, press }) => {
  const { place, settings } = await placeSettings(context, channel);
  const why = await whyNotAsked(context, place, settings);
  if (place === undefined || why !== undefined) return why ?? CANNOT;
  const isTheirs = await isMember(context.clients.reads, channel, press.user);
  return settings.helpers.length === 0 || !isTheirs ? CANNOT : { channel };
};

/** To one person, by a direct message; else why not. */
const directly: Choose = async (context, { channel: chosen, press }) => {
  const helper = (await directHelpers(context, press.user, { anywhere: true })).find(({ user }) => user === chosen);
  if (helper === undefined) return CANNOT;
  const opened = await context.clients.posts.conversations.open({ users: helper.user }).catch(ifRefused);
  const id = opened?.channel?.id;
  return id === undefined ? CANNOT : { channel: id, helpers: [helper.user], under: helper.under };
};

/** What the platform refuses cannot be done; whatever else happens passes. */
function ifRefused(error: unknown): undefined {
  if (platformError(error) === undefined) throw error;
  return undefined;
}

const chosenWords = (channel: string, helpers: readonly string[]): string =>
  channel.startsWith("D") ? `${helpers.map(mentionOf).join(" ")} directly` : `in <#${channel}>`;

const CANNOT =
  "I cannot ask there any more: its helpers, or who is in it, changed. Press “Ask a person” again to choose.";
