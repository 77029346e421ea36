import { threadId } from "@threadlore/documents";
import * as z from "zod";
import type { BotContext } from "../context.ts";
import { type PinRecord, placeOf, taskKey, type TaskTools } from "@threadlore/inbox";

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
  /** It is the answer to a question: its owner's words, as far as they agreed to. */
  how: z.literal("answer").optional(),
  why: z.enum(["unpinned", "deleted", "removed"]).optional(),
});
export type PinWork = z.infer<typeof PinWork>;

/** One run of such a task. */
export type PinRun = Pick<TaskTools, "attempt" | "signal">;

/** Kinds of tasks that are about kept messages. */
export type PinTaskKind = "pin" | "unpin" | "edit" | "add";

/**
 * Begins a task about a message that is kept or to be kept; resolves with its key, undefined where it was begun already.
 * All of one message stand in one partition, so that a pin and its unpin never overtake each other. `once` tells apart what
 * can happen to a message several times.
 */
export async function beginPinTask(
  { inbox, self }: Pick<BotContext, "inbox" | "self">,
  kind: PinTaskKind,
  work: PinWork,
  once: string,
): Promise<string | undefined> {
  const message = { team: self.teamId, channel: work.channel, ts: work.ts };
  const key = taskKey(kind, message, once);
  // One that is to wait has a partition of its own, or everything else about its message would wait with it.
  const partition = work.notBefore === undefined ? "kept" : "kept-later";
  const isNew = await inbox.accept({ key, kind, partitionKey: `${partition}:${placeOf(message)}`, body: work });
  return isNew ? key : undefined;
}

/** What is known of a message before anything became of it. `before`: what was known of it so far. */
export function newRecord(bot: BotContext, { channel, ts, moment }: PinWork, by: string, before?: PinRecord) {
  const team = bot.self.teamId;
  const latest = Math.max(moment, before?.moment ?? 0);
  const documentId = threadId(team, channel, ts);
  return { team, channel, ts, documentId, by, title: "", moment: latest, updatedAt: bot.now() };
}

/** Whether an event tells of something that a newer one has undone already. */
export function isOutdated(before: PinRecord | undefined, work: PinWork): boolean {
  return work.certain !== true && before?.moment !== undefined && work.moment < before.moment;
}
