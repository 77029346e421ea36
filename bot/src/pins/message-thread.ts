import type { ChatThread, ThreadMessage } from "@threadlore/documents";
import type { BotContext } from "../context.ts";
import { markdownOf, type Message, type Names, permalinkOf, someNames } from "@threadlore/documents/slack";
import type { Account, Place } from "../slack/read/people.ts";
import { readFirst, readOne, readUpTo, type RepliesReader } from "../slack/read/replies.ts";

/** Which message is to be kept, and on whose wish. */
export interface Wish {
  readonly place: Place;
  readonly ts: string;
  readonly by: Pick<Account, "name" | "email">;
  readonly how: "pinned" | "added" | "answer";
  /** Instead of the message's first line. */
  readonly title?: string;
}

/** More than a document holds; what comes after is said to be left out. */
const MAX_MESSAGES = 1_000;
/** How many messages before a kept reply tell what it replies to, besides the first. */
const MAX_BEFORE = 30;

/**
 * Reads a message with its thread: all of it for the message a thread began with, and for a reply what led up to it.
 * The bot's own answers are left out, or it would learn from itself; only one that was itself pinned is kept. `root`: of
 * the thread, when the message is a reply. Undefined: the message is gone. Rejects as the platform does.
 */
export async function readKept(
  bot: BotContext,
  { place, ts, by, how, title }: Wish,
): Promise<{ readonly thread: ChatThread; readonly root?: string } | undefined> {
  const { self } = bot;
  const reading = { bot, channel: place.id };
  const message = await readOne(reading, ts);
  if (message === undefined) return undefined;
  const root = message.threadTs === ts ? undefined : message.threadTs;
  const { messages, more, leftOut } = await (root === undefined ? wholeThread : replyWithThread)(reading, message);
  const said = messages.filter(({ isNotice }) => !isNotice);
  const others = said.filter((one) => one.ts === ts || !(one.user === self.userId || one.botId === self.botId));
  const read = others.filter(withinLength(ts));
  const thread = {
    ...(await someMessages(bot, place, read, ts)),
    keptBy: { name: by.name, email: by.email },
    how,
    leftOut,
    more: more || read.length < others.length,
    title,
  };
  return { thread, root };
}

/** Messages of a place as a thread, `ts` the one it is about. */
export async function someMessages(bot: BotContext, place: Place, read: readonly Message[], ts: string) {
  const { people, self } = bot;
  const names = someNames(people, MAX_NAMES);
  return {
    team: self.teamId,
    channel: { id: place.id, name: place.name, kind: KINDS[place.kind] },
    ts,
    messages: await Promise.all(read.map((one) => threadMessage(one, place, { people, self, names }))),
  };
}

async function wholeThread(reading: RepliesReader, first: Message) {
  const hasReplies = (first.replies ?? 0) > 0;
  const read = hasReplies ? await readFirst(reading, first.ts, MAX_MESSAGES) : { messages: [first], more: false };
  return { ...read, leftOut: 0 };
}

async function replyWithThread(reading: RepliesReader, reply: Message) {
  const { before, unread } = await readUpTo(reading, { threadTs: reply.threadTs ?? reply.ts, ts: reply.ts });
  const shown = before.length > MAX_BEFORE + 1 ? [...before.slice(0, 1), ...before.slice(-MAX_BEFORE)] : before;
  return { messages: [...shown, reply], more: false, leftOut: before.length - shown.length + unread };
}

/** Characters of a thread that are read; its replies come in a burst, and each may bring all of it up to date again. */
const MAX_CHARACTERS = 500_000;
/** Accounts and channels looked up for the mentions in one thread; further ones stay ids. Each may be a call. */
const MAX_NAMES = 300;

/** Whether a message still has room, asked of one after the other; the kept one always has. */
function withinLength(ts: string): (message: Message) => boolean {
  let characters = 0;
  return (message) => {
    if (message.ts !== ts && characters > MAX_CHARACTERS) return false;
    characters += message.words.length;
    return true;
  };
}

const KINDS: Readonly<Record<Place["kind"], ChatThread["channel"]["kind"]>> = {
  public: "public",
  private: "private",
  mpim: "group",
  im: "direct",
};

async function threadMessage(
  { ts, threadTs: root, editedTs, user, signature, words, quotes, files }: Message,
  place: Place,
  { people, self, names }: Pick<BotContext, "people" | "self"> & { names: Names },
): Promise<ThreadMessage> {
  const quoted = await Promise.all(
    quotes.map(async (quote) => ({ ...quote, text: await markdownOf(quote.text, names) })),
  );
  const account = user === "" ? undefined : await people.account(user);
  return {
    ts,
    author: { name: account?.name ?? signature ?? "an app", email: account?.email },
    text: await markdownOf(words, names),
    quotes: quoted,
    files: files.map(({ name }) => name),
    permalink: permalinkOf(self, place.id, ts, root),
    editedTs,
  };
}
