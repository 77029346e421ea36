import type { TaskWork } from "../../context.ts";
import { tell } from "../../tell.ts";
import { askForPanel, withdrawPanelCall } from "../panel/panel-call.ts";
import { askPeople } from "./call-person.ts";
import { publishCall } from "./call-private.ts";
import { lookAtThread } from "./call-replies.ts";
import { CallWork } from "./call-tasks.ts";
import { keepReply, resolveCall } from "./call-presses.ts";
import { remind } from "./call-remind.ts";
import { withoutLateSayings } from "./say-once.ts";
import { showCall } from "./call-show.ts";

/** Everything that happens to a call for people, one step after the other. */
export const callWork: TaskWork = {
  async run(context, task, tools) {
    const work = CallWork.parse(task.body);
    switch (work.do) {
      case "ask":
        await askPeople(context, work, tools);
        return "done";
      case "publish":
        await publishCall(context, work, tools);
        return "done";
      case "panel":
        await askForPanel(context, work, tools);
        return "done";
      case "withdraw":
        await withdrawPanelCall(context, work);
        return "done";
      case "look":
        await lookAtThread(context, work, tools);
        return "done";
      case "keep":
        await keepReply(context, work, task.id);
        return "done";
      case "resolve":
        await resolveCall(context, work);
        return "done";
      case "remind":
        await remind(context, work, tools);
        return "done";
      case "show":
        await showCall(context, work, tools);
        return "done";
      case "late":
        return withoutLateSayings(context, task, { work, tools });
    }
  },
  async giveUp(context, task, error) {
    const work = CallWork.parse(task.body);
    context.log.warn("call not gone on with", { task: work.task, kind: work.do, error });
    if ("press" in work) await tell(context, work.press.channel, work.press.user, GIVEN_UP[work.do]);
  },
};

const AGAIN = "Press it again in a moment.";
const GIVEN_UP: Readonly<Record<"ask" | "publish" | "keep" | "resolve", string>> = {
  ask: `I could not call anybody: Slack did not take my message. ${AGAIN}`,
  publish: `I could not ask anybody: Slack did not take my message. ${AGAIN}`,
  keep: `I could not keep this: Slack did not let me read your answer. ${AGAIN}`,
  resolve: `I could not note this. ${AGAIN}`,
};
