import type { Settings } from "../server/config.ts";
import { UsageError } from "../exit-codes.ts";
import { note, type Terminal } from "../terminal/output.ts";

/**
 * The pair documents go to: `--pair`, the one saved at login, or a person's answer. Never decided in silence, because
 * without a pair deployed servers file a document under a default pair that everybody can read.
 */
export async function choosePair(
  terminal: Terminal,
  settings: Settings,
  flag: string | undefined,
): Promise<number | null> {
  if (flag !== undefined) return parsePair(flag);
  if (settings.pair !== undefined) return settings.pair;
  if (!terminal.stdinIsTerminal || !terminal.err.isTerminal) {
    throw new UsageError(
      "Say which connector/credential pair the documents belong to: --pair NUMBER. " +
        "--pair none leaves it to the server, whose default pair may be readable by everybody. " +
        "`threadlore login URL --pair NUMBER` keeps the choice.",
    );
  }
  note(terminal, "Documents belong to a pair, which decides who can find them.");
  note(terminal, "`none` leaves it to the server, whose default pair may be readable by everybody.");
  return parsePair(await terminal.prompt("Pair (a number, or none): "));
}

/** Throws UsageError for anything but a whole number or `none`. */
export function parsePair(text: string): number | null {
  if (text === "none") return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`"${text}" is no pair: write its number, or none.`);
}
