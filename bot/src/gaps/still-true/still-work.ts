import type { RunResult, Task, TaskTools } from "@threadlore/inbox";
import type { BotContext, TaskWork } from "../../context.ts";
import { tell } from "../../tell.ts";
import { unlessAway } from "../book/away.ts";
import { doubtChanged } from "../changes/doubt-changed.ts";
import { offerChanges } from "../changes/offer-changes.ts";
import { askOwner } from "./still-ask.ts";
import { answerWasMarked } from "./still-marks.ts";
import { answerWasMoved, confirmAnswer, doubtSettled, retireAnswer } from "./still-settle.ts";
import { StillWork } from "./still-tasks.ts";

/** Whether kept answers still hold: who is asked, and what comes of it. */
export const stillWork: TaskWork = {
  run: (context, task, tools) => unlessAway(context, task, () => runStill(context, task, tools)),
  async giveUp(context, task, error) {
    const work = StillWork.parse(task.body);
    context.log.error("not gone on with whether an answer holds", { task: task.id, kind: work.do, error });
    if (!("by" in work)) return;
    const words = work.do === "doubted" ? NOBODY_ASKED : "That did not work. Press it again in a moment.";
    const { channel } = await context.clients.posts.conversations.open({ users: work.by });
    await tell(context, channel?.id ?? work.channel, work.by, words);
  },
};

const NOBODY_ASKED =
  "I could not ask whether the answer still holds that you said is changed. Tell whoever gave it yourself, please.";

async function runStill(context: BotContext, task: Task, tools: TaskTools): Promise<RunResult> {
  const work = StillWork.parse(task.body);
  switch (work.do) {
    case "ask":
    case "remind":
      return askOwner({ context, task, tools }, work);
    case "holds":
      return confirmAnswer(context, work);
    case "retire":
      return retireAnswer({ context, task, tools }, work);
    case "moved":
      return answerWasMoved(context, work);
    case "settled":
      return doubtSettled(context, work);
    case "marked":
      return answerWasMarked(context, work);
    case "near":
      return offerChanges(context, work);
    case "doubted":
      return doubtChanged(context, task, work);
  }
}
