import type { WebClient } from "@slack/web-api";
import type { ChatThread, ThreadMessage } from "@threadlore/documents";
import type { Self } from "../context.ts";
import { editedTsOf, fileNamesOf, isPinnedTo, quotesOf, type RawMessage, wordsOf } from "./message-text.ts";
import { markdownOf, type Names, someNames } from "./names.ts";
import { type Account, type People, type Place, platformError } from "./people.ts";

/** Which message is to be kept, and on whose wish. */
export interface Wish {
  readonly place: Place;
  readonly ts: string;
  readonly by: Pick<Account, "name" | "email">;
  readonly how: "pinned" | "added";
  /** Instead of the message's first line. */
  readonly title?: string;
}

/** What a message and its thread are now. */
export type Kept =
  | {
      readonly kind: "thread";
      readonly thread: ChatThread;
      /** Root of the thread, when the message is a reply. */
      readonly root?: string;
      /** What Slack says of the pin; undefined: it says nothing. */
      readonly pinned: boolean | undefined;
    }
  /** The message is gone. */
  | { readonly kind: "gone" };

/** What reading needs. */
export interface Reader {
  readonly client: WebClient;
  readonly people: People;
  readonly self: Self;
}

const PAGE = 200;
/** A thousand messages: more than a document holds. One call each; 50 a minute are allowed. */
const MOST_PAGES = 5;
/** How many messages before a kept reply tell what it replies to, besides the first. */
const MOST_BEFORE = 30;

/**
 * Reads a message with its thread: all of it for the message a thread began with, and for a reply what led up to it.
 * The bot's own answers are left out, or it would learn from itself; only one that was itself pinned is kept.
 * Rejects as the platform does.
 */
export async function readKept(reader: Reader, wish: Wish): Promise<Kept> {
  const { place, ts } = wish;
  const found = await readMessages(reader.client, place.id, ts);
  const message = found.messages.find((one) => one.ts === ts);
  if (message === undefined || isGone(message)) return { kind: "gone" };
  const pinned = isPinnedTo(message, place.id);
  const root = message.thread_ts;
  if (root === undefined || root === ts) {
    return { kind: "thread", pinned, thread: await threadOf(reader, wish, { ...found, leftOut: 0 }) };
  }
  const whole = await readMessages(reader.client, place.id, root, ts);
  const before = whole.messages.filter((one) => Number(one.ts) < Number(ts));
  const shown = before.length > MOST_BEFORE + 1 ? [...before.slice(0, 1), ...before.slice(-MOST_BEFORE)] : before;
  const messages = [...shown, message];
  const thread = await threadOf(reader, wish, { messages, leftOut: before.length - shown.length, more: false });
  return { kind: "thread", pinned, root, thread };
}

/** Address of a message, as Slack writes it. */
function permalinkOf(self: Self, channel: string, ts: string, root?: string): string {
  const address = `${self.url.replace(/\/$/, "")}/archives/${channel}/p${ts.replace(".", "")}`;
  return root === undefined || root === ts ? address : `${address}?thread_ts=${root}&cid=${channel}`;
}

interface Messages {
  readonly messages: readonly RawMessage[];
  /** There are more than were read. */
  readonly more: boolean;
}

async function readMessages(client: WebClient, channel: string, ts: string, latest?: string): Promise<Messages> {
  const messages = new Map<string, RawMessage>();
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const request = client.conversations.replies({
      channel,
      ts,
      limit: PAGE,
      ...(latest !== undefined && { latest, inclusive: true }),
      ...(cursor !== undefined && { cursor }),
    });
    const reply = await request.catch((error: unknown) => {
      if (GONE.has(platformError(error) ?? "")) return undefined;
      throw error;
    });
    for (const message of reply?.messages ?? []) messages.set(message.ts ?? "", message);
    cursor = reply?.response_metadata?.next_cursor || undefined;
    if (cursor === undefined) return { messages: [...messages.values()], more: false };
  }
  return { messages: [...messages.values()], more: true };
}

const GONE: ReadonlySet<string> = new Set(["thread_not_found", "message_not_found"]);

function isGone({ subtype }: RawMessage): boolean {
  // What is left in place of a deleted message that has replies.
  return subtype === "tombstone";
}

/** Subtypes that are something said; all others are notices of the platform. */
const SPOKEN: ReadonlySet<string> = new Set(["file_share", "thread_broadcast", "bot_message", "me_message"]);

async function threadOf(
  reader: Reader,
  { place, ts, by, how, title }: Wish,
  { messages, more, leftOut }: Messages & { leftOut: number },
): Promise<ChatThread> {
  const { self } = reader;
  const said = messages.filter(({ subtype }) => subtype === undefined || SPOKEN.has(subtype));
  const others = said.filter((one) => one.ts === ts || !(one.user === self.userId || one.bot_id === self.botId));
  const read = others.filter(withinLength(ts));
  const names = someNames(reader.people, MOST_NAMES);
  return {
    team: self.teamId,
    channel: { id: place.id, name: place.name, kind: KINDS[place.kind] },
    ts,
    messages: await Promise.all(read.map((one) => threadMessage(one, place, { ...reader, names }))),
    keptBy: personOf(by),
    how,
    leftOut,
    more: more || read.length < others.length,
    ...(title !== undefined && { title }),
  };
}

/** Characters of a thread that are read; its replies come in a burst, and each may bring all of it up to date again. */
const MOST_CHARACTERS = 500_000;
/** Accounts and channels looked up for the mentions in one thread; further ones stay ids. Each may be a call. */
const MOST_NAMES = 300;

/** Whether a message still has room, asked of one after the other; the kept one always has. */
function withinLength(ts: string): (message: RawMessage) => boolean {
  let characters = 0;
  return (message) => {
    if (message.ts !== ts && characters > MOST_CHARACTERS) return false;
    characters += wordsOf(message).length;
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
  message: RawMessage,
  place: Place,
  { people, self, names }: Pick<Reader, "people" | "self"> & { names: Names },
): Promise<ThreadMessage> {
  const { ts = "", thread_ts: root } = message;
  const editedTs = editedTsOf(message);
  const quotes = await Promise.all(
    quotesOf(message).map(async (quote) => ({ ...quote, text: await markdownOf(quote.text, names) })),
  );
  return {
    ts,
    author: await authorOf(message, people),
    text: await markdownOf(wordsOf(message), names),
    quotes,
    files: fileNamesOf(message),
    permalink: permalinkOf(self, place.id, ts, root),
    ...(editedTs !== undefined && { editedTs }),
  };
}

async function authorOf(
  { user, username, bot_profile: bot }: RawMessage,
  people: People,
): Promise<ThreadMessage["author"]> {
  const account = user === undefined ? undefined : await people.account(user);
  if (account !== undefined) return personOf(account);
  const name: unknown = typeof bot === "object" && bot !== null ? Reflect.get(bot, "name") : undefined;
  return { name: username ?? (typeof name === "string" ? name : "an app") };
}

function personOf({ name, email }: Pick<Account, "name" | "email">): { name: string; email?: string } {
  return { name, ...(email !== undefined && { email }) };
}
