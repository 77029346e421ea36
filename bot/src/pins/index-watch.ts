import type { BotContext } from "../context.ts";
import type { PinRecord } from "@threadlore/inbox";
import { tellOperator } from "../knowledge-server/server-trouble.ts";
import { settle } from "./pin-progress.ts";
import { ifOffered } from "./pin-server.ts";

/** A document not indexed by then is the server's own affair; it stays "accepted". Milliseconds. */
const WATCH_FOR_MS = 30 * 60_000;

/**
 * Asks the server which accepted documents can be found by now. `waiting`: ask again; `silent`: this server does not
 * tell, so that what it took stays "accepted".
 */
export async function lookAtIndex(bot: BotContext, signal: AbortSignal): Promise<"waiting" | "settled" | "silent"> {
  const recent = (pin: PinRecord) => pin.state === "accepted" && pin.updatedAt > bot.now() - WATCH_FOR_MS;
  const accepted = (await bot.store.allPins()).filter(recent);
  let found: "waiting" | "settled" | "silent" = "settled";
  for (const [pair, pins] of Map.groupBy(accepted, (pin) => pin.pair)) {
    const documents = await ifOffered(bot.servers.ingest.deployment.documents({ pairId: pair }));
    if (documents === undefined) return "silent";
    const listed = new Map(documents.map((document) => [document.document_id, document]));
    for (const pin of pins) {
      const document = listed.get(pin.serverId ?? pin.documentId);
      if (document !== undefined && document["status"] === undefined) return "silent";
      if (document?.["status"] === "pending") found = "waiting";
      if (!(await settleBy(bot, pin, document ?? {}, signal))) found = "waiting";
    }
  }
  return found;
}

const NOT_INDEXED = "The knowledge server could not read it.";

/** False: its state could not be shown yet, so it is to be looked at again. */
async function settleBy(
  bot: BotContext,
  pin: PinRecord,
  { status, failure }: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<boolean> {
  if (status !== "indexed" && status !== "failed") return true;
  const now = await bot.store.findPin(pin.channel, pin.ts);
  if (now?.state !== "accepted" || now.hash !== pin.hash) return true;
  if (status === "indexed") return settle(bot, now, { state: status }, signal);
  const settled = await settle(bot, now, { state: status, reason: NOT_INDEXED }, signal);
  // The server's own words are for whoever runs the bot.
  if (settled && typeof failure === "string") await tellOperator(bot, now, failure.slice(0, 300));
  return settled;
}
