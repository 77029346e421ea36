import { MAX_GAP_QUESTION, MAX_GOOD_DOCUMENTS } from "@threadlore/client/models";
import { placeOf, type RunResult, type Task } from "@threadlore/inbox";
import type { BotContext } from "../context.ts";
import { questionBehind } from "../ask/presses.ts";
import { asStands, wordsNow } from "./asked-words.ts";
import { forgottenAt } from "./forget-questions.ts";
import { tellGoodAnswer, withdrawGoodAnswer } from "./good-answers.ts";
import { askerOf, firstAsked } from "./note-question.ts";
import { isOpen } from "./open-questions.ts";

/** So long until an answer that has not ended is looked at again, milliseconds. */
const ANSWERING_MS = 1_000;

/**
 * Somebody who may read an answer has marked it. Of a question that everybody in the company may read the server is told which
 * documents a good answer cited: tests are made of that. The newest mark counts, whoever's it is: what people disagree about is no test.
 */
export async function markedWork(
  context: BotContext,
  task: Pick<Task, "acceptedAt">,
  { task: id, isGood }: { readonly task: string; readonly isGood: boolean },
): Promise<RunResult> {
  const { now } = context;
  const asked = await questionBehind(context, id);
  if (asked === undefined) return "gone";
  if (asked.task.state !== "ended") return { later: now() + ANSWERING_MS };
  const question = asStands(asked);
  const place = placeOf(question);
  if (!isGood) return withdrawGoodAnswer(context, place);
  const { cited = [] } = asked.progress;
  if (cited.length === 0 || !(await isOpen(context, question))) return "stayed_out";
  const asker = askerOf(question);
  const isForgotten = async (): Promise<boolean> => task.acceptedAt <= (await forgottenAt(context, asker));
  const words = await wordsNow(context, question);
  if (words === undefined || words === "" || (await isForgotten())) return withdrawGoodAnswer(context, place);
  const ref = await firstAsked(context, asked.task);
  await tellGoodAnswer(context, place, {
    ref,
    question: words.slice(0, MAX_GAP_QUESTION).toWellFormed(),
    asker,
    document_ids: cited.slice(0, MAX_GOOD_DOCUMENTS),
    asked_at: new Date(asked.task.acceptedAt).toISOString(),
  });
  // Whoever asked to be forgotten while it was told.
  return (await isForgotten()) ? withdrawGoodAnswer(context, place) : "done";
}
