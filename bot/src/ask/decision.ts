import type { BotContext } from "../context.ts";
import { type AskedWhere, budgetWords, type QuestionLimits, takeBudget, usedUpBudget } from "../rules/budgets.ts";
import {
  type Asker,
  type ChannelFacts,
  decide,
  type Decision,
  groupsToLookUp,
  settingsFor,
  type Situation,
  type ThreadFacts,
} from "../rules/rules.ts";
import { textFacts } from "../rules/text-facts.ts";
import { isByProgram, isOwn, type Message } from "@threadlore/documents/slack";
import { dateMarkup } from "../slack/render/sources.ts";
import type { Surroundings } from "./material/material.ts";
import { askedMark, isDirect, type QuestionBody } from "./question.ts";
import type { Turn } from "./turn.ts";

/** What the rules say of a question by its event alone; where that does not tell, by whatever lets it be asked. */
export function firstDecision(
  { self, rules }: Pick<BotContext, "self" | "rules">,
  question: QuestionBody,
  event: { channelKind: ChannelFacts["kind"]; byProgram: boolean; thread: ThreadFacts },
): Decision {
  const channel = { id: question.channel, kind: event.channelKind, shared: false };
  const asker = { kind: event.byProgram ? "bot" : "member", groups: "any" } as const;
  const thread = question.inThread ? event.thread : undefined;
  const asked = situation(self, question, { channel, asker, thread });
  return decide(rules(), asked);
}

/** What becomes of a question: by the rules, then by the budgets and by how long it is. Told in its trace. */
export async function decideOn(turn: Turn, surroundings: Surroundings) {
  const decision = await decisionFor(turn, surroundings);
  if (decision.kind === "stay_out" || (decision.kind === "answer" && decision.talk !== undefined)) return decision;
  const words = decision.kind === "refuse" ? decision.words : await whyOverBudget(turn);
  // Two programs that decline each other's messages never stop either (docs/threats.md, T17).
  if (words !== undefined && turn.question.botId !== undefined) return { kind: "stay_out" } as const;
  const refusal = words ?? (await whyTooLong(turn, surroundings));
  return refusal === undefined ? decision : ({ kind: "refuse", words: refusal } as const);
}

/**
 * What the rules say of a question, from what is looked up now; told in its trace. `again`: right before its answer is
 * shown for good; the trace is left to the caller.
 */
export async function decisionFor(
  turn: Pick<Turn, "context" | "question" | "note">,
  surroundings: Pick<Surroundings, "message"> & { readonly thread: Pick<Surroundings["thread"], "before"> },
  again = false,
): Promise<Decision> {
  const { context, question } = turn;
  const { self, store, rules, people } = context;
  // A message's own event told whether its channel is shared; everything else comes without a word of that.
  const fresh = again || !question.isMessage || question.again !== undefined || question.shares !== undefined;
  const own = question.again !== undefined || (await store.conversations.get(askedMark(question))) !== undefined;
  const thread = question.inThread
    ? {
        ...threadFacts(surroundings.thread.before, question, { self: self.userId, own }),
        called: await isCalledIn(context, question),
      }
    : undefined;
  const { text, files } = surroundings.message ?? question;
  const [channel, account] = await Promise.all([
    channelFacts(context, question, fresh),
    question.botId === undefined && question.user !== "" ? people.account(question.user) : undefined,
  ]);
  const byProgram = isByProgram(question) || account?.kind === "bot";
  const wanted = groupsToLookUp(settingsFor(rules(), channel));
  const groups = wanted.length === 0 || byProgram ? [] : await people.groupsOf(question.user, wanted);
  const isElsewhere = question.userTeam !== undefined && question.userTeam !== self.teamId;
  const kind = byProgram ? "bot" : isElsewhere ? "stranger" : (account?.kind ?? "unknown");
  const known = { channel, asker: { kind, groups }, thread } as const;
  const asked = situation(self, { ...question, text, files: [...files] }, known);
  const decision = decide(rules(), asked);
  if (!again) for (const words of decision.trace) await turn.note(words);
  return decision;
}

/** Whether people were asked in the thread a question stands in, and nobody's answer is kept yet; of a helper's direct messages, at all. */
export async function isCalledIn(
  { store }: Pick<BotContext, "store">,
  { channel, threadTs }: Pick<QuestionBody, "channel" | "threadTs">,
): Promise<boolean> {
  return (await store.callsOfThread(channel, threadTs)).some(
    ({ state }) => state === "open" || channel.startsWith("D"),
  );
}

async function channelFacts({ people }: BotContext, question: QuestionBody, fresh: boolean): Promise<ChannelFacts> {
  const place = await people.place(question.channel, { fresh });
  if (place !== undefined) return { ...place, shared: place.shared || question.shared };
  // In its own direct conversations the bot needs no look: nobody else reads there.
  const direct = isDirect(question);
  return { id: question.channel, kind: direct ? "im" : "private", shared: direct ? false : "unknown" };
}

function situation(
  self: BotContext["self"],
  { entry, user, botId, text, files }: QuestionBody,
  known: Pick<Situation, "channel" | "thread"> & { asker: Pick<Asker, "kind" | "groups"> },
): Situation {
  return {
    entry,
    channel: known.channel,
    user: { ...known.asker, id: user, self: isOwn({ user, botId }, self), botId },
    thread: known.thread,
    text: textFacts(text, { botUserId: self.userId, botName: self.name, files: files.length }),
  };
}

/** What is known of a thread from its messages: whether only the asker and the bot speak since the bot was first asked. */
export function threadFacts(
  before: readonly Message[],
  question: { user: string; ts: string },
  { self, own }: { self: string; own: boolean },
): ThreadFacts {
  const first = before.findIndex((message) => message.text.includes(`<@${self}`) || message.user === self);
  const since = first === -1 ? before : before.slice(first);
  const onlyAsker = since.every(
    (message) => message.isNotice || message.user === self || message.user === question.user,
  );
  return { own, onlyAsker, afterAnswer: isAfterAnswer(before, question.user, self) };
}

/** Whether the last words are the bot's to this person, or this person's to the bot. */
function isAfterAnswer(before: readonly Message[], user: string, self: string): boolean {
  const said = before.filter(({ isNotice }) => !isNotice);
  const last = said.at(-1);
  if (last?.user === self) return said.findLast((message) => message.user !== self)?.user === user;
  // Asked in two messages, one right after the other.
  return last?.user === user && last.text.includes(`<@${self}`);
}

/** Why an answer may not stand there: a channel can be shared with another company meanwhile (docs/threats.md, T15). */
export async function whyUnwelcome(turn: Turn, surroundings: Surroundings): Promise<string | undefined> {
  if (isDirect(turn.question)) return undefined;
  const still = await decisionFor(turn, surroundings, true);
  if (still.kind === "answer") return undefined;
  for (const words of still.trace) await turn.note(words);
  return still.kind === "refuse" ? still.words : "I may no longer answer here.";
}

/** Words for why it must wait, where a budget is used up. Each question is counted once, however often it is begun. */
export async function whyOverBudget(turn: Turn): Promise<string | undefined> {
  const { context, question, progress } = turn;
  if (progress.counted === true) return undefined;
  const { store, config, now } = context;
  const allowance = await takeBudget({ store, limits: config.limits, now: now() }, askedWhere(question));
  if (allowance.allowed) {
    await turn.save({ counted: true });
    return undefined;
  }
  await turn.note(`The budget \`${allowance.which}\` is used up.`);
  return waitWords(allowance);
}

const askedWhere = (question: QuestionBody): AskedWhere => ({
  ...question,
  direct: isDirect(question),
  byProgram: question.botId !== undefined,
});

/** mrkdwn. */
function waitWords({ which, resetAt }: { which: keyof QuestionLimits; resetAt: number }): string {
  return budgetWords(which, dateMarkup(new Date(resetAt).toISOString()) ?? "a while");
}

/**
 * Why somebody may not ask this now, before anything of it is kept, and with nothing counted: `words` (mrkdwn) for them, or
 * none where nothing is said. Undefined: they may; its turn decides again.
 */
export async function whyNotAsked(
  context: BotContext,
  question: QuestionBody,
): Promise<{ readonly words?: string } | undefined> {
  const asked = { context, question, note: () => Promise.resolve() };
  const decision = await decisionFor(asked, { thread: { before: [] }, message: undefined }, true);
  if (decision.kind === "stay_out") return {};
  if (decision.kind === "refuse") return { words: decision.words };
  const { store, config, now } = context;
  const budget = await usedUpBudget({ store, limits: config.limits, now: now() }, askedWhere(question));
  return budget && { words: waitWords(budget) };
}

/** Characters of a question; more is material, and goes better as a file. */
const MAX_CHARACTERS = 16_000;
const TOO_LONG =
  "That is longer than a question can be (16,000 characters). Attach the long part as a text file, and ask about it in a sentence.";

/** Words for why a question cannot be asked as it is. */
export async function whyTooLong(turn: Turn, { message }: Surroundings): Promise<string | undefined> {
  if ((message?.text.length ?? 0) <= MAX_CHARACTERS) return undefined;
  await turn.note("The question is too long.");
  return TOO_LONG;
}
