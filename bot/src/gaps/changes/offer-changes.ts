import type { KnownBlock } from "@slack/types";
import type { NearKept } from "@threadlore/client/models";
import { withoutHeading } from "@threadlore/documents";
import type { PinRecord, RunResult } from "@threadlore/inbox";
import { section } from "../../ask/block-kit.ts";
import type { BotContext } from "../../context.ts";
import { postEphemeral } from "../../post-message.ts";
import { button } from "../../slack/render/answer-actions.ts";
import { context as small } from "../../slack/render/text-blocks.ts";
import { channelFinds } from "../still-true/channel-finds.ts";
import { isRefused } from "../../knowledge-server/not-offered.ts";
import { linkTo } from "../still-true/still-message.ts";
import type { StillStep } from "../still-true/still-tasks.ts";
import { bothSay } from "./both-say.ts";
import { keepOffer, noteOffered, offerRef, wasOffered } from "./offers.ts";

/**
 * Asks whoever had a message kept, and nobody else, which kept answers it changes. Rules are sure of part of what contradicts
 * an answer; who brings a document has read it, and can tell. Once for each version, and best effort: what the server is sure of
 * its owner is asked anyway. Guests, and people of other companies, are shown no answers of others, and nobody is shown one that
 * their channel does not find.
 */
export async function offerChanges(context: BotContext, step: StillStep<"near">): Promise<RunResult> {
  const { store, people, log } = context;
  const { channel, ts, hash } = step;
  const pin = await store.findPin(channel, ts);
  if (pin === undefined || pin.state === "tombstone" || pin.hash !== hash) return "gone";
  const account = await people.account(pin.by);
  if (account?.kind !== "member" && account?.kind !== "admin") return "stayed_out";
  const shown = await toShow(context, pin);
  if (shown.length === 0) return "done";
  const kept = shown.map(({ document_id: id, owner_ref: owner }) => ({ id, owner }));
  if (!(await keepOffer(context, { to: pin.by, channel, ts, hash, kept }))) return "done";
  await noteOffered(context, step, shown);
  await postEphemeral(context, {
    channel,
    user: pin.by,
    text: CHANGES,
    blocks: changesBlocks(offerRef(step), pin, shown),
  }).catch((error: unknown) => log.info("not asked what a message changes", { channel, ts, error }));
  return "done";
}

/** Kept answers the message may change, that nobody was asked about with these words, and readers of its channel may see. */
async function toShow(context: BotContext, pin: PinRecord): Promise<readonly NearKept[]> {
  const { channel } = pin;
  const near = await nearTo(context, pin.serverId ?? pin.documentId);
  const shown: NearKept[] = [];
  for (const { says, ...rest } of near) {
    const one = { ...rest, says: withoutHeading(says) };
    if (await wasOffered(context, pin, one)) continue;
    const { document_id: id, kept_says: words, question } = one;
    if (await channelFinds(context, channel, id, [words, question])) shown.push(one);
  }
  return shown;
}

async function nearTo({ servers }: BotContext, documentId: string): Promise<readonly NearKept[]> {
  try {
    return (await servers.ingest.kept.near(documentId)).kept_answers;
  } catch (error) {
    if (!isRefused(error)) throw error;
    return [];
  }
}

/** `action_id` of the buttons, a number behind it. Their values: that number, and what the offer is known by. */
export const CHANGED = "kept_changed";

const CHANGES = "Does this change what is kept?";

function changesBlocks(ref: string, pin: PinRecord, shown: readonly NearKept[]): KnownBlock[] {
  const message = linkTo(pin.title, pin.permalink, "A message you had kept");
  const rows = shown.map(({ question, link, says, kept_says: keptSays }, at): KnownBlock => {
    const said = bothSay({ title: question, link: link ?? undefined, says: keptSays }, { says });
    return { ...section(said), accessory: button("It changes this", `${CHANGED}_${at}`, `${at}:${ref}`) };
  });
  return [section(`*${CHANGES}*\n${message}`), ...rows, small([FOOT])];
}

const FOOT = "If it changes none of these, do nothing. Only you see this.";
