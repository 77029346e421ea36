import type { View } from "@slack/types";
import { UnsupportedError } from "@threadlore/client";
import type { Feedback } from "@threadlore/client/deployment";
import * as z from "zod";
import { type AnswerBehind, answerBehind } from "./answer-behind.ts";
import type { BotContext, Register } from "../../context.ts";
import { ACTIONS, FEEDBACK } from "../../slack/render/blocks.ts";
import { tell } from "../../pins/pin-notices.ts";

const FEEDBACK_VIEW = "feedback_view";
const COMMENT_BLOCK = "comment";

/** What the modal carries; looked up again when it is submitted. */
const Carried = z.object({ ref: z.string(), channel: z.string() });

/**
 * The thumbs below an answer.
 *
 * Anybody who may read the answers of a channel may judge them, once each; one may change one's mind. Only the asker's
 * judgement goes to the server: there it stands as the word of the person whose question it was, and a colleague must
 * not be able to speak for them (docs/threats.md, T32). The others' thumbs are kept here, by person, without words.
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
    context.later("take a comment", () => judgedBad(context, { user: body.user.id, channel, ref }, words));
  });
  app.view({ type: "view_closed", callback_id: FEEDBACK_VIEW }, async ({ view, body, ack }) => {
    await ack();
    const { ref, channel } = Carried.parse(JSON.parse(view.private_metadata));
    context.later("take a judgement", () => judgedBad(context, { user: body.user.id, channel, ref }, ""));
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
): Promise<boolean> {
  const view: View = {
    type: "modal",
    callback_id: FEEDBACK_VIEW,
    title: { type: "plain_text", text: "What was wrong?" },
    submit: { type: "plain_text", text: "Send" },
    close: { type: "plain_text", text: "No comment" },
    notify_on_close: true,
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
  try {
    await clients.posts.views.open({ trigger_id: trigger, view });
    return true;
  } catch (error) {
    log.warn("comment not asked for", { error });
    return false;
  }
}

async function judged(
  context: BotContext,
  press: { user: string; channel: string; ref: string },
  { good, trigger }: { good: boolean; trigger: string },
): Promise<void> {
  const answer = await answerBehind(context, press);
  if (answer === undefined) return;
  const name = `judgement:${answer.taskId}:${press.user}`;
  if (good || !answer.byAsker) return keep(context, press, answer, { isPositive: good });
  const known = await context.store.recall(name);
  if (known === FEEDBACK.bad) return;
  // What it should have said goes along with the judgement, in one record: when the form is sent or closed.
  const isAsked = known !== ASKED && (await openComment(context, trigger, press));
  if (isAsked) await context.store.remember(name, ASKED);
  else await keep(context, press, answer, { isPositive: false });
}

/** The form for what the answer should have said is open. */
const ASKED = "asked";

/** The form was sent, or closed without words. */
async function judgedBad(
  context: BotContext,
  press: { user: string; channel: string; ref: string },
  words: string,
): Promise<void> {
  const answer = await answerBehind(context, press);
  if (answer === undefined || !answer.byAsker) return;
  await keep(context, press, answer, { isPositive: false, ...(words === "" ? {} : { text: words }) });
}

/** Keeps a judgement, once, and passes the asker's on. Nothing is said but that it did not work. */
async function keep(
  context: BotContext,
  press: { user: string; channel: string },
  answer: AnswerBehind,
  feedback: { isPositive: boolean; text?: string },
): Promise<void> {
  const name = `judgement:${answer.taskId}:${press.user}`;
  const word = feedback.isPositive ? FEEDBACK.good : FEEDBACK.bad;
  if ((await context.store.recall(name)) === word) return;
  const problem = await passedOn(context, answer, feedback);
  if (problem === undefined) await context.store.remember(name, word);
  else await tell(context, press.channel, press.user, problem, threadOf(answer));
}

/** Where a note about an answer stands: in its thread, which has a reply, the answer. */
function threadOf({ question }: AnswerBehind): string | undefined {
  return question.private ? undefined : question.threadTs;
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
