import type { Task } from "@threadlore/inbox";
import type { BotContext, TaskWork } from "../../context.ts";
import { tell } from "../../tell.ts";
import { unlessAway } from "../book/away.ts";
import { askForPanel, withdrawPanelCall } from "../panel/panel-call.ts";
import { forgottenAt } from "../forget-questions.ts";
import { followMove } from "../keep/keep-moves.ts";
import { askerOf } from "../note-question.ts";
import { forgetInCall } from "./call-forget.ts";
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
    // Whoever wanted to be forgotten since wants nobody asked.
    if ((work.do === "ask" || work.do === "publish") && (await isForgotten(context, work.press.user, task)))
      return "gone";
    switch (work.do) {
      case "ask":
        await askPeople(context, work, tools);
        return "done";
      case "publish":
        await publishCall(context, work, tools);
        return "done";
      case "panel":
        return unlessAway(context, task, () => askForPanel(context, work, tools));
      case "withdraw":
        return unlessAway(context, task, () => withdrawPanelCall(context, work));
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
      case "moving":
        return followMove(context, work, task);
      case "forget":
        await forgetInCall(context, work);
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

async function isForgotten(context: BotContext, user: string, { acceptedAt }: Pick<Task, "acceptedAt">) {
  return acceptedAt <= (await forgottenAt(context, askerOf({ team: context.self.teamId, user })));
}

const AGAIN = "Press it again in a moment.";
const GIVEN_UP: Readonly<Record<"ask" | "publish" | "keep" | "resolve", string>> = {
  ask: `I could not call anybody: Slack did not take my message. ${AGAIN}`,
  publish: `I could not ask anybody: Slack did not take my message. ${AGAIN}`,
  keep: `I could not keep this: Slack did not let me read your answer. ${AGAIN}`,
  resolve: `I could not note this. ${AGAIN}`,
};
