import * as z from "zod";
import type { BotContext } from "../../context.ts";
import { taskKey } from "@threadlore/inbox";

/** A press of a button of ours, as it is kept until its turn comes. */
const KeptPress = z.object({ user: z.string(), channel: z.string(), userTeam: z.string().optional() });

/** What a task of the kind `call` is to do. `task`: the answer below which somebody wanted a person. */
export const CallWork = z.discriminatedUnion("do", [
  /** Somebody pressed "Ask a person". */
  z.object({ do: z.literal("ask"), task: z.string(), press: KeptPress }),
  /** The asker of a private question agreed to have it asked there, in these words. */
  z.object({
    do: z.literal("publish"),
    task: z.string(),
    press: KeptPress,
    channel: z.string(),
    words: z.string(),
    named: z.boolean(),
  }),
  /** Somebody wants a person in the side panel. */
  z.object({
    do: z.literal("panel"),
    task: z.string(),
    ask: z.string(),
    gap: z.string(),
    channel: z.string(),
    words: z.string(),
    name: z.string().optional(),
  }),
  /** They withdrew it. */
  z.object({ do: z.literal("withdraw"), task: z.string(), ask: z.string() }),
  /** Something was said, changed or deleted in its thread. */
  z.object({ do: z.literal("look"), task: z.string() }),
  /** Somebody pressed "Keep as the answer" on what `replier` wrote. */
  z.object({
    do: z.literal("keep"),
    task: z.string(),
    press: KeptPress,
    replier: z.string(),
    /** Of which kind the channel was when they were told who will find it. */
    shown: z.string().optional(),
  }),
  /** Somebody pressed "Mark as resolved". */
  z.object({ do: z.literal("resolve"), task: z.string(), press: KeptPress }),
  /** It is time for the one reminder. */
  z.object({ do: z.literal("remind"), task: z.string() }),
  /** What is kept of it came to another state. */
  z.object({
    do: z.literal("show"),
    task: z.string(),
    /** The server took it and does not tell whether it can be found. */
    taken: z.boolean().optional(),
  }),
  /** What is kept of it is just coming to this state: what follows from that is begun also where the process ends as it is saved. */
  z.object({ do: z.literal("moving"), task: z.string(), channel: z.string(), ts: z.string(), state: z.string() }),
  /** Its asker, or who wanted a person, wants to be forgotten. */
  z.object({ do: z.literal("forget"), task: z.string(), user: z.string() }),
  /** Something that was said may come once more, late: `posted` is the one that counts. */
  z.object({
    do: z.literal("late"),
    task: z.string(),
    channel: z.string(),
    thread: z.string().optional(),
    what: z.string(),
    since: z.number(),
    posted: z.string(),
  }),
]);
export type CallWork = z.infer<typeof CallWork>;

/** A step of this kind. */
export type CallStep<Do extends CallWork["do"]> = Extract<CallWork, { do: Do }>;

type Bot = Pick<BotContext, "inbox" | "self">;

/**
 * Begins a step; durable when it resolves. All of one call stand in one partition, so that they never overtake each other.
 * `once` tells apart what can happen to a call several times. False: it was begun already.
 */
export function beginCallTask({ inbox, self }: Bot, channel: string, work: CallWork, once: string): Promise<boolean> {
  const key = taskKey("call", { team: self.teamId, channel, ts: work.task }, `${work.do}:${once}`);
  // What waits has a partition of its own, or everything else about its call would wait with it.
  const partition = work.do === "late" ? `late:${work.what}` : work.do === "moving" ? `moving:${work.ts}` : "call";
  return inbox.accept({ key, kind: "call", partitionKey: `${partition}:${work.task}`, body: work });
}
