import type { Turn } from "../ask/turn.ts";
import { rightsAlone } from "../lookups/rights.ts";
import { isDirect } from "../ask/question.ts";
import type { AskingKey, Settings } from "../rules/settings.ts";
import type { QuestionKey } from "./question-key.ts";

/**
 * With which key a question is asked: what only its asker reads with their own account, where they connected one and the
 * place's rules let them; everything else with the key the rules name. `words`: nothing is asked, and why.
 */
export async function chooseKey(
  turn: Turn,
  { key, settings }: { readonly key: AskingKey; readonly settings: Pick<Settings, "answer" | "own_account"> },
): Promise<{ readonly key: QuestionKey } | { readonly words: string }> {
  const { context, question } = turn;
  // Everybody in the channel reads it.
  if (question.shares !== undefined) return { key: "channel" };
  const isAlone = isDirect(question) || question.private || settings.answer === "ephemeral";
  const { own_account: rule } = settings;
  if (rule === "off" && question.more !== undefined) return { words: NO_MORE_HERE };
  if (!isAlone || question.botId !== undefined || rule === "off") return { key };
  const account = await accountOf(turn);
  if (account?.isGood === true) {
    // Taken in before there was a secret, by the version before, or written into the database by somebody else.
    if (!turn.isGenuine) {
      await turn.note("Nobody can tell any more whether its asker asked it, so it does not go with their own account.");
      return rule === "only" || question.more !== undefined ? { words: ASK_ANEW } : { key };
    }
    await turn.note("The asker's own account is connected, so the question goes with that.");
    return { key: account.key };
  }
  // What is more is the account's alone.
  if (question.more !== undefined) return { words: account === undefined ? CONNECT_FOR_MORE : CONNECT_AGAIN_FOR_MORE };
  if (rule === "only") {
    await turn.note(
      "Here questions go with the asker's own account alone (`own_account: only`), and none is connected.",
    );
    return { words: context.accounts.isOffered ? (account === undefined ? CONNECT : CONNECT_AGAIN) : NOT_OFFERED };
  }
  if (account !== undefined) await noteRefusal(turn);
  return { key };
}

/** Whether this person may ask for themselves at all, and with an account of their own. */
export async function mayConnect(context: Pick<Turn["context"], "people" | "rules">, user: string): Promise<boolean> {
  const decision = await rightsAlone(context, user);
  return decision.kind === "answer" && decision.settings.own_account !== "off";
}

/** The account of whoever asks; people of another workspace have none here, whatever their ids are. */
export async function accountOf({ context, question }: Pick<Turn, "context" | "question">) {
  const { userTeam = context.self.teamId, user } = question;
  return userTeam === context.self.teamId ? await context.accounts.of(user) : undefined;
}

/** The same for whoever searches in the platform, as in a direct message, as far as the rules let own accounts search. */
export async function chooseKeyAlone(
  { accounts }: Pick<Turn["context"], "accounts">,
  user: string,
  {
    key,
    settings,
  }: { readonly key: AskingKey; readonly settings: Pick<Settings, "own_account" | "own_account_in_search"> },
): Promise<{ readonly key: QuestionKey } | { readonly words: string }> {
  const { own_account: rule, own_account_in_search: inSearch } = settings;
  if (rule === "only" && inSearch === "off") return { words: NOT_IN_SEARCH };
  const account = rule === "off" || inSearch === "off" ? undefined : await accounts.of(user);
  if (account?.isGood === true) return { key: account.key };
  if (rule !== "only") return { key };
  return { words: accounts.isOffered ? (account === undefined ? CONNECT : CONNECT_AGAIN) : NOT_OFFERED };
}

/** The asker is told that their own account was not good, below the answer. */
export async function noteRefusal(turn: Turn): Promise<void> {
  await turn.note("The asker's own account is not accepted any more, so it has to be connected again.");
  await turn.save({ ownRefused: true });
}

/** Below an answer whose asker's account was refused; mrkdwn. */
export const OWN_REFUSED =
  "The knowledge server no longer accepts your own account, so I answered with what everybody here may see. Connect it again on my *Home*.";

const ASK_ANEW =
  "I cannot tell any more who asked this, so I ask nothing with your own account. Write the question again.";
const CONNECT_FOR_MORE = "Your own account is not connected any more. Connect it on my *Home*, then ask again.";
const CONNECT_AGAIN_FOR_MORE =
  "The knowledge server no longer accepts your own account. Connect it again on my *Home*, then ask again.";
const NO_MORE_HERE = "Own accounts are not asked here any more. Ask me in a direct message.";
const CONNECT = "Here I answer with your own account of the knowledge server. Connect it on my *Home*, then ask again.";
const CONNECT_AGAIN =
  "The knowledge server no longer accepts your own account, and here I answer with nothing else. Connect it again on my *Home*.";
const NOT_IN_SEARCH =
  "Here I find with people's own accounts alone, and searches in Slack are not made with those. Ask me in a direct message.";
const NOT_OFFERED =
  "Here I answer with people's own accounts alone, and they cannot be connected yet. Whoever runs me has to switch that on.";
