import type { MaybeChanged } from "@threadlore/client/models";
import * as z from "zod";
import type { BotContext } from "../../context.ts";
import { isRefused } from "../../knowledge-server/not-offered.ts";
import type { Saying } from "../changes/both-say.ts";
import { maybeChanged } from "../changes/maybe-changed.ts";
import { changeRef, keepShown, wasAskedOf, wasOffered } from "../changes/offers.ts";
import { channelFinds } from "../still-true/channel-finds.ts";
import { pinNamed } from "../still-true/server-names.ts";
import { type Rows, some } from "./digest-rows.ts";

/** The nearest ones are looked at, until so many can be shown: a digest has room for five, and counts the rest. */
const MAX_LOOKED_AT = 200;
const MAX_FOUND = 20;
const DAY_MS = 86_400_000;
/** What was found so long before a digest can stand in it, days: one has room for few, and the next ones show the rest. */
const LOOKED_BACK_DAYS = 28;

/** A kept answer, and a newer document that may change it. */
export interface MayChange {
  /** What the two are known by. */
  readonly ref: string;
  readonly kept: Saying;
  readonly newer: Saying;
}

/** Of which digest, and who reads it. */
export interface DigestOf {
  /** Its moment. */
  readonly at: number;
  /** Where it stands. */
  readonly channel: string;
  /** The week whose digest it is; undefined: somebody alone looks at it before. */
  readonly week?: string | undefined;
}

const chosenIn = (week: string): string => `digest changes ${week}`;
const toldName = (ref: string): string => `changes-told:${ref}`;

/**
 * Kept answers that a newer document may change, found lately, those no digest before this one showed. Whoever brings a document by
 * hand can tell what it changes, and is asked; of one that a program sends administrators are. Not shown is what whoever pinned the
 * document was shown, what readers of the digest's channel do not find, and any message of a channel that is not everybody's. What
 * the digest of a week shows is chosen once, however often that is begun. Throws where the server cannot be asked now.
 */
export async function mayChange(context: BotContext, digest: DigestOf): Promise<Rows<MayChange>> {
  const { week } = digest;
  const chosen = week === undefined ? undefined : await chosenBefore(context, week);
  const found: MayChange[] = [];
  for (const one of await listed(context, askedSince(context, digest))) {
    if (found.length === MAX_FOUND) break;
    const ref = changeRef(one.by.document_id, one);
    const isHere = chosen === undefined ? !(await isKnown(context, ref, one)) : chosen.includes(ref);
    if (!isHere || !(await isFound(context, one, digest.channel))) continue;
    const { document_id: kept, question, link, says, kept_says: keptSays, by } = one;
    await keepShown(context, ref, { kept, newer: by.document_id });
    found.push({
      ref,
      kept: { title: question, link: link ?? undefined, says: keptSays },
      newer: { title: by.title, link: by.link ?? undefined, says },
    });
  }
  const { rows, more } = some(found);
  if (week !== undefined && chosen === undefined) {
    await context.store.rememberFirst(chosenIn(week), JSON.stringify(rows.map(({ ref }) => ref)));
  }
  return { rows, more };
}

async function chosenBefore({ store }: BotContext, week: string): Promise<readonly string[] | undefined> {
  const chosen = await store.recall(chosenIn(week));
  return chosen === undefined ? undefined : z.array(z.string()).parse(JSON.parse(chosen));
}

/** The digest of a week is posted: no other one shows what it showed, as long as anything is kept. Safe to repeat. */
export async function changesAreTold(context: BotContext, week: string): Promise<void> {
  for (const ref of (await chosenBefore(context, week)) ?? []) await context.store.remember(toldName(ref), "");
}

/** No further back than it is remembered what was told. */
function askedSince({ config }: BotContext, { at }: DigestOf): number {
  const kept = config.retentionDays === 0 ? Infinity : config.retentionDays;
  return at - Math.min(LOOKED_BACK_DAYS, kept) * DAY_MS;
}

async function listed(context: BotContext, since: number): Promise<readonly MaybeChanged[]> {
  try {
    return await maybeChanged(context, { since: new Date(since).toISOString(), most: MAX_LOOKED_AT });
  } catch (error) {
    if (!isRefused(error)) throw error;
    return [];
  }
}

/** Whether a digest showed the two, or whoever pinned the document was asked about them. */
async function isKnown(context: BotContext, ref: string, one: MaybeChanged): Promise<boolean> {
  if ((await context.store.recall(toldName(ref))) !== undefined) return true;
  const pin = await pinNamed(context, one.by.document_id);
  if (pin === undefined) return false;
  return (await wasOffered(context, pin, one)) || wasAskedOf(context, pin, one.document_id);
}

/** Whether readers of the digest may see both: its channel finds them, and neither is a message of a channel that is not everybody's. */
async function isFound(
  context: BotContext,
  { document_id: kept, question, kept_says: keptSays, by, says }: MaybeChanged,
  channel: string,
): Promise<boolean> {
  if (!(await isPublic(context, kept)) || !(await isPublic(context, by.document_id))) return false;
  if (!(await channelFinds(context, channel, kept, [keptSays, question]))) return false;
  return channelFinds(context, channel, by.document_id, [says, by.title]);
}

async function isPublic(context: BotContext, named: string): Promise<boolean> {
  const pin = await pinNamed(context, named);
  return pin === undefined || (await context.people.place(pin.channel))?.kind === "public";
}
