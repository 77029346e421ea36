import type { BotContext } from "../context.ts";
import { isOwn } from "../slack/read/message.ts";
import { readMessageEvent } from "../slack/read/message-event.ts";
import { isStoreTrouble, storeTrouble } from "@threadlore/inbox";

/** What became of things that came in and could not be kept. Knows it without the database. */
export interface Intake {
  /** Why, in plain words, where that happened within the last minute. */
  problem(): string | undefined;
  /** Something could not be kept; where it was the database that failed, people are told. */
  failed(error: unknown, body: unknown): void;
}

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
export function createIntake(bot: Needed): Intake {
  let last: { readonly at: number; readonly reason: string } | undefined;
  let alertedAt = Number.NEGATIVE_INFINITY;
  const told = new Map<string, number>();

  // Not by the wall clock, which may be set while something is wrong.
  const clock = (): number => performance.now();

  return {
    problem: () => (last !== undefined && clock() - last.at < RECENT_MS ? last.reason : undefined),
    failed(thrown, body) {
      const error = [thrown, ...originals(thrown)].find(isStoreTrouble);
      if (error === undefined) return;
      const reason = storeTrouble(error);
      last = { at: clock(), reason };
      bot.metrics.notAccepted();
      if (clock() - alertedAt >= ALERT_EVERY_MS) {
        alertedAt = clock();
        bot.log.error("nothing can be kept", { reason });
        bot.later("tell the administrators", () => alert(bot, reason));
      }
      const asked = askedIn(body, bot.self);
      if (asked === undefined) return;
      for (const [name, at] of told) if (clock() - at > TOLD_FOR_MS) told.delete(name);
      const name = `${asked.channel} ${asked.ts}`;
      if (told.has(name)) return;
      told.set(name, clock());
      bot.later("tell that nothing was kept", () => tellAsker(bot, asked));
    },
  };
}

async function alert({ config, clients, pacer, self }: Needed, reason: string): Promise<void> {
  const channel = config.adminChannel;
  if (channel === undefined) return;
  const text = `:rotating_light: I cannot take questions down at the moment: ${reason}. Slack repeats each one for about five minutes.`;
  await pacer.call({ team: self.teamId, method: "chat.postMessage", channel }, () =>
    clients.posts.chat.postMessage({ channel, text, unfurl_links: false, unfurl_media: false }),
  );
}

interface Asked {
  readonly channel: string;
  readonly ts: string;
  readonly threadTs: string | undefined;
  readonly user: string;
}

/** The question in a delivery, where a person addressed the bot; nobody else is told anything. */
function askedIn(body: unknown, self: Needed["self"]): Asked | undefined {
  const raw = field(body, "event");
  const event = typeof raw === "object" && raw !== null ? readMessageEvent(raw) : undefined;
  if (event?.kind !== "said") return undefined;
  const { channel, message } = event;
  const { ts, threadTs, user, subtype } = message;
  if (user === "" || message.botId !== undefined || isOwn(message, self)) return undefined;
  const isPersons = subtype === undefined || subtype === "file_share";
  const isAddressed = event.isMention || event.channelKind === "im";
  return isPersons && isAddressed ? { channel, ts, user, threadTs } : undefined;
}

/** Several listeners of one event can fail, each with an error of its own. */
function originals(error: unknown): readonly unknown[] {
  const errors = field(error, "originals");
  return Array.isArray(errors) ? errors : [];
}

function field(of: unknown, key: string): unknown {
  return typeof of === "object" && of !== null ? Reflect.get(of, key) : undefined;
}

async function tellAsker({ clients, pacer, self }: Needed, { channel, user, threadTs }: Asked): Promise<void> {
  await pacer.call({ team: self.teamId, method: "chat.postEphemeral", channel }, () =>
    clients.posts.chat.postEphemeral({
      channel,
      user,
      text: WORDS,
      // Where there are no replies yet, nobody would see it in the thread.
      thread_ts: threadTs,
    }),
  );
}
