import * as z from "zod";
import type { RunResult, Task, TaskTools, WaitingQuestion } from "@threadlore/inbox";
import type { BotContext, TaskWork } from "../../context.ts";
import { traceFor } from "../../ask/question.ts";
import { placeSettings } from "../../ask/presses.ts";
import { platformError } from "../../slack/read/people.ts";
import { readOne } from "../../slack/read/replies.ts";
import { markupAddress, mrkdwnText, shortened } from "../../slack/render/escape.ts";
import { refusalOf } from "../../slack/transport/refusals.ts";
import { channelOf, type Closing, closingOf } from "./closings.ts";
import { wordsOf } from "../asked-words.ts";
import { postedBy, postOnce, withoutLateOnes } from "./tell-once.ts";
import { TellWork } from "../tell-askers.ts";
import { namedAt, placeOfTelling, type TellingPlace, tellingLead, type Thread } from "./tellings.ts";

/** `event_type` of the metadata of a message that tells askers of an answer. */
const TOLD_EVENT = "threadlore_gap";

/** Tells whoever waits in one place that their question has an answer, once. */
export const tellWork: TaskWork = {
  async run(context, task, tools) {
    const { gap, telling } = TellWork.parse(task.body);
    const all = await context.store.waitingFor(telling);
    const waiting = isBegun(task) ? all : all.filter(({ toldAt }) => toldAt === undefined);
    const place = placeOfTelling(telling);
    if (place === undefined) return "done";
    try {
      return await tell({ context, task, tools }, { gap, telling, place, waiting });
    } catch (error) {
      const { kind, code } = refusalOf(error, "chat.postMessage");
      const isFinal = kind === "gone" || kind === "other";
      if (!isFinal || platformError(error) === undefined) throw error;
      return end(context, telling, waiting, `They could not be told of an answer there: ${code}.`);
    }
  },
  async giveUp(context, task, error) {
    const { telling } = TellWork.parse(task.body);
    context.log.error("askers not told", { task: task.id, error });
    const waiting = await context.store.waitingFor(telling);
    await end(context, telling, waiting, "They could not be told of an answer: it failed too often.");
  },
};

interface Telling {
  readonly gap: string;
  readonly telling: string;
  readonly place: TellingPlace;
  readonly waiting: readonly WaitingQuestion[];
}

type Doing = { readonly context: BotContext; readonly task: Task; readonly tools: TaskTools };

async function tell(doing: Doing, { gap, telling, place, waiting }: Telling): Promise<RunResult> {
  const { context, task } = doing;
  const { store } = context;
  const isPosted = postedBy(task) !== undefined;
  if (waiting.length === 0 && !isPosted) return "gone";
  const closing = await closingOf(context, gap);
  const isBegunTelling = isBegun(task);
  const isOfThis = closing !== undefined && telling.startsWith(tellingLead({ gap, ...closing }));
  // One that has begun goes on with what answers it by now: nobody else tells them.
  if (!isPosted && (closing === undefined || (!isOfThis && !isBegunTelling))) {
    // What answered it does so no more.
    await store.dropTelling(telling, { isBegun: isBegunTelling });
    return "stayed_out";
  }
  const people = await stillHere(context, namedAt(place, waiting));
  if (!isPosted && people.length === 0) return end(context, telling, waiting, "Whoever asked has left.");
  const why = isPosted || "asker" in place ? undefined : await whyNotThere(context, place);
  if (why !== undefined) return end(context, telling, waiting, why);
  const answer = isPosted ? undefined : await ownAnswer(context, place, waiting);
  if (answer === "comes") return { later: context.now() + OWN_ANSWER_MS };
  if (answer === "is told") return end(context, telling, waiting, "Whoever asked was answered in the thread itself.");
  const where = "asker" in place ? { channel: await directWith(context, place.asker) } : place;
  const message = { ...where, event: TOLD_EVENT, text: "" };
  if (!isPosted && closing !== undefined) {
    const ours = await begin(doing, telling);
    if (ours.length === 0) return "gone";
    const text = await textFor(context, { closing, place, people, waiting: ours });
    await postOnce(doing, { ...message, text });
    await trace(context, ours, "Whoever asked was told of an answer.");
  }
  return (await withoutLateOnes(doing, message)) ?? "done";
}

/** So long until the answer that is being kept in a thread is looked for again, milliseconds. */
const OWN_ANSWER_MS = 2_000;

/** Whether somebody's reply in this very thread is kept, of which its askers are told there: another document says no more to them. */
async function ownAnswer(
  { store }: BotContext,
  place: TellingPlace,
  waiting: readonly WaitingQuestion[],
): Promise<"is told" | "comes" | undefined> {
  if ("asker" in place) return undefined;
  for (const { ref } of waiting) {
    const call = await store.findCall(ref);
    if (call?.state !== "kept" || call.channel !== place.channel || call.thread !== place.thread) continue;
    if (call.toldAt !== undefined) return "is told";
    const pin = call.keeps === undefined ? undefined : await store.findPin(call.channel, call.keeps);
    if (pin?.state === "waiting" || pin?.state === "accepted" || pin?.state === "indexed") return "comes";
  }
  return undefined;
}

/** How far a task got that has begun to tell. */
const Begun = z.object({ isBegun: z.literal(true) });
/** Whether it has begun to tell, or has told. */
const isBegun = (task: Task): boolean => Begun.safeParse(task.progress).success || postedBy(task) !== undefined;

/**
 * From here on this telling is the one: whatever else closes the gap tells others. Before the message is posted, so that none
 * of another answer comes in between; a task that ends here begins again. Whom it tells: who was chosen otherwise meanwhile is not
 * among them.
 */
async function begin({ context, tools }: Doing, telling: string): Promise<readonly WaitingQuestion[]> {
  await tools.save({ isBegun: true });
  await context.store.markTold(telling, context.now());
  return context.store.waitingFor(telling);
}

/** Those who cannot be told are not told again; why stands where their question's trace does. */
async function end(
  context: BotContext,
  telling: string,
  waiting: readonly WaitingQuestion[],
  words: string,
): Promise<RunResult> {
  await context.store.markTold(telling, context.now());
  await trace(context, waiting, words);
  return "done";
}

async function trace({ store, now }: BotContext, waiting: readonly WaitingQuestion[], words: string): Promise<void> {
  for (const { place, asker, where } of waiting) {
    const [, user = ""] = asker.split(":");
    await store.trace(where === undefined ? traceFor(place, user) : place, { at: now(), words });
  }
}

async function stillHere({ people }: BotContext, askers: readonly string[]): Promise<readonly string[]> {
  const users = askers.map((asker) => asker.split(":")[1] ?? "");
  const left = await Promise.all(users.map((user) => people.hasLeft(user)));
  return users.filter((_, at) => left[at] === false);
}

/** Why nothing may be said in a thread, where that is so. */
async function whyNotThere(context: BotContext, { channel, thread }: Thread): Promise<string | undefined> {
  if (!channel.startsWith("D")) {
    context.people.forget(channel);
    const { place, settings } = await placeSettings(context, channel);
    if (place === undefined) return "There is an answer, but the bot does not see the channel any more.";
    if (place.archived) return "There is an answer, but the channel is archived.";
    if (place.shared && settings.slack_connect === "refuse")
      return "There is an answer, but the channel is shared with another company by now.";
    if (!settings.enabled) return "There is an answer, but the bot is switched off there by now.";
  }
  const root = await readOne({ bot: context, channel }, thread);
  return root === undefined ? "There is an answer, but the thread of the question was deleted." : undefined;
}

async function directWith({ clients }: BotContext, asker: string): Promise<string> {
  const opened = await clients.posts.conversations.open({ users: asker.split(":")[1] ?? "" });
  const channel = opened.channel?.id;
  if (channel === undefined) throw new Error("The direct conversation could not be opened.");
  return channel;
}

/** Characters of a question, or of the beginning of an answer, that are shown. */
const SHOWN = 300;

async function textFor(
  context: BotContext,
  {
    closing,
    place,
    people,
    waiting,
  }: { closing: Closing; place: TellingPlace; people: readonly string[]; waiting: readonly WaitingQuestion[] },
): Promise<string> {
  const isDirect = "asker" in place || place.channel.startsWith("D");
  const mentions = isDirect ? "" : `${people.map((user) => `<@${user}>`).join(" ")}: `;
  // Where no thread says which question it was, its asker is told, who alone reads it.
  const last = "asker" in place ? waiting.at(-1) : undefined;
  const asked = last === undefined ? "" : await wordsOf(context, last.ref);
  const question = asked === "" ? "your question" : `your question “${mrkdwnText(shortened(asked, SHOWN))}”`;
  const mayRead = await mayReadAnswer(context, closing, isDirect ? { user: people[0] ?? "" } : place);
  if (!mayRead) return `${mentions}there is an answer to ${question} by now. Ask me again, and I look it up.`;
  const owner = (await context.people.account(closing.owner))?.name ?? "somebody";
  const title = mrkdwnText(shortened(closing.title, SHOWN)).replaceAll("|", "¦");
  const link = `<${markupAddress(closing.permalink)}|${title === "" ? "the answer" : title}>`;
  const begins = closing.beginning === undefined ? "" : `\n${quoted(closing.beginning)}`;
  return `${mentions}${mrkdwnText(owner)} has answered ${question}: ${link}${begins}`;
}

const quoted = (words: string): string => `> ${mrkdwnText(shortened(words.replace(/\s+/g, " ").trim(), SHOWN))}`;

/** Whether everybody who reads there may read the answer where it stands. */
async function mayReadAnswer(
  context: BotContext,
  closing: Closing,
  reader: { readonly user: string } | Thread,
): Promise<boolean> {
  const channel = channelOf(closing);
  if (channel === undefined) return false;
  if ("channel" in reader && reader.channel === channel) return true;
  const { people } = context;
  const place = await people.place(channel, { fresh: true });
  if (place === undefined || place.kind === "im") return false;
  const isOpen = place.kind === "public";
  if ("channel" in reader) {
    // Whoever reads there is not known one by one.
    return isOpen && (await people.place(reader.channel))?.shared === false;
  }
  const account = await people.account(reader.user);
  if (isOpen && (account?.kind === "member" || account?.kind === "admin")) return true;
  return isMember(context, channel, reader.user);
}

async function isMember({ clients, pacer, self }: BotContext, channel: string, user: string): Promise<boolean> {
  let cursor: string | undefined;
  do {
    const members = () => clients.reads.conversations.members({ channel, limit: 999, cursor });
    const page = await pacer.call({ team: self.teamId, method: "conversations.members" }, members).catch(ifRefused);
    if (page === undefined) return false;
    if (page.members?.includes(user) === true) return true;
    cursor = page.response_metadata?.next_cursor || undefined;
  } while (cursor !== undefined);
  return false;
}

/** What the platform refuses to say counts as no. */
function ifRefused(error: unknown): undefined {
  if (platformError(error) === undefined) throw error;
  return undefined;
}
