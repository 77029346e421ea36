import type { Register } from "../../context.ts";
import { laneOf, QuestionBody, stopMark } from "../question.ts";
import { ACTIONS } from "../../slack/render/blocks.ts";

/**
 * Stop, pressed in an agent session. The event may reach another instance than the one that answers, so the wish goes
 * through the store; here it acts at once where the answer is this instance's own.
 */
export const registerStop: Register = (app, context) => {
  app.event("agent_session_stopped", async ({ event }) => {
    const { channel, thread_ts: threadTs, user } = event;
    if (channel === undefined || threadTs === undefined) return;
    const lane = laneOf({ team: context.self.teamId, channel, threadTs });
    await context.store.remember(stopMark(lane), user);
    const stopped = await context.inbox.requestStop(lane);
    context.log.info("stop pressed", { channel, thread: threadTs, user, state: stopped ? "running" : "idle" });
  });
  // Offered to the asker alone, where the platform may show no Stop of its own.
  app.action({ type: "block_actions", action_id: ACTIONS.stop }, async ({ body, action, ack }) => {
    await ack();
    const task = await context.store.find(action.type === "button" ? (action.value ?? "") : "");
    if (task === undefined || (task.kind !== "question" && task.kind !== "regenerate")) return;
    const { user, channel } = QuestionBody.parse(task.body);
    if (task.state === "ended" || user !== body.user.id || channel !== body.channel?.id) return;
    await context.store.remember(stopMark(task.lane), user);
    const stopped = await context.inbox.requestStop(task.lane);
    context.log.info("stop pressed", { channel, task: task.id, user, state: stopped ? "running" : "idle" });
  });
};
