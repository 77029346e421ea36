import { createHash } from "node:crypto";
import * as z from "zod";
import type { RunResult, Task, WaitingQuestion } from "@threadlore/inbox";
import type { BotContext, TaskWork } from "../context.ts";
import { unlessAway } from "./book/away.ts";
import { Closing, closingOf, dropClosing, keepClosing } from "./telling/closings.ts";
import { firstAsked, noteKey } from "./note-question.ts";
import { questionBehind } from "../ask/presses.ts";
import { lookAtGaps } from "./look-at-gaps.ts";
import { chooseTellings, placeOfTelling, silentTelling, type Thread, tellingLead } from "./telling/tellings.ts";

/** What a task of the kind `close` is to do: close a gap, or open it again. */
const CloseWork = z.object({
  /** The gap, or the task of one of its questions. */
  of: z.union([z.object({ gap: z.string() }), z.object({ question: z.string() })]),
  /** Absent: it is opened again. */
  closing: Closing.optional(),
  except: z.object({ channel: z.string(), thread: z.string() }).optional(),
});
type CloseWork = z.infer<typeof CloseWork>;

/** How a gap is closed. */
export interface CloseOptions {
  /** A thread that has the answer already: who asked there is told nothing more. */
  readonly except?: Thread | undefined;
  /** Tells apart what happens to one gap and one document more than once, such as after it was opened again. */
  readonly once?: string | undefined;
}

/**
 * Closes a gap by a document, durably: everybody who waits is told once, where they asked. Safe to repeat. Call it once the
 * document can be found: whoever may not see where the answer stands is told to ask again.
 */
export function closeGap(context: BotContext, gap: string, closing: Closing, options: CloseOptions = {}) {
  return acceptClose(context, { of: { gap }, closing, except: options.except }, gap, options.once);
}

/** The same for the gap that the question of this task is part of, once it was noted. */
export function closeGapOf(context: BotContext, taskId: string, closing: Closing, options: CloseOptions = {}) {
  return acceptClose(context, { of: { question: taskId }, closing, except: options.except }, taskId, options.once);
}

/** Opens a gap again: its document is gone, or does not answer it. `once`: what tells this from another time. */
export function reopenGap(context: BotContext, gap: string, once: string) {
  return acceptClose(context, { of: { gap } }, gap, `again-${once}`);
}

/** The gap a question is part of, by its task; undefined: it is not noted, or not yet. */
export async function gapOfQuestion(context: BotContext, taskId: string): Promise<string | undefined> {
  return (await context.store.findWaiting(await firstAsked(context, { id: taskId })))?.gap;
}

async function acceptClose({ inbox }: BotContext, body: CloseWork, of: string, once = ""): Promise<void> {
  const document = body.closing === undefined ? "" : hashOf(body.closing.documentId);
  const key = `close:${of}:${document}:${once}`;
  await inbox.accept({ key, kind: "close", partitionKey: `close:${of}`, body });
}

const hashOf = (documentId: string): string => createHash("sha256").update(documentId).digest("hex").slice(0, 12);

/** So long until a question that is not noted yet is looked for again, milliseconds. */
const NOTING_MS = 2_000;

/** Closes a gap in the book, and has everybody told. */
async function runClose(context: BotContext, task: Task): Promise<RunResult> {
  const { gaps, store, now } = context;
  const { of, closing, except } = CloseWork.parse(task.body);
  const gap = "gap" in of ? of.gap : await gapOfQuestion(context, of.question);
  if (gap === undefined) {
    const isNoting = "question" in of && (await isBeingNoted(context, of.question));
    return isNoting ? { later: now() + NOTING_MS } : "gone";
  }
  if (closing === undefined) {
    await dropClosing(context, gap);
    await gaps.reopen(gap);
    return "done";
  }
  // Before anybody is chosen: whoever is noted from now on finds it.
  await keepClosing(context, gap, closing);
  const living = await gaps.close(gap, closing.documentId);
  if (living !== gap) {
    await keepClosing(context, living, closing);
    await store.moveWaiting(gap, living);
  }
  await tellWaiting(context, living, { except });
  // Others of the server's may have become part of it.
  await lookAtGaps(context, task.id);
  return "done";
}

/** Whether its question is on its way into the book. */
async function isBeingNoted(context: BotContext, taskId: string): Promise<boolean> {
  const { task, question } = (await questionBehind(context, taskId)) ?? {};
  if (question === undefined) return false;
  if (task?.state !== "ended") return true;
  for (const reason of ["human", "nothing"] as const) {
    const noting = await context.store.findByKey(noteKey({ taskId, question, reason }));
    if (noting !== undefined && noting.state !== "ended") return true;
  }
  return false;
}

/** What a task of the kind `tell` is about; whom it tells is looked up when it runs. */
export const TellWork = z.object({ gap: z.string(), telling: z.string() });

/**
 * Has whoever waits for a closed gap told: each telling is a task of its own. Nothing where no closing is known. Safe to repeat:
 * whom somebody else has told, or is about to tell, is passed over.
 */
export async function tellWaiting(
  context: Pick<BotContext, "store" | "inbox" | "self" | "now">,
  gap: string,
  { except, only }: { readonly except?: Thread | undefined; readonly only?: readonly string[] } = {},
): Promise<void> {
  const { store, inbox, self, now } = context;
  const closing = await closingOf(context, gap);
  if (closing === undefined) return;
  const { documentId } = closing;
  const choosing = { gap, documentId, owner: `${self.teamId}:${closing.owner}`, except, only };
  const silent = silentTelling(choosing);
  await store.chooseTellings(gap, (questions) => chooseTellings(questions, choosing));
  await store.markTold(silent, now());
  const isOpen = ({ telling, toldAt }: WaitingQuestion): boolean =>
    toldAt === undefined &&
    placeOfTelling(telling ?? "") !== undefined &&
    telling?.startsWith(tellingLead(choosing)) === true;
  const tellings = new Set((await store.waitingIn(gap)).filter(isOpen).map(({ telling = "" }) => telling));
  for (const telling of tellings) {
    await inbox.accept({ key: telling, kind: "tell", partitionKey: telling, body: { gap, telling } });
  }
}

/** These questions came after what closed their gap, which is not what they wanted: of another document they are told. */
export async function passOver(
  context: Pick<BotContext, "store">,
  gap: string,
  refs: readonly string[],
): Promise<void> {
  const closing = await closingOf(context, gap);
  if (closing === undefined) return;
  const telling = `${tellingLead({ gap, ...closing })}passed over`;
  await context.store.chooseTellings(
    gap,
    (all) => new Map(all.filter(({ ref }) => refs.includes(ref)).map(({ ref }) => [ref, telling])),
  );
}

/** Closes a gap, or opens it again: that needs the server, and waits for it. */
export const closeWork: TaskWork = {
  run: (context, task) => unlessAway(context, task, () => runClose(context, task)),
  giveUp(context, task, error) {
    context.log.error("gap not closed", { task: task.id, error });
    return Promise.resolve();
  },
};
