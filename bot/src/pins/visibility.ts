import type { Place } from "../slack/read/people.ts";

/** Who would find it, before it is sent: it cannot be unsent everywhere. */
export function visibilityWords(place: Place, pair: number | null): string {
  const whose =
    pair === null
      ? "Everybody who may ask the knowledge server will find it"
      : `Everybody who may read kept messages (pair ${pair} of the knowledge server) will find it`;
  if (place.kind === "public") return `${whose}, with its authors and a link to it.`;
  return `⚠ This is a private conversation. ${whose}, also people who are not in it, with its authors.`;
}
