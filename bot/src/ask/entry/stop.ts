import type { Register } from "../../context.ts";
import { onPress, questionBehind } from "../presses.ts";
import { partitionKeyOf, stopMark } from "../question.ts";
import { ACTIONS } from "../../slack/render/blocks.ts";

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
