import { createHash } from "node:crypto";
import { type Doubt, type KeptAnswer as ServersAnswer, parseMoment } from "@threadlore/client/models";
import { withoutHeading } from "@threadlore/documents";
import type { DoubtRecord, KeptAnswer } from "@threadlore/inbox";
import type { BotContext } from "../../context.ts";
import { placeSettings } from "../../ask/presses.ts";
import { Repeated } from "../../time.ts";
import { spanOf } from "../calls/call-time.ts";
import { isNotOffered } from "../../knowledge-server/not-offered.ts";
import { pinNamed } from "./server-names.ts";
import { beginStill } from "./still-tasks.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Doubts of the server that one look asks for, a page at a time. */
const MAX_PAGES = 20;
const PAGE = 200;
/** Kept answers, and doubts, that one look goes through. */
const MAX_LOOKED_AT = 1_000;
/** Nobody is asked about more old answers than this at a time. */
const MAX_OLD_AT_ONCE = 3;
/** So long it is remembered what was asked and answered. */
const OVER_MS = 30 * DAY_MS;
/** An answer whose owner has just said that it holds is left for the next look. */
const JUST_NOW_MS = 60_000;

/** Has what speaks against kept answers looked for, now and every hour, by one instance. */
export function watchStillTrue(context: BotContext): Repeated {
  const { store, log, now, patience } = context;
  const everyMs = patience.stillTrueEveryMs ?? HOUR_MS;
  const rounds = new Repeated(async () => {
    try {
      if (await store.claimTurn("still true", { now: now(), periodMs: everyMs / 2 })) await lookStillTrue(context);
    } catch (error) {
      log.warn("background work failed", { reason: "ask whether answers still hold", error });
    }
    return everyMs;
  });
  rounds.begin(0);
  return rounds;
}

/** The same at once: new doubts are kept, and whom they concern is asked, by tasks. */
export async function lookStillTrue(context: BotContext): Promise<void> {
  const { store, now } = context;
  const began = now();
  const listed = await serverDoubts(context);
  for (const doubt of listed ?? []) await add(context, doubt, began);
  await addOld(context, began);
  for (const doubt of await store.openDoubts(MAX_LOOKED_AT)) {
    if (doubt.state === "new") await beginStill(context, { do: "ask", doubt: doubt.id }, String(doubt.since));
    const isOfServer = doubt.named !== undefined && listed !== undefined && doubt.since < began;
    if (isOfServer && !listed.some(({ id }) => id === doubt.id)) {
      await beginStill(context, { do: "settled", doubt: doubt.id }, String(began));
    }
  }
  for (const { id, remindAt } of await store.doubtsToRemind(now())) {
    await beginStill(context, { do: "remind", doubt: id }, String(remindAt));
  }
  await store.forgetDoubtsOver(began - OVER_MS);
}

/** What a doubt is known by: the kept answer, and what speaks against it. */
function doubtId({ channel, ts, confirmedAt }: KeptAnswer, reason: DoubtRecord["reason"], what = ""): string {
  const about = reason === "contradicted" ? what : String(confirmedAt);
  return createHash("sha256").update([channel, ts, reason, about].join("\n")).digest("hex").slice(0, 24);
}

/** A new doubt about a kept answer. */
export function newDoubt(
  kept: KeptAnswer,
  reason: DoubtRecord["reason"],
  now: number,
  more: Pick<DoubtRecord, "named" | "newer" | "hash"> = {},
): DoubtRecord {
  const { channel, ts, owner } = kept;
  const what = more.newer && `${more.newer.documentId}\n${more.newer.says}`;
  const id = doubtId(kept, reason, what);
  return { id, channel, ts, owner, reason, ...more, state: "new", messages: [], since: now, updatedAt: now };
}

/** Keeps a doubt, unless its owner has just said that the answer holds. */
async function add({ store }: BotContext, doubt: DoubtRecord, began: number): Promise<void> {
  const kept = await store.findKeptAnswer(doubt.channel, doubt.ts);
  if (kept === undefined || (doubt.reason !== "age" && kept.confirmedAt > began - JUST_NOW_MS)) return;
  await store.addDoubt(doubt);
  const known = await store.findDoubt(doubt.id);
  // What its owner has dealt with, and the server still tells, is not forgotten.
  if (known?.state === "over" && known.updatedAt < began - DAY_MS)
    await store.saveDoubt({ ...known, updatedAt: began });
}

/**
 * What the server has against one kept answer is kept at once, and its owner is asked, as a look of all would have it. False:
 * it was not kept here, or has nothing against it.
 */
export async function noteDoubts(context: BotContext, { document_id: named, doubts }: ServersAnswer): Promise<boolean> {
  const { store, now } = context;
  const began = now();
  const told = await doubtsOf(context, named, doubts);
  for (const doubt of told) {
    await add(context, doubt, began);
    const known = await store.findDoubt(doubt.id);
    if (known?.state === "new") await beginStill(context, { do: "ask", doubt: known.id }, String(known.since));
  }
  return told.length > 0;
}

/** Doubts the server has about answers that were kept here; undefined: it cannot be asked, or does not know them. */
async function serverDoubts(context: BotContext): Promise<readonly DoubtRecord[] | undefined> {
  const { servers, log } = context;
  const found: DoubtRecord[] = [];
  let after: string | undefined;
  try {
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { kept_answers: answers, next } = await servers.ingest.kept.list({ state: "doubted", most: PAGE, after });
      for (const answer of answers) found.push(...(await doubtsOf(context, answer.document_id, answer.doubts)));
      if (typeof next !== "string") return found;
      after = next;
    }
    return undefined;
  } catch (error) {
    // Then they are asked for their age, and where an answer made from one was marked as bad.
    if (!isNotOffered(error)) log.warn("doubts not asked for", { error });
    return undefined;
  }
}

async function doubtsOf(context: BotContext, named: string, doubts: readonly Doubt[]): Promise<DoubtRecord[]> {
  const { store, now } = context;
  const pin = await pinNamed(context, named);
  const kept = pin && (await store.findKeptAnswer(pin.channel, pin.ts));
  if (kept === undefined) return [];
  // What was marked before its owner dealt with it is no news.
  const isNews = ({ reason, since }: Doubt): boolean =>
    reason !== "bad_mark" || (parseMoment(since) ?? Infinity) > kept.confirmedAt;
  return doubts.filter(isNews).map(({ reason, document_id: documentId, title, link, says, kept_says: keptSays }) => {
    const newer = {
      documentId: documentId ?? "",
      title: title ?? "",
      link: link ?? undefined,
      // Below a message that is replied to the same words have a head: that is no other doubt.
      says: withoutHeading(says ?? ""),
      keptSays: keptSays ?? "",
    };
    return newDoubt(kept, reason, now(), { named, hash: pin?.hash, ...(reason === "contradicted" && { newer }) });
  });
}

/** Kept answers that are older than the rules of their place say. */
async function addOld(context: BotContext, began: number): Promise<void> {
  const { store, rules } = context;
  const { otherChannels, channels } = rules();
  const spans = [otherChannels, ...channels.values()].flatMap((one) => spanOf(one.still_true_after) ?? []);
  if (spans.length === 0) return;
  const open = await store.openDoubts(MAX_LOOKED_AT);
  const asked = new Map<string, number>();
  for (const { owner, reason } of open) if (reason === "age") asked.set(owner, (asked.get(owner) ?? 0) + 1);
  for (const kept of await store.keptAnswersBefore(began - Math.min(...spans), MAX_LOOKED_AT)) {
    const { channel, ts, owner, confirmedAt } = kept;
    const count = asked.get(owner) ?? 0;
    if (count >= MAX_OLD_AT_ONCE || open.some((one) => one.channel === channel && one.ts === ts)) continue;
    const pin = await store.findPin(channel, ts);
    const span = spanOf((await placeSettings(context, channel)).settings.still_true_after);
    if (pin === undefined || pin.state === "tombstone" || span === undefined || confirmedAt + span > began) continue;
    await add(context, newDoubt(kept, "age", began, { hash: pin.hash }), began);
    asked.set(owner, count + 1);
  }
}
