import type { MaybeChanged } from "@threadlore/client/models";
import { withoutHeading } from "@threadlore/documents";
import type { BotContext } from "../../context.ts";
import { isRefused } from "../../knowledge-server/not-offered.ts";
import type { Saying } from "../changes/both-say.ts";
import { changeRef, findShown, keepShown, wasOffered } from "../changes/offers.ts";
import { channelFinds } from "../still-true/channel-finds.ts";
import { pinNamed } from "../still-true/server-names.ts";
import { type Rows, some } from "./digest-rows.ts";

/** The nearest ones are looked at. */
const MAX_LOOKED_AT = 50;
const DAY_MS = 86_400_000;
/**
 * What was found so long before a digest is asked for, days, or since the digest before and a day where that is longer: one has room
 * for few, and the next ones show the rest. What one showed is known, as long as anything is kept.
 */
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
  /** The moment of the digest before. */
  readonly since: number;
  /** Its own. */
  readonly at: number;
  /** Where it stands. */
  readonly channel: string;
}

/**
 * Kept answers that a newer document may change, found lately, those no digest before this one showed. Whoever brings a document by hand can tell what it
 * changes, and is asked; of one that a program sends administrators are. Not shown is what whoever pinned the document was shown,
 * what readers of the digest's channel do not find, and any message of a channel that is not everybody's. Throws where the server cannot be asked now.
 */
export async function mayChange(context: BotContext, digest: DigestOf): Promise<Rows<MayChange>> {
  const found: (MayChange & { readonly ids: { readonly kept: string; readonly newer: string } })[] = [];
  for (const { says, ...rest } of await listed(context, askedSince(context, digest))) {
    const one = { ...rest, says: withoutHeading(says) };
    const ref = changeRef(one.by.document_id, one);
    if ((await isKnown(context, ref, one, digest)) || !(await isFound(context, one, digest.channel))) continue;
    const { document_id: kept, question, link, kept_says: keptSays, by } = one;
    found.push({
      ref,
      kept: { title: question, link: link ?? undefined, says: keptSays },
      newer: { title: by.title, link: by.link ?? undefined, says: one.says },
      ids: { kept, newer: by.document_id },
    });
  }
  const { rows, more } = some(found);
  for (const { ref, ids } of rows) await keepShown(context, ref, { ...ids, at: digest.at });
  return { rows, more };
}

/** The server's clock is not the bot's: by a day neither misses what the other has. */
function askedSince({ config }: BotContext, { since, at }: DigestOf): number {
  const kept = config.retentionDays === 0 ? Infinity : config.retentionDays;
  return Math.min(since - DAY_MS, at - Math.min(LOOKED_BACK_DAYS, kept) * DAY_MS);
}

async function listed({ servers }: BotContext, since: number): Promise<readonly MaybeChanged[]> {
  try {
    const which = { since: new Date(since).toISOString(), most: MAX_LOOKED_AT };
    return (await servers.ingest.kept.maybeChanged(which)).kept_answers;
  } catch (error) {
    if (!isRefused(error)) throw error;
    return [];
  }
}

/** Whether an earlier digest showed the two, or whoever pinned the document was asked about them. */
async function isKnown(context: BotContext, ref: string, one: MaybeChanged, { since }: DigestOf): Promise<boolean> {
  const shown = await findShown(context, ref);
  // One that was gathered and never posted showed nothing.
  if (shown !== undefined && shown.at <= since) return true;
  const pin = await pinNamed(context, one.by.document_id);
  return pin !== undefined && wasOffered(context, pin, one);
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
