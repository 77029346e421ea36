import { type Answer, followUps } from "@threadlore/ask";
import { taskKey } from "@threadlore/inbox";
import * as z from "zod";
import type { BotContext, Register } from "../../context.ts";
import { isSaidNow, tellSeldom } from "../../tell.ts";
import { isOwn, type QuestionKey } from "../../accounts/question-key.ts";
import type { Server } from "../../knowledge-server/servers.ts";
import { FOLLOW_UP } from "../../slack/render/answer-actions.ts";
import { mrkdwnText } from "../../slack/render/escape.ts";
import { madeUpTs } from "../entry/command.ts";
import { whyNotAsked } from "../decision.ts";
import { answerBehind, onPress } from "../presses.ts";
import { acceptQuestion, isDirect, type QuestionBody } from "../question.ts";
import type { Turn } from "../turn.ts";

/** Nobody waits long for what could be asked next: the answer's end does, milliseconds. */
const WAIT_MS = 1_500;

/** With the asker's own account they may tell of what only that sees, so they are forgotten with it. */
const nextMark = (taskId: string, key: QuestionKey): string => `next:${isOwn(key) ? `${key}:` : ""}${taskId}`;
const Kept = z.array(z.string());

/**
 * Questions that can be asked after this answer, kept before anybody sees them, so that a press is looked up and never
 * believed. None where the server offers none in time; and none to programs, which press nothing.
 */
export async function questionsNext(
  { context, question, task }: Turn,
  { key, server, signal: left }: { readonly key: QuestionKey; readonly server: Server; readonly signal: AbortSignal },
  answer: Answer,
): Promise<readonly string[]> {
  if (question.botId !== undefined) return [];
  const signal = AbortSignal.any([AbortSignal.timeout(WAIT_MS), left]);
  const found = await followUps(server.deployment, answer, { signal });
  const questions = found.map((one) => one.question);
  if (questions.length > 0) await context.store.remember(nextMark(task.id, key), JSON.stringify(questions));
  return questions;
}

/**
 * A question that was offered below an answer: asked in the same thread, in the name and with the rights of whoever
 * pressed it, and once, whoever presses it again. Who may not ask it is told so, once a minute, and nothing of it is kept;
 * below an answer for one person, its turn tells them.
 */
export const registerNext: Register = (app, context) => {
  onPress(app, FOLLOW_UP, async (press) => {
    const { user, channel, ref, responseUrl } = press;
    const split = ref.indexOf(":");
    const at = ref.slice(0, split);
    const answer = await answerBehind(context, { user, channel, ref: ref.slice(split + 1) });
    if (answer === undefined) return;
    const kept = await context.store.recall(nextMark(answer.taskId, answer.key));
    const text = Kept.safeParse(kept === undefined ? [] : JSON.parse(kept)).data?.[Number(at)];
    if (text === undefined)
      return tellSeldom(context, { channel, user }, "I no longer know this question. Please write it.");
    const { question } = answer;
    const { team, threadTs, inThread, isMessage } = question;
    const isElsewhere = press.userTeam !== undefined && press.userTeam !== context.self.teamId;
    const isPrivate = question.private;
    const asked: QuestionBody = {
      entry: isDirect(question) ? question.entry : "shortcut",
      team,
      channel,
      shared: question.shared,
      ts: madeUpTs(context.now()),
      isMessage: false,
      threadTs,
      // What is for one person alone stays where it was shown.
      inThread: isPrivate ? inThread : true,
      aboutThread: isPrivate ? question.aboutThread || (inThread && isMessage) : true,
      user,
      ...(isElsewhere && { userTeam: press.userTeam }),
      text,
      files: [],
      private: isPrivate,
      proof: question.proof,
      responseUrl: isPrivate ? (responseUrl ?? question.responseUrl) : undefined,
      // Others see what is answered.
      begins: isPrivate ? undefined : `<@${user}> asks: ${mrkdwnText(text)}`,
    };
    // What cannot be looked up now, its turn looks up again; a press comes once.
    const objection = await whyNotAsked(context, asked).catch(() => undefined);
    if (objection !== undefined) {
      const { words } = objection;
      if (words === undefined) return;
      if (!isPrivate) return tellSeldom(context, { channel, user }, words);
      // Where the bot may not be in the channel: its turn says why, where the answer would have stood.
      if (!(await isSaidNow(context, { channel, user }, "next refused"))) return;
    }
    const key = (attempt: string) => taskKey("question", question, `next-${answer.taskId}-${at}${attempt}`);
    if (await acceptOnce(context, asked, key)) return;
    await tellSeldom(context, { channel, user, threadTs: isPrivate ? undefined : threadTs }, "This was asked already.");
  });
};

/**
 * Keeps a question that is asked once; what was refused was not asked, and leaves the button to whoever may. False: it
 * was asked. `key` is given what tells this attempt from those before it.
 */
async function acceptOnce(
  context: BotContext,
  asked: QuestionBody,
  key: (attempt: string) => string,
): Promise<boolean> {
  for (let attempt = ""; ;) {
    if (await acceptQuestion(context, asked, key(attempt))) return true;
    const before = await context.store.findByKey(key(attempt));
    if (before?.outcome !== "refused" && before?.outcome !== "stayed_out") return false;
    // Named by the one before it: of two who press now one is the first.
    attempt = `-after-${before.id}`;
  }
}
