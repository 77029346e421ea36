import type { BotContext } from "../context.ts";
import type { QuestionBody } from "../ask/question.ts";
import { type Asker, type ChannelFacts, groupsToLookUp, type Situation, type ThreadFacts } from "./rules.ts";
import { isByProgram, isOwn, type Message } from "../slack/read/message.ts";
import { textFacts } from "./text-facts.ts";

/** What the rules decide a question from: looked up, not believed. `fresh`: nothing remembered is used for the channel. */
export async function situationOf(
  context: Pick<BotContext, "people" | "rules" | "self">,
  question: QuestionBody,
  known: { thread?: ThreadFacts; fresh?: boolean },
): Promise<Situation> {
  const { people, rules, self } = context;
  const [channel, account] = await Promise.all([
    channelFacts(context, question, known.fresh === true),
    question.botId === undefined && question.user !== "" ? people.account(question.user) : undefined,
  ]);
  const byProgram = isByProgram(question) || account?.kind === "bot";
  const wanted = groupsToLookUp(rules(), channel);
  const groups = wanted.length === 0 || byProgram ? [] : await people.groupsOf(question.user, wanted);
  const isElsewhere = question.userTeam !== undefined && question.userTeam !== self.teamId;
  const kind = byProgram ? "bot" : isElsewhere ? "stranger" : (account?.kind ?? "unknown");
  return situation(self, question, { channel, kind, groups, thread: known.thread });
}

/** What an event alone tells of a question, and where it does not tell, whatever lets it be asked. */
export function assumedSituation(
  { self, rules }: Pick<BotContext, "self" | "rules">,
  question: QuestionBody,
  event: { channelKind: ChannelFacts["kind"]; byProgram: boolean; thread: ThreadFacts },
): Situation {
  const channel = { id: question.channel, kind: event.channelKind, shared: false };
  return situation(self, question, {
    channel,
    kind: event.byProgram ? "bot" : "member",
    groups: groupsToLookUp(rules(), channel),
    thread: question.inThread ? event.thread : undefined,
  });
}

function situation(
  self: BotContext["self"],
  question: QuestionBody,
  { channel, kind, groups, thread }: Pick<Situation, "channel" | "thread"> & Pick<Asker, "kind" | "groups">,
): Situation {
  const { entry, user, botId, text, files } = question;
  return {
    entry,
    channel,
    user: { id: user, kind, self: isOwn(question, self), botId, groups },
    thread,
    text: textFacts(text, { botUserId: self.userId, botName: self.name, files: files.length }),
  };
}

async function channelFacts(
  { people }: Pick<BotContext, "people">,
  question: QuestionBody,
  fresh: boolean,
): Promise<ChannelFacts> {
  const place = await people.place(question.channel, { fresh });
  if (place !== undefined) return { ...place, shared: place.shared || question.shared };
  const direct = question.entry === "dm" || question.entry === "agent" || question.channel.startsWith("D");
  // In its own direct conversations the bot needs no look: nobody else reads there.
  return { id: question.channel, kind: direct ? "im" : "private", shared: direct ? false : "unknown" };
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
