import type { BotContext } from "../context.ts";
import { Repeated } from "../time.ts";
import { settleOwed } from "./good-answers.ts";
import { type GapWork, partitionOf } from "./note-question.ts";

/** Gaps looked at in one go: a call to the server each. */
const MAX_LOOKED_AT = 200;
const HOUR_MS = 3_600_000;

/** Has the server's gaps people here wait in looked at, now and every hour, by one instance. */
export function watchGaps(context: BotContext): Repeated {
  const { store, log, now } = context;
  const rounds = new Repeated(async () => {
    try {
      await settleOwed(context);
      const isOurs = await store.claimTurn("gaps", { now: now(), periodMs: HOUR_MS / 2 });
      if (isOurs) await lookAtGaps(context, `at-${now()}`);
    } catch (error) {
      log.warn("background work failed", { reason: "look at gaps", error });
    }
    return HOUR_MS;
  });
  rounds.begin(0);
  return rounds;
}

/** The same at once. `once` tells one look from another. */
export async function lookAtGaps({ store, inbox }: Pick<BotContext, "store" | "inbox">, once: string): Promise<void> {
  for (const { ref, place } of await store.gapsToLookAt(MAX_LOOKED_AT)) {
    const body: GapWork = { do: "look", ref };
    // In the order of what else is done about its message, which may be deleted meanwhile.
    await inbox.accept({
      key: `gap:${place}:look-${ref}-${once}`,
      kind: "gap",
      partitionKey: partitionOf(place),
      body,
    });
  }
}
