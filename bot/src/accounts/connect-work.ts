import { AuthError } from "@threadlore/client";
import { publishHome } from "../ask/entry/home.ts";
import type { BotContext, TaskWork } from "../context.ts";
import { failedForm, connectedForm, waitingForm } from "./account-blocks.ts";
import { forgetFormer } from "./disconnect.ts";
import { ConnectBody, forgetPending, notePending, Waiting } from "./pending.ts";
import type { WaitingSignIn } from "./sign-in.ts";

/**
 * Has the server give the bot a key of whoever pressed Connect: a code is asked for and shown, and the server asked again and
 * again whether they agreed. A task, so that it goes on whatever becomes of this process, and is done by one.
 */
export const connectWork: TaskWork = {
  async run(context, task, tools) {
    const body = ConnectBody.parse(task.body);
    const { accounts, now } = context;
    const { user, ticket } = body;
    // They began anew, cancelled, or disconnected.
    if (!(await accounts.isCurrent(user, ticket))) return "gone";
    const waiting = Waiting.safeParse(task.progress).data;
    if (waiting === undefined) {
      // Where Slack gives no answer it is asked once more: nothing is begun that anybody at all could agree to.
      const { name = user, email } = (await context.people.account(user)) ?? {};
      const place = context.self.teamName || context.self.teamId;
      const purpose = `answers for ${name} in Slack (${place})`;
      const begun = await accounts.beginSignIn(user, { client: "Threadlore bot", purpose, expectedEmail: email });
      await tools.save({ ...begun, email });
      await noteAndShow(context, body, begun);
      return { later: now() + begun.pauseMs };
    }
    try {
      if (now() > waiting.expiresAt) throw new AuthError(EXPIRED);
      const reply = await accounts.askForKey(user, waiting);
      if ("pauseMs" in reply) {
        await tools.save({ ...waiting, pauseMs: Math.max(reply.pauseMs, waiting.pauseMs) });
        return { later: now() + reply.pauseMs };
      }
      const result = await accounts.connect(user, reply.key, { ticket, byLink: true, email: waiting.email });
      if ("words" in result) {
        await accounts.endKey(reply.key);
        return await ended(context, body, result.words);
      }
      if (result.former !== undefined) await forgetFormer(context, result.former);
      context.log.info("account connected", { user, state: "connected" });
      await forgetPending(context, user);
      await update(context, body, connectedForm(result.account));
      await publishHome(context, user);
      return "done";
    } catch (error) {
      if (!(error instanceof AuthError)) throw error;
      return ended(context, body, error.message);
    }
  },
  async giveUp(context, task, error) {
    context.log.warn("account not connected", { task: task.id, error });
    await ended(context, ConnectBody.parse(task.body), FAILED);
  },
};

const EXPIRED = "Nobody agreed in time, so the code is worth nothing any more. Begin anew.";
const FAILED = "The knowledge server or Slack gives no answer at the moment. Try again in a minute.";

async function noteAndShow(context: BotContext, body: ConnectBody, waiting: WaitingSignIn): Promise<void> {
  await notePending(context, body.user, waiting);
  await update(context, body, waitingForm(waiting));
  await publishHome(context, body.user);
}

async function ended(context: BotContext, body: ConnectBody, words: string): Promise<"refused"> {
  await forgetPending(context, body.user);
  context.log.info("account connected", { user: body.user, state: "refused" });
  await update(context, body, failedForm(words));
  await publishHome(context, body.user, words);
  return "refused";
}

/** The form may be closed; the Home says the same. */
async function update(
  { clients, log }: BotContext,
  { viewId, user }: ConnectBody,
  view: ReturnType<typeof failedForm>,
) {
  await clients.posts.views.update({ view_id: viewId, view }).catch((error: unknown) => {
    log.info("account form not updated", { user, error });
  });
}
