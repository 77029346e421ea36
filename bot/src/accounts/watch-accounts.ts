import { delay } from "@threadlore/client/delay";
import type { BotContext } from "../context.ts";
import { Repeated } from "../time.ts";
import { disconnect } from "./disconnect.ts";
import { forgetPending } from "./pending.ts";

/** So often it is looked whether people with an account have left, milliseconds. */
const LOOK_EVERY_MS = 6 * 3_600_000;
/** Of instances that are started together one looks, milliseconds. */
const TURN_MS = 5 * 60_000;
/** Pause between two people: Slack takes a hundred such calls a minute, and questions need some. Milliseconds. */
const PAUSE_MS = 1_000;

/**
 * Goes through all accounts, at the start and now and then. Whoever was deactivated while nobody heard Slack's event of it
 * leaves nothing here; where Slack does not say it now, it is asked the next time. What was sealed with a secret that is to be
 * taken away is sealed anew, also of people who never ask.
 */
export function watchAccounts(context: BotContext): Repeated {
  const { accounts, store, self, people, log, now } = context;
  const rounds = new Repeated(async (left) => {
    try {
      const turn = { now: now(), periodMs: TURN_MS };
      if (!(await store.claimTurn(`departed:${self.teamId}`, turn))) return LOOK_EVERY_MS;
      const holders = await accounts.holders();
      for (const user of holders) await accounts.of(user);
      for (const [at, user] of holders.entries()) {
        if (at > 0) await delay(PAUSE_MS, left);
        if (left.aborted) return undefined;
        if (!(await people.hasLeft(user))) continue;
        await disconnect(context, user);
        await forgetPending(context, user);
      }
    } catch (error) {
      if (!left.aborted) log.warn("background work failed", { reason: "look after own accounts", error });
    }
    return LOOK_EVERY_MS;
  });
  if (accounts.isOffered) rounds.begin(0);
  return rounds;
}
