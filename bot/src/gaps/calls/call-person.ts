import type { TaskTools } from "@threadlore/inbox";
import { answerBehind, placeSettings } from "../../ask/presses.ts";
import type { BotContext } from "../../context.ts";
import type { Place } from "../../slack/read/people.ts";
import type { Settings } from "../../rules/settings.ts";
import { tell } from "../../tell.ts";
import { beginCall } from "./call-begin.ts";
import { helpersFor } from "./call-whom.ts";
import { closestTo, documentsAround, wordsOfQuestion } from "./call-question.ts";
import type { CallStep } from "./call-tasks.ts";
import { noteQuestion } from "../note-question.ts";
import { digestWords } from "./offer-person.ts";

/** Somebody pressed "Ask a person" below an answer that all may read: people are asked in its thread, once. */
export async function askPeople(
  context: BotContext,
  { task, press }: CallStep<"ask">,
  tools: TaskTools,
): Promise<void> {
  const { store } = context;
  const { channel, user } = press;
  const answer = await answerBehind(context, { channel, user, ref: task });
  // What only its asker knows of is asked by a form, which they agree to.
  if (answer === undefined || answer.question.private) return;
  const { question } = answer;
  const thread = question.threadTs;
  const say = (words: string): Promise<void> => tell(context, channel, user, words, thread);
  const known = await store.findCall(task);
  if (known?.ts !== undefined) return say(known.state === "open" ? CALLED : CLOSED[known.state]);
  const { place, settings } = await placeSettings(context, channel);
  const why = await whyNotAsked(context, place, settings);
  if (place === undefined || why !== undefined) return say(why ?? CLOSED_PLACE);
  const words = await wordsOfQuestion(context, question);
  if (words === undefined) return say("The question was deleted, so I ask nobody.");
  await noteQuestion(context, { taskId: task, question, reason: "human" });
  const closest = await closestTo(context, { task, words, settings });
  const documents = await documentsAround(context, task, closest);
  const helpers = known?.helpers ?? (await helpersFor(context, place, { asker: question.user, documents }));
  if (helpers.length === 0) return say(NOBODY + digestWords(context));
  const call = {
    task,
    channel,
    thread,
    by: user,
    asker: question.user,
    question: words,
    ...(question.isMessage && { questionTs: question.ts }),
    helpers,
    closest,
  };
  const begun = await beginCall(context, tools, call, { settings, what: "call" });
  if ("refused" in begun) {
    await say("I could not call anybody: Slack did not take my message. Press it again in a moment.");
  }
}

const CALLED = "They have been called already.";
const CLOSED = {
  resolved: "This was resolved; ask again if it is not.",
  kept: "Somebody answered this in the thread.",
} as const;
const CLOSED_PLACE = "I cannot see this channel, so I ask nobody here. Invite me to it, then try again.";
/** What people are told where nobody can be asked. */
const NOBODY =
  "Nobody is named as a helper here, and nobody has written about this. It is noted: when somebody writes it down, you are told here.";

/** Why nobody is asked there now: who reads along can have changed since the answer. */
export async function whyNotAsked(
  context: BotContext,
  place: Place | undefined,
  settings: Settings,
): Promise<string | undefined> {
  const fresh = place && (await context.people.place(place.id, { fresh: true }));
  if (fresh === undefined) return CLOSED_PLACE;
  if (fresh.archived) return "This channel is archived, so nobody is asked here.";
  if (fresh.shared && settings.slack_connect === "refuse") {
    return "This channel is shared with another company by now, so I ask nobody here.";
  }
  return undefined;
}
