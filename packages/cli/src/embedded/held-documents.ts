import type { HeldDocument } from "@threadlore/service";
import { note, type Terminal } from "../terminal/output.ts";

/** Documents named where the service starts; `pair held` lists all. */
const NAMED = 3;

/** Says, where there are any, which documents no pair shows, why, and what to do. */
export function noteHeld(terminal: Terminal, held: readonly HeldDocument[]): void {
  if (held.length === 0) return;
  const named = held.slice(0, NAMED).map(({ id }) => id);
  const more = held.length > NAMED ? ` and ${held.length - NAMED} more` : "";
  note(
    terminal,
    `Held back: ${held.length} ${held.length === 1 ? "document" : "documents"} (${named.join(", ")}${more}). ` +
      "An earlier version kept one text for several pairs; which of them it belongs to is not known, so only keys that see everything see it.",
  );
  note(terminal, "`threadlore pair held` lists them with their pairs. Ingest each again under every one of its pairs.");
}
