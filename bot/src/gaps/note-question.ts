import type { GapReason } from "@threadlore/client/models";
import * as z from "zod";
import { placeOf, type Task, taskKey } from "@threadlore/inbox";
import type { BotContext } from "../context.ts";
import { isDirect, type QuestionBody, traceOf } from "../ask/question.ts";
import { questionBehind } from "../ask/presses.ts";

/** What a task of the kind `gap` is to do. No word of a question stands in it. */
export const GapWork = z.discriminatedUnion("do", [
  /** Notes the question of a task. */
  z.object({
    do: z.literal("note"),
    task: z.string(),
    reason: z.enum(["nothing", "bad_mark", "human"]),
    /** Its asker agreed that others read its words. */
    isAgreed: z.boolean().default(false),
  }),
  /** The question of a task has its answer: it waits no more, unless its asker marked one as bad or wanted a person. */
  z.object({ do: z.literal("answered"), task: z.string(), isMarkedGood: z.boolean().default(false) }),
  /** Somebody who may read the answer of a task has marked it. */
  z.object({ do: z.literal("marked"), task: z.string(), isGood: z.boolean() }),
  /** The message of a question was edited or deleted. */
  z.object({ do: z.literal("changed"), place: z.string() }),
  /** The server is asked what became of all gaps people wait in; not before a moment, milliseconds since 1970. */
  z.object({ do: z.literal("look at all"), from: z.number() }),
  /** It does not know this question, or cannot be asked after it: it is told again, which says what became of its gap. */
  z.object({ do: z.literal("look"), ref: z.string() }),
  /** Whoever asked a question says that it asks the same as a gap. */
  z.object({ do: z.literal("same"), ref: z.string(), gap: z.string() }),
  /** Somebody's questions are to be forgotten, `team:user`. */
  z.object({ do: z.literal("forget asker"), asker: z.string() }),
]);
export type GapWork = z.infer<typeof GapWork>;

/** A question, by its task and as it was kept. */
export interface AskedQuestion {
  readonly taskId: string;
  readonly question: Pick<QuestionBody, "team" | "channel" | "ts" | "user" | "private" | "more" | "botId">;
}

/** Whose question it is, as gaps count people. */
export const askerOf = ({ team, user }: Pick<QuestionBody, "team" | "user">): string => `${team}:${user}`;

/**
 * Has a question noted as one nobody could answer: durable when this resolves, noted once its answer has ended, and once
 * however often it is told. `isAgreed`: its asker agreed that others read its words.
 */
export async function noteQuestion(
  context: Pick<BotContext, "inbox">,
  asked: AskedQuestion & { readonly reason: GapReason; readonly isAgreed?: boolean; readonly once?: string },
): Promise<void> {
  const { taskId, question, reason, isAgreed = false, once } = asked;
  // Programs do not wait.
  if (question.user === "" || question.botId !== undefined) return;
  await acceptGapWork(context, question, noteKey({ taskId, question, reason, isAgreed, once }), {
    do: "note",
    task: taskId,
    reason,
    isAgreed,
  });
}

/** The task that notes a question, by its key. */
export function noteKey({
  taskId,
  question,
  reason,
  isAgreed = false,
  once,
}: AskedQuestion & { reason: GapReason; isAgreed?: boolean; once?: string | undefined }): string {
  const parts = [taskId, reason, ...(isAgreed ? ["agreed"] : []), ...(once === undefined ? [] : [once])];
  return taskKey("gap", question, parts.join("-"));
}

/** Tells that a question has its answer, where its asker waits for anything at all. */
export async function noteAnswered(
  context: Pick<BotContext, "inbox" | "store">,
  { taskId, question }: AskedQuestion,
  mark?: { readonly once: string },
): Promise<void> {
  if ((await context.store.waitingOf(askerOf(question))).length === 0) return;
  const key = taskKey("gap", question, `${taskId}-answered${mark === undefined ? "" : `-${mark.once}`}`);
  await acceptGapWork(context, question, key, { do: "answered", task: taskId, isMarkedGood: mark !== undefined });
}

/** Tells that somebody marked an answer. Of those that one person alone may read nothing is ever told. */
export async function noteJudged(
  context: Pick<BotContext, "inbox">,
  { taskId, question }: { readonly taskId: string; readonly question: QuestionBody },
  mark: { readonly isGood: boolean; readonly once: string },
): Promise<void> {
  if (question.private || isDirect(question) || question.botId !== undefined) return;
  const key = taskKey("gap", question, `${taskId}-marked-${mark.once}`);
  await acceptGapWork(context, question, key, { do: "marked", task: taskId, isGood: mark.isGood });
}

/** What is done about one message is done in the order it happened. */
export async function acceptGapWork(
  { inbox }: Pick<BotContext, "inbox">,
  question: AskedQuestion["question"],
  key: string,
  body: GapWork,
): Promise<void> {
  await inbox.accept({
    key,
    kind: "gap",
    partitionKey: partitionOf(placeOf(question)),
    body,
    place: traceOf(question),
  });
}

/** By `team:channel:ts`. */
export const partitionOf = (place: string): string => `gap:${place}`;

/**
 * The task a question is called by: the first of those that asked it. Asked again, or shared, it is the same question.
 * What is forgotten by now is passed over.
 */
export async function firstAsked(context: BotContext, task: Pick<Task, "id">): Promise<string> {
  let first = task.id;
  for (let looks = 0; looks < MAX_TIMES_ASKED; looks += 1) {
    const { question } = (await questionBehind(context, first)) ?? {};
    const before = question?.again ?? question?.shares;
    if (before === undefined || (await context.store.find(before)) === undefined) return first;
    first = before;
  }
  return first;
}

/** A question is not asked again more often; whoever writes rings into the database does not keep us busy. */
const MAX_TIMES_ASKED = 100;
