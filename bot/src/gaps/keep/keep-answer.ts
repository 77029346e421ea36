import type { ChatThread } from "@threadlore/documents";
import type { Message } from "@threadlore/documents/slack";
import type { KeptAnswer } from "@threadlore/inbox";
import type { BotContext } from "../../context.ts";
import { someMessages } from "../../pins/message-thread.ts";
import { isMember } from "../../pins/pin-notices.ts";
import type { PinDecision } from "../../pins/pin-rules.ts";
import { settingsFor } from "../../rules/rules.ts";
import type { Account, Place } from "../../slack/read/people.ts";
import { readSince } from "../../slack/read/replies.ts";
import { askedAlike } from "./asked-alike.ts";
import { decideKeep, ruleOf } from "./keep-rules.ts";

/** Messages of everybody that are read to find one person's: more than a thread has in which one question is answered. */
const MAX_MESSAGES = 5_000;

/** Whether this person's own reply may be kept in this place. `under`: of a direct message, whose rules hold. */
export async function decideKeepFor(bot: BotContext, place: Place, by: string, under?: string): Promise<PinDecision> {
  const account = await bot.people.account(by);
  const user = { id: by, kind: account?.kind ?? ("unknown" as const), self: by === bot.self.userId };
  const isHelper = await isNamed(bot, ruleOf(place, under), by);
  const decision = decideKeep(bot.rules(), { channel: place, user, isHelper, under });
  if (decision.kind === "refuse" || (await isMember(bot.clients.reads, place.id, by))) return decision;
  return {
    kind: "refuse",
    code: "not_allowed",
    words: "Only members of a channel can have their answers kept. Join it, then try again.",
    trace: [...decision.trace, `${by} is not a member of the channel.`, "So nothing is kept."],
  };
}

/** Whether the place's rules name them as a helper, by themselves or by a group. */
async function isNamed(bot: BotContext, place: Pick<Place, "id" | "kind">, user: string): Promise<boolean> {
  const { helpers } = settingsFor(bot.rules(), place);
  const groups = helpers.filter((one) => one.startsWith("S"));
  return helpers.includes(user) || ((groups.length > 0 && (await bot.people.groupsOf(user, groups))) || []).length > 0;
}

/** What somebody wrote in a thread after a message of it, oldest first; `until`: with this one at last. Rejects as the platform does. */
export async function wordsOf(
  bot: BotContext,
  { channel, thread, after, until }: { channel: string; thread: string; after: string; until?: string },
  owner: string,
): Promise<readonly Message[]> {
  const messages = await readSince({ bot, channel }, { threadTs: thread, after }, MAX_MESSAGES);
  const isIn = ({ ts }: Message): boolean => until === undefined || Number(ts) <= Number(until);
  return messages.filter((one) => one.user === owner && !one.isNotice && !one.isTombstone && isIn(one));
}

/**
 * A kept answer as it reads now: its owner's messages, as far as they agreed to, under the question. Undefined: the reply is
 * gone. Rejects as the platform does.
 */
export async function readAnswer(
  bot: BotContext,
  { place, kept, by }: { place: Place; kept: KeptAnswer; by: Pick<Account, "name" | "email"> },
): Promise<{ readonly thread: ChatThread; readonly root: string } | undefined> {
  const { ts, thread: root, until, question } = kept;
  const before = (Number(ts) - 0.000_001).toFixed(6);
  const words = await wordsOf(bot, { channel: place.id, thread: root, after: before, until }, kept.owner);
  // Whoever deletes the reply takes the answer back.
  if (!words.some((one) => one.ts === ts)) return undefined;
  const thread = await someMessages(bot, place, words, ts);
  const owner = `${bot.self.teamId}:${kept.owner}`;
  const answer = { question, owner, keptAt: kept.keptAt, askedAs: await askedAlike(bot, kept) };
  const keptBy = { name: by.name, email: by.email };
  return { thread: { ...thread, keptBy, how: "answer", title: question, answer }, root };
}

/** Whether there is something to read in it: a file or a picture alone is nothing that could be found. */
export const hasWords = (messages: readonly Message[]): boolean =>
  messages.some(({ words, quotes }) => words.trim() !== "" || quotes.some(({ text }) => text.trim() !== ""));
