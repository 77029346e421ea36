import { type ChatThread, contentHash, documentFromThread, EmptyThreadError } from "@threadlore/documents";
import type { BotContext } from "../context.ts";
import type { Outcome, PinRecord, RunResult } from "@threadlore/inbox";
import type { Place } from "../slack/read/people.ts";
import { dropMessage } from "./drop-document.ts";
import { readAnswer, decideKeepFor } from "../gaps/keep/keep-answer.ts";
import { decideKeep } from "../gaps/keep/keep-rules.ts";
import { readKept, type Wish } from "./message-thread.ts";
import { isMember, noticeOnce } from "./pin-notices.ts";
import { tellOnce } from "../tell.ts";
import { again, fail, note, reach, stayOut, unconfirmed } from "./pin-progress.ts";
import { decidePin, type PinDecision, type PinRefusal } from "./pin-rules.ts";
import { canBeFound, sendDocument, SETUP } from "./pin-server.ts";
import { isOutdated, newRecord, type PinRun, type PinTaskKind, type PinWork } from "./pin-work.ts";

type Keeping = Exclude<PinTaskKind, "unpin">;

/**
 * Makes a document of a message, or brings its document up to date. Safe to do any number of times. `attempt` counts
 * from 1. Rejects as the platform does when it cannot be read; then it is to be done again.
 */
export async function keepMessage(bot: BotContext, kind: Keeping, work: PinWork, run: PinRun): Promise<RunResult> {
  const { store, people, config } = bot;
  const { channel, ts } = work;
  const before = await store.findPin(channel, ts);
  if (kind === "edit" && (before === undefined || before.state === "tombstone"))
    return stayOut(bot, work, "It is not kept.");
  // An edit is read as it is now: that its pin was wanted once more meanwhile, which read what was there before, changes nothing.
  if (kind !== "edit" && isOutdated(before, work))
    return stayOut(bot, work, "Something newer happened to this message since.");
  const how = howKept(kind, work, before);
  // Whoever pins an answer does not become its owner.
  const isTheirs = kind === "edit" || (how === "answer" && work.how !== how);
  const by = isTheirs ? (before?.by ?? "") : (work.by ?? before?.by ?? "");
  const place = await people.place(channel, { fresh: true });
  if (place === undefined) return stayOut(bot, work, "The bot cannot see this channel.");
  const under = how === "answer" ? (await store.findKeptAnswer(channel, ts))?.under : undefined;
  const decision = await (how === "answer" ? decideKeepFor(bot, place, by, under) : decideFor(bot, place, by));
  await note(bot, work, ...decision.trace);
  // Whose wish it was may have left since; that a channel opted in must hold at every send.
  const mayStill = kind === "edit" && decision.kind === "refuse" && decision.code === "not_allowed";
  const refused = { kind, work, before, how };
  if (decision.kind === "refuse" && !mayStill) return refuse(bot, refused, decision);
  const account = await people.account(by);
  // Only what was added by hand has a title of its own; a pin's follows its first line.
  const title = (work.title ?? (how === "added" ? before?.title : undefined)) || undefined;
  const kept = await read(bot, { place, ts, by: account ?? { name: by }, how, title });
  if (kept === undefined) return dropMessage(bot, { ...work, why: "deleted", certain: true }, run);
  // Reading takes a while; the rules hold at the moment of sending.
  const asked = { channel: place, user: { id: by, kind: account?.kind ?? ("unknown" as const) } };
  const still =
    how === "answer" ? decideKeep(bot.rules(), { ...asked, isHelper: true, under }) : decidePin(bot.rules(), asked);
  if (still.kind === "refuse" && decision.kind === "keep") return refuse(bot, refused, still);
  const pair = (decision.kind === "keep" ? decision.pair : before?.pair) ?? config.pair;
  const record: PinRecord = {
    ...newRecord(bot, work, by, before),
    serverId: before?.serverId,
    hash: before?.hash,
    acknowledged: wasThere(before) || undefined,
    state: "waiting",
    how,
    root: kept.root,
    pair: pair ?? undefined,
  };
  return send(bot, { record, before, thread: kept.thread, pair, place }, run);
}

/** How a message comes to be kept: what is an answer stays one, and what was added by hand is not unpinned. */
function howKept(kind: Keeping, work: PinWork, before: PinRecord | undefined): NonNullable<PinRecord["how"]> {
  const known = before?.state === "tombstone" ? undefined : before?.how;
  if (work.how === "answer" || known === "answer") return "answer";
  return before?.how === "added" || kind === "add" ? "added" : "pinned";
}

/** The message with what is kept of its thread; undefined: it is gone. */
async function read(bot: BotContext, wish: Wish) {
  if (wish.how !== "answer") return readKept(bot, wish);
  const kept = await bot.store.findKeptAnswer(wish.place.id, wish.ts);
  return kept && readAnswer(bot, { ...wish, kept });
}

interface Sending {
  readonly record: PinRecord;
  readonly before: PinRecord | undefined;
  readonly thread: ChatThread;
  /** Undefined: nobody ever decided where kept messages go. */
  readonly pair: number | null | undefined;
  readonly place: Place;
}

async function send(bot: BotContext, sending: Sending, run: PinRun): Promise<RunResult> {
  const { before, thread, pair, place } = sending;
  const from = before?.state;
  const made = documentOf(thread);
  // What people have emptied must not be found any more.
  if (made === undefined && before?.hash !== undefined) {
    const { channel, ts, by, moment = 0 } = sending.record;
    return dropMessage(bot, { channel, ts, by, moment, certain: true, why: "removed" }, run);
  }
  if (made === undefined) return fail(bot, sending.record, from, { words: new EmptyThreadError().message });
  const { document } = made;
  const permalink = document.sections[0]?.link ?? undefined;
  const titled = { ...sending.record, title: document.semantic_identifier, permalink };
  if (pair === undefined) return fail(bot, titled, from, { words: SETUP, fix: NO_PAIR });
  // Equal: the server has it already.
  const record = { ...titled, hash: await contentHash(JSON.stringify([document, pair])) };
  if (before?.hash === record.hash && (before.state === "accepted" || before.state === "indexed")) {
    // Read again: what the server told of it meanwhile stays.
    const now = await bot.store.findPin(record.channel, record.ts);
    if (now !== undefined && now.moment !== record.moment) await bot.store.savePin({ ...now, moment: record.moment });
    await note(bot, record, "It is kept already, as it reads now.");
    return "done";
  }
  // Before anything is sent: whoever reads the channel knows what becomes of pins in it.
  // What somebody adds by hand they have just been shown; the notice is about pins.
  if (record.how === "pinned") await noticeOnce(bot, place);
  const sends = before?.state === "unconfirmed" && before.hash === record.hash ? (before.sends ?? 1) : 0;
  const sendable = { document, pair, sends, known: record.acknowledged === true };
  const server = bot.servers.ingest;
  const found = (there: PinRecord) =>
    reach(bot, { ...there, state: "indexed", acknowledged: true }, from, "It can be found now.");
  if (sends > 0 && (await canBeFound(server, sendable, run.signal))) return found(record);
  // What may have reached the server is remembered first, so that it can always be taken back.
  const still = before?.state === "failed" || sends > 0 ? before : undefined;
  const { state = "waiting", reason, sends: sentBefore, due } = still ?? {};
  await bot.store.savePin({ ...record, state, reason, sends: sentBefore, due });
  const sent = await sendDocument(server, sendable, run.signal);
  if (sent.kind === "again" && sends > 0) return unconfirmed(bot, record, from, sends);
  if (sent.kind === "again") {
    await bot.store.savePin({ ...record, reason: sent.words, updatedAt: bot.now() });
    return again(bot, record, sent, run.attempt);
  }
  if (sent.kind === "failed") return fail(bot, record, from, sent);
  const taken: PinRecord = { ...record, serverId: sent.serverId ?? record.serverId };
  if (sent.kind === "unconfirmed") return unconfirmed(bot, taken, from, sends + 1);
  if (sent.isSeen === true) return found(taken);
  const words = `The knowledge server took it as ${sent.serverId ?? record.documentId}.`;
  return reach(bot, { ...taken, state: "accepted", acknowledged: true }, from, words);
}

/** Whether the server is known to have had the document, perhaps as it was before. */
function wasThere(before: PinRecord | undefined): boolean {
  return before?.acknowledged === true || before?.state === "accepted" || before?.state === "indexed";
}

const NO_PAIR =
  "Nobody has decided yet where kept messages go, and nothing is put where everybody can read it unasked. " +
  "Set THREADLORE_PAIR to the number of a connector pair (or to `none`, for the server's public default) and start the bot again.";

function documentOf(thread: ChatThread): ReturnType<typeof documentFromThread> | undefined {
  try {
    return documentFromThread(thread);
  } catch (error) {
    if (error instanceof EmptyThreadError) return undefined;
    throw error;
  }
}

/** Whether this person's wish counts in this place; the same for pins, the shortcut and the preview of either. */
export async function decideFor(bot: BotContext, place: Place, by: string): Promise<PinDecision> {
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

interface Refused {
  readonly kind: Keeping;
  readonly work: PinWork;
  readonly before: PinRecord | undefined;
  readonly how: NonNullable<PinRecord["how"]>;
}

async function refuse(bot: BotContext, refused: Refused, { code, words }: PinRefusal): Promise<Outcome> {
  const { kind, work, before, how } = refused;
  const { channel, ts, by = "" } = work;
  // Whoever reads that an answer is being kept has to read that it is not.
  if (how === "answer" && kind !== "edit" && !wasThere(before) && before?.state !== "unconfirmed") {
    const known = before?.state === "tombstone" ? undefined : before;
    const record: PinRecord = { ...(known ?? newRecord(bot, work, by, before)), state: "failed", how };
    return fail(bot, record, before?.state, { words });
  }
  // People pin everywhere; only where pins are kept is it news that this one is not.
  if (kind === "edit" || (kind === "pin" && code !== "not_allowed")) return "stayed_out";
  await tellOnce(bot, { channel, user: by, what: kind === "add" ? `add:${ts}` : "may-not-pin" }, words);
  return "refused";
}
