import type { RunResult } from "@threadlore/inbox";
import { questionBehind } from "../../ask/presses.ts";
import type { BotContext } from "../../context.ts";
import { newDoubt } from "./look-still-true.ts";
import { beginStill, type StillStep } from "./still-tasks.ts";

/** Has whoever owns what an answer cites asked, since somebody marked that as bad. Durable when it resolves. */
export async function noteMarked(context: BotContext, task: string): Promise<void> {
  const { progress } = (await questionBehind(context, task)) ?? {};
  if (progress?.citedAnswers !== undefined) await beginStill(context, { do: "marked", task }, "once");
}

/** Each kept answer that was cited there is in doubt, once until its owner says that it holds. */
export async function answerWasMarked(context: BotContext, { task }: StillStep<"marked">): Promise<RunResult> {
  const { store, now } = context;
  const { progress, task: asked } = (await questionBehind(context, task)) ?? {};
  for (const id of progress?.citedAnswers ?? []) {
    const pin = await store.pinOfDocument(id);
    const kept = pin && (await store.findKeptAnswer(pin.channel, pin.ts));
    // What was said before its owner confirmed it is no news.
    if (kept === undefined || (asked?.acceptedAt ?? 0) < kept.confirmedAt) continue;
    const doubt = newDoubt(kept, "bad_mark", now(), { hash: pin?.hash });
    await store.addDoubt(doubt);
    const { since = doubt.since } = (await store.findDoubt(doubt.id)) ?? {};
    await beginStill(context, { do: "ask", doubt: doubt.id }, String(since));
  }
  return "done";
}

/** Of documents an answer cites, those that are answers kept here; undefined: none of them. */
export async function answersAmong(
  { store }: Pick<BotContext, "store">,
  documents: readonly string[],
): Promise<readonly string[] | undefined> {
  const found: string[] = [];
  for (const id of new Set(documents.slice(0, MAX_CITED))) {
    if ((await store.pinOfDocument(id))?.how === "answer") found.push(id);
  }
  return found.length === 0 ? undefined : found;
}

const MAX_CITED = 20;
