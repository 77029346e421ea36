import { findPassages } from "@threadlore/ask";
import { placeSettings } from "../../ask/presses.ts";
import type { BotContext } from "../../context.ts";

const SEARCH_MS = 10_000;

/** Whether a channel's own key finds a document by some words of it, under the channel's filters: then its readers may see it. */
export async function channelFinds(
  context: BotContext,
  channel: string,
  documentId: string,
  words: readonly string[],
): Promise<boolean> {
  const { settings } = await placeSettings(context, channel);
  const { document_sets: documentSets, sources, persona } = settings;
  const origin = context.config.server.profile.botOrigin;
  for (const query of words) {
    const wish = { query, documentSets, sources, persona, origin, isLiteral: true };
    const options = { signal: AbortSignal.timeout(SEARCH_MS), isAsked: false };
    // What cannot be asked is not shown.
    const found = await findPassages(context.servers.channel, wish, options).catch(() => undefined);
    if (found?.pieces.some((piece) => piece.documentId === documentId) === true) return true;
  }
  return false;
}
