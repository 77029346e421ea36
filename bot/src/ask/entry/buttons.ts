import type { Register } from "../../context.ts";
import { taskKey } from "@threadlore/inbox";
import { onPress, pressedOn, questionBehind } from "../presses.ts";
import { acceptQuestion, partitionKeyOf, type QuestionBody, stopMark } from "../question.ts";
import { ACTIONS } from "../../slack/render/answer-actions.ts";
import { mrkdwnText } from "../../slack/render/escape.ts";
import { markdownOf } from "@threadlore/documents/slack";
import { tellSeldom } from "../../tell.ts";
import { madeUpTs } from "./command.ts";

/** What an answer is asked for again by: "Retry" stands below a failure or a part, "Ask again" below a whole answer. */
const AGAIN = [
  { action: ACTIONS.regenerate, once: "again", finishes: undefined },
  { action: ACTIONS.retry, once: "retry", finishes: true },
];

/** "Retry" below a failure, "Answer again" below an answer: both ask once more, in the same place. */
export const registerRegenerate: Register = (app, context) => {
  for (const { action, once, finishes } of AGAIN) {
    onPress(app, action, async (press) => {
      const { user, channel } = press;
      const whyNot = async (): Promise<string | undefined> => {
        const account = await context.people.account(user).catch(() => undefined);
        return account?.kind === "admin" ? undefined : ONLY_ASKER;
      };
      const found = await pressedOn(context, press, { what: "what this", whyNot });
      if (found === undefined) return;
      const { task, question, progress } = found;
      const again: QuestionBody = {
        ...question,
        // A thread is begun once.
        ...(progress.began === undefined ? {} : { begins: undefined, threadTs: progress.began }),
        // Of another moment.
        actionToken: undefined,
        again: task.id,
        finishes,
        // A private answer goes where the button was pressed; the first address may be used up by now.
        responseUrl: (question.private ? press.responseUrl : undefined) ?? question.responseUrl,
      };
      const key = taskKey("regenerate", question, `${once}-${task.id}`);
      if (await acceptQuestion(context, again, key, "regenerate")) return;
      await tellSeldom(context, { channel, user }, "This was asked again already.");
    });
  }
};

const ONLY_ASKER = "Only who asked can do this. Ask the question yourself, and I will answer you.";

/**
 * "Share with the channel", below an answer only the asker sees: asked again for everybody, with the channel's own key
 * and persona, so that nobody sees by it what the channel may not (docs/threats.md, T14).
 */
export const registerShare: Register = (app, context) => {
  onPress(app, ACTIONS.share, async (press) => {
    const found = await pressedOn(context, press, { what: "what this", whyNot: () => Promise.resolve(ONLY_ASKER) });
    if (found === undefined) return;
    const { task, question } = found;
    const asker = (await context.people.account(question.user))?.name ?? "Somebody";
    const words = await markdownOf(question.text, context.people);
    const ts = question.inThread ? question.ts : madeUpTs(context.now());
    const shared: QuestionBody = {
      ...question,
      // The private conversation stays behind: what is shared begins one of its own.
      actionToken: undefined,
      again: undefined,
      finishes: undefined,
      ts,
      private: false,
      shares: task.id,
      begins: `*${mrkdwnText(asker)}* asked: ${mrkdwnText(words)}`,
      responseUrl: press.responseUrl,
      threadTs: question.inThread ? question.threadTs : ts,
    };
    const key = taskKey("regenerate", question, `share-${task.id}`);
    if (await acceptQuestion(context, shared, key, "regenerate")) return;
    await tellSeldom(context, press, "You shared this already.");
  });
};

/**
 * Stop, pressed in an agent session. The event may reach another instance than the one that answers, so the wish goes
 * through the store; here it acts at once where the answer is this instance's own.
 */
export const registerStop: Register = (app, context) => {
  const stop = async (
    partitionKey: string,
    pressed: { channel: string; user: string; thread?: string; task?: string },
  ) => {
    await context.store.remember(stopMark(partitionKey), pressed.user);
    const stopped = await context.inbox.requestStop(partitionKey);
    context.log.info("stop pressed", { ...pressed, state: stopped ? "running" : "idle" });
  };
  app.event("agent_session_stopped", async ({ event: { channel, thread_ts: threadTs, user } }) => {
    if (channel === undefined || threadTs === undefined) return;
    const partitionKey = partitionKeyOf({ team: context.self.teamId, channel, threadTs });
    await stop(partitionKey, { channel, user, thread: threadTs });
  });
  // Offered to the asker alone, where the platform may show no Stop of its own.
  onPress(app, ACTIONS.stop, async ({ user, channel, ref }) => {
    const { task, question } = (await questionBehind(context, ref)) ?? {};
    if (task === undefined || task.state === "ended") return;
    if (user !== question?.user || channel !== question.channel) return;
    await stop(task.partitionKey, { channel, user, task: task.id });
  });
};
