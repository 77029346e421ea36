import { type ChatThread, documentFromThread, EmptyThreadError, threadId } from "@threadlore/documents";
import * as z from "zod";
import type { BotContext } from "../context.ts";
import type { RunResult } from "../inbox/task-run.ts";
import { decidePin, type PinDecision } from "./pin-rules.ts";
import { canBeFound, hashOf, keepingServer, sendDocument, type Sent, SETUP, withdrawDocument } from "./pin-server.ts";
import { placeOf } from "../inbox/task-key.ts";
import { tellOperator } from "../knowledge-server/server-trouble.ts";
import { readKept } from "./message-thread.ts";
import { type Place, platformError } from "../slack/read/people.ts";
import { mark, RATE_LIMITED } from "./pin-marks.ts";
import { isMember, noticeOnce, tell, tellOnce } from "./pin-notices.ts";
import type { Outcome, PinRecord } from "../inbox/store/store.ts";

/** What a task of the kinds pin, unpin, edit and add is about. */
export const PinWork = z.object({
  channel: z.string(),
  ts: z.string(),
  /** Who pinned, added or unpinned it; absent for edits and what was found missing. */
  by: z.string().optional(),
  /** When, by the platform's clock, milliseconds since 1970. */
  moment: z.number(),
  /** Slack's own list of pins said so just now: no older event can be meant. */
  certain: z.boolean().optional(),
  /** Wait until then, milliseconds since 1970: more of the same may follow. */
  notBefore: z.number().optional(),
  title: z.string().optional(),
  why: z.enum(["unpinned", "deleted", "removed"]).optional(),
});
export type PinWork = z.infer<typeof PinWork>;

const MINUTE = 60_000;
/** Between two attempts at a server that does not answer. */
const LONGEST_WAIT_MS = 2 * MINUTE;
/** Until a mark is taken back again when the platform allowed no more. */
const MARK_AGAIN_MS = 20_000;

/**
 * Makes a document of a message, or brings its document up to date. Safe to do any number of times. `attempt` counts
 * from 1. Rejects as the platform does when it cannot be read; then it is to be done again.
 */
export async function keepMessage(
  bot: BotContext,
  kind: "pin" | "add" | "edit",
  work: PinWork,
  run: { attempt: number; signal?: AbortSignal },
): Promise<RunResult> {
  const { store, people, config, self } = bot;
  const { channel, ts } = work;
  const before = await store.findPin(channel, ts);
  if (kind === "edit" && (before === undefined || before.state === "tombstone"))
    return stayOut(bot, work, "It is not kept.");
  if (isOutdated(before, work)) return stayOut(bot, work, "Something newer happened to this message since.");
  const by = kind === "edit" ? (before?.by ?? "") : (work.by ?? before?.by ?? "");
  const place = await people.place(channel, { fresh: true });
  if (place === undefined) return stayOut(bot, work, "The bot cannot see this channel.");
  const decision = await decided(bot, place, by);
  await note(bot, work, ...decision.trace);
  // Whose wish it was may have left since; that a channel opted in must hold at every send.
  const mayStill = kind === "edit" && decision.kind === "refuse" && decision.code === "not_allowed";
  if (decision.kind === "refuse" && !mayStill) return refuse(bot, kind, work, decision);
  const account = await people.account(by);
  const how = before?.how === "added" || kind === "add" ? "added" : "pinned";
  const kept = await readKept(
    {
      client: bot.clients.reads,
      people,
      self,
      paced: (call) => bot.pacer.call({ team: self.teamId, method: "conversations.replies" }, call),
    },
    { place, ts, by: account ?? { name: by }, how, ...titleOf(work, before, how) },
  );
  if (kept.kind === "gone") return dropMessage(bot, { ...work, why: "deleted", certain: true }, run);
  // Reading takes a while; the rules hold at the moment of sending.
  const still = decidePin(bot.rules(), { channel: place, user: { id: by, kind: account?.kind ?? "unknown" } });
  if (still.kind === "refuse" && decision.kind === "keep") return refuse(bot, kind, work, still);
  const pair = (decision.kind === "keep" ? decision.pair : before?.pair) ?? config.pair;
  const record: PinRecord = {
    team: self.teamId,
    channel,
    ts,
    documentId: threadId(self.teamId, channel, ts),
    ...(before?.serverId !== undefined && { serverId: before.serverId }),
    ...(before?.hash !== undefined && { hash: before.hash }),
    ...(wasThere(before) && { acknowledged: true }),
    state: "waiting",
    by,
    how,
    title: "",
    moment: Math.max(work.moment, before?.moment ?? 0),
    updatedAt: bot.now(),
    ...(kept.root !== undefined && { root: kept.root }),
    ...(pair !== null && pair !== undefined && { pair }),
  };
  return send(bot, { record, before, thread: kept.thread, pair, place }, run);
}

interface Sending {
  readonly record: PinRecord;
  readonly before: PinRecord | undefined;
  readonly thread: ChatThread;
  /** Undefined: nobody ever decided where kept messages go. */
  readonly pair: number | null | undefined;
  readonly place: Place;
}

async function send(
  bot: BotContext,
  sending: Sending,
  run: { attempt: number; signal?: AbortSignal },
): Promise<RunResult> {
  const { before, thread, pair, place } = sending;
  const made = documentOf(thread);
  // What people have emptied must not be found any more.
  if (made === undefined && before?.hash !== undefined) {
    const { channel, ts, by, moment = 0 } = sending.record;
    return dropMessage(bot, { channel, ts, by, moment, certain: true, why: "removed" }, run);
  }
  if (made === undefined) return fail(bot, sending.record, before, new EmptyThreadError().message);
  const { document } = made;
  const permalink = document.sections[0]?.link ?? undefined;
  const titled = {
    ...sending.record,
    title: document.semantic_identifier,
    ...(permalink !== undefined && { permalink }),
  };
  if (pair === undefined) return fail(bot, titled, before, SETUP, NO_PAIR);
  const record = { ...titled, hash: await hashOf(document, pair) };
  if (before?.hash === record.hash && (before.state === "accepted" || before.state === "indexed")) {
    // Read again: what the server told of it meanwhile stays.
    const now = await bot.store.findPin(record.channel, record.ts);
    if (now !== undefined && now.moment !== record.moment) await bot.store.savePin({ ...now, moment: record.moment });
    return stayOut(bot, record, "It is kept already, as it reads now.", "done");
  }
  // Before anything is sent: whoever reads the channel knows what becomes of pins in it.
  // What somebody adds by hand they have just been shown; the notice is about pins.
  if (record.how === "pinned") await noticeOnce(bot, place);
  const sends = before?.state === "unconfirmed" && before.hash === record.hash ? (before.sends ?? 1) : 0;
  const sendable = { document, pair, sends, known: record.acknowledged === true };
  const server = keepingServer(bot.servers);
  if (sends > 0 && (await canBeFound(server, sendable, run.signal))) return found(bot, record, before);
  // What may have reached the server is remembered first, so that it can always be taken back.
  const still = before?.state === "failed" || sends > 0 ? before : undefined;
  await bot.store.savePin({ ...record, state: "waiting", ...(still !== undefined && stateOf(still)) });
  const sent = await sendDocument(server, sendable, run.signal);
  if (sent.kind === "again" && sends > 0) return unconfirmed(bot, record, before, sends);
  if (sent.kind === "again") return again(bot, record, sent, run.attempt);
  if (sent.kind === "failed") return fail(bot, record, before, sent.words, sent.fix);
  if (sent.kind === "unconfirmed") return unconfirmed(bot, { ...record, ...idOf(sent) }, before, sends + 1);
  if (sent.isSeen === true) return found(bot, { ...record, ...idOf(sent) }, before);
  const accepted: PinRecord = { ...record, state: "accepted", acknowledged: true, updatedAt: bot.now(), ...idOf(sent) };
  // Shown first: once it is saved, whoever watches the index may show the next state.
  await show(bot, accepted, before);
  await bot.store.savePin(accepted);
  bot.metrics.ingestion("accepted");
  await note(bot, record, `The knowledge server took it as ${sent.serverId ?? record.documentId}.`);
  return "done";
}

/** The document can be found there. */
async function found(bot: BotContext, record: PinRecord, before: PinRecord | undefined): Promise<RunResult> {
  const indexed: PinRecord = { ...record, state: "indexed", acknowledged: true, updatedAt: bot.now() };
  await show(bot, indexed, before);
  await bot.store.savePin(indexed);
  bot.metrics.ingestion("indexed");
  await note(bot, record, "It can be found now.");
  return "done";
}

/** The server took it, and it is not there: it is looked for and sent again, the later the more often that was. */
async function unconfirmed(
  bot: BotContext,
  record: PinRecord,
  before: PinRecord | undefined,
  sends: number,
): Promise<RunResult> {
  const { first, longest } = bot.patience.confirm ?? CONFIRM;
  const due = bot.now() + Math.min(longest, first * 2 ** Math.min(sends - 1, 20));
  const saved: PinRecord = {
    ...record,
    state: "unconfirmed",
    reason: NOT_FOUND,
    sends,
    due,
    updatedAt: bot.now(),
  };
  await show(bot, saved, before);
  await bot.store.savePin(saved);
  bot.metrics.ingestion("unconfirmed");
  await note(bot, record, "The knowledge server took it, and does not find it yet. It is sent again.");
  // What takes a while to be found is usually there by then.
  if (sends === 2) {
    await tellOperator(bot, record, NOT_INDEXING);
    await tellOnce(bot, { channel: record.channel, user: record.by, what: "unconfirmed" }, NOT_FOUND);
  }
  return "done";
}

/** Pauses before a document is sent again, milliseconds; each twice as long as the one before. */
const CONFIRM = { first: 30_000, longest: 30 * MINUTE };
const NOT_FOUND = "The knowledge server took this, but it cannot be found there yet. I send it again until it can.";
const NOT_INDEXING =
  "The knowledge server takes documents and does not make them findable. See whether its indexing works (the embedding " +
  "model, the index). They are sent again by themselves until they are found.";

/** What a message that is sent again shows meanwhile. */
function stateOf({ state, reason, sends, due }: PinRecord): Partial<PinRecord> {
  return {
    state,
    ...(reason !== undefined && { reason }),
    ...(sends !== undefined && { sends }),
    ...(due !== undefined && { due }),
  };
}

/** Whether the server is known to have had the document, perhaps as it was before. */
function wasThere(before: PinRecord | undefined): boolean {
  return before?.acknowledged === true || before?.state === "accepted" || before?.state === "indexed";
}

/**
 * Takes a message's document back: it was unpinned, deleted or removed by hand. Safe to do any number of times; what
 * was never kept stays untouched.
 */
export async function dropMessage(
  bot: BotContext,
  work: PinWork,
  run: { attempt: number; signal?: AbortSignal },
): Promise<RunResult> {
  const { store, self } = bot;
  const { channel, ts, why = "unpinned" } = work;
  const before = await store.findPin(channel, ts);
  if (before === undefined) {
    // Its pin may still be on the way: events come in any order.
    await store.savePin(emptied({ team: self.teamId, channel, ts, by: "", state: "tombstone" }, work, bot.now()));
    return "stayed_out";
  }
  if (isOutdated(before, work)) return stayOut(bot, work, "Something newer happened to this message since.");
  if (before.state === "tombstone") {
    await store.savePin({ ...before, moment: Math.max(work.moment, before.moment ?? 0) });
    return "done";
  }
  if (before.how === "added" && why === "unpinned") {
    return stayOut(bot, work, "It was added by hand, so unpinning does not remove it.");
  }
  // Without a hash nothing was ever sent.
  if (before.hash !== undefined) {
    const place = await bot.people.place(channel);
    const kind = place?.kind === "public" ? "public" : "private";
    const stone = {
      team: self.teamId,
      channel: { id: channel, name: place?.name ?? "", kind },
      ts,
      why,
      at: bot.now(),
    } as const;
    const serverId = before.serverId ?? before.documentId;
    const pair = before.pair ?? bot.config.pair ?? null;
    const sent = await withdrawDocument(keepingServer(bot.servers), { serverId, stone, pair }, run.signal);
    if (sent.kind === "again") return again(bot, before, sent, run.attempt, "removed");
    if (sent.kind === "failed") {
      await store.savePin({ ...before, reason: `It could not be removed. ${sent.words}`, updatedAt: bot.now() });
      await note(bot, work, "Its document could not be removed.", sent.words);
      await tellOnce(bot, { channel, user: work.by ?? before.by, what: `drop:${ts}` }, COULD_NOT_REMOVE + sent.words);
      return "failed";
    }
  }
  if (why !== "deleted") {
    const refusal = await mark(bot, before, { to: "tombstone", from: before.state });
    // Its text is gone already; to take it back again does nothing.
    if (refusal === RATE_LIMITED) return { later: bot.now() + MARK_AGAIN_MS };
  }
  await store.savePin(emptied({ ...before, state: "tombstone" }, work, bot.now()));
  bot.metrics.ingestion("tombstone");
  await note(bot, work, `It was ${why}; its document is removed.`);
  return "done";
}

const NO_PAIR =
  "Nobody has decided yet where kept messages go, and nothing is put where everybody can read it unasked. " +
  "Set THREADLORE_PAIR to the number of a connector pair (or to `none`, for the server's public default) and start the bot again.";
const COULD_NOT_REMOVE = "What was kept of this message could not be removed. ";

/** What is still known of a message that is no longer kept: that it is not. */
function emptied(
  pin: Pick<PinRecord, "team" | "channel" | "ts" | "by" | "state"> & Partial<PinRecord>,
  work: PinWork,
  now: number,
): PinRecord {
  const { team, channel, ts, by, state } = pin;
  const moment = Math.max(work.moment, pin.moment ?? 0);
  return { team, channel, ts, by, state, documentId: threadId(team, channel, ts), title: "", moment, updatedAt: now };
}

/** Whether an event tells of something that a newer one has undone already. */
function isOutdated(before: PinRecord | undefined, work: PinWork): boolean {
  return work.certain !== true && before?.moment !== undefined && work.moment < before.moment;
}

function titleOf(work: PinWork, before: PinRecord | undefined, how: "pinned" | "added"): { title?: string } {
  // Only what was added by hand has a title of its own; a pin's follows its first line.
  const title = work.title ?? (how === "added" ? before?.title : undefined);
  return title === undefined || title === "" ? {} : { title };
}

function documentOf(thread: ChatThread): ReturnType<typeof documentFromThread> | undefined {
  try {
    return documentFromThread(thread);
  } catch (error) {
    if (error instanceof EmptyThreadError) return undefined;
    throw error;
  }
}

function idOf(sent: { serverId?: string }): { serverId?: string } {
  return sent.serverId === undefined ? {} : { serverId: sent.serverId };
}

/** Whether this person's wish counts in this place; the same for pins, the shortcut and the preview of either. */
export async function decided(bot: BotContext, place: Place, by: string): Promise<PinDecision> {
  const account = await bot.people.account(by);
  const kind = account?.kind ?? "unknown";
  const decision = decidePin(bot.rules(), { channel: place, user: { id: by, kind, self: by === bot.self.userId } });
  if (decision.kind === "refuse" || (await isMember(bot.clients.reads, place.id, by))) return decision;
  return {
    kind: "refuse",
    code: "not_allowed",
    words: "Only members of a channel can have its messages kept. Join it, then try again.",
    trace: [...decision.trace, `${by} is not a member of the channel.`, "So nothing is kept."],
  };
}

async function refuse(
  bot: BotContext,
  kind: "pin" | "add" | "edit",
  work: PinWork,
  decision: Extract<PinDecision, { kind: "refuse" }>,
): Promise<RunResult> {
  const { channel, by = "" } = work;
  // People pin everywhere; only where pins are kept is it news that this one is not.
  const silent = kind === "edit" || (kind === "pin" && decision.code !== "not_allowed");
  if (silent) return "stayed_out";
  await tellOnce(bot, { channel, user: by, what: kind === "add" ? `add:${work.ts}` : "may-not-pin" }, decision.words);
  return "refused";
}

async function again(
  bot: BotContext,
  record: PinRecord,
  sent: Extract<Sent, { kind: "again" }>,
  attempt: number,
  task: "kept" | "removed" = "kept",
): Promise<RunResult> {
  if (task === "kept")
    await bot.store.savePin({ ...record, state: "waiting", reason: sent.words, updatedAt: bot.now() });
  await note(bot, record, sent.words);
  // The first failure is usually over before anybody has looked.
  if (attempt === 2) {
    await tellOnce(bot, { channel: record.channel, user: record.by, what: `again:${record.ts}` }, sent.words);
  }
  const wait = Math.min(LONGEST_WAIT_MS, 2_000 * 2 ** Math.min(attempt, 20));
  return { later: Math.max(bot.now() + wait, sent.at ?? 0) };
}

async function fail(
  bot: BotContext,
  record: PinRecord,
  before: PinRecord | undefined,
  words: string,
  fix?: string,
): Promise<RunResult> {
  const failed: PinRecord = { ...record, state: "failed", reason: words, updatedAt: bot.now() };
  await bot.store.savePin(failed);
  bot.metrics.ingestion("failed");
  await note(bot, record, "It could not be kept.", words);
  if (fix !== undefined) await tellOperator(bot, record, fix);
  await show(bot, failed, before);
  const { channel, by, ts } = record;
  // What only whoever runs the bot can change is said once per person, not once per pin.
  const once = words === new EmptyThreadError().message ? `empty:${ts}` : `failed:${words.slice(0, 40)}`;
  await tellOnce(bot, { channel, user: by, what: once }, words);
  return "failed";
}

/** The task failed too often to go on: the message is marked and its pinner told; reconciling tries again later. */
export async function failMessage(bot: BotContext, work: PinWork, error: unknown, leaving: boolean): Promise<void> {
  const before = await bot.store.findPin(work.channel, work.ts);
  const word = platformError(error);
  if (word !== undefined) bot.log.warn("message not read", { channel: work.channel, ts: work.ts, reason: word });
  const words =
    word === undefined
      ? "I could not finish this after several tries. I try again by myself later."
      : "Slack did not let me read this message. Invite me to the channel; I try again by myself later.";
  if (leaving || before?.state === "accepted" || before?.state === "indexed") {
    // Its document is there still, as it was.
    await note(bot, work, words);
    if (leaving && before !== undefined) await tell(bot, work.channel, work.by ?? before.by, COULD_NOT_REMOVE + words);
    return;
  }
  const { channel, ts, by = before?.by ?? "", moment } = work;
  const documentId = threadId(bot.self.teamId, channel, ts);
  const fresh = { team: bot.self.teamId, channel, ts, documentId, by, title: "", moment, updatedAt: bot.now() };
  await fail(bot, { ...fresh, ...before, state: "failed" }, before, words);
}

/** How long the last mark of a message may wait for its turn, milliseconds. Nothing else waits for it. */
const LAST_MARK_MS = 2 * MINUTE;

/**
 * Shows and saves what the server told of a document after it took it. False: it could not be shown yet, and nothing
 * was saved.
 */
export async function settle(
  bot: BotContext,
  pin: PinRecord,
  { state, reason }: { state: "indexed" | "failed"; reason?: string },
  signal: AbortSignal,
): Promise<boolean> {
  const change = { to: state, from: pin.state };
  const refusal = await mark(bot, pin, change, { patienceMs: LAST_MARK_MS, signal });
  if (refusal === RATE_LIMITED || signal.aborted) return false;
  const now = await bot.store.findPin(pin.channel, pin.ts);
  if (now?.state !== pin.state || now.hash !== pin.hash) {
    // Unpinned meanwhile: the mark that was just set has to go as well.
    if (now?.state === "tombstone") await mark(bot, pin, { to: "tombstone", from: state });
    return true;
  }
  const { reason: _, ...rest } = now;
  await bot.store.savePin({ ...rest, state, updatedAt: bot.now(), ...(reason !== undefined && { reason }) });
  bot.metrics.ingestion(state);
  await note(bot, pin, state === "indexed" ? "It can be found now." : "The knowledge server could not index it.");
  if (refusal !== undefined) await note(bot, pin, notShown(refusal));
  if (state === "failed")
    await tell(bot, pin.channel, pin.by, `I could not add “${pin.title}”. ${reason ?? ""}`.trim());
  return true;
}

async function show(bot: BotContext, pin: PinRecord, before: PinRecord | undefined): Promise<void> {
  const refusal = await mark(bot, pin, { to: pin.state, from: before?.state });
  if (refusal !== undefined) await note(bot, pin, notShown(refusal));
}

const notShown = (refusal: string): string => `Its state could not be shown as a reaction: ${refusal}.`;

async function stayOut(
  bot: BotContext,
  message: { channel: string; ts: string },
  words: string,
  outcome: Outcome = "stayed_out",
): Promise<RunResult> {
  await note(bot, message, words);
  return outcome;
}

/** Adds to the decision trace of a message. */
async function note(
  bot: BotContext,
  message: { channel: string; ts: string },
  ...steps: readonly string[]
): Promise<void> {
  const place = placeOf({ team: bot.self.teamId, channel: message.channel, ts: message.ts });
  for (const words of steps) await bot.store.trace(place, { at: bot.now(), words });
}
