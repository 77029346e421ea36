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
});

/** Where it is kept, for the Home, what somebody has to open and compare; empty: nothing. */
const pendingMark = (user: string): string => `signing in:${user}`;

/** The sign-in of this person that waits for them. */
export async function pendingSignIn({ store, now }: BotContext, user: string) {
  const kept = await store.recall(pendingMark(user));
  const found = kept === undefined || kept === "" ? undefined : Waiting.safeParse(JSON.parse(kept)).data;
  return found !== undefined && found.expiresAt > now() ? found : undefined;
}

/** For the Home, what this person has to open and compare; the code only the bot may know is not in it. */
export async function notePending(
  { store }: Pick<BotContext, "store">,
  user: string,
  waiting: WaitingSignIn,
): Promise<void> {
  await store.remember(pendingMark(user), JSON.stringify({ ...waiting, sealed: "" }));
}

/** Nothing waits for this person any more. */
export async function forgetPending({ store }: BotContext, user: string): Promise<void> {
  await store.remember(pendingMark(user), "");
}
