import type { BotContext } from "../context.ts";
import { type Asker, type ChannelFacts, decide, type Decision, groupsToLookUp, settingsFor } from "../rules/rules.ts";

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
