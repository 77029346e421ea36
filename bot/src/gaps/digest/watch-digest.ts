import type { BotContext } from "../../context.ts";
import { Repeated } from "../../time.ts";
import { beginDigest } from "./digest-work.ts";
import { weekDue } from "./digest-time.ts";
import { weekDone, weekIsDone } from "./digest-week.ts";

const EVERY_MS = 300_000;

/** Begins the digest of each week, once for all instances, where there is a channel for administrators. */
export function watchDigest(context: BotContext): Repeated {
  const { log, patience } = context;
  const everyMs = patience.digestEveryMs ?? EVERY_MS;
  const rounds = new Repeated(async () => {
    await lookAtWeek(context).catch((error: unknown) =>
      log.warn("background work failed", { reason: "post the digest", error }),
    );
    return everyMs;
  });
  rounds.begin(0);
  return rounds;
}

async function lookAtWeek(context: BotContext): Promise<void> {
  const { rules, config, now } = context;
  const { digest } = rules();
  if (digest === undefined || config.adminChannel === undefined) return;
  const week = weekDue(now(), digest);
  const done = await weekDone(context);
  // The first one comes when it is its time, not when the bot is first started.
  if (done === undefined) await weekIsDone(context, week);
  else if (week > done) await beginDigest(context, week);
}
