import type { CallRecord, TaskTools } from "@threadlore/inbox";
import type { BotContext } from "../../context.ts";
import type { Settings } from "../../rules/settings.ts";
import { platformError } from "../../slack/read/people.ts";
import { callMessage } from "./call-message.ts";
import type { Closest } from "./call-question.ts";
import { reminderMoment } from "./call-remind.ts";
import { sayOnce } from "./say-once.ts";

/** A call as it is begun: nobody has replied. `thread`: the one it stands in; absent: it begins one of its own. */
export interface NewCall extends Omit<
  CallRecord,
  "ts" | "closest" | "replies" | "state" | "remindAt" | "askedAt" | "updatedAt"
> {
  readonly closest: readonly Closest[];
}

/** The platform's word for why it took no message: nobody was called. */
interface Refused {
  readonly refused: string;
}

/** What whoever chose the place is told where it was refused. */
export const NOT_TAKEN = "I could not ask there: Slack did not take my message. Try again in a moment.";

/**
 * Calls people, once: safe to repeat, whatever became of the run before. `what` tells it from others of its task. Resolves with the
 * call as it stands there.
 */
export async function beginCall(
  context: BotContext,
  tools: TaskTools,
  asked: NewCall,
  { settings, what }: { readonly settings: Pick<Settings, "remind_after">; readonly what: string },
): Promise<CallRecord | Refused> {
  const { store, now, log } = context;
  const { task, channel, thread } = asked;
  const before = await store.findCall(task);
  // What an earlier run posted is looked for since it began.
  const askedAt = before?.channel === channel ? before.askedAt : now();
  const closest = asked.closest.map(({ title, link }) => ({ title, link }));
  const call: CallRecord = { ...asked, closest, replies: [], state: "open", askedAt, updatedAt: now() };
  // Before anybody sees it: whoever goes on after this process asks the same people.
  await store.saveCall(call);
  const message = callMessage(call, { keepers: [], visibility: "" });
  const saying = { channel, thread, task, what, since: askedAt, ...message };
  const ts = await sayOnce(context, tools, saying).catch((error: unknown): Refused => {
    const refused = platformError(error);
    if (refused === undefined) throw error;
    log.warn("nobody called", { channel, error });
    return { refused };
  });
  if (typeof ts !== "string") return ts;
  const remindAt = await reminderMoment(context, call.helpers, settings);
  const posted = { ...call, ts, thread: thread ?? ts, remindAt };
  await store.saveCall(posted);
  return posted;
}
