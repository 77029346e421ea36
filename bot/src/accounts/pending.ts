import * as z from "zod";
import type { BotContext } from "../context.ts";
import type { WaitingSignIn } from "./sign-in.ts";

/** Somebody who connects their account by a link. */
export const ConnectBody = z.object({
  user: z.string(),
  /** What `accounts.begin` gave. */
  ticket: z.string(),
  /** The form they have open. */
  viewId: z.string(),
});
export type ConnectBody = z.infer<typeof ConnectBody>;

/** A sign-in as its task keeps it. */
export const Waiting = z.object({
  sealed: z.string(),
  userCode: z.string(),
  page: z.string(),
  expiresAt: z.number(),
  pauseMs: z.number(),
  /** The only address the account may have, where Slack told it when this began. */
  email: z.string().optional(),
});

/** Where it is kept, for the Home, what somebody has to open and compare; empty: nothing. */
const pendingMark = (team: string, user: string): string => `signing in:${team}:${user}`;

/** The sign-in of this person that waits for them. */
export async function pendingSignIn({ store, accounts, self, now }: BotContext, user: string) {
  const kept = await store.recall(pendingMark(self.teamId, user));
  // An address somebody else wrote into the database is none to send people to.
  const shown = kept === undefined || kept === "" ? undefined : accounts.shown(user, kept);
  const found = shown === undefined ? undefined : Waiting.safeParse(JSON.parse(shown)).data;
  return found !== undefined && found.expiresAt > now() ? found : undefined;
}

/** For the Home, what this person has to open and compare; the code only the bot may know is not in it. */
export async function notePending(
  { store, accounts, self }: Pick<BotContext, "store" | "accounts" | "self">,
  user: string,
  waiting: WaitingSignIn,
): Promise<void> {
  const text = accounts.hidden(user, JSON.stringify({ ...waiting, sealed: "" }));
  await store.remember(pendingMark(self.teamId, user), text ?? "");
}

/** Nothing waits for this person any more. */
export async function forgetPending({ store, self }: BotContext, user: string): Promise<void> {
  await store.remember(pendingMark(self.teamId, user), "");
}
