import { type Knowledge, KnowledgeMissing } from "@threadlore/mcp";
import type { BotContext } from "../context.ts";
import { rightsAlone, whyOverBudgetAlone } from "../lookups/rights.ts";
import type { AssistantRequest, SlackIdentity } from "./identity.ts";

type Bot = Pick<
  BotContext,
  "config" | "log" | "now" | "people" | "rules" | "self" | "servers" | "serverWatch" | "store"
>;

/** What counts as a question: of a server that gives no whole documents, reading is asking. */
const isCounted = ({ method, tool }: AssistantRequest): boolean =>
  method === "resources/read" || tool === "ask" || tool === "search" || tool === "read";

/**
 * The knowledge server with the key that the rules give to whoever asks through Slack's assistant (`assistants`). Throws
 * KnowledgeMissing, in words for that person, where they give none.
 */
export async function knowledgeFor(bot: Bot, request: AssistantRequest): Promise<Knowledge> {
  const { identity } = request;
  const { rules, self, servers, serverWatch, config } = bot;
  if (identity === undefined) throw new KnowledgeMissing(NOBODY);
  if (!isOurs(identity, self)) throw new KnowledgeMissing(ELSEWHERE);
  const { assistants, dmKey } = rules();
  if (assistants?.enabled !== true) throw new KnowledgeMissing(NO_RULE);
  // Nobody reads along: as a direct message, by rules of its own.
  const decision = await rightsAlone(
    { ...bot, rules: () => ({ ...rules(), directMessages: assistants, dmKey: dmKey && assistants.key === "dm" }) },
    identity.user,
  );
  if (decision.kind !== "answer") throw new KnowledgeMissing(decision.kind === "refuse" ? decision.words : ELSEWHERE);
  const wait = isCounted(request) ? await whyOverBudgetAlone(bot, identity.user) : undefined;
  if (wait !== undefined) throw new KnowledgeMissing(wait);
  await serverWatch.admit((decision.key === "dm" ? config.keys.dm : undefined) ?? config.keys.channel);
  const { client, deployment } = servers[decision.key];
  // Nothing is added here: with one key for many, nobody could say who did.
  return { client, deployment, pair: undefined };
}

const NOBODY = "Slack did not say who asks. Ask through Slack's assistant in your own workspace.";
const ELSEWHERE = "I answer members of my own workspace only, since I answer from its internal documents.";
const NO_RULE =
  "Slack's assistant may not ask here yet. Whoever runs this bot lets it with `assistants:` in the rules file, which says " +
  "who may ask (`who_may_ask`) and with which key (`key`).";

function isOurs({ team, organisation }: SlackIdentity, self: Bot["self"]): boolean {
  return team === self.teamId || (self.organisation !== undefined && organisation === self.organisation);
}
