import type { BotContext, Register } from "../../context.ts";
import { type Task, taskKey } from "@threadlore/inbox";
import { onPress, type Press, questionBehind } from "../presses.ts";
import { acceptQuestion, type QuestionBody } from "../question.ts";
import { ACTIONS } from "../../slack/render/blocks.ts";
import { mrkdwnText } from "../../slack/render/escape.ts";
import { markdownOf } from "../../slack/read/names.ts";
import { tell } from "../../pins/pin-notices.ts";
import { madeUpTs } from "./command.ts";
import { progressOf } from "../turn.ts";

/** What an answer is asked for again by: "Retry" stands below a failure or a part, "Regenerate" below a whole answer. */
const AGAIN = [
  { action: ACTIONS.regenerate, once: "again", finishes: undefined },
  { action: ACTIONS.retry, once: "retry", finishes: true },
];

/** "Retry" below a failure, "Answer again" below an answer: both ask once more, in the same place. */
export const registerRegenerate: Register = (app, context) => {
  for (const { action, once, finishes } of AGAIN) {
    onPress(app, action, async (press) => {
      const found = await pressedOn(context, press);
      if (found === undefined) return;
      const { task, question } = found;
      const { began } = progressOf(task.progress);
      const again: QuestionBody = {
        ...question,
        // A thread is begun once.
        ...(began === undefined ? {} : { begins: undefined, threadTs: began }),
        again: task.id,
        finishes,
        // A private answer goes where the button was pressed; the first address may be used up by now.
        responseUrl: (question.private ? press.responseUrl : undefined) ?? question.responseUrl,
      };
      await acceptOnce(context, press, again, {
        key: taskKey("regenerate", question, `${once}-${task.id}`),
        known: "This was asked again already.",
      });
    });
  }
};

/**
 * "Share with the channel", below an answer only the asker sees: asked again for everybody, with the channel's own key
 * and persona, so that nobody sees by it what the channel may not (docs/threats.md, T14).
 */
export const registerShare: Register = (app, context) => {
  onPress(app, ACTIONS.share, async (press) => {
    const found = await pressedOn(context, press, { onlyAsker: true });
    if (found === undefined) return;
    const { task, question } = found;
    const asker = (await context.people.account(question.user))?.name ?? "Somebody";
    const words = await markdownOf(question.text, context.people);
    const ts = question.inThread ? question.ts : madeUpTs(context.now());
    const shared: QuestionBody = {
      ...question,
      // The private conversation stays behind: what is shared begins one of its own.
      again: undefined,
      finishes: undefined,
      ts,
      private: false,
      shares: task.id,
      begins: `*${mrkdwnText(asker)}* asked: ${mrkdwnText(words)}`,
      responseUrl: press.responseUrl,
      threadTs: question.inThread ? question.threadTs : ts,
    };
    await acceptOnce(context, press, shared, {
      key: taskKey("regenerate", question, `share-${task.id}`),
      known: "You shared this already.",
    });
  });
};

/** A second press is only answered with `known`. */
async function acceptOnce(
  context: BotContext,
  { channel, user }: Press,
  question: QuestionBody,
  { key, known }: { key: string; known: string },
): Promise<void> {
  if (!(await acceptQuestion(context, question, key, "regenerate"))) await tell(context, channel, user, known);
}

/** The question a button belongs to, if this person may press it; else they are told why not. */
async function pressedOn(
  context: BotContext,
  { user, channel, ref }: Press,
  { onlyAsker = false } = {},
): Promise<{ task: Task; question: QuestionBody } | undefined> {
  const found = await questionBehind(context, ref);
  if (found === undefined) {
    await tell(context, channel, user, "I no longer know what this was about. Please ask again.");
    return undefined;
  }
  const { task, question } = found;
  // A button of another channel's answer can only have been forged.
  if (channel !== question.channel) return undefined;
  if (user === question.user) return found;
  // Nobody else sees a private answer, so nobody else can have pressed anything below it.
  if (question.private || progressOf(task.progress).private === true) return undefined;
  const account = onlyAsker ? undefined : await context.people.account(user).catch(() => undefined);
  if (account?.kind === "admin") return found;
  await tell(context, channel, user, "Only who asked can do this. Ask the question yourself, and I will answer you.");
  return undefined;
}
