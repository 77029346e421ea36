import type { BotContext } from "../context.ts";
import { budgetWords, takeBudget } from "../rules/budgets.ts";
import { type Asker, type ChannelFacts, decide, type Decision, groupsToLookUp, settingsFor } from "../rules/rules.ts";
import { plainDate } from "../slack/render/sources.ts";

/** A question, whatever its words: who looks something up has said all there is to say. */
const A_QUESTION = {
  empty: false,
  question: true,
  smallTalk: false,
  talk: undefined,
  aside: false,
  mentionsOthers: false,
  files: 0,
};

/** Where nobody reads along: what somebody looks up for themselves. */
const ALONE: ChannelFacts = { id: "", kind: "im", shared: false };

type Bot = Pick<BotContext, "people" | "rules">;

/**
 * Counts what somebody looks up for themselves as a question in a direct message of theirs. Words for why they must wait,
 * without markup, where a budget is used up.
 */
export async function whyOverBudgetAlone(
  { store, config, now, self }: Pick<BotContext, "store" | "config" | "now" | "self">,
  user: string,
): Promise<string | undefined> {
  const where = { team: self.teamId, user, channel: ALONE.id, threadTs: "", direct: true };
  const allowance = await takeBudget({ store, limits: config.limits, now: now() }, where);
  return allowance.allowed ? undefined : budgetWords(allowance.which, plainDate(allowance.resetAt));
}

/** What the rules say of somebody who looks something up for themselves: what holds for a direct message of theirs. */
export async function rightsAlone(bot: Bot, user: string): Promise<Decision> {
  return rightsIn(bot, user, ALONE);
}

/** What the rules say of a person where others read along. */
export async function rightsIn({ people, rules }: Bot, user: string, channel: ChannelFacts): Promise<Decision> {
  const wanted = groupsToLookUp(settingsFor(rules(), channel));
  const [account, groups] = await Promise.all([
    user === "" ? undefined : people.account(user),
    wanted.length === 0 ? [] : people.groupsOf(user, wanted),
  ]);
  const asker: Asker = { id: user, kind: account?.kind ?? "unknown", ...(groups !== undefined && { groups }) };
  const entry = channel.kind === "im" ? "dm" : "mention";
  return decide(rules(), { entry, channel, user: asker, text: A_QUESTION });
}
