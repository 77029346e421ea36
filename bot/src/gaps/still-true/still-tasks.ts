import { createHash } from "node:crypto";
import * as z from "zod";
import type { BotContext } from "../../context.ts";

const Doubted = { do: z.literal("doubted"), channel: z.string(), kept: z.string(), by: z.string() };

const Steps = z.discriminatedUnion("do", [
  /** The owner of a kept answer is asked about a doubt; `again`: an administrator wants them asked once more. */
  z.object({ do: z.literal("ask"), doubt: z.string(), again: z.boolean().optional() }),
  /** They did not say anything for a week. */
  z.object({ do: z.literal("remind"), doubt: z.string() }),
  /** Somebody who may says that it still holds. */
  z.object({ do: z.literal("holds"), channel: z.string(), ts: z.string(), by: z.string() }),
  /** Somebody who may takes it back; `thread`: it stands there, which nobody knows once the document is gone. */
  z.object({
    do: z.literal("retire"),
    channel: z.string(),
    ts: z.string(),
    by: z.string(),
    thread: z.string().optional(),
  }),
  /** The kept message changed, or is kept no more. */
  z.object({ do: z.literal("moved"), channel: z.string(), ts: z.string() }),
  /** The server has nothing against it any more. */
  z.object({ do: z.literal("settled"), doubt: z.string() }),
  /** An answer was marked as bad, by its task: what is kept and was cited in it is in doubt. */
  z.object({ do: z.literal("marked"), task: z.string() }),
  /** A message somebody had kept can be found, in the version of this hash: does it change what is kept? They are asked. */
  z.object({ do: z.literal("near"), channel: z.string(), ts: z.string(), hash: z.string() }),
  /** They say that it changes the kept answer of this id. */
  z.object({ ...Doubted, ts: z.string() }),
]);

/**
 * What a task of the kind `still` is to do. No word of an answer or of a document stands in it. The last: an administrator says
 * in a channel that the document `newer` changes a kept answer; it may be anybody's. `ref`: what the two were known by as they read it.
 */
export const StillWork = z.union([Steps, z.object({ ...Doubted, newer: z.string(), ref: z.string() })]);
export type StillWork = z.infer<typeof StillWork>;

/** A step of this kind. */
export type StillStep<Do extends StillWork["do"]> = Extract<StillWork, { do: Do }>;

/**
 * Begins a step; durable when it resolves. What is done about one kept answer is done in its order; what waits for an hour
 * of work waits for itself alone. `once` tells apart what can happen several times.
 */
export function beginStill({ inbox }: Pick<BotContext, "inbox">, work: StillWork, once: string): Promise<boolean> {
  const about = aboutOf(work);
  const key = `still:${work.do}:${about}:${once}`;
  const isPatient = work.do === "ask" || work.do === "remind";
  return inbox.accept({ key, kind: "still", partitionKey: isPatient ? key : `still:${about}`, body: work });
}

function aboutOf(work: StillWork): string {
  if ("doubt" in work) return work.doubt;
  // Ids of documents can be long.
  if ("newer" in work) return createHash("sha256").update(`${work.kept}\n${work.newer}`).digest("hex").slice(0, 24);
  return "task" in work ? work.task : `${work.channel}:${work.ts}`;
}

/** Begins to take a kept answer back; durable when it resolves. */
export async function beginRetiring(
  context: Pick<BotContext, "inbox" | "store">,
  { channel, ts, by }: Pick<StillStep<"retire">, "channel" | "ts" | "by">,
  once: string,
): Promise<boolean> {
  const thread = (await context.store.findKeptAnswer(channel, ts))?.thread;
  return beginStill(context, { do: "retire", channel, ts, by, thread }, once);
}
