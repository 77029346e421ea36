import type { WaitingAsks } from "@threadlore/client/models";
import type { BotContext } from "../../context.ts";
import { isNotOffered } from "../../knowledge-server/not-offered.ts";
import { Repeated } from "../../time.ts";
import { beginCallTask } from "../calls/call-tasks.ts";

/** From one look to the next, milliseconds: while somebody may be asked, after nothing waited, and where nothing can be asked for. */
const LOOK_MS = 10_000;
const IDLE_MS = 30_000;
const NONE_MS = 30 * 60_000;

/** The name under which a call of the side panel is kept. */
const nameOf = (ask: string): string => `panel-${ask}`;

/**
 * Looks at the server for what somebody wants to ask people in the side panel, where the rules name a channel for that. That it
 * looks is how the panel knows that there is anybody to be asked.
 */
export function watchPanelAsks(context: BotContext): Repeated {
  const { store, log, now, rules } = context;
  const rounds = new Repeated(async () => {
    if (rules().panelQuestions === undefined) return IDLE_MS;
    try {
      if (!(await store.claimTurn("panel asks", { now: now(), periodMs: LOOK_MS / 2 }))) return LOOK_MS;
      await lookAtPanelAsks(context);
      return LOOK_MS;
    } catch (error) {
      if (isNotOffered(error)) return NONE_MS;
      log.warn("background work failed", { reason: "look at questions of the side panel", error });
      return IDLE_MS;
    }
  });
  rounds.begin(0);
  return rounds;
}

/** One look; each ask becomes a task of its own, once. How much waited. */
export async function lookAtPanelAsks(
  context: Pick<BotContext, "servers" | "inbox" | "self" | "rules">,
): Promise<number> {
  const { panelQuestions: channel } = context.rules();
  if (channel === undefined) return 0;
  const { asks, withdrawn }: WaitingAsks = await context.servers.ingest.asks.waiting();
  for (const { ask_id: ask, gap_id: gap, question: words, name } of asks) {
    const work = { do: "panel", task: nameOf(ask), ask, gap: `s${gap}`, channel, words } as const;
    await beginCallTask(context, channel, { ...work, ...(name != null && { name }) }, "once");
  }
  for (const { ask_id: ask } of withdrawn)
    await beginCallTask(context, channel, { do: "withdraw", task: nameOf(ask), ask }, "once");
  return asks.length + withdrawn.length;
}
