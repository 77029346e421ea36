import type { RunResult } from "@threadlore/inbox";
import type { BotContext } from "../../context.ts";
import { tellAdminsOnce } from "../../knowledge-server/server-trouble.ts";
import type { CallStep } from "../calls/call-tasks.ts";

/** From one try to the next, milliseconds. */
const AGAIN_MS = 120_000;

/** The channel of the rules in which nobody can be asked, and why, for whoever writes them. */
export interface NobodyThere {
  readonly channel: string;
  readonly why: string;
}

/** Whether its asker still wants people to be asked, and nobody was. */
export async function isWanted({ servers }: Pick<BotContext, "servers">, { ask }: CallStep<"panel">): Promise<boolean> {
  const { asks } = await servers.ingest.asks.waiting();
  return asks.some(({ ask_id: id }) => id === ask);
}

/**
 * It waits until somebody can be asked: administrators are told what is in the way, once. `nobody` is undefined where the rules
 * name no channel any more, which somebody wanted.
 */
export async function waitOn(
  context: BotContext,
  work: CallStep<"panel">,
  nobody: NobodyThere | undefined,
): Promise<RunResult> {
  const { now, patience, store } = context;
  if (!(await isWanted(context, work))) {
    await store.forgetCall(work.task);
    return "done";
  }
  if (nobody !== undefined) {
    const { channel, why } = nobody;
    const words = `Somebody wants to ask a person in the side panel, and nobody can be asked in <#${channel}>, which \`panel_questions\` of the rules names. ${why} Questions wait until then.`;
    await tellAdminsOnce(context, `panel questions:${channel}:${why}`, words);
  }
  return { later: now() + (patience.panelAgainMs ?? AGAIN_MS) };
}
