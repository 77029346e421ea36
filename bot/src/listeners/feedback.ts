import type { View } from "@slack/types";
import { UnsupportedError } from "@threadlore/client";
import type { Feedback } from "@threadlore/client/deployment";
import * as z from "zod";
import { type AnswerBehind, answerBehind } from "../answer-behind.ts";
import type { BotContext, Register } from "../context.ts";
import { ACTIONS, FEEDBACK } from "../slack/blocks.ts";
import { tell } from "../slack/pin-notices.ts";

const FEEDBACK_VIEW = "feedback_view";
const COMMENT_BLOCK = "comment";

/** What the modal carries; looked up again when it is submitted. */
const Carried = z.object({ ref: z.string(), channel: z.string() });

/**
 * The thumbs below an answer.
 *
 * Anybody who may read the answers of a channel may judge them, once each; one may change one's mind. Only the asker's
 * judgement goes to the server: there it stands as the word of the person whose question it was, and a colleague must
 * not be able to speak for them (facts: security T32). The others' thumbs are kept here, by person; no words of theirs.
 */
export const registerFeedback: Register = (app, context) => {
  app.action({ type: "block_actions", action_id: ACTIONS.feedback }, async ({ body, action, ack }) => {
    const value: unknown = Reflect.get(action, "value");
    const { good, ref } = judgementOf(typeof value === "string" ? value : "");
    const press = { user: body.user.id, channel: body.channel?.id ?? "", ref };
    await ack();
    context.later("take a judgement", () => judged(context, press, { good, trigger: body.trigger_id }));
  });
  app.view(FEEDBACK_VIEW, async ({ view, body, ack }) => {
    await ack();
    const words = view.state.values[COMMENT_BLOCK]?.["words"]?.value?.trim() ?? "";
    const { ref, channel } = Carried.parse(JSON.parse(view.private_metadata));
    context.later("take a comment", () => commented(context, { user: body.user.id, channel, ref }, words));
  });
};

function judgementOf(value: string): { good: boolean; ref: string } {
  const at = value.indexOf(":");
  return { good: value.slice(0, at) === FEEDBACK.good, ref: value.slice(at + 1) };
}

async function openComment(
  { clients, log }: BotContext,
  trigger: string,
  { ref, channel }: z.infer<typeof Carried>,
): Promise<void> {
  const view: View = {
    type: "modal",
    callback_id: FEEDBACK_VIEW,
    title: { type: "plain_text", text: "What was wrong?" },
    submit: { type: "plain_text", text: "Send" },
    close: { type: "plain_text", text: "No comment" },
    private_metadata: JSON.stringify({ ref, channel }),
    blocks: [
      {
        type: "input",
        block_id: COMMENT_BLOCK,
        label: { type: "plain_text", text: "What should the answer have said?" },
        element: { type: "plain_text_input", action_id: "words", multiline: true, max_length: 3_000 },
      },
    ],
  };
  // The judgement counts without words, too.
  await clients.posts.views
    .open({ trigger_id: trigger, view })
    .catch((error: unknown) => log.warn("comment not asked for", { error }));
}

async function judged(
  context: BotContext,
  press: { user: string; channel: string; ref: string },
  { good, trigger }: { good: boolean; trigger: string },
): Promise<void> {
  const answer = await answerBehind(context, press);
  if (answer === undefined) return;
  // First of all: a trigger lives three seconds.
  if (!good && answer.byAsker) await openComment(context, trigger, press);
  const name = `judgement:${answer.taskId}:${press.user}`;
  const word = good ? FEEDBACK.good : FEEDBACK.bad;
  if ((await context.store.recall(name)) === word)
    return tell(context, press.channel, press.user, "I have this already.");
  const problem = await passedOn(context, answer, { isPositive: good });
  if (problem !== undefined) return tell(context, press.channel, press.user, problem);
  await context.store.remember(name, word);
  await tell(context, press.channel, press.user, thanks(answer, good));
}

function thanks({ byAsker }: AnswerBehind, good: boolean): string {
  const noted = byAsker ? "Thank you." : "Thank you. I noted it beside the asker's own judgement.";
  return good ? noted : `${noted} If you need somebody now, press “I need a human” below the answer.`;
}

async function commented(
  context: BotContext,
  press: { user: string; channel: string; ref: string },
  words: string,
): Promise<void> {
  if (words === "") return;
  const answer = await answerBehind(context, press);
  if (answer === undefined || !answer.byAsker) return;
  const problem = await passedOn(context, answer, { text: words });
  await tell(context, press.channel, press.user, problem ?? "Thank you, your comment was passed on.");
}

/** Gives the asker's word to the server. Resolves with what to say where that did not work. */
async function passedOn(
  { servers, log }: BotContext,
  { messageId, byAsker, key }: AnswerBehind,
  feedback: Omit<Feedback, "messageId">,
): Promise<string | undefined> {
  if (!byAsker || messageId === undefined) return undefined;
  try {
    await servers[key].deployment.giveFeedback({ messageId, ...feedback });
    return undefined;
  } catch (error) {
    if (error instanceof UnsupportedError) return undefined;
    log.warn("feedback not passed on", { error });
    return "I could not pass this on: the knowledge server did not take it. Please try again in a minute.";
  }
}
