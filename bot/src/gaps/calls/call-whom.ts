import { isDirect, type QuestionBody } from "../../ask/question.ts";
import { type Rules, settingsFor } from "../../rules/rules.ts";
import type { Settings } from "../../rules/settings.ts";
import type { BotContext } from "../../context.ts";
import type { PinRecord } from "@threadlore/inbox";
import { isMember } from "../../pins/pin-notices.ts";
import type { Place } from "../../slack/read/people.ts";
import { readOne } from "../../slack/read/replies.ts";

/** So many are asked because they wrote on it before; whom the rules name are all asked. */
const MAX_AUTHORS = 3;

/**
 * Who is asked: those the place's rules name; else who wrote or kept the documents that come closest, as far as they read
 * along there. Never the asker, whoever left, a program, or a guest where the rules leave guests out. May be nobody.
 */
export async function helpersFor(
  context: BotContext,
  place: Place,
  { asker, documents }: { readonly asker: string; readonly documents: readonly string[] },
): Promise<readonly string[]> {
  const { helpers, guests } = settingsFor(context.rules(), place);
  const named = await filtered(helpers, (id) => isNamedStill(context, id, asker));
  if (named.length > 0) return named;
  const authors = new Set<string>();
  for (const document of documents) {
    const pin = await context.store.pinOfDocument(document);
    for (const id of pin === undefined ? [] : await authorsOf(context, pin)) authors.add(id);
  }
  const may = await filtered([...authors], (id) => mayBeAsked(context, place, { id, asker, guests }));
  return may.slice(0, MAX_AUTHORS);
}

/** Somebody who can be asked by a direct message, and the channel whose rules name them; absent: those of direct messages do. */
export interface DirectHelper {
  readonly user: string;
  readonly under?: string;
}

/**
 * Whom rules of their own name, and who can be asked by a direct message: those of direct messages; `anywhere`: those of single
 * channels as well, whose answers are kept as in these. Groups are asked in channels alone. Never the asker.
 */
export async function directHelpers(
  context: BotContext,
  asker: string,
  { anywhere }: { readonly anywhere: boolean },
): Promise<readonly DirectHelper[]> {
  const { directMessages, channels } = context.rules();
  const named = new Map<string, DirectHelper>();
  for (const user of directMessages.helpers) named.set(user, { user });
  for (const [under, { namesHelpers, helpers }] of anywhere ? channels : []) {
    for (const user of namesHelpers ? helpers : []) if (!named.has(user)) named.set(user, { user, under });
  }
  const people = [...named.keys()].filter((id) => !id.startsWith("S"));
  const may = await filtered(people.slice(0, MAX_DIRECT), (id) => canAnswer(context, id, asker));
  return may.flatMap((id) => named.get(id) ?? []);
}

/** So many are looked up, a call each. */
const MAX_DIRECT = 20;

/** Whether somebody is a member of the workspace who is still there: of others no words are kept. */
async function canAnswer(context: BotContext, id: string, asker: string): Promise<boolean> {
  const account = await context.people.account(id);
  const isKnown = account?.kind === "member" || account?.kind === "admin";
  return isKnown && (await isNamedStill(context, id, asker));
}

/**
 * Whether somebody is named whom a question can be put to: by its own place, and of one that nobody but its asker knows of, by
 * any, once they agree.
 */
export function areHelpersNamed(
  { otherChannels, channels, directMessages }: Rules,
  question: Pick<QuestionBody, "private" | "channel" | "entry">,
  helpers: Settings["helpers"],
): boolean {
  const all = [otherChannels, directMessages, ...channels.values()];
  const isForOne = question.private || isDirect(question);
  return helpers.length > 0 || (isForOne && all.some((place) => place.helpers.length > 0));
}

async function filtered(ids: readonly string[], isWanted: (id: string) => Promise<boolean>): Promise<string[]> {
  const wanted = await Promise.all(ids.map(isWanted));
  return ids.filter((_, at) => wanted[at]);
}

/** Whom the rules name counts, unless they cannot answer. */
async function isNamedStill({ people }: BotContext, id: string, asker: string): Promise<boolean> {
  if (id.startsWith("S")) return true;
  if (id === asker) return false;
  const account = await people.account(id);
  return account?.kind !== "bot" && !(await people.hasLeft(id));
}

async function mayBeAsked(
  { people, clients, self }: BotContext,
  place: Place,
  { id, asker, guests }: { readonly id: string; readonly asker: string } & Pick<Settings, "guests">,
): Promise<boolean> {
  if (id === "" || id === asker || id === self.userId) return false;
  const account = await people.account(id);
  const isWelcome = account?.kind === "member" || account?.kind === "admin";
  if (!isWelcome && !(account?.kind === "guest" && guests === "allow")) return false;
  return !(await people.hasLeft(id)) && isMember(clients.reads, place.id, id);
}

/** Whose words a kept message is, and who had it kept. */
async function authorsOf(context: BotContext, pin: PinRecord): Promise<readonly string[]> {
  if (pin.how === "answer") return [pin.by];
  const reading = { bot: context, channel: pin.channel };
  const message = await readOne(reading, pin.ts).catch(() => undefined);
  return [message?.user ?? "", pin.by].filter((id) => id !== "");
}
