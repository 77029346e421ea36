import * as z from "zod";
import type { BotContext } from "../context.ts";
import { type Task, type TaskTools } from "@threadlore/inbox";
import type { Progress as DeliveryProgress } from "../slack/deliver/delivery-seam.ts";
import { QuestionKey } from "../accounts/question-key.ts";
import { isGenuine, QuestionBody, traceOf } from "./question.ts";

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
  key: QuestionKey.optional(),
  /** The asker's own account was to be asked with, and is not accepted any more. */
  ownRefused: z.boolean().optional(),
  /**
   * What the question follows; once chosen, a second attempt follows the same, so that the session branches. Without a
   * session it begins a conversation; `messageId` null: it is the first of its session.
   */
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
  /** Answers kept here that it cites, by the ids of their documents. */
  citedAnswers: z.array(z.string()).optional(),
  /** Documents that come closest where nothing answered it, as far as everybody who reads the answer may see them. */
  closest: z.array(z.object({ id: z.string(), title: z.string(), link: z.string().optional() })).optional(),
  /** What an answer for everybody's key cited, by ids. */
  cited: z.array(z.string()).optional(),
  delivery: z.custom<DeliveryProgress>((value) => typeof value === "object" && value !== null).optional(),
});

/** How far a question got; saved with its task before each step that others can see. JSON-safe. */
export type TurnProgress = z.infer<typeof Saved>;

/** The progress a task carries; nothing, for a task that was never begun or was saved by another version. */
export function progressOf(saved: unknown): TurnProgress {
  return Saved.safeParse(saved).data ?? {};
}

/** What is kept of how far a question got once its asker's account is disconnected: where it stands, not what it came to. */
export function withoutConversation(saved: unknown): TurnProgress {
  const { delivery, ...progress } = progressOf(saved);
  // What a call may have begun without an answer is told by its words.
  return { ...progress, ...NO_CONVERSATION, ...(delivery && { delivery: { ...delivery, doubts: undefined } }) };
}

/** Nothing of a conversation with the server. */
export const NO_CONVERSATION = { key: undefined, parent: undefined, sent: undefined, conversation: undefined };

/** One question being answered. */
export type Turn = ReturnType<typeof beginTurn>;

/** A turn from its task. */
export function beginTurn(context: BotContext, task: Task, tools: TaskTools) {
  const body = QuestionBody.parse(task.body);
  const progress = progressOf(task.progress);
  return {
    context,
    task,
    tools,
    /** As it stands by what was saved: what the bot began itself is the thread from then on. */
    get question(): QuestionBody {
      return { ...body, threadTs: progress.began ?? body.threadTs, private: progress.private ?? body.private };
    },
    progress,
    /** The bot itself took it in, from whom it says. */
    isGenuine: isGenuine(context, body),
    /** Saves what is new, durably, before anybody sees its consequence. */
    async save(news: TurnProgress): Promise<void> {
      Object.assign(progress, news);
      await tools.save(progress);
    },
    /** Adds to the decision trace; of an answer for its asker alone, to what nobody else reads. */
    note(words: string): Promise<void> {
      const { private: isPrivate = body.private } = progress;
      return context.store.trace(traceOf({ ...body, private: isPrivate }), { at: context.now(), words });
    },
  };
}
