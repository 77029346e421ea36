import { UnsupportedError } from "@threadlore/client";
import type { Feedback } from "@threadlore/client/deployment";
import * as z from "zod";
import { modal, wordsField, wordsIn } from "../block-kit.ts";
import { type AnswerBehind, answerBehind, onPress, type Press } from "../presses.ts";
import type { BotContext, Register } from "../../context.ts";
import { noteAnswered, noteJudged, noteQuestion } from "../../gaps/note-question.ts";
import { offerPerson } from "../../gaps/calls/offer-person.ts";
import { noteMarked } from "../../gaps/still-true/still-marks.ts";
import { ACTIONS, FEEDBACK } from "../../slack/render/answer-actions.ts";
import { tell } from "../../tell.ts";

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
  for (const action of [ACTIONS.good, ACTIONS.bad, ACTIONS.feedback]) {
    onPress(app, action, (press) => {
      const at = press.ref.indexOf(":");
      const good = press.ref.slice(0, at) === FEEDBACK.good;
      context.later("take a judgement", () => judged(context, { ...press, ref: press.ref.slice(at + 1) }, good));
    });
  }
  app.view(FEEDBACK_VIEW, async ({ view, body, ack }) => {
    await ack();
    const words = wordsIn(view, COMMENT_BLOCK);
    context.later("take a comment", () => judgedBad(context, body.user.id, view.private_metadata, words));
  });
  app.view({ type: "view_closed", callback_id: FEEDBACK_VIEW }, async ({ view, body, ack }) => {
    await ack();
    context.later("take a judgement", () => judgedBad(context, body.user.id, view.private_metadata, ""));
  });
};

/** Whether the form could be opened. */
function openComment({ clients, log }: BotContext, { triggerId, ref, channel }: Press): Promise<boolean> {
  const form = {
    callback_id: FEEDBACK_VIEW,
    title: "What was wrong?",
    submit: "Send",
    close: "No comment",
    notify_on_close: true,
    private_metadata: JSON.stringify({ ref, channel }),
  };
  const view = modal(form, [wordsField(COMMENT_BLOCK, "What should the answer have said?")]);
  return clients.posts.views.open({ trigger_id: triggerId, view }).then(
    () => true,
    (error: unknown) => {
      log.warn("comment not asked for", { error });
      return false;
    },
  );
}

async function judged(context: BotContext, press: Press, good: boolean): Promise<void> {
  const { store, now } = context;
  const answer = await answerBehind(context, press);
  if (answer === undefined) return;
  const name = `judgement:${answer.taskId}:${press.user}`;
  if (good || !answer.byAsker) return keep(context, press, answer, { isPositive: good });
  const known = await store.recall(name);
  if (known === FEEDBACK.bad) return;
  // What it should have said goes along with the judgement, in one record: when the form is sent or closed.
  const wanted = { unless: FEEDBACK.bad, since: now() - TWICE_MS };
  if (!(await store.rememberInstead(name, ASKED, wanted))) return;
  if (known === ASKED || !(await openComment(context, press)))
    await keep(context, press, answer, { isPositive: false });
}

/** The form for what the answer should have said is open. */
const ASKED = "asked";
/** Two presses within so long are one: whoever presses later does not have the form any more. */
const TWICE_MS = 3_000;
/** A judgement that is on its way for longer was left there by a process that ended. */
const TAKING_MS = 300_000;

/** The form was sent, or closed without words. */
async function judgedBad(context: BotContext, user: string, carried: string, words: string): Promise<void> {
  const press = { user, ...Carried.parse(JSON.parse(carried)) };
  const answer = await answerBehind(context, press);
  if (answer === undefined || !answer.byAsker) return;
  await keep(context, press, answer, { isPositive: false, text: words === "" ? undefined : words });
}

/** Keeps a judgement, once, and gives the asker's to the server. Said is that it did not work, and of a bad one that people can be asked. */
async function keep(
  context: BotContext,
  { user, channel }: Pick<Press, "user" | "channel">,
  answer: AnswerBehind,
  feedback: Omit<Feedback, "messageId">,
): Promise<void> {
  const { store, accounts, log, now } = context;
  const { taskId, question, byAsker, key, messageId } = answer;
  const name = `judgement:${taskId}:${user}`;
  const word = feedback.isPositive ? FEEDBACK.good : FEEDBACK.bad;
  // Before anything is done with it: of two presses at the same moment one goes on.
  const wanted = { unless: word, since: now() - TAKING_MS };
  if (!(await store.rememberInstead(name, `taking ${word}`, wanted))) return;
  // Whoever changes their mind does so more than once.
  const once = String(now());
  await noteJudged(context, { taskId, question }, { isGood: feedback.isPositive === true, once: `${user}-${once}` });
  if (byAsker) {
    if (feedback.isPositive) await noteAnswered(context, { taskId, question }, { once });
    else await noteQuestion(context, { taskId, question, reason: "bad_mark", once });
  }
  if (!feedback.isPositive) await noteMarked(context, taskId);
  try {
    if (byAsker && messageId !== undefined) {
      const { deployment } = await accounts.server(key, user);
      await deployment.giveFeedback({ messageId, ...feedback });
    }
  } catch (error) {
    if (!(error instanceof UnsupportedError)) {
      log.warn("feedback not passed on", { error });
      await store.remember(name, "");
      // In its thread, which has a reply, the answer.
      return tell(context, channel, user, NOT_PASSED_ON, question.private ? undefined : question.threadTs);
    }
  }
  await store.remember(name, word);
  if (byAsker && !feedback.isPositive) await offerPerson(context, answer);
}

const NOT_PASSED_ON = "I could not pass this on: the knowledge server did not take it. Please try again in a minute.";
