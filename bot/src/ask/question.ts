import * as z from "zod";
import type { BotContext } from "../context.ts";
import { ENTRIES } from "../rules/rules.ts";
import { placeOf } from "@threadlore/inbox";
import type { Destination } from "../slack/transport/calls.ts";

/** An attached file, as it is kept with a question. */
const KeptFile = z.object({
  id: z.string(),
  name: z.string(),
  mimetype: z.string(),
  size: z.number(),
  url: z.string().optional(),
  access: z.string().optional(),
});

/**
 * Everything needed to answer a question from nothing, kept in its task. JSON-safe. `ts` is the question's own message;
 * for a question that is no message (a command, a modal) it is made up, and `isMessage` false.
 */
export const QuestionBody = z.object({
  entry: z.enum(ENTRIES),
  team: z.string(),
  channel: z.string(),
  /** The event said that the channel is shared with another company; it may be newer than what the channel itself says. */
  shared: z.boolean().default(false),
  ts: z.string(),
  isMessage: z.boolean(),
  /** Root of the thread the answer goes to; for a channel's root question, its own ts. */
  threadTs: z.string(),
  /** The question stood in a thread: what was said there before goes with it. */
  inThread: z.boolean(),
  user: z.string(),
  /** The asker's own workspace, where it is another. */
  userTeam: z.string().optional(),
  botId: z.string().optional(),
  /** mrkdwn, as the event had it. */
  text: z.string(),
  files: z.array(KeptFile).default([]),
  /** Only the asker sees the answer. */
  private: z.boolean().default(false),
  /** Where an answer can still be shown to the asker when the bot is not in the channel: half an hour, five times. */
  responseUrl: z.string().optional(),
  /** The bot itself begins the thread, with these words (mrkdwn); `threadTs` is made up until then. */
  begins: z.string().optional(),
  /** Another message it is about (message shortcut): its ts; the thread is read up to and with it. */
  about: z.string().optional(),
  /** Somebody had replied to that message, or it is a reply itself. */
  aboutThread: z.boolean().default(false),
  /** The channel that was open beside the conversation with the bot. */
  looksAt: z.string().optional(),
  /** What the platform's search can be asked with for whoever asks; only where the rules turn that on. */
  actionToken: z.string().optional(),
  /** Asked again: the task of the answer, whose place in the conversation is taken again. */
  again: z.string().optional(),
  /** Asked again because the answer was not whole: it may be by now, and is then not asked for twice. */
  finishes: z.boolean().optional(),
  /** The task of the private answer that is shared: its asker's key is not used. */
  shares: z.string().optional(),
  /** That the bot itself kept who asks, where, and who reads the answer; absent: nobody can tell. */
  proof: z.string().optional(),
  /** More to the answer of this task, with the asker's own account: what that has and everybody may see is not shown. */
  more: z.string().optional(),
});
export type QuestionBody = z.infer<typeof QuestionBody>;
/** A question as a listener has it: what it leaves out has the defaults of {@link QuestionBody}. */
export type NewQuestion = z.input<typeof QuestionBody>;

/**
 * Keeps a question; it is durable when this resolves. False: it was known already. `key` is what makes two deliveries
 * one question.
 */
export function acceptQuestion(
  { inbox, accounts }: Pick<BotContext, "inbox" | "accounts">,
  question: NewQuestion,
  key: string,
  kind: "question" | "regenerate" = "question",
): Promise<boolean> {
  // What is made of a question nobody can vouch for is not vouched for either.
  const proof = question.proof === UNPROVEN ? UNPROVEN : accounts.mark(readersIn(question));
  const body = proof === undefined ? question : { ...question, proof };
  return inbox.accept({ key, kind, partitionKey: partitionKeyOf(question), body, place: traceOf(question) });
}

const UNPROVEN = "none";

/** Of a question, who asks and what decides who reads the answer. */
const readersIn = ({
  team,
  channel,
  user,
  userTeam = "",
  botId = "",
  entry,
  private: isPrivate = false,
  responseUrl = "",
}: NewQuestion): string[] => ["question", team, channel, user, userTeam, botId, entry, String(isPrivate), responseUrl];

/**
 * Whether the bot itself took this question in from the platform. Whoever can write to the database, and has not the secret,
 * cannot make one: it would be asked with anybody's own account, and answered wherever they like.
 */
export function isGenuine({ accounts }: Pick<BotContext, "accounts">, body: QuestionBody): boolean {
  return accounts.isMarked(body.proof, readersIn(body));
}

/** A question as it was kept, for what is to be made of it. */
export function keptQuestion(context: Pick<BotContext, "accounts">, body: unknown): QuestionBody {
  const question = QuestionBody.parse(body);
  return { ...question, proof: isGenuine(context, question) ? undefined : UNPROVEN };
}

/** Where it is kept what was done about a question. What is done for one person alone others do not read. */
export function traceOf(question: Pick<NewQuestion, "team" | "channel" | "ts" | "user" | "private" | "more">) {
  const place = placeOf(question);
  const isForOne = question.more !== undefined || question.private === true;
  return isForOne ? traceFor(place, question.user) : place;
}

/** Where it is kept what was done at a place for this person alone. */
export const traceFor = (place: string, user: string): string => `${place}:more:${user}`;

/** Whether nobody but the asker reads along: a conversation of one person with the bot. */
export function isDirect({ entry, channel }: Pick<QuestionBody, "entry" | "channel">): boolean {
  return entry === "dm" || entry === "agent" || channel.startsWith("D");
}

/** Whether there is a thread people see: the question is a reply, or what it is about has replies. */
export function hasActiveThread({ inThread, isMessage, aboutThread }: QuestionBody): boolean {
  return inThread && (isMessage || aboutThread);
}

/** Tasks of one thread run one after another. */
export function partitionKeyOf(question: Pick<QuestionBody, "team" | "channel" | "threadTs">): string {
  return `${question.team}:${question.channel}:${question.threadTs}`;
}

/** Marks a thread as one the bot was asked in, so that what follows there can be for it. Kept with the conversations. */
export function askedMark(question: Pick<QuestionBody, "team" | "channel" | "threadTs">): string {
  return `${partitionKeyOf(question)}:asked`;
}

/** Where it is kept who pressed Stop in a thread. */
export function stopMark(partitionKey: string): string {
  return `stopped by:${partitionKey}`;
}

/** Marks a question whose message was edited or deleted after its event. Kept with what is remembered. */
export function changedMark({ team, channel, ts }: { team: string; channel: string; ts: string }): string {
  return `changed:${team}:${channel}:${ts}`;
}

/** The question without the mention of the bot, still mrkdwn. */
export function withoutMention(text: string, self: string): string {
  return text
    .replaceAll(new RegExp(`<@${self}(\\|[^<>]*)?>`, "g"), " ")
    .replace(/[ \t]+/g, " ")
    .trim();
}

/** So much earlier than it says a made-up ts is taken to be: this machine's clock need not be the platform's. Seconds. */
const CLOCKS_APART_S = 600;

/** Where the answer to a question goes. */
export function placeOfAnswer(question: QuestionBody): Destination {
  const { team, channel, threadTs, begins, inThread, isMessage, user, userTeam } = question;
  const ts = isMessage ? question.ts : (Number(question.ts) - CLOCKS_APART_S).toFixed(6);
  return {
    team,
    channel,
    threadTs,
    questionTs: begins === undefined || inThread ? ts : threadTs,
    recipientUserId: user === "" ? undefined : user,
    recipientTeamId: userTeam,
    private: question.private,
    active: hasActiveThread(question),
  };
}
