import type { BotContext } from "../../context.ts";
import { type Entry, settingsFor } from "../../rules/rules.ts";
import { isOwn } from "@threadlore/documents/slack";
import type { MessageEvent } from "../../slack/read/message-event.ts";
import { tell } from "../../tell.ts";
import { placeOf, taskKey } from "@threadlore/inbox";
import { firstDecision, isCalledIn } from "../decision.ts";
import { acceptQuestion, askedMark, changedMark, isDirect, partitionKeyOf, QuestionBody } from "../question.ts";

/**
 * Mentions, direct messages, and messages in channels that may be questions by the rules of their channel: kept if they
 * may be one; whoever sends it again finds it kept. An edit or a deletion of a question counts, too.
 */
export async function hearQuestion(context: BotContext, event: MessageEvent): Promise<void> {
  if (event.kind === "edited" && isMentionedNow(event, context.self.userId)) return said(context, event);
  if (event.kind === "edited" || event.kind === "deleted") return changed(context, event, event.kind);
  if (event.kind === "said") return said(context, event);
}

async function said(context: BotContext, event: MessageEvent): Promise<void> {
  const { self, store, later, log } = context;
  const { message } = event;
  if (isOwn(message, self)) return;
  const question = await questionIn(context, event);
  const { entry } = question;
  const isOurs = (await store.conversations.get(askedMark(question))) !== undefined;
  /** Whom the bot answered last in this thread, as far as is known. */
  const name = `asker:${partitionKeyOf(question)}`;
  const asker = isOurs && question.inThread ? await store.recall(name) : undefined;
  // Most of what is said in a channel is none of the bot's business, which the event alone tells. Who asks and where is
  // only known after looking it up; a refusal is decided, and said, then.
  const called = (isOurs || isDirect(question)) && question.inThread && (await isCalledIn(context, question));
  const thread = { own: isOurs, onlyAsker: true, afterAnswer: asker === undefined || asker === message.user, called };
  const { channelKind } = event;
  const early = firstDecision(context, question, { channelKind, byProgram: message.byProgram, thread });
  if (early.kind === "stay_out") {
    // Only where a person could wonder: ordinary talk is no business of the bot and leaves nothing behind.
    if (isOurs || entry === "mention" || entry === "dm") {
      for (const words of early.trace) await store.trace(placeOf(question), { at: context.now(), words });
    }
    // Somebody else has the word; nobody follows the bot's answer any more.
    if (asker !== undefined && asker !== "" && asker !== message.user) await store.remember(name, "");
    return;
  }
  await store.remember(name, message.user);
  await store.conversations.set(askedMark(question), {});
  const key = taskKey("question", question);
  if (!(await acceptQuestion(context, question, key))) return;
  log.info("question accepted", { entry, team: question.team, channel: question.channel, ts: question.ts });
  later("tell that a question waits", () => tellQueue(context, key, question));
}

async function questionIn({ self, store, rules }: BotContext, event: MessageEvent): Promise<QuestionBody> {
  const { message, channel, shared, channelKind } = event;
  const { workspace_search: search } = settingsFor(rules(), { id: channel, kind: channelKind });
  const { ts, threadTs = ts, user, userTeam } = message;
  const entry = entryOf(event, self.userId);
  // Empty: nothing is open any more.
  const open = entry === "dm" || entry === "agent" ? await store.recall(`looks at:${user}`) : undefined;
  return QuestionBody.parse({
    ...message,
    entry,
    team: self.teamId,
    channel,
    shared,
    isMessage: true,
    threadTs,
    inThread: threadTs !== ts,
    userTeam: userTeam === self.teamId ? undefined : userTeam,
    actionToken: search === "off" ? undefined : event.actionToken,
    looksAt: event.looksAt ?? (open === "" ? undefined : open),
  });
}

function entryOf({ message, channelKind, inAgent, isMention }: MessageEvent, self: string): Entry {
  if (channelKind === "im") return inAgent ? "agent" : "dm";
  if (isMention || message.text.includes(`<@${self}>`) || message.text.includes(`<@${self}|`)) return "mention";
  return message.threadTs !== undefined && message.threadTs !== message.ts ? "follow_up" : "eager";
}

/** A question that has to wait for the one before it says so, to its asker alone. */
async function tellQueue(context: BotContext, key: string, question: QuestionBody): Promise<void> {
  const task = await context.store.findByKey(key);
  if (task === undefined || task.state !== "waiting") return;
  const ahead = await context.store.ahead(task.id);
  if (ahead === 0) return;
  const words =
    ahead === 1
      ? "I answer this next: I am still at the question before it."
      : `I have seen this. ${ahead} questions of this thread come before it.`;
  await tell(context, question.channel, question.user, words, question.inThread ? question.threadTs : undefined);
}

/** Before anything of its answer was shown, that counts. */
async function changed(context: BotContext, event: MessageEvent, what: "edited" | "deleted"): Promise<void> {
  const place = { team: context.self.teamId, channel: event.channel, ts: event.message.ts };
  const key = taskKey("question", place);
  // Also where it waits, and for another instance.
  if ((await context.store.findByKey(key)) !== undefined) await context.store.remember(changedMark(place), what);
  context.turns.get(key)?.hear(what);
}

/** Somebody added the mention afterwards: only now is it a question. */
function isMentionedNow({ message, before }: MessageEvent, self: string): boolean {
  return message.words.includes(`<@${self}`) && before !== undefined && !before.words.includes(`<@${self}`);
}
