import type { KeptAnswer, WaitingQuestion } from "@threadlore/inbox";
import type { BotContext } from "../../context.ts";
import { beginPinTask } from "../../pins/pin-work.ts";
import { sameWords } from "../asked-words.ts";
import { gapOfQuestion } from "../tell-askers.ts";

/**
 * What others asked that is alike to the question of a kept answer, as it is known by now: questions alone that everybody may
 * read, or whose askers agreed; the first one first, each once.
 */
export async function askedAlike(context: BotContext, kept: KeptAnswer): Promise<readonly string[]> {
  const gap = await gapOf(context, kept);
  if (gap === undefined) return [];
  const waiting = await context.store.waitingIn(gap);
  const words = waiting.flatMap((one) => (one.isShared && one.words !== undefined ? [one.words] : []));
  const asked = new Map(words.toReversed().map((one) => [sameWords(one), one]));
  asked.delete(sameWords(kept.question));
  return [...asked.values()].toReversed();
}

/** The gap it closed. It stays known when whoever asked first is forgotten. */
async function gapOf(context: BotContext, kept: KeptAnswer): Promise<string | undefined> {
  const call = await context.store.findCall(kept.task);
  return call?.panel?.gap ?? (await gapOfQuestion(context, kept.task)) ?? kept.gap;
}

/** So long after the words are to be forgotten a document is written anew, milliseconds. */
const FORGOTTEN_MS = 2_000;
/** Kept answers that are looked at: more than one workspace has. */
const MAX_LOOKED_AT = 10_000;

/**
 * Has kept answers written anew in which these questions stand. Before they are forgotten: a bot that is stopped in between
 * does both again.
 */
export async function rewriteWithout(context: BotContext, questions: readonly WaitingQuestion[]): Promise<void> {
  const gaps = new Set(questions.filter(({ words }) => words !== undefined).map(({ gap }) => gap));
  if (gaps.size === 0) return;
  const { store, now } = context;
  for (const kept of await store.keptAnswersSince(0, MAX_LOOKED_AT)) {
    const gap = await gapOf(context, kept);
    if (gap === undefined || !gaps.has(gap)) continue;
    const { channel, ts } = kept;
    const notBefore = now() + FORGOTTEN_MS;
    await beginPinTask(context, "edit", { channel, ts, moment: now(), certain: true, notBefore }, `asked:${notBefore}`);
  }
}
