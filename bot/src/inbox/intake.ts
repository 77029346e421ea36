import type { BotContext } from "../context.ts";
import { field, isOwn } from "@threadlore/documents/slack";
import { postEphemeral, postMessage } from "../post-message.ts";
import { readMessageEvent } from "../slack/read/message-event.ts";
import { isStoreTrouble, storeTrouble } from "@threadlore/inbox";

/** What became of things that came in and could not be kept. Knows it without the database. */
export type Intake = ReturnType<typeof createIntake>;

type Needed = Pick<BotContext, "clients" | "config" | "later" | "log" | "metrics" | "now" | "pacer" | "self">;

const RECENT_MS = 60_000;
const ALERT_EVERY_MS = 3_600_000;
/** The platform sends an event for the last time five minutes after the first; who was told is known until then. */
const TOLD_FOR_MS = 600_000;

const WORDS =
  ":warning: I could not take this question down: my own database takes nothing at the moment. Slack brings it to me again " +
  "for about five minutes. If nothing has come by then, please ask again.";

/**
 * Remembers, counts and tells what could not be kept. The event itself is not acknowledged, so the platform sends it
 * again; whoever asked is told once for each message, however often it comes.
 */
export function createIntake(bot: Needed) {
  let last: { readonly at: number; readonly reason: string } | undefined;
  let alertedAt = Number.NEGATIVE_INFINITY;
  const told = new Map<string, number>();

  // Not by the wall clock, which may be set while something is wrong.
  const clock = (): number => performance.now();

  return {
    /** Why, in plain words, where that happened within the last minute. */
    problem: () => (last !== undefined && clock() - last.at < RECENT_MS ? last.reason : undefined),
    /** Something could not be kept; where it was the database that failed, people are told. */
    failed(thrown: unknown, body: unknown): void {
      // Several listeners of one event can fail, each with an error of its own.
      const originals = field(thrown, "originals");
      const error = [thrown, ...(Array.isArray(originals) ? originals : [])].find(isStoreTrouble);
      if (error === undefined) return;
      const reason = storeTrouble(error);
      last = { at: clock(), reason };
      bot.metrics.notAccepted();
      if (clock() - alertedAt >= ALERT_EVERY_MS) {
        alertedAt = clock();
        bot.log.error("nothing can be kept", { reason });
        const channel = bot.config.adminChannel;
        const text = `:rotating_light: I cannot take questions down at the moment: ${reason}. Slack repeats each one for about five minutes.`;
        if (channel !== undefined) bot.later("tell the administrators", () => postMessage(bot, { channel, text }));
      }
      const asked = askedIn(body, bot.self);
      if (asked === undefined) return;
      for (const [name, at] of told) if (clock() - at > TOLD_FOR_MS) told.delete(name);
      const name = `${asked.channel} ${asked.ts}`;
      if (told.has(name)) return;
      told.set(name, clock());
      const { channel, user, threadTs } = asked;
      const message = { channel, user, text: WORDS, thread_ts: threadTs };
      bot.later("tell that nothing was kept", () => postEphemeral(bot, message));
    },
  };
}

/** The question in a delivery, where a person addressed the bot; nobody else is told anything. */
function askedIn(body: unknown, self: Needed["self"]) {
  const event = readMessageEvent(field(body, "event"));
  if (event?.kind !== "said") return undefined;
  const { channel, message } = event;
  const { ts, threadTs, user, botId, subtype } = message;
  const isPersons = user !== "" && botId === undefined && (subtype === undefined || subtype === "file_share");
  const isAddressed = event.isMention || event.channelKind === "im";
  return isPersons && isAddressed && !isOwn(message, self) ? { channel, ts, user, threadTs } : undefined;
}
