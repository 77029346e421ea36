import type { NewTask } from "@threadlore/inbox";
import type { BotContext } from "../context.ts";
import { Repeated } from "../time.ts";
import { settleOwed } from "./good-answers.ts";
import type { GapWork } from "./note-question.ts";

const HOUR_MS = 3_600_000;
/** Whatever asks for a look within such a time has the same one, milliseconds: many gaps may be closed at one moment. */
const TOGETHER_MS = 2_000;

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

/**
 * Has them looked at soon, durably: one look for all gaps, and for all who ask for one within a moment. `once` tells who asks from
 * another.
 */
export async function lookAtGaps({ store, inbox, now }: LookParts, once: string): Promise<void> {
  if ((await store.gapsToLookAt(1)).length === 0) return;
  const from = (Math.floor(now() / TOGETHER_MS) + 1) * TOGETHER_MS;
  const look = lookTask(String(from), { do: "look at all", from });
  if (await inbox.accept(look)) return;
  // One that was begun may have asked the server already, as where the machine's clock was put back.
  if ((await store.findByKey(look.key))?.state === "waiting") return;
  await inbox.accept(lookTask(`${from}-${once}`, { do: "look at all", from }));
}

type LookParts = Pick<BotContext, "store" | "inbox" | "now">;

const lookTask = (which: string, body: GapWork): NewTask => {
  return { key: `gap:look:${which}`, kind: "gap", partitionKey: "gap:look", body };
};
