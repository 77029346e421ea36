import * as z from "zod";
import type { BotContext, Register } from "../context.ts";
import { beginPinTask, type PinWork } from "./pin-work.ts";
import type { PinRecord } from "@threadlore/inbox";
import { settingsFor } from "../rules/rules.ts";
import type { MessageEvent } from "../slack/read/message-event.ts";

/** Replies to a kept thread come in bursts; its document is brought up to date once in so long. */
const REPLIES_MS = 60_000;
/** Whoever edits a message tends to do so several times in a row; the same for each of its edits. */
const EDITS_MS = 5_000;

const said = z.string().min(1);
/** An event about a pinned message. Files can be pinned by themselves; there is no message to keep. */
const PinEvent = z.object({
  channel_id: said,
  user: said,
  item: z.object({ message: z.object({ ts: said }) }),
  event_ts: said.optional().catch(undefined),
});

/** Pins and unpins. */
export const registerPins: Register = (app, context) => {
  app.event("pin_added", ({ event }) => pinned(context, "pin", event));
  app.event("pin_removed", ({ event }) => pinned(context, "unpin", event));
};

async function pinned(context: BotContext, kind: "pin" | "unpin", event: unknown): Promise<void> {
  const read = PinEvent.safeParse(event).data;
  if (read === undefined || read.user === context.self.userId) return;
  const { channel_id: channel, user: by, item } = read;
  const { ts } = item.message;
  // Channels that keep nothing leave no trace of what is unpinned in them.
  if (kind === "unpin" && (await context.store.findPin(channel, ts)) === undefined) {
    const place = { id: channel, kind: channel.startsWith("D") ? "im" : "public" } as const;
    if (settingsFor(context.rules(), place).pins.who === "off") return;
  }
  const happenedAt = read.event_ts ?? ts;
  await beginPinTask(context, kind, { channel, ts, by, moment: momentOf(happenedAt) }, happenedAt);
}

/** A message event, if it is about a kept message or its thread. */
export async function hearOfKept(context: BotContext, event: MessageEvent): Promise<void> {
  const { kind, channel, message, before, happenedAt } = event;
  const { ts, threadTs: root } = message;
  // It comes as a message, too.
  if (event.isMention) return;
  if (kind === "deleted") {
    if ((await context.store.findPin(channel, ts)) !== undefined) {
      const work: PinWork = { channel, ts, moment: momentOf(happenedAt), why: "deleted", certain: true };
      await beginPinTask(context, "unpin", work, `deleted:${happenedAt}`);
    }
    await touched(context, event);
  } else if (kind === "edited") {
    // Pinning, reactions and previews of links also change a message; its words are what counts.
    const isSame = before !== undefined && message.words === before.words && message.words !== "";
    if (!isSame || message.editedTs !== before.editedTs) await touched(context, event);
  } else if (root !== undefined && root !== ts) {
    const pin = await context.store.findPin(channel, root);
    if (pin !== undefined && pin.state !== "tombstone") await beginLater(context, pin, REPLIES_MS);
  }
}

/** Something of a thread changed: the documents of the message itself and of whatever else of its thread is kept. */
async function touched(context: BotContext, { kind, channel, message }: MessageEvent): Promise<void> {
  const { ts, threadTs: thread = ts } = message;
  for (const pin of await context.store.pinsOfThread(channel, { ts, root: thread })) {
    if (pin.ts !== ts || kind !== "deleted") await beginLater(context, pin, EDITS_MS);
  }
}

/** At the end of the span everything that happened in it is looked at once; what is read then is the newest. */
async function beginLater(context: BotContext, { channel, ts, moment = 0 }: PinRecord, spanMs: number): Promise<void> {
  const notBefore = (Math.floor(context.now() / spanMs) + 1) * spanMs;
  await beginPinTask(context, "edit", { channel, ts, moment, notBefore }, `later:${notBefore}`);
}

/** The platform's timestamps are seconds with a fraction. */
function momentOf(ts: string): number {
  return Number(ts) * 1_000 || 0;
}
