import { placeOf, type RunResult, type Task, type WaitingQuestion } from "@threadlore/inbox";
import type { BotContext, TaskWork } from "../context.ts";
import { questionBehind } from "../ask/presses.ts";
import { isDirect, type QuestionBody, traceOf } from "../ask/question.ts";
import { unlessAway } from "./book/away.ts";
import type { BookQuestion } from "./book/book-question.ts";
import { askerOf, firstAsked, GapWork } from "./note-question.ts";
import { asStands, plainText, sameWords, wordsNow, wordsOf } from "./asked-words.ts";
import { passOver, tellWaiting } from "./tell-askers.ts";
import { forgottenAt } from "./forget-questions.ts";
import { withdrawGoodAnswer } from "./good-answers.ts";
import { markedWork } from "./marked-work.ts";
import { followGap, knowClosing, lookAtAll } from "./follow-gaps.ts";
import { rewriteWithout } from "./keep/asked-alike.ts";
import { offerSame } from "./same/offer-same.ts";
import { isOpen } from "./open-questions.ts";

/** Questions nobody could answer, on their way into the book. */
export const gapWork: TaskWork = {
  run: (context, task) => unlessAway(context, task, () => runGapWork(context, task)),
  giveUp(context, task, error) {
    context.log.error("question not noted", { task: task.id, error });
    return Promise.resolve();
  },
};

function runGapWork(context: BotContext, task: Task): Promise<RunResult> {
  const work = GapWork.parse(task.body);
  switch (work.do) {
    case "note":
      return note(context, task, work);
    case "answered":
      return answered(context, work);
    case "marked":
      return markedWork(context, task, work);
    case "changed":
      return changed(context, work.place);
    case "look at all":
      return lookAtAll(context, { id: task.id, from: work.from });
    case "look":
      return look(context, task, work.ref);
    case "same":
      return same(context, work);
    case "forget asker":
      return context.gaps.forgetAsker(work.asker).then(() => "done" as const);
  }
}

/** So long until an answer that has not ended is looked at again, milliseconds. */
const ANSWERING_MS = 1_000;

async function note(
  context: BotContext,
  task: Pick<Task, "acceptedAt">,
  { task: id, reason, isAgreed }: Extract<GapWork, { do: "note" }>,
): Promise<RunResult> {
  const { store, gaps, now } = context;
  const asked = await questionBehind(context, id);
  if (asked === undefined) return "gone";
  if (asked.task.state !== "ended") return { later: now() + ANSWERING_MS };
  // Its answer was taken back, or ended otherwise after all.
  if (reason === "nothing" && asked.task.outcome !== "answered") return "stayed_out";
  const question = asStands(asked);
  const ref = await firstAsked(context, asked.task);
  const before = await store.findWaiting(ref);
  const since = { asker: askerOf(question), acceptedAt: task.acceptedAt };
  if (await isForgotten(context, since)) return forget(context, [ref]);
  const words = await wordsNow(context, question);
  if (words === undefined) return forget(context, [ref]);
  if (words === "") return "stayed_out";
  const first = ref === asked.task.id ? asked : await questionBehind(context, ref);
  const isShared = isAgreed || before?.isShared === true || (await isOpen(context, question));
  const noted = await gaps.note({
    ref,
    words,
    asker: since.asker,
    place: placeOf(question),
    askedAt: (first ?? asked).task.acceptedAt,
    isShared,
    where: threadOf(question),
    reason,
    reasons: [...new Set([...reasonsOf(before), reason])],
  });
  // Whoever asked to be forgotten while it was noted.
  if (await isForgotten(context, since)) return forget(context, [ref]);
  await store.trace(traceOf(question), { at: now(), words: "It was noted as a question without an answer." });
  // What answers it may be there already, or have come in between.
  const only = [ref];
  if (noted.state === "open" || reason === "nothing") await tellWaiting(context, noted.gap, { only });
  else if (noted.state === "closed") await passOver(context, noted.gap, only);
  await offerSame(context, { ref, question, maybe: noted.maybe });
  return "done";
}

/** Whoever asked it says that it is the same: they are told with that gap, at once where it is closed. */
async function same(context: BotContext, { ref, gap }: Extract<GapWork, { do: "same" }>): Promise<RunResult> {
  const waiting = await context.store.findWaiting(ref);
  if (waiting === undefined || waiting.toldAt !== undefined) return "gone";
  const joined = await context.gaps.same(ref, gap);
  if (joined === undefined) return "gone";
  if (joined.state === "closed") await knowClosing(context, joined);
  await tellWaiting(context, joined.gap, { only: [ref] });
  return "done";
}

/** Where its asker is told: in its thread, where everybody who reads there could see its answer; else directly. */
function threadOf(question: QuestionBody): WaitingQuestion["where"] {
  if (question.private && !isDirect(question)) return undefined;
  return { channel: question.channel, thread: question.threadTs };
}

const reasonsOf = (question: WaitingQuestion | undefined): BookQuestion["reasons"] =>
  (question?.reasons ?? []) as BookQuestion["reasons"];

/** Also in what was kept where it stands. */
async function forgetNoted(context: BotContext, refs: readonly string[]): Promise<void> {
  const { store, gaps } = context;
  const noted = (await Promise.all(refs.map(store.findWaiting))).filter((one) => one !== undefined);
  await rewriteWithout(context, noted);
  await gaps.forget(refs);
}

async function isForgotten(context: BotContext, { asker, acceptedAt }: { asker: string; acceptedAt: number }) {
  return acceptedAt <= (await forgottenAt(context, asker));
}

async function forget(context: BotContext, refs: readonly string[]): Promise<RunResult> {
  await forgetNoted(context, refs);
  return "gone";
}

/** It is answered: its asker's same question waits no more, unless they marked an answer as bad or wanted a person. */
async function answered(context: BotContext, work: Extract<GapWork, { do: "answered" }>): Promise<RunResult> {
  const { store, now } = context;
  const asked = await questionBehind(context, work.task);
  if (asked === undefined) return "gone";
  if (asked.task.state !== "ended") return { later: now() + ANSWERING_MS };
  if (asked.task.outcome !== "answered") return "stayed_out";
  const first = await firstAsked(context, asked.task);
  const words = sameWords(await plainText(context, asked.question.text));
  const over: string[] = [];
  for (const { ref, reasons, toldAt } of await store.waitingOf(askerOf(asked.question))) {
    const isMarked = reasons.includes("human") || (reasons.includes("bad_mark") && !work.isMarkedGood);
    if (toldAt !== undefined || isMarked) continue;
    if (ref === first || sameWords(await wordsOf(context, ref)) === words) over.push(ref);
  }
  if (over.length > 0) await forgetNoted(context, over);
  return "done";
}

/** The message of a question was edited or deleted: what was noted of it is forgotten, or noted anew where it is still there. */
async function changed(context: BotContext, place: string): Promise<RunResult> {
  const { store, gaps } = context;
  // With other words it may have another answer.
  await withdrawGoodAnswer(context, place);
  for (const { telling: _telling, toldAt, words: before, ...waiting } of await store.waitingAt(place)) {
    const asked = await questionBehind(context, waiting.ref);
    const words = asked === undefined ? undefined : await wordsNow(context, asStands(asked));
    if (words !== undefined && words === before) continue;
    // What was told of is over: with other words it is another question.
    if (words === undefined || words === "" || toldAt !== undefined) {
      await forgetNoted(context, [waiting.ref]);
      continue;
    }
    await rewriteWithout(context, [{ ...waiting, words: before }]);
    const reasons = reasonsOf(waiting);
    const [reason = "nothing", ...others] = reasons;
    const noted = await gaps.note({ ...waiting, words, reasons, reason }, { anew: true });
    for (const other of others) await gaps.note({ ...waiting, words, reasons, reason: other });
    if (noted.state === "open") await tellWaiting(context, noted.gap, { only: [waiting.ref] });
  }
  return "done";
}

/** Tells a question again, which says what became of the gap it is in. */
async function look(context: BotContext, task: Task, ref: string): Promise<RunResult> {
  const { store, gaps } = context;
  const waiting = await store.findWaiting(ref);
  if (waiting === undefined || waiting.toldAt !== undefined) return "gone";
  const { telling: _telling, toldAt: _toldAt, ...known } = waiting;
  const words = waiting.words ?? (await wordsOf(context, ref));
  // What nobody remembers cannot be asked after.
  if (words === "") return "gone";
  const reasons = reasonsOf(waiting);
  const [reason = "nothing"] = reasons;
  const noted = await gaps.note({ ...known, words, reason, reasons });
  if (await isForgotten(context, { asker: waiting.asker, acceptedAt: task.acceptedAt })) return forget(context, [ref]);
  await followGap(context, waiting, noted);
  return "done";
}
