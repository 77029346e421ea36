import * as z from "zod";
import type { BotContext } from "../context.ts";
import type { PinRecord } from "@threadlore/inbox";
import { settingsFor } from "../rules/rules.ts";
import { channelsWith } from "../slack/read/channels.ts";
import { beginPinTask, type PinTaskKind, type PinWork } from "./pin-work.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** What failed or waits is tried again when it has lain so long. */
const RETRY_AFTER_MS = 10 * MINUTE;

/** Channels the bot is in whose rules keep pins, or answers, and direct messages in which one was given. Rejects as the platform does. */
export async function optedInChannels(bot: BotContext): Promise<string[]> {
  const kept = (await bot.store.allPins()).filter(({ channel, state }) => isDirect(channel) && state !== "tombstone");
  return [...(await channelsOptedIn(bot)), ...new Set(kept.map(({ channel }) => channel))];
}

const isDirect = (channel: string): boolean => channel.startsWith("D");

async function channelsOptedIn(bot: BotContext): Promise<string[]> {
  const listed = await channelsWith(bot, { types: "public_channel,private_channel,mpim" });
  return listed.flatMap(({ id, is_private: hidden }) => {
    const kind = hidden === true ? "private" : "public";
    if (id === undefined) return [];
    const { pins, helpers } = settingsFor(bot.rules(), { id, kind });
    return pins.who !== "off" || helpers.length > 0 ? [id] : [];
  });
}

/** A pin as `pins.list` has it. */
const ListedPin = z.object({
  type: z.literal("message"),
  created: z.number().default(0),
  created_by: z.string().optional(),
  message: z.object({
    ts: z.string(),
    user: z.string().optional(),
    edited: z.object({ ts: z.string() }).optional(),
  }),
});

/**
 * Compares a channel's pins with what is kept, and begins what is missing by the same way as the events. `everything`:
 * failed and waiting ones at once, not only those that lay for a while. Resolves with how many messages are pinned now,
 * and the keys of the tasks it began. Rejects as the platform does.
 */
export async function reconcile(
  bot: BotContext,
  channel: string,
  { everything = false, signal }: { everything?: boolean; signal?: AbortSignal } = {},
): Promise<{ readonly pinned: number; readonly begun: readonly string[] }> {
  const { store } = bot;
  // First what is known, then the list: what was pinned in between is in the list, and nothing new looks unpinned.
  const kept = await store.pinsOf(channel);
  // Where only answers are kept, what is pinned is nobody's business, nor what once was.
  const isPinned =
    settingsFor(bot.rules(), { id: channel, kind: isDirect(channel) ? "im" : "public" }).pins.who !== "off";
  const known = new Map(kept.filter(({ how }) => isPinned || how === "answer").map((pin) => [pin.ts, pin]));
  const listed = isPinned ? await pinsIn(bot, channel, signal) : [];
  const begun: string[] = [];
  const begin = async (kind: PinTaskKind, work: PinWork, once: string): Promise<boolean> => {
    const key = await beginPinTask(bot, kind, work, once);
    if (key !== undefined) begun.push(key);
    return key !== undefined;
  };
  // A pin that was refused leaves nothing behind; the rules may have changed since.
  const late = Math.floor(bot.now() / (everything ? MINUTE : 60 * MINUTE));
  const day = Math.floor(bot.now() / DAY);
  for (const { message, created, created_by: by } of listed) {
    const { ts, edited } = message;
    const pin = known.get(ts);
    known.delete(ts);
    const work = { channel, ts, by, moment: created * 1_000, certain: true };
    if (pin === undefined) {
      if (!(await begin("pin", work, `${created}`))) await begin("pin", work, `${created}:late:${late}`);
    } else if (pin.state === "tombstone") await begin("pin", work, `${created}:again:${pin.updatedAt}`);
    else if (isDue(pin, bot.now(), everything)) {
      await begin(isByHand(pin) ? "add" : "pin", { ...work, by: pin.by }, `retry:${pin.updatedAt}`);
    } else if (pin.state === "accepted" || pin.state === "indexed") {
      // Edits tell themselves; replies, names and whatever else was missed are looked at once a day.
      await begin("edit", { channel, ts, moment: pin.moment ?? 0 }, `seen:${edited?.ts ?? ""}:${day}`);
    }
  }
  for (const pin of known.values()) {
    const { ts, moment = 0 } = pin;
    const work = { channel, ts, by: pin.by, moment, certain: true };
    if (pin.state === "tombstone") {
      // Long after its events could still come in any order, nothing needs to be known of it.
      if (pin.updatedAt < bot.now() - 30 * DAY) await store.forgetPin(channel, ts);
    } else if (!isByHand(pin)) await begin("unpin", work, `missing:${pin.updatedAt}`);
    else if (isDue(pin, bot.now(), everything)) await begin("add", work, `retry:${pin.updatedAt}`);
    else if (pin.state !== "unconfirmed") await begin("edit", { channel, ts, moment }, `seen::${day}`);
  }
  return { pinned: listed.length, begun };
}

async function pinsIn(bot: BotContext, channel: string, signal: AbortSignal | undefined) {
  const reply = await bot.pacer.call(
    { team: bot.self.teamId, method: "pins.list", channel },
    () => bot.clients.reads.pins.list({ channel }),
    { signal },
  );
  return (reply.items ?? []).flatMap((one: unknown) => ListedPin.safeParse(one).data ?? []);
}

/** It does not go with a pin. */
const isByHand = ({ how }: PinRecord): boolean => how === "added" || how === "answer";

function isDue(pin: PinRecord, now: number, everything: boolean): boolean {
  // It has its own times; where they passed without anything done, as while the bot was not in the channel, it is late.
  if (pin.state === "unconfirmed") return everything || (pin.due ?? 0) < now - RETRY_AFTER_MS;
  if (pin.state !== "failed" && pin.state !== "waiting") return false;
  return everything || pin.updatedAt < now - RETRY_AFTER_MS;
}
