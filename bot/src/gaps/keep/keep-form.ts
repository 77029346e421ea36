import type { View } from "@slack/types";
import type { CallRecord } from "@threadlore/inbox";
import * as z from "zod";
import { modal, plainText, section } from "../../ask/block-kit.ts";
import type { BotContext } from "../../context.ts";
import { visibilityWords } from "../../pins/visibility.ts";
import { mrkdwnText } from "../../slack/render/escape.ts";
import type { Place } from "../../slack/read/people.ts";
import { decideKeepFor } from "./keep-answer.ts";

/** The form by which somebody has their own message kept as the answer to what was asked in its thread. */
export const ANSWER_VIEW = "answer_view";

/** What it carries. */
export const CarriedAnswer = z.object({
  task: z.string(),
  channel: z.string(),
  /** Of which kind the channel was when they were told who will find it. */
  shown: z.string().optional(),
});

/** The message somebody chose, and who they are. */
interface Chosen {
  readonly place: Place;
  readonly message: { readonly ts: string; readonly threadTs?: string | undefined; readonly user: string };
  readonly user: string;
}

/**
 * That form, where the message is somebody's own, in a thread in which people were asked, also for whoever asked and found out
 * by themselves. Undefined: it is none of these.
 */
export async function answerFormFor(context: BotContext, { place, message, user }: Chosen): Promise<View | undefined> {
  const { threadTs: thread, ts } = message;
  if (thread === undefined || thread === ts || message.user !== user) return undefined;
  const calls = await context.store.callsOfThread(place.id, thread);
  const call = await lastOpenFor(context, calls, { ts, user });
  if (call === undefined) return undefined;
  const decision = await decideKeepFor(context, place, user, call.under);
  if (decision.kind === "refuse") return undefined;
  const pair = decision.pair ?? context.config.pair ?? null;
  const form = { title: "Keep as the answer", submit: "Keep", close: "Cancel", callback_id: ANSWER_VIEW };
  const carried: z.infer<typeof CarriedAnswer> = { task: call.task, channel: place.id, shown: place.kind };
  return modal({ ...form, private_metadata: JSON.stringify(carried) }, [
    section("What you wrote in this thread since people were asked becomes the answer to:"),
    // Plain text: nothing in somebody's question is markup here.
    { type: "section", text: plainText(call.question === "" ? "(the question was deleted)" : call.question) },
    section(mrkdwnText(visibilityWords(place, pair))),
  ]);
}

/** The last call before the message that is open, or whose answer is this person's own and can be brought up to date. */
async function lastOpenFor(
  { store }: BotContext,
  calls: readonly CallRecord[],
  { ts, user }: { readonly ts: string; readonly user: string },
): Promise<CallRecord | undefined> {
  for (const call of calls.toReversed()) {
    if (call.ts === undefined || Number(call.ts) >= Number(ts)) continue;
    const kept = call.keeps === undefined ? undefined : await store.findKeptAnswer(call.channel, call.keeps);
    if (call.state !== "kept" || kept?.owner === user) return call;
  }
  return undefined;
}
