import type { BotContext } from "../context.ts";
import { Repeated } from "../time.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Deletes what is older than it may get: at once and every hour, by one instance. */
export function keepRetention({ config, store, log, now }: BotContext): Repeated {
  const forget = async (): Promise<void> => {
    if (!(await store.claimTurn("retention", { now: now(), periodMs: HOUR_MS / 2 }))) return;
    const count = await store.forgetBefore(now() - config.retentionDays * DAY_MS);
    if (count > 0) log.info("forgotten", { count });
  };
  const rounds = new Repeated(async () => {
    await forget().catch((error: unknown) =>
      log.warn("background work failed", { reason: "forget what is old", error }),
    );
    return HOUR_MS;
  });
  if (config.retentionDays > 0) rounds.begin(0);
  return rounds;
}
