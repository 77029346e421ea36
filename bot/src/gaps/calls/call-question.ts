import { markdownOf } from "@threadlore/documents/slack";
import { visibleLine } from "@threadlore/ask";
import type { BotContext } from "../../context.ts";
import { searchDocuments } from "../../lookups/documents.ts";
import { questionBehind } from "../../ask/presses.ts";
import { type QuestionBody, withoutMention } from "../../ask/question.ts";
import type { Settings } from "../../rules/settings.ts";
import { readOne } from "../../slack/read/replies.ts";
import { shortened } from "../../slack/render/escape.ts";

/** Characters of a question that go along: more than its quotation shows, less than a page. */
export const MAX_CHARACTERS = 600;

/** Where somebody asked nothing but "this". */
const WHAT_STANDS_ABOVE = "What stands above in this thread";

/** The words of a question as they are now, one line, with names in place of ids; undefined: it was deleted. */
export async function wordsOfQuestion(context: BotContext, question: QuestionBody): Promise<string | undefined> {
  const { isMessage, channel, ts, threadTs, text } = question;
  const message = isMessage ? await readOne({ bot: context, channel }, ts, threadTs) : { text };
  if (message === undefined) return undefined;
  const words = visibleLine(await markdownOf(withoutMention(message.text, context.self.userId), context.people));
  return shortened(words.trim(), MAX_CHARACTERS) || WHAT_STANDS_ABOVE;
}

/** A document that comes close to a question. */
export interface Closest {
  readonly id?: string;
  readonly title: string;
  readonly link?: string | undefined;
}

/** Documents whose authors may know more: those that come closest, and what an answer for everybody there rested on. By id. */
export async function documentsAround(
  context: BotContext,
  task: string,
  closest: readonly Closest[],
): Promise<readonly string[]> {
  const { progress } = (await questionBehind(context, task)) ?? {};
  return [...new Set([...closest.flatMap(({ id }) => id ?? []), ...(progress?.cited ?? [])])];
}

const WAIT_MS = 10_000;

/**
 * Documents that come closest, as far as the channel's own key sees them: what the answer named, where it was asked with that
 * key, else what a search with it finds. None where nobody tells.
 */
export async function closestTo(
  context: BotContext,
  { task, words, settings }: { readonly task: string; readonly words: string; readonly settings: Settings },
): Promise<readonly Closest[]> {
  const { progress } = (await questionBehind(context, task)) ?? {};
  if (progress?.closest !== undefined) return progress.closest;
  const lookUp = { query: words, key: "channel", settings } as const;
  const found = await searchDocuments(context, lookUp, AbortSignal.timeout(WAIT_MS)).catch(() => []);
  return found.slice(0, 3).map(({ title, link }) => ({ title, link }));
}
