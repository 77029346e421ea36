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

/** Which pair there takes the documents of a pair here; null: the server's default. */
export type PairMap = ReadonlyMap<number, number | null>;

/** Adds one `FROM=TO`, such as `2=7` or `1=none`. Throws UsageError for anything else. */
export function pairMapping(text: string, before: PairMap = new Map()): PairMap {
  const [, from, to] = /^(\d{1,9})=(\d{1,9}|none)$/.exec(text) ?? [];
  if (from === undefined || to === undefined) {
    throw new UsageError(`"${text}" is no pair here and one there: write FROM=TO, such as 2=7 or 1=none.`);
  }
  const target = parsePair(to);
  const other = [...before].find(([pair, there]) => there === target && pair !== Number(from));
  if (other !== undefined) {
    throw new UsageError(
      `Pairs ${other[0]} and ${from} would both go to ${to}: where they have documents of one id, one would replace the other. Give each a pair of its own there.`,
    );
  }
  return new Map(before).set(Number(from), target);
}
