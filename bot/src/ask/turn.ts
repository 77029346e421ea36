import * as z from "zod";
import type { BotContext } from "../context.ts";
import { placeOf, type Task, type TaskTools } from "@threadlore/inbox";
import type { Progress as DeliveryProgress } from "../slack/deliver/delivery-seam.ts";
import { QuestionBody } from "./question.ts";

const Ref = z.object({
  chatSessionId: z.string().optional(),
  messageId: z.number().optional(),
  userMessageId: z.number().optional(),
});

const SentQuestion = z.object({
  /** As it was sent. */
  message: z.string(),
  /** Stands in the name of the session it begins until its answer came; absent: it goes on in one that is known. */
  mark: z.string().optional(),
  /** No message of the server up to this number is the question or its answer. */
  after: z.number().optional(),
});
/** What is needed to find a question again that was sent, and its answer. */
export type SentQuestion = z.infer<typeof SentQuestion>;

const Saved = z.object({
  key: z.enum(["channel", "dm"]).optional(),
  /** What the question follows; once chosen, a second attempt follows the same, so that the session branches. */
  parent: z.object({ chatSessionId: z.string().optional(), messageId: z.number().nullable() }).optional(),
  /** It was counted against the budgets. */
  counted: z.boolean().optional(),
  /** Only the asker sees it, because the place's rules say so. */
  private: z.boolean().optional(),
  /** Root of the thread the bot began for it. */
  began: z.string().optional(),
  /** What was sent, saved before it was: whoever goes on looks for its answer before asking again. */
  sent: SentQuestion.optional(),
  /** The conversation it followed is gone on the server, so that it was asked without it. */
  lost: z.boolean().optional(),
  /** The session its answer stands in, saved as soon as the server tells it. */
  conversation: Ref.optional(),
  /** How the answer ended for good, saved before that is shown. */
  ending: z.enum(["answered", "refused", "failed", "stopped"]).optional(),
  delivery: z.custom<DeliveryProgress>((value) => typeof value === "object" && value !== null).optional(),
});

/** How far a question got; saved with its task before each step that others can see. JSON-safe. */
export type TurnProgress = z.infer<typeof Saved>;

/** The progress a task carries; nothing, for a task that was never begun or was saved by another version. */
export function progressOf(saved: unknown): TurnProgress {
  const read = Saved.safeParse(saved);
  return read.success ? read.data : {};
}

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
