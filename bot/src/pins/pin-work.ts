import * as z from "zod";
import { type NewTask, type PinRecord, placeOf, taskKey } from "@threadlore/inbox";

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

/** Kinds of tasks that are about kept messages. */
export const PIN_KINDS = ["pin", "unpin", "edit", "add"] as const;
/** One of {@link PIN_KINDS}. */
export type PinTaskKind = (typeof PIN_KINDS)[number];

/** Whether a task is about a kept message. */
export function isPinTask({ kind }: Pick<NewTask, "kind">): boolean {
  return PIN_KINDS.some((one) => one === kind);
}

/**
 * A task about a message that is kept or to be kept. All of one message stand in one partition, so that a pin and its unpin
 * never overtake each other. `once` tells apart what can happen to a message several times.
 */
export function pinTask(team: string, kind: PinTaskKind, work: PinWork, once: string): NewTask {
  const message = { team, channel: work.channel, ts: work.ts };
  // One that is to wait has a partition of its own, or everything else about its message would wait with it.
  const partition = work.notBefore === undefined ? "kept" : "kept-later";
  return { key: taskKey(kind, message, once), kind, partitionKey: `${partition}:${placeOf(message)}`, body: work };
}

/** Whether an event tells of something that a newer one has undone already. */
export function isOutdated(before: PinRecord | undefined, work: PinWork): boolean {
  return work.certain !== true && before?.moment !== undefined && work.moment < before.moment;
}
