import type { BotContext } from "../context.ts";
import type { PinRecord } from "@threadlore/inbox";
import { answerMoved, answerMoves, askWhatChanges } from "../gaps/keep/keep-moves.ts";
import { tellOperator } from "../knowledge-server/server-trouble.ts";
import { mark, RATE_LIMITED } from "./pin-notices.ts";
import { tell } from "../tell.ts";
import { note, notShown } from "./pin-progress.ts";
import { ifOffered } from "./pin-server.ts";

/** A document not indexed by then is the server's own affair; it stays "accepted". Milliseconds. */
const WATCH_FOR_MS = 30 * 60_000;

/**
 * Asks the server which accepted documents can be found by now. `waiting`: ask again; `silent`: this server does not
 * tell, so that what it took stays "accepted".
 */
export async function lookAtIndex(bot: BotContext, signal: AbortSignal): Promise<"waiting" | "settled" | "silent"> {
  const accepted = await bot.store.pinsAccepted(bot.now() - WATCH_FOR_MS);
  let found: "waiting" | "settled" | "silent" = "settled";
  for (const [pair, pins] of Map.groupBy(accepted, (pin) => pin.pair)) {
    const documents = await ifOffered(bot.servers.ingest.deployment.documents({ pairId: pair }));
    if (documents === undefined) return silent(bot, accepted);
    const listed = new Map(documents.map((document) => [document.document_id, document]));
    for (const pin of pins) {
      const document = listed.get(pin.serverId ?? pin.documentId);
      if (document !== undefined && document["status"] === undefined) return silent(bot, accepted);
      if (document?.["status"] === "pending") found = "waiting";
      if (!(await settle(bot, pin, document ?? {}, signal))) found = "waiting";
    }
  }
  return found;
}

/** What it took is all that will ever be known. */
async function silent(bot: BotContext, accepted: readonly PinRecord[]): Promise<"silent"> {
  for (const pin of accepted) await answerMoved(bot, pin, { taken: true });
  return "silent";
}

const NOT_INDEXED = "The knowledge server could not read it.";
/** How long the last mark of a message may wait for its turn, milliseconds. Nothing else waits for it. */
const LAST_MARK_MS = 2 * 60_000;

/**
 * Shows and saves what the server told of a document after it took it. False: its state could not be shown yet, and
 * nothing was saved.
 */
async function settle(
  bot: BotContext,
  { channel, ts, hash }: PinRecord,
  { status: state, failure }: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<boolean> {
  if (state !== "indexed" && state !== "failed") return true;
  const pin = await bot.store.findPin(channel, ts);
  if (pin?.state !== "accepted" || pin.hash !== hash) return true;
  const refusal = await mark(bot, pin, { to: state, from: pin.state }, { patienceMs: LAST_MARK_MS, signal });
  if (refusal === RATE_LIMITED || signal.aborted) return false;
  const now = await bot.store.findPin(channel, ts);
  const reason = state === "failed" ? NOT_INDEXED : undefined;
  const isStill = now?.state === pin.state && now.hash === hash;
  if (isStill) {
    await askWhatChanges(bot, { ...now, state });
    await answerMoves(bot, { ...now, state });
  }
  // What is taken back at this very moment stays so.
  if (isStill && (await bot.store.replacePin(now, { ...now, state, reason, updatedAt: bot.now() }))) {
    await answerMoved(bot, { ...now, state });
    bot.metrics.ingestion(state);
    await note(bot, pin, state === "indexed" ? "It can be found now." : "The knowledge server could not index it.");
    if (refusal !== undefined) await note(bot, pin, notShown(refusal));
    if (state === "failed") await tell(bot, channel, pin.by, `I could not add “${pin.title}”. ${NOT_INDEXED}`);
  } else if ((await bot.store.findPin(channel, ts))?.state === "tombstone") {
    // Unpinned meanwhile: the mark that was just set has to go as well.
    await mark(bot, pin, { to: "tombstone", from: state });
  }
  // The server's own words are for whoever runs the bot.
  if (state === "failed" && typeof failure === "string") await tellOperator(bot, pin, failure.slice(0, 300));
  return true;
}
