import type { BotContext, Register } from "../../context.ts";
import { type Task, taskKey } from "@threadlore/inbox";
import { acceptQuestion, QuestionBody } from "../question.ts";
import { ACTIONS } from "../../slack/render/blocks.ts";
import { mrkdwnText } from "../../slack/render/escape.ts";
import { markdownOf } from "../../slack/read/names.ts";
import { tell } from "../../pins/pin-notices.ts";
import { madeUpTs } from "./command.ts";
import { progressOf } from "../turn.ts";

/** "Retry" below a failure, "Answer again" below an answer: both ask once more, in the same place. */
export const registerRegenerate: Register = (app, context) => {
  for (const [action, once] of [
    [ACTIONS.regenerate, "again"],
    [ACTIONS.retry, "retry"],
  ] as const) {
    app.action({ type: "block_actions", action_id: action }, async ({ body, action: pressed, ack }) => {
      await ack();
      const press = {
        user: body.user.id,
        channel: body.channel?.id ?? "",
        value: pressed.type === "button" ? (pressed.value ?? "") : "",
      };
      const found = await pressedOn(context, press);
      if (found === undefined) return;
      const { task, question } = found;
      const { began } = progressOf(task.progress);
      const { begins, finishes: _, ...asked } = question;
      const again: QuestionBody = {
        ...asked,
        // A thread is begun once.
        ...(began === undefined ? (begins === undefined ? {} : { begins }) : { threadTs: began }),
        again: task.id,
        ...(action === ACTIONS.retry ? { finishes: true } : {}),
        // A private answer goes where the button was pressed; the first address may be used up by now.
        ...(question.private && body.response_url !== undefined ? { responseUrl: body.response_url } : {}),
      };
      const isNew = await acceptQuestion(
        context,
        again,
        taskKey("regenerate", question, `${once}-${task.id}`),
        "regenerate",
      );
      if (!isNew) await tell(context, press.channel, press.user, "This was asked again already.");
    });
  }
};

/**
 * "Share with the channel", below an answer only the asker sees: asked again for everybody, with the channel's own key
 * and persona, so that nobody sees by it what the channel may not (docs/threats.md, T14).
 */
export const registerShare: Register = (app, context) => {
  app.action({ type: "block_actions", action_id: ACTIONS.share }, async ({ body, action: pressed, ack }) => {
    await ack();
    const press = {
      user: body.user.id,
      channel: body.channel?.id ?? "",
      value: pressed.type === "button" ? (pressed.value ?? "") : "",
    };
    const found = await pressedOn(context, press, { onlyAsker: true });
    if (found === undefined) return;
    const { task, question } = found;
    const asker = (await context.people.account(question.user))?.name ?? "Somebody";
    const words = await markdownOf(question.text, context.people);
    const ts = question.inThread ? question.ts : madeUpTs(context.now());
    // The private conversation stays behind: what is shared begins one of its own.
    const { again: _, finishes: __, ...asked } = question;
    const shared: QuestionBody = {
      ...asked,
      ts,
      private: false,
      shares: task.id,
      begins: `*${mrkdwnText(asker)}* asked: ${mrkdwnText(words)}`,
      responseUrl: body.response_url,
      ...(question.inThread ? {} : { threadTs: ts }),
    };
    const isNew = await acceptQuestion(
      context,
      shared,
      taskKey("regenerate", question, `share-${task.id}`),
      "regenerate",
    );
    if (!isNew) await tell(context, press.channel, press.user, "You shared this already.");
  });
};

interface Press {
  readonly user: string;
  readonly channel: string;
  /** Id of the task the button belongs to; everything else is looked up, never believed (docs/threats.md, T16). */
  readonly value: string;
}

/** The question a button belongs to, if this person may press it; else they are told why not. */
async function pressedOn(
  context: BotContext,
  press: Press,
  { onlyAsker = false } = {},
): Promise<{ task: Task; question: QuestionBody } | undefined> {
  const task = await context.store.find(press.value);
  if (task === undefined || (task.kind !== "question" && task.kind !== "regenerate")) {
    await tell(context, press.channel, press.user, "I no longer know what this was about. Please ask again.");
    return undefined;
  }
  const question = QuestionBody.parse(task.body);
  // A button of another channel's answer can only have been forged.
  if (press.channel !== question.channel) return undefined;
  if (press.user === question.user) return { task, question };
  // Nobody else sees a private answer, so nobody else can have pressed anything below it.
  if (question.private || progressOf(task.progress).private === true) return undefined;
  const account = onlyAsker ? undefined : await context.people.account(press.user).catch(() => undefined);
  if (account?.kind === "admin") return { task, question };
  await tell(
    context,
    press.channel,
    press.user,
    "Only who asked can do this. Ask the question yourself, and I will answer you.",
  );
  return undefined;
}
