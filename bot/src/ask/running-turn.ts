import type { BotContext } from "../context.ts";
import type { TaskTools } from "../inbox/inbox.ts";
import { placeOf } from "../inbox/task-key.ts";
import { QuestionBody } from "./question.ts";
import type { Task } from "../inbox/store/store.ts";
import { progressOf, type TurnProgress } from "./turn-progress.ts";

/** One question being answered. */
export interface Turn {
  readonly context: BotContext;
  readonly task: Task;
  readonly tools: TaskTools;
  readonly question: QuestionBody;
  readonly progress: TurnProgress;
  /** Saves what is new, durably, before anybody sees its consequence. */
  save(news: Partial<TurnProgress>): Promise<void>;
  /** Adds to the decision trace. */
  note(words: string): Promise<void>;
}

/** A turn from its task: the question as it stands by what was saved so far. */
export function beginTurn(context: BotContext, task: Task, tools: TaskTools): Turn {
  const body = QuestionBody.parse(task.body);
  const progress: TurnProgress = progressOf(task.progress);
  const question = {
    ...body,
    // What the bot began itself is the thread from then on.
    ...(progress.began === undefined ? {} : { threadTs: progress.began }),
    ...(progress.private === undefined ? {} : { private: progress.private }),
  };
  const place = placeOf({ team: body.team, channel: body.channel, ts: body.ts });
  return {
    context,
    task,
    tools,
    question,
    progress,
    async save(news) {
      Object.assign(progress, news);
      await tools.save(progress);
    },
    note: (words) => context.store.trace(place, { at: context.now(), words }),
  };
}
