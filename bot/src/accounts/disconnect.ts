import { NO_CONVERSATION, type Turn, withoutConversation } from "../ask/turn.ts";
import type { BotContext } from "../context.ts";
import { connectionIn, isOwn, type OwnKey } from "./question-key.ts";

/** Forgets somebody's own account, and everything that is noted of what was asked with it. False: there was none. */
export async function disconnect(context: BotContext, user: string): Promise<boolean> {
  const { accounts, log } = context;
  const key = await accounts.remove(user);
  if (key === undefined) return false;
  await forgetNotes(context, key);
  log.info("account disconnected", { user });
  return true;
}

/** Forgets what is noted of conversations with this key. */
export function forgetNotes({ store }: Pick<BotContext, "store">, key: OwnKey): Promise<void> {
  return store.forgetNotesOf(connectionIn(key), withoutConversation);
}

/** The account a question was asked with was disconnected meanwhile: what this turn noted of it goes after it. */
export async function forgetLeftovers(turn: Turn): Promise<void> {
  const { context, progress } = turn;
  const { key } = progress;
  if (!isOwn(key) || (await context.accounts.isConnected(key))) return;
  await turn.save(NO_CONVERSATION);
  await forgetNotes(context, key);
}
