import type { AnyBlock } from "@slack/types";
import type { ChatPostEphemeralArguments, ChatPostMessageArguments, ChatUpdateArguments } from "@slack/web-api";

import type { Clients } from "./clients.ts";
import { BUDGETS } from "./limits.ts";
import { type Clock, pause, type Pacer } from "./pacing.ts";
import { ANSWER_EVENT, type AnswerMark, isOlder, type OwnMessage, ownMessages, readBack } from "./reconcile.ts";
import { MessageRefused, type Refusal, refusalOf, Unreachable, WorkspaceRevoked } from "./refusals.ts";

/** Where an answer goes, and to whom. */
export interface Place {
  readonly team: string;
  readonly channel: string;
  /** The thread's root: the question's own ts when the question is one. */
  readonly threadTs: string;
  /** The question's own ts: nothing older in the thread can belong to its answer. */
  readonly questionTs: string;
  /** Who asked; the platform needs it to stream outside direct conversations. Absent: the bot itself. */
  readonly recipientUserId?: string;
  /** The asker's own workspace. Absent: `team`. */
  readonly recipientTeamId?: string;
  /** Only the recipient sees the answer (ephemeral): never streamed, never found again. Default false. */
  readonly private?: boolean;
  /**
   * Somebody has replied in the thread. Before that, the platform shows nobody a message for one person in it; it
   * stands in the channel then. Default false.
   */
  readonly active?: boolean;
}

/** How a message came to be. */
export type How = "stream" | "post" | "plain" | "ephemeral";

/** One platform message: `blocks` are shown; `text` is the notification. */
export interface PostedMessage {
  readonly text: string;
  readonly blocks?: readonly AnyBlock[];
  /** The whole content without blocks, for where blocks are refused. Absent: what its blocks say. */
  readonly plain?: string;
}

/** A message known to be ours. */
export interface Shown {
  readonly ts: string;
  readonly how: How;
}

/** What posting needs. */
export interface PostingDeps {
  readonly clients: Clients;
  readonly pacer: Pacer;
  readonly clock: Clock;
  /** Who the bot is: its user id and its bot id. */
  readonly self: { readonly userId: string; readonly botId: string };
  /** The task the answer is for; goes into the metadata of every message. */
  readonly taskId: string;
  /** This delivery among all of the answer; goes into the metadata of every message. */
  readonly run: string;
  /** Awaited before each call that others can see the effect of. What it throws ends the delivery; the call is not made. */
  readonly guard: () => Promise<void>;
  /** Nothing is waited for any more, and no call is begun. */
  readonly leaving: AbortSignal;
  /** Hears of each message a call made, changed or deleted, or may have. */
  readonly touched: (ts: string) => void;
  /** Decision trace in plain words; never message text. */
  readonly note: (words: string) => void;
  /** How long to go on without an answer of the platform, milliseconds. */
  readonly patienceMs: number;
  /** How long a lost message may take to appear in its thread, milliseconds. */
  readonly settleMs: number;
}

/** The place or a message of ours is no more: the delivery ends quietly. */
export class PlaceGone extends Error {
  override readonly name = "PlaceGone";
  /** The platform's word for it. */
  readonly code: string;
  constructor(code: string) {
    super(`The place of the answer is no more (${code}).`);
    this.code = code;
  }
}

/** Whether a message was replaced; if not, whether its content or the replacing itself was refused. */
export type Replaced = "replaced" | "content" | "impossible";

/** A call's reply, or why there is none. */
export type Attempt<Reply> = { readonly reply: Reply } | { readonly refusal: Refusal };

/** Whole messages of one answer: posted, replaced, found again. Everything ends with exactly one of each. */
export interface Posting {
  /** A new span of patience begins. */
  begin(): void;
  /** What goes into the metadata of the last message: conversation ids; never secret, never text. */
  remember(fields: Readonly<Record<string, string | number | boolean>>): void;
  /** A post was repeated because the first was nowhere to be seen; it may appear yet. */
  isInDoubt(): boolean;
  /** Deletes messages of this answer that came to be after all although they were taken for lost. */
  sweep(shown: readonly Shown[], isLostStart: (message: OwnMessage) => boolean): Promise<void>;
  /** True when patience is over. */
  isLate(): boolean;
  /** Waits a little, longer each time. */
  backOff(tries: number): Promise<void>;
  /** As `PostingDeps.guard`. */
  guard(): Promise<void>;
  /** Makes a call, guarded; waits out 429s. @throws {WorkspaceRevoked} and what the guard throws */
  attempt<Reply>(method: string, run: () => Promise<Reply>): Promise<Attempt<Reply>>;
  /**
   * Delivers the messages: each replaces one of `slots`, the rest are posted, slots left over are deleted.
   * @throws {PlaceGone} {WorkspaceRevoked} {Unreachable} {MessageRefused}
   */
  deliver(messages: readonly PostedMessage[], options: DeliverOptions): Promise<Shown[]>;
  /** Replaces a message. Throws as `deliver`. */
  replace(ts: string, message: PostedMessage, mark: AnswerMark): Promise<Replaced>;
  /** Deletes a message of ours; it does not matter when that fails. */
  remove(ts: string): Promise<void>;
  /** Shows messages to the recipient only. Throws as `deliver`. */
  whisper(messages: readonly PostedMessage[], plain?: DeliverOptions["plain"]): Promise<Shown[]>;
  /**
   * Our messages in the thread since the question; undefined when they cannot be read. Waits for a read to succeed.
   * @throws {Unreachable}
   */
  own(): Promise<OwnMessage[] | undefined>;
  /** One message read back. */
  read(ts: string): Promise<OwnMessage | undefined>;
  /** Looks for a message until it may be taken that it never came to be. */
  seek(isIt: (message: OwnMessage) => boolean): Promise<OwnMessage | undefined>;
  /** What the metadata of a message says. */
  metadata(mark: AnswerMark): { event_type: string; event_payload: Record<string, string | number | boolean> };
}

/** How whole messages are delivered. */
export interface DeliverOptions {
  /** Messages to be replaced, in order. */
  readonly slots?: readonly Shown[];
  /** All of the messages without blocks, for when the blocks of the first are refused. */
  readonly plain?: () => readonly PostedMessage[];
  /** Number of the first message within the answer, from 1. */
  readonly firstPart: number;
  /** Called after each message, before the next is touched. */
  readonly shown: (message: Shown) => Promise<void>;
}

/** Makes the posting of one answer. */
export function createPosting(place: Place, deps: PostingDeps): Posting {
  const { clients, pacer, clock, note } = deps;
  const { team, channel, threadTs } = place;
  let until = clock.now() + deps.patienceMs;
  let remembered: Readonly<Record<string, string | number | boolean>> = {};
  /** A post was repeated because the first was nowhere to be seen. */
  let isInDoubt = false;

  const reading = () => ({ reads: clients.reads, pacer, team, channel, threadTs, self: deps.self, until });
  const isLate = (): boolean => clock.now() >= until;
  const backOff = (tries: number): Promise<void> => pause(clock, Math.min(8000, 250 * 2 ** tries), deps.leaving);

  async function call<Reply>(method: string, run: () => Promise<Reply>): Promise<Attempt<Reply>> {
    try {
      return { reply: await pacer.call({ team, method, channel }, run, { until, signal: deps.leaving }) };
    } catch (error) {
      const refusal = refusalOf(error, method, 0);
      if (refusal.kind === "revoked") throw new WorkspaceRevoked(refusal.code, { cause: error });
      if (refusal.kind === "limited") throw new Unreachable(method, { cause: error });
      return { refusal };
    }
  }

  /** Guarded when it is its turn: what was asked before a wait says nothing about the moment after it. */
  async function attempt<Reply>(method: string, run: () => Promise<Reply>): Promise<Attempt<Reply>> {
    const fence: { refused?: { readonly error: unknown } } = {};
    const guarded = async (): Promise<Reply> => {
      await deps.guard().catch((error: unknown) => {
        fence.refused = { error };
        throw error;
      });
      return run();
    };
    const result = await call(method, guarded);
    if (fence.refused !== undefined) throw fence.refused.error;
    return result;
  }

  function metadata(mark: AnswerMark) {
    const kept = mark.last ? remembered : {};
    return { event_type: ANSWER_EVENT, event_payload: { ...kept, ...mark, run: deps.run } };
  }

  async function readUntil<Found>(read: () => Promise<Found>): Promise<Found | undefined> {
    for (let tries = 0; ; tries += 1) {
      const result = await call("conversations.replies", read);
      if ("reply" in result) return result.reply;
      if (result.refusal.kind === "gone") throw new PlaceGone(result.refusal.code);
      if (result.refusal.kind !== "lost") {
        note(`The thread cannot be read (${result.refusal.code}), so it is not known what arrived.`);
        return undefined;
      }
      if (isLate() || deps.leaving.aborted) throw new Unreachable("conversations.replies");
      await backOff(tries);
    }
  }

  const own = (): Promise<OwnMessage[] | undefined> =>
    readUntil(async () =>
      (await ownMessages(reading(), place.questionTs)).filter(({ ts }) => isOlder(place.questionTs, ts)),
    );
  const read = (ts: string): Promise<OwnMessage | undefined> => readUntil(() => readBack(reading(), ts));

  async function seek(isIt: (message: OwnMessage) => boolean): Promise<OwnMessage | undefined> {
    // The second look is for what was still on its way inside the platform.
    for (const waitMs of [0, deps.settleMs]) {
      if (waitMs > 0) await pause(clock, waitMs);
      const found = (await own())?.find(isIt);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  const isPart = (mark: AnswerMark) => (message: OwnMessage) =>
    message.mark?.task === mark.task && message.mark.part === mark.part;

  /** Posts, once. `content`: it was refused as it is. */
  async function post(message: PostedMessage, mark: AnswerMark): Promise<Shown | "content"> {
    const how: How = message.blocks === undefined ? "plain" : "post";
    const args = {
      channel,
      thread_ts: threadTs,
      ...contentOf(message),
      unfurl_links: false,
      unfurl_media: false,
      metadata: metadata(mark),
    } as ChatPostMessageArguments;
    const { postMessage } = clients.posts.chat;
    for (let tries = 0; ; tries += 1) {
      const result = await attempt("chat.postMessage", () => postMessage(args));
      if ("reply" in result) {
        deps.touched(result.reply.ts ?? "");
        return { ts: result.reply.ts ?? "", how };
      }
      const { refusal } = result;
      if (refusal.kind === "gone") throw new PlaceGone(refusal.code);
      if (refusal.kind !== "lost") {
        if (how === "post") note(`Slack refused the message's blocks (${refusal.code}); it is posted as plain text.`);
        if (how === "post" || (refusal.kind === "content" && message.text.length > SHORT_TEXT)) return "content";
        throw new MessageRefused("chat.postMessage", refusal.code);
      }
      note("No answer to a post: looking in the thread whether it arrived.");
      const found = await seek(isPart(mark));
      if (found !== undefined) return { ts: found.ts, how };
      if (isLate()) throw new Unreachable("chat.postMessage");
      await backOff(tries);
      const late = (await own())?.find(isPart(mark));
      if (late !== undefined) return { ts: late.ts, how };
      isInDoubt = true;
    }
  }

  async function replace(ts: string, message: PostedMessage, mark: AnswerMark): Promise<Replaced> {
    const args = { channel, ts, blocks: [], ...contentOf(message), metadata: metadata(mark) } as ChatUpdateArguments;
    for (let tries = 0; ; tries += 1) {
      deps.touched(ts);
      const result = await attempt("chat.update", () => clients.posts.chat.update(args));
      if ("reply" in result) return "replaced";
      const { refusal } = result;
      if (refusal.kind === "gone") throw new PlaceGone(refusal.code);
      if (refusal.kind === "other" && refusal.code === "streaming_state_conflict" && tries < 3) {
        await attempt("chat.stopStream", () => clients.streaming.chat.stopStream({ channel, ts }));
        continue;
      }
      if (refusal.kind !== "lost") {
        note(`Slack will not have the message replaced (${refusal.code}).`);
        return refusal.kind === "content" ? "content" : "impossible";
      }
      // Replacing twice is replacing once.
      if (isLate()) throw new Unreachable("chat.update");
      await backOff(tries);
    }
  }

  async function remove(ts: string): Promise<void> {
    deps.touched(ts);
    await attempt("chat.delete", () => clients.posts.chat.delete({ channel, ts }));
  }

  async function sweep(shown: readonly Shown[], isLostStart: (message: OwnMessage) => boolean): Promise<void> {
    await pause(clock, deps.settleMs);
    const known = new Set(shown.map(({ ts }) => ts));
    for (const message of (await own()) ?? []) {
      if (known.has(message.ts) || message.foreign) continue;
      const isTwin = isInDoubt && message.mark?.task === deps.taskId;
      const isLost = message.mark === undefined && isLostStart(message);
      if (!isTwin && !isLost) continue;
      note("A message that was taken for lost is there after all; it is deleted.");
      const { ts } = message;
      if (isLost) await attempt("chat.stopStream", () => clients.streaming.chat.stopStream({ channel, ts }));
      await remove(ts);
    }
  }

  /** A message that is no more is no reason to leave its question without an answer: another takes its place. */
  async function replaceSlot(ts: string, message: PostedMessage, mark: AnswerMark): Promise<Replaced> {
    try {
      return await replace(ts, message, mark);
    } catch (error) {
      if (!(error instanceof PlaceGone) || error.code !== "message_not_found") throw error;
      note("A message of the answer was deleted; the answer is posted anew.");
      return "impossible";
    }
  }

  async function deliver(messages: readonly PostedMessage[], options: DeliverOptions): Promise<Shown[]> {
    const queue = [...messages];
    const slots = [...(options.slots ?? [])];
    const delivered: Shown[] = [];
    for (let message = queue.shift(); message !== undefined; message = queue.shift()) {
      const mark = { task: deps.taskId, part: options.firstPart + delivered.length, last: queue.length === 0 };
      const slot = slots[0];
      const replaced = slot === undefined ? undefined : await replaceSlot(slot.ts, message, mark);
      if (replaced === "impossible") {
        // It gives way to a new message, and with it those after it: a new one would stand below them.
        for (const { ts } of slots.splice(0)) await remove(ts);
        queue.unshift(message);
        continue;
      }
      const shown = slot === undefined ? await post(message, mark) : replaced === "replaced" ? slot : "content";
      if (shown === "content") {
        const whole = delivered.length === 0 && message.blocks !== undefined ? options.plain : undefined;
        if (whole === undefined) queue.unshift(...simpler(message));
        else queue.splice(0, queue.length, ...whole());
        continue;
      }
      slots.shift();
      delivered.push(shown);
      await options.shown(shown);
    }
    for (const slot of slots) await remove(slot.ts);
    return delivered;
  }

  async function whisper(messages: readonly PostedMessage[], plain?: DeliverOptions["plain"]): Promise<Shown[]> {
    const queue = [...messages];
    const delivered: Shown[] = [];
    let lost = 0;
    for (let message = queue.shift(); message !== undefined; message = queue.shift()) {
      const args = {
        channel,
        ...(place.active === true ? { thread_ts: threadTs } : {}),
        user: place.recipientUserId ?? "",
        ...contentOf(message),
      } as ChatPostEphemeralArguments;
      const result = await attempt("chat.postEphemeral", () => clients.posts.chat.postEphemeral(args));
      if ("reply" in result) {
        delivered.push({ ts: result.reply.message_ts ?? "", how: "ephemeral" });
        continue;
      }
      const { refusal } = result;
      if (refusal.kind === "gone") throw new PlaceGone(refusal.code);
      if (refusal.kind === "lost") {
        // Nobody can read such a message back. Seen twice by one person is better than never.
        if (isLate()) throw new Unreachable("chat.postEphemeral");
        await backOff((lost += 1));
        queue.unshift(message);
      } else if (message.blocks !== undefined) {
        if (delivered.length === 0 && plain !== undefined) queue.splice(0, queue.length, ...plain());
        else queue.unshift(...simpler(message));
      } else throw new MessageRefused("chat.postEphemeral", refusal.code);
    }
    return delivered;
  }

  return {
    begin() {
      until = clock.now() + deps.patienceMs;
    },
    remember(fields) {
      remembered = fields;
    },
    isInDoubt: () => isInDoubt,
    sweep,
    isLate,
    backOff,
    guard: deps.guard,
    attempt,
    deliver,
    replace,
    remove,
    whisper,
    own,
    read,
    seek,
    metadata,
  };
}

function contentOf(message: PostedMessage): { text: string; blocks?: AnyBlock[] } {
  return { text: message.text, ...(message.blocks === undefined ? {} : { blocks: [...message.blocks] }) };
}

/** A text this short is not made shorter when it is refused, characters. */
const SHORT_TEXT = 400;

/** A refused message as simpler ones: blocks become text, text is halved. */
function simpler(message: PostedMessage): PostedMessage[] {
  if (message.blocks === undefined) return textMessages(message.text, Math.ceil(message.text.length / 2));
  return textMessages(message.plain ?? (wordsOf(message.blocks) || message.text), BUDGETS.plainText);
}

function textMessages(text: string, most: number): PostedMessage[] {
  const parts: PostedMessage[] = [];
  let rest = text.trim();
  while (rest.length > most) {
    const head = rest.slice(0, most);
    const line = head.lastIndexOf("\n");
    const space = head.lastIndexOf(" ");
    let end = line > most / 2 ? line : space > 0 ? space : head.length;
    if ((rest.charCodeAt(end - 1) & 0xfc00) === 0xd800) end -= 1;
    parts.push({ text: rest.slice(0, end) });
    rest = rest.slice(end).trimStart();
  }
  if (rest !== "" || parts.length === 0) parts.push({ text: rest === "" ? "…" : rest });
  return parts;
}

/** What blocks say, as far as text can. */
function wordsOf(blocks: readonly AnyBlock[]): string {
  const words = blocks.map((block) => {
    if (!("text" in block)) return "";
    const { text } = block;
    return typeof text === "string" ? text : text === undefined ? "" : text.text;
  });
  return words.filter((each) => each !== "").join("\n\n");
}
