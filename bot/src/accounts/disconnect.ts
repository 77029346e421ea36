import { NO_CONVERSATION, type Turn, withoutConversation } from "../ask/turn.ts";
import type { BotContext } from "../context.ts";
import type { FormerKey } from "./vault.ts";
import { connectionIn, isOwn, type OwnKey } from "./question-key.ts";

/** Forgets somebody's own account, and everything that is noted of what was asked with it. False: there was none. */
export async function disconnect(context: BotContext, user: string): Promise<boolean> {
  const { accounts, log } = context;
  const former = await accounts.remove(user);
  if (former === undefined) return false;
  await forgetFormer(context, former);
  log.info("account disconnected", { user });
  return true;
}

/** A key that is over is forgotten, and ended at the server where that gave it to the bot. */
export async function forgetFormer(context: BotContext, { key, toEnd }: FormerKey): Promise<void> {
  await forgetNotes(context, key);
  // Where the server is away the key is its person's to end, in the list of their keys there.
  if (toEnd !== undefined) context.later("end a key", () => context.accounts.endKey(toEnd));
}

/** Forgets what is noted of conversations with this key. */
function forgetNotes({ store }: Pick<BotContext, "store">, key: OwnKey): Promise<void> {
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
