import type { CallRecord, TaskTools } from "@threadlore/inbox";
import type { BotContext } from "../../context.ts";
import type { Settings } from "../../rules/settings.ts";
import { callMessage } from "./call-message.ts";
import { reminderMoment } from "./call-remind.ts";
import { sayOnce } from "./say-once.ts";

/** A call as it is begun: nobody has replied. */
type NewCall = Omit<CallRecord, "replies" | "state" | "askedAt" | "updatedAt">;

/**
 * Begins a thread of its own with a call, once: safe to repeat, whatever became of the run before. `what` tells it from others of its
 * task. Throws as the platform does.
 */
export async function beginCall(
  context: BotContext,
  tools: TaskTools,
  asked: NewCall,
  { settings, what }: { readonly settings: Pick<Settings, "remind_after">; readonly what: string },
): Promise<void> {
  const { store, now } = context;
  const { task, channel } = asked;
  const before = await store.findCall(task);
  // What an earlier run posted is looked for since it began.
  const askedAt = before?.channel === channel ? before.askedAt : now();
  const call: CallRecord = { ...asked, replies: [], state: "open", askedAt, updatedAt: now() };
  // Before anybody sees it: whoever goes on after this process asks the same people.
  await store.saveCall(call);
  const message = callMessage(call, { keepers: [], visibility: "" });
  const ts = await sayOnce(context, tools, { channel, task, what, since: askedAt, ...message });
  const remindAt = await reminderMoment(context, call.helpers, settings);
  await store.saveCall({ ...call, ts, thread: ts, remindAt });
}
