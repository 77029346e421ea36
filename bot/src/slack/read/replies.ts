import type { ConversationsRepliesArguments } from "@slack/web-api";
import { type Message, readMessage } from "@threadlore/documents/slack";
import { found, platformError, type Reading } from "./people.ts";

/** Where replies are read, and for how long a call waits for its turn. */
export interface RepliesReader {
  readonly bot: Reading;
  readonly channel: string;
  readonly signal?: AbortSignal;
}

/** A thread up to one of its messages, read from its end: the root, and the newest before the message. */
export type ThreadSoFar = Readonly<ReturnType<typeof upTo>>;

/** So many come with the first read: whole threads, nearly always. */
const PAGE = 200;
/** The most the platform gives at once. */
const WINDOW = 999;
/** How many a window is meant to hold: room for a thread that is not as even as it was taken to be. */
const WANTED = 400;
/** Fewer than these before a question, and a longer window is looked at, if there is one. */
const TOO_FEW = 40;
/** Windows looked at to find the newest messages; each is a call, and 50 a minute are allowed for all questions. */
const MAX_WINDOWS = 12;

const THREAD_GONE: ReadonlySet<string> = new Set(["thread_not_found", "message_not_found"]);

/**
 * Reads a thread up to and with the message `ts`: nothing that came later. The platform gives the oldest first, so that
 * of a long thread the end is looked for by time: two or three calls where people write evenly, more where nearly all came at once.
 * Rejects as the platform does where not even its first messages can be read.
 */
export async function readUpTo(reading: RepliesReader, thread: { threadTs: string; ts: string }): Promise<ThreadSoFar> {
  const { threadTs, ts } = thread;
  const first = await replies(reading, { ts: threadTs, latest: ts, limit: PAGE });
  // A thread can lose its root and still be there; the message itself tells.
  if (first === undefined) return upTo(threadTs === ts ? undefined : await readOne(reading, ts), []);
  const before = olderThan(ts, first.messages);
  if (!first.more) return upTo(withTs(ts, first.messages), before);
  try {
    return await readEnd(reading, thread, first.messages);
  } catch (error) {
    // Without an answer at all everything is begun anew later; a refusal would be the same then.
    if (platformError(error) === undefined) throw error;
    return upTo(undefined, before, gapOf(first.messages, before, ts), false);
  }
}

const WHOLE = { unread: 0, isRough: false };

function upTo(question: Message | undefined, before: readonly Message[], gap = WHOLE, isGone = question === undefined) {
  return {
    /** The message itself, as it is now; undefined: it was deleted, or could not be read. */
    question,
    /** It was deleted: what must hold it was read, and it was not there. */
    isGone,
    /** What stands before it, oldest first: the first message of the thread, then the newest. */
    before,
    /** How many stand between the first and the rest and were not read, because there are too many. */
    unread: gap.unread,
    /** `unread` counts some of what was written after the message, too: nobody tells them apart. */
    isRough: gap.isRough,
  };
}

/** A message by itself, wherever in its thread it stands; undefined: it was deleted. Rejects as the platform does. */
export async function readOne(reading: RepliesReader, ts: string, threadTs = ts): Promise<Message | undefined> {
  const read = await replies(reading, { ts: threadTs, oldest: ts, latest: ts, limit: 2 });
  return withTs(ts, read?.messages ?? []);
}

/** The first messages of a thread, its root included, in as few calls as there can be. */
export async function readFirst(reading: RepliesReader, threadTs: string, most: number) {
  const messages = new Map<string, Message>();
  let cursor: string | undefined;
  do {
    const page = await replies(reading, { ts: threadTs, limit: WINDOW, cursor });
    for (const message of page?.messages ?? []) messages.set(message.ts, message);
    cursor = page?.cursor;
  } while (cursor !== undefined && messages.size < most);
  return { messages: [...messages.values()].slice(0, most), more: cursor !== undefined || messages.size > most };
}

/** What was said in a thread after one of its messages, oldest first. Rejects as the platform does. */
export async function readSince(
  reading: RepliesReader,
  { threadTs, after }: { readonly threadTs: string; readonly after: string },
  most: number,
): Promise<readonly Message[]> {
  const messages = new Map<string, Message>();
  let cursor: string | undefined;
  do {
    const page = await replies(reading, { ts: threadTs, oldest: after, limit: WINDOW, cursor });
    for (const message of page?.messages ?? []) {
      if (Number(message.ts) > Number(after)) messages.set(message.ts, message);
    }
    cursor = page?.cursor;
  } while (cursor !== undefined && messages.size < most);
  return [...messages.values()].slice(0, most);
}

/** Undefined: there is no such thread. */
async function replies(
  { bot: { clients, pacer, self }, channel, signal }: RepliesReader,
  what: Omit<ConversationsRepliesArguments & { latest?: string; oldest?: string }, "channel" | "token">,
) {
  const read = () => clients.reads.conversations.replies({ channel, inclusive: true, ...what });
  const call = { team: self.teamId, method: "conversations.replies" };
  const reply = await found(pacer.call(call, read, { signal }), THREAD_GONE);
  if (reply === undefined) return undefined;
  const cursor = reply.response_metadata?.next_cursor || undefined;
  const more = reply.has_more === true || cursor !== undefined;
  return { messages: (reply.messages ?? []).map(readMessage), more, cursor };
}

/** The newest messages of a thread whose first ones are known. */
async function readEnd(
  reading: RepliesReader,
  { threadTs, ts }: { threadTs: string; ts: string },
  start: readonly Message[],
): Promise<ThreadSoFar> {
  const root = start.filter((message) => message.ts === threadTs);
  const last = start.at(-1)?.ts ?? threadTs;
  /** No window may begin before this: what stands there is read, and too far back. */
  let from = Number(last);
  let unread = Math.max(1, announcedBy(start) + 1 - start.length);
  let span = (Number(ts) - from) * (unread < WINDOW ? 1 : WANTED / unread);
  /** So long before the message there are too few. */
  let tooShort = 0;
  let best: readonly Message[] = [];
  /** The page that ended at `from`. */
  let earlier: readonly Message[] = [];
  for (let looks = 0; looks < MAX_WINDOWS; looks += 1) {
    const begins = Math.max(from, Number(ts) - span);
    const page = await replies(reading, { ts: threadTs, oldest: begins.toFixed(6), latest: ts, limit: WINDOW });
    if (page === undefined) break;
    const held = page.messages.filter((message) => message.ts !== threadTs);
    if (page.more) {
      // Too many: what is left begins where this page ends. Where they stand close together, page follows page.
      earlier = held;
      from = Number(held.at(-1)?.ts ?? begins);
      unread = Math.max(WANTED, unread - held.length);
      const guess = (Number(ts) - from) * Math.min(0.5, WANTED / unread);
      span = guess > tooShort ? guess : Number(ts) - from;
      continue;
    }
    const isNext = begins <= from;
    best = isNext ? [...earlier.slice(0, -1), ...held] : held;
    if (isNext || held.length > TOO_FEW) break;
    tooShort = span;
    span = looks === 0 || from === Number(last) ? span * 8 : Number(ts) - from;
  }
  if (best.length === 0) best = earlier;
  const question = withTs(ts, best) ?? (await readOne(reading, ts, threadTs));
  const newest = olderThan(ts, best);
  const isWhole = newest[0]?.ts !== undefined && Number(newest[0].ts) <= Number(last);
  if (isWhole) return upTo(question, [...start, ...newest.filter((one) => Number(one.ts) > Number(last))]);
  const known = [...root, ...newest];
  return upTo(question, known, gapOf(start, known, ts));
}

/** What of a thread is not among the messages before `ts` that were read. */
function gapOf(start: readonly Message[], known: readonly Message[], ts: string): typeof WHOLE {
  const latest = start.find(({ replies: count }) => count !== undefined)?.latestReply;
  // The root is no reply, and the message itself is one.
  return { unread: Math.max(0, announcedBy(start) - known.length), isRough: latest !== ts };
}

const withTs = (ts: string, messages: readonly Message[]): Message | undefined =>
  messages.find((message) => message.ts === ts && !message.isTombstone);

function olderThan(ts: string, messages: readonly Message[]): Message[] {
  return messages.filter((message) => message.ts !== "" && Number(message.ts) < Number(ts));
}

/** How many replies the thread has by now; the root says so. */
function announcedBy(messages: readonly Message[]): number {
  return Math.max(0, ...messages.map((message) => message.replies ?? 0));
}
