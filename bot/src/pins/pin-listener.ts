import type { BotContext, Register } from "../context.ts";
import { pinTask, type PinTaskKind } from "./pin-tasks.ts";
import type { PinWork } from "./pins.ts";
import { settingsFor } from "../rules/rules.ts";

/** Replies to a kept thread come in bursts; its document is brought up to date once in so long. */
const REPLIES_MS = 60_000;
/** Whoever edits a message tends to do so several times in a row; the same for each of its edits. */
const EDITS_MS = 5_000;

/** Pins and unpins, and whatever happens to messages that are kept: edits, deletions, replies. */
export const registerPins: Register = (app, context) => {
  app.event("pin_added", ({ event }) => pinned(context, "pin", { ...event }));
  app.event("pin_removed", ({ event }) => pinned(context, "unpin", { ...event }));
  app.event("message", ({ event }) => happened(context, { ...event }));
};

type Fields = Readonly<Record<string, unknown>>;

async function pinned(context: BotContext, kind: "pin" | "unpin", event: Fields): Promise<void> {
  const message = fields(fields(event["item"])["message"]);
  const [channel, user, ts] = [text(event, "channel_id"), text(event, "user"), text(message, "ts")];
  // Files can be pinned by themselves; there is no message to keep.
  if (channel === undefined || ts === undefined || user === undefined || user === context.self.userId) return;
  if (kind === "unpin" && !(await mayBeKept(context, channel, ts))) return;
  const happenedAt = text(event, "event_ts") ?? ts;
  await begin(context, kind, { channel, ts, by: user, moment: momentOf(happenedAt) }, happenedAt);
}

/** Channels that keep nothing leave no trace of what is unpinned in them. */
async function mayBeKept({ store, rules }: BotContext, channel: string, ts: string): Promise<boolean> {
  if ((await store.findPin(channel, ts)) !== undefined) return true;
  return settingsFor(rules(), { id: channel, kind: channel.startsWith("D") ? "im" : "public" }).pins.who !== "off";
}

/** A message event, if it is about a kept message or its thread. */
async function happened(context: BotContext, event: Fields): Promise<void> {
  const channel = text(event, "channel");
  const happenedAt = text(event, "event_ts") ?? text(event, "ts");
  if (channel === undefined || happenedAt === undefined) return;
  const subtype = text(event, "subtype");
  if (subtype === "message_changed") return changed(context, channel, event, happenedAt);
  if (subtype === "message_deleted") return deleted(context, channel, event, happenedAt);
  const root = text(event, "thread_ts");
  if (root !== undefined && root !== text(event, "ts")) await threadGrew(context, channel, root);
}

async function changed(context: BotContext, channel: string, event: Fields, happenedAt: string): Promise<void> {
  const [now, before] = [fields(event["message"]), fields(event["previous_message"])];
  const ts = text(now, "ts");
  if (ts === undefined) return;
  // A root with replies is not deleted but replaced by a stone of the platform's own.
  if (text(now, "subtype") === "tombstone") return deleted(context, channel, { ...event, deleted_ts: ts }, happenedAt);
  // Pinning, reactions and previews of links also change a message; its words are what counts.
  if (text(now, "text") === text(before, "text") && text(before, "text") !== undefined && !hasEdit(now, before)) return;
  await touched(context, channel, ts, text(now, "thread_ts"));
}

function hasEdit(now: Fields, before: Fields): boolean {
  return text(fields(now["edited"]), "ts") !== text(fields(before["edited"]), "ts");
}

async function deleted(context: BotContext, channel: string, event: Fields, happenedAt: string): Promise<void> {
  const ts = text(event, "deleted_ts") ?? text(fields(event["previous_message"]), "ts");
  if (ts === undefined) return;
  if ((await context.store.findPin(channel, ts)) !== undefined) {
    const work: PinWork = { channel, ts, moment: momentOf(happenedAt), why: "deleted", certain: true };
    await begin(context, "unpin", work, `deleted:${happenedAt}`);
  }
  await touched(context, channel, ts, text(fields(event["previous_message"]), "thread_ts"), true);
}

/** Something of a thread changed: the documents of the message itself and of whatever else of its thread is kept. */
async function touched(
  context: BotContext,
  channel: string,
  ts: string,
  root: string | undefined,
  isGone = false,
): Promise<void> {
  const thread = root ?? ts;
  for (const pin of await context.store.pinsOf(channel)) {
    const isIn = pin.ts === ts || pin.ts === thread || pin.root === thread;
    if (!isIn || (isGone && pin.ts === ts)) continue;
    await beginLater(context, { channel, ts: pin.ts, moment: pin.moment ?? 0 }, EDITS_MS);
  }
}

async function threadGrew(context: BotContext, channel: string, root: string): Promise<void> {
  const pin = await context.store.findPin(channel, root);
  if (pin === undefined || pin.state === "tombstone") return;
  await beginLater(context, { channel, ts: root, moment: pin.moment ?? 0 }, REPLIES_MS);
}

/** At the end of the span everything that happened in it is looked at once; what is read then is the newest. */
async function beginLater(context: BotContext, work: PinWork, spanMs: number): Promise<void> {
  const end = (Math.floor(context.now() / spanMs) + 1) * spanMs;
  await begin(context, "edit", { ...work, notBefore: end }, `later:${end}`);
}

async function begin({ inbox, self }: BotContext, kind: PinTaskKind, work: PinWork, once: string): Promise<void> {
  await inbox.accept(pinTask(self.teamId, kind, work, once));
}

/** The platform's timestamps are seconds with a fraction. */
function momentOf(ts: string): number {
  return Number(ts) * 1_000 || 0;
}

function text(object: Fields, key: string): string | undefined {
  const value = object[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

const fields = (value: unknown): Fields => (typeof value === "object" && value !== null ? { ...value } : {});
