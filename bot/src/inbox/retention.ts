import type { BotContext } from "../context.ts";
import { Repeated } from "../time.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Deletes what is older than it may get: at once and every hour, by one instance. */
export function keepRetention({ config, store, log, now }: BotContext): Repeated {
  const rounds = new Repeated(async (signal) => {
    try {
      const isOurs = await store.claimTurn("retention", { now: now(), periodMs: HOUR_MS / 2 });
      const count = isOurs ? await store.forgetBefore(now() - config.retentionDays * DAY_MS, signal) : 0;
      if (count > 0) log.info("forgotten", { count });
    } catch (error) {
      log.warn("background work failed", { reason: "forget what is old", error });
    }
    return HOUR_MS;
  });
  if (config.retentionDays > 0) rounds.begin(0);
  return rounds;
}
