import type { BotContext } from "../context.ts";
import { decideFor } from "./pin-to-document.ts";
import { reconcile } from "./reconcile.ts";
import { markupAddress, mrkdwnText, shortened } from "../slack/render/escape.ts";
import { CANNOT_SEE, STATE_WORDS } from "./pin-notices.ts";
import type { PinRecord } from "@threadlore/inbox";
import type { Subcommand } from "../ask/entry/command.ts";

/** Messages a list names; the others are counted. */
const MAX_LISTED = 20;
/** A response_url may be used five times in half an hour; one use is kept in hand for the end. */
const MAX_UPDATES = 4;
const UPDATES_FOR_MS = 25 * 60_000;
/** Time between two looks at how far it got; grows, so that the updates last. */
const LOOK_AFTER_MS = [2_000, 5_000, 15_000, 60_000] as const;

/** `/ask pins`: what is kept of this channel, and everything pinned that is not kept yet, with its progress. */
export const pinsCommand: Subcommand = {
  word: "pins",
  does: "lists what is kept of this channel's pins, and adds what is missing.",
  async run(context, from) {
    const { channel, user } = from;
    const place = await context.people.place(channel);
    if (place === undefined) return CANNOT_SEE;
    const decision = await decideFor(context, place, user);
    if (decision.kind === "refuse") return mrkdwnText(decision.words);
    const { pinned, begun } = await reconcile(context, channel, { everything: true });
    // Nobody waits for it, not even a bot that stops: what it tells is kept, and the next `/ask pins` lists it.
    if (begun.length > 0) {
      follow(context, from, begun).catch((error: unknown) => context.log.warn("progress not told", { error }));
    }
    return listOf(await context.store.pinsOf(channel), { pinned, open: begun.length });
  },
};

type From = Parameters<Subcommand["run"]>[1];

/** Tells, at most so often, how many of the tasks are done; the last time when all are. */
async function follow(context: BotContext, { channel, responseUrl }: From, keys: readonly string[]): Promise<void> {
  const began = performance.now();
  let told = keys.length;
  let updates = 0;
  while (performance.now() - began < UPDATES_FOR_MS && updates < MAX_UPDATES + 1) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_AFTER_MS[Math.min(updates, 3)]).unref());
    const tasks = await Promise.all(keys.map((key) => context.store.findByKey(key)));
    const open = tasks.filter((task) => task !== undefined && task.state !== "ended").length;
    if (open === told || (open > 0 && updates === MAX_UPDATES)) continue;
    told = open;
    updates += 1;
    const text = listOf(await context.store.pinsOf(channel), { open });
    await context.fetch(responseUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ response_type: "ephemeral", replace_original: true, text }),
      signal: AbortSignal.timeout(10_000),
    });
    if (open === 0) return;
  }
}

/** The list as mrkdwn. */
function listOf(pins: readonly PinRecord[], { pinned, open }: { pinned?: number; open: number }): string {
  const kept = pins.filter(({ state }) => state !== "tombstone");
  const lines = kept.slice(-MAX_LISTED).toReversed().map(lineOf);
  const more = kept.length - lines.length;
  const none =
    pinned === 0
      ? "Nothing is pinned in this channel. Pin a message, and I keep it as a document that people find when they ask me."
      : "Nothing of this channel is kept yet.";
  return [
    kept.length === 0
      ? none
      : `*${kept.length} ${kept.length === 1 ? "message is" : "messages are"} kept of this channel:*`,
    ...lines,
    ...(more > 0 ? [`… and ${more} older ones.`] : []),
    ...(open > 0 ? [`:hourglass_flowing_sand: ${open} still to look at; this list follows.`] : []),
  ].join("\n");
}

/** One kept message: its state, its title as a link, and why it failed. */
export function lineOf({ state, title, permalink, reason, how }: PinRecord): string {
  const words = shortened(title, 100);
  const shown = words === "" ? "a message" : mrkdwnText(words).replaceAll("|", "¦");
  const link = permalink === undefined ? shown : `<${markupAddress(permalink)}|${shown}>`;
  const added = how === "added" ? " (added by hand)" : "";
  const why = state !== "indexed" && state !== "accepted" && reason !== undefined ? ` — ${mrkdwnText(reason)}` : "";
  return `• ${STATE_WORDS[state]}: ${link}${added}${why}`;
}
