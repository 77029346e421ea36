import type { BotContext } from "../context.ts";
import { questionBehind } from "../ask/presses.ts";
import type { QuestionBody } from "../ask/question.ts";
import { platformError } from "../slack/read/people.ts";
import { readOne } from "../slack/read/replies.ts";
import { plainWords } from "./book/plain-words.ts";

/** A question as its answer stands: where it was begun, and who sees it. */
export function asStands({
  question,
  progress,
}: NonNullable<Awaited<ReturnType<typeof questionBehind>>>): QuestionBody {
  const { began = question.threadTs, private: isPrivate = question.private } = progress;
  return { ...question, threadTs: began, private: isPrivate };
}

/** What the question says by now; undefined: it was deleted. */
export async function wordsNow(context: BotContext, question: QuestionBody): Promise<string | undefined> {
  const text = question.isMessage ? await textNow(context, question) : question.text;
  return text === undefined ? undefined : plainText(context, text);
}

async function textNow(context: BotContext, { channel, ts, threadTs, text }: QuestionBody) {
  try {
    return (await readOne({ bot: context, channel }, ts, threadTs))?.text;
  } catch (error) {
    // The bot may not read there any more: it is as it was asked.
    if (platformError(error) === undefined) throw error;
    return text;
  }
}

/** Words of a question that stand for themselves. */
export function plainText({ people, self }: Pick<BotContext, "people" | "self">, text: string): Promise<string> {
  const isOpenChannel = async (id: string): Promise<boolean> => (await people.place(id))?.kind === "public";
  return plainWords(text, self.userId, { account: people.account, place: people.place, isOpen: isOpenChannel });
}

/** Of a question that waits, by its task; nothing where that is forgotten. */
export async function wordsOf(context: BotContext, ref: string): Promise<string> {
  const { question } = (await questionBehind(context, ref)) ?? {};
  return question === undefined ? "" : plainText(context, question.text);
}

/** What two questions have in common that were typed twice. */
export function sameWords(words: string): string {
  const same = words
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  return same === "" ? words : same;
}
