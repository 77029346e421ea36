import type { BotContext } from "../context.ts";
import { isDirect, type QuestionBody } from "../ask/question.ts";

/** Whether everybody in the company could read the question and its answer anyway. */
export async function isOpen({ people }: Pick<BotContext, "people">, question: QuestionBody): Promise<boolean> {
  if (question.private || question.shared || isDirect(question)) return false;
  const place = await people.place(question.channel, { fresh: true });
  return place?.kind === "public" && !place.shared;
}
