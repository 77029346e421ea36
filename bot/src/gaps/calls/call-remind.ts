import type { CallRecord, TaskTools } from "@threadlore/inbox";
import { placeSettings } from "../../ask/presses.ts";
import type { BotContext } from "../../context.ts";
import type { Settings } from "../../rules/settings.ts";
import { platformError } from "../../slack/read/people.ts";
import { Repeated } from "../../time.ts";
import { mentionOf } from "./call-message.ts";
import { repliesTo } from "./call-replies.ts";
import { beginCallTask, type CallStep } from "./call-tasks.ts";
import { spanOf, workingMoment } from "./call-time.ts";
import { sayOnce } from "./say-once.ts";

const MINUTE_MS = 60_000;

/** When those who were asked are reminded; undefined: the rules want no reminder. */
export async function reminderMoment(
  { people, now }: BotContext,
  helpers: readonly string[],
  settings: Pick<Settings, "remind_after">,
): Promise<number | undefined> {
  const span = spanOf(settings.remind_after);
  return span === undefined ? undefined : workingMoment(now() + span, await timezoneOf(people, helpers));
}

async function timezoneOf(people: BotContext["people"], helpers: readonly string[]): Promise<string | undefined> {
  const person = helpers.find((id) => !id.startsWith("S"));
  return person === undefined ? undefined : (await people.account(person))?.timezone;
}

/** Looks every minute whom to remind; whatever came due while nothing ran waits for the next hour of work. */
export function watchReminders(context: BotContext): Repeated {
  const { store, log, now, patience } = context;
  const rounds = new Repeated(async () => {
    try {
      for (const call of await store.callsToRemind(now())) {
        await beginCallTask(context, call.channel, { do: "remind", task: call.task }, `${call.remindAt}`);
      }
    } catch (error) {
      log.warn("background work failed", { reason: "remind helpers", error });
    }
    return patience.remindEveryMs ?? MINUTE_MS;
  });
  rounds.begin(patience.remindEveryMs ?? MINUTE_MS);
  return rounds;
}

/** Reminds those who were asked, once, where nobody replied and it is not resolved. */
export async function remind(context: BotContext, { task }: CallStep<"remind">, tools: TaskTools): Promise<void> {
  const { store, people, log, now } = context;
  const call = await store.findCall(task);
  if (call?.ts === undefined || call.thread === undefined || call.remindAt === undefined) return;
  const moment = workingMoment(now(), await timezoneOf(people, call.helpers));
  const later = moment > now() ? moment : undefined;
  try {
    if (later === undefined && (await isToBeReminded(context, call))) {
      const { channel, thread, helpers } = call;
      const whom = helpers.map(mentionOf).join(" ");
      const text = `${whom}: this question still waits for an answer. I remind you once, and not again.`;
      await sayOnce(context, tools, { channel, thread, task, what: "reminder", since: call.askedAt, text });
    }
  } catch (error) {
    if (platformError(error) === undefined) throw error;
    log.warn("nobody reminded", { channel: call.channel, error });
  }
  await store.saveCall({ ...call, remindAt: later });
}

/** Whether it is open, nobody replied, and it may still be spoken of there. */
async function isToBeReminded(context: BotContext, call: CallRecord): Promise<boolean> {
  if (call.state !== "open" || call.question === "") return false;
  const { settings } = await placeSettings(context, call.channel);
  const place = await context.people.place(call.channel, { fresh: true });
  const isClosed = place === undefined || place.archived || (place.shared && settings.slack_connect === "refuse");
  if (isClosed || spanOf(settings.remind_after) === undefined) return false;
  // Its event may have been lost: a reminder to whoever has replied is the one thing that must not be sent.
  return (await repliesTo(context, call)).length === 0;
}
