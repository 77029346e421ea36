import type { BotContext } from "../../context.ts";

/** Tells whoever pressed who is asked now. `owner`: `TEAM:USER`. */
export async function askedWords({ people, self }: BotContext, presser: string, owner: string | null): Promise<string> {
  const [team, user] = owner?.split(":") ?? [];
  if (team !== self.teamId || user === undefined) return "Its owner is asked whether it still holds.";
  if (user === presser) return "You are asked yourself whether it still holds.";
  const account = await people.account(user);
  if (account === undefined || (await people.hasLeft(user))) return "I ask whether it still holds.";
  return `${account.name} is asked whether it still holds.`;
}
