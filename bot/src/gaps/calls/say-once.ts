import type { KnownBlock } from "@slack/types";
import type { RunResult, Task, TaskTools } from "@threadlore/inbox";
import type { BotContext } from "../../context.ts";
import { firstLook, lookForLateOnes, type MarkedMessage, Posted, postMarked } from "../telling/tell-once.ts";
import { beginCallTask, type CallStep } from "./call-tasks.ts";

/** `event_type` of the metadata of what is said about a call. */
const CALL_EVENT = "threadlore_call";

/** What is said about a call. */
export interface CallSaying {
  readonly channel: string;
  /** Absent: it begins a thread. */
  readonly thread?: string | undefined;
  /** The answer the call is about, and what is said of it: together they are said once. */
  readonly task: string;
  readonly what: string;
  /** When people were asked, milliseconds since 1970. */
  readonly since: number;
  readonly text: string;
  readonly blocks?: KnownBlock[];
}

/**
 * Says it, once, whatever becomes of this process and of the call to the platform; what comes of that late is taken away by a
 * task of its own. Its ts. Rejects as the platform does.
 */
export async function sayOnce(context: BotContext, tools: TaskTools, saying: CallSaying): Promise<string> {
  const { ts, isDoubtful } = await postMarked(context, tools, marked(saying));
  if (ts === "") throw new Error("The platform took a message and did not name it.");
  if (isDoubtful) {
    const { channel, thread, task, what, since } = saying;
    await beginCallTask(context, channel, { do: "late", task, channel, thread, what, since, posted: ts }, what);
  }
  return ts;
}

/** Looks, some times, for what came late of something that was said about a call. */
export async function withoutLateSayings(
  context: BotContext,
  task: Task,
  { work, tools }: { readonly work: CallStep<"late">; readonly tools: TaskTools },
): Promise<RunResult> {
  const { looks } = Posted.safeParse(task.progress).data ?? {};
  const late = { message: marked({ ...work, text: "" }), posted: work.posted };
  const first = { begun: 0, until: firstLook(context) };
  if (looks === undefined) {
    await tools.save({ posted: work.posted, looks: first });
    return { later: first.until };
  }
  return (await lookForLateOnes(context, tools, { ...late, looks })) ?? "done";
}

function marked({ task, what, ...saying }: CallSaying): MarkedMessage {
  return { ...saying, event: CALL_EVENT, mark: { task, what } };
}
