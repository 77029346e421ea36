import type { ConversationsRepliesArguments, ConversationsRepliesResponse } from "@slack/web-api";
import { z } from "zod";
import type { Self } from "../read/self.ts";

/** `event_type` of the metadata every message of an answer carries in the end. */
export const ANSWER_EVENT = "threadlore_answer";

const markSchema = z.object({
  /** The task the answer is for. */
  task: z.string(),
  /** Which message of the answer it is, from 1. */
  part: z.number(),
  /** With this message the answer is complete and final. */
  last: z.boolean().default(false),
  /** The delivery that wrote it; absent in what an older version wrote. */
  run: z.string().optional(),
});
/** What the metadata says of a message of an answer. */
export type AnswerMark = Readonly<z.infer<typeof markSchema>>;

/** One of the bot's own messages, read back. */
export interface OwnMessage {
  readonly ts: string;
  /** For a streamed message: the markdown streamed so far. */
  readonly text: string;
  /** Absent: the message has no metadata, as a stream that is not stopped. */
  readonly mark?: AnswerMark;
  /** It is something else than an answer: its metadata says so, or it is made of blocks no open stream has. */
  readonly foreign: boolean;
}

/** What other messages of the bot are made of. A stream that is not stopped has text, tables and cards only. */
const POSTED_ONLY = new Set(["actions", "section", "context", "header", "input"]);

const replySchema = z.object({
  ts: z.string(),
  user: z.string().optional(),
  bot_id: z.string().optional(),
  text: z.string().default(""),
  blocks: z
    .array(z.object({ type: z.string() }))
    .default([])
    .catch([]),
  metadata: z
    .object({ event_type: z.string(), event_payload: z.record(z.string(), z.unknown()).default({}) })
    .optional()
    .catch(undefined),
});

/** Who the bot is. */
export type BotIdentity = Pick<Self, "userId" | "botId">;

/**
 * The bot's own messages in the thread, oldest first: those after a moment (a ts), or only the one with this ts, where it
 * still stands. `page` reads one page of the thread; what it throws is thrown.
 */
export async function ownMessages(
  page: (args: Omit<ConversationsRepliesArguments, "channel" | "ts">) => Promise<ConversationsRepliesResponse>,
  self: BotIdentity,
  which: { readonly after: string } | { readonly only: string },
): Promise<OwnMessage[]> {
  const window = "only" in which ? { oldest: which.only, latest: which.only } : { oldest: which.after };
  const isWanted = ({ ts }: OwnMessage): boolean => ("only" in which ? ts === which.only : isOlder(which.after, ts));
  const found: OwnMessage[] = [];
  const args = { ...window, inclusive: true, include_all_metadata: true, limit: 200 };
  let next = {};
  for (;;) {
    const { messages = [], response_metadata: rest } = await page({ ...args, ...next });
    // The thread's root comes with every page, however old.
    found.push(...messages.flatMap((raw) => ownMessage(raw, self) ?? []).filter(isWanted));
    const cursor = rest?.next_cursor ?? "";
    if (cursor === "") return found.toSorted(byAge);
    next = { cursor };
  }
}

/** Orders messages by age, the oldest first. */
export const byAge = (one: { readonly ts: string }, other: { readonly ts: string }): number =>
  isOlder(one.ts, other.ts) ? -1 : 1;

function ownMessage(raw: unknown, self: BotIdentity): OwnMessage | undefined {
  const parsed = replySchema.safeParse(raw);
  if (!parsed.success) return undefined;
  const { ts, user, bot_id: botId, text, blocks, metadata } = parsed.data;
  if (user !== self.userId && (botId === undefined || botId !== self.botId)) return undefined;
  const mark = metadata?.event_type === ANSWER_EVENT ? markSchema.safeParse(metadata.event_payload) : undefined;
  return {
    ts,
    text,
    ...(mark?.success === true ? { mark: mark.data } : {}),
    foreign: metadata === undefined ? blocks.some(({ type }) => POSTED_ONLY.has(type)) : mark?.success !== true,
  };
}

/** Whether one ts is older than another. They are seconds with a fraction, compared exactly. */
export const isOlder = (one: string, other: string): boolean => sortable(one) < sortable(other);

function sortable(ts: string): string {
  const [seconds = "", fraction = ""] = ts.split(".");
  return seconds.padStart(20, "0") + fraction.padEnd(9, "0");
}

/** Whether two texts say the same, whatever the platform made of markup and escapes: letters and digits in order. */
export function saysTheSame(one: string, other: string): boolean {
  return bare(one) === bare(other);
}

const bare = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt);/g, "").replaceAll(/[^\p{Letter}\p{Number}]/gu, "");
