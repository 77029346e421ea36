import type { BotContext } from "../../context.ts";
import { update } from "./call-show.ts";
import { withoutQuestion } from "./call-replies.ts";
import { beginCallTask, type CallStep } from "./call-tasks.ts";

/**
 * Has what somebody asked of people forgotten: the words of their questions, and that it was them. Durable when it resolves,
 * and done after what is being done about each. The answers by which it is known.
 */
export async function forgetCallsOf(context: BotContext, user: string, at: number): Promise<readonly string[]> {
  const calls = await context.store.callsAskedBy(user);
  for (const { task, channel } of calls) await beginCallTask(context, channel, { do: "forget", task, user }, `${at}`);
  return calls.map(({ task }) => task);
}

/** Takes somebody out of a call, and out of its message. A reply that was kept is its owner's, and stays, under words of its own. */
export async function forgetInCall(context: BotContext, { task, user }: CallStep<"forget">): Promise<void> {
  const { store, now } = context;
  const call = await store.findCall(task);
  if (call === undefined) return;
  const isAsker = call.asker === user;
  const next = {
    ...call,
    ...(call.by === user && { by: "" }),
    ...(isAsker && { asker: "", question: "", questionTs: undefined, remindAt: undefined }),
    ...(isAsker && call.private !== undefined && { private: { channel: "", named: false } }),
    updatedAt: now(),
  };
  await store.saveCall(next);
  if (isAsker) await withoutQuestion(context, call);
  const pin = next.keeps === undefined ? undefined : await store.findPin(next.channel, next.keeps);
  await update(context, next, { pin, isFound: pin?.state === "indexed" });
}
