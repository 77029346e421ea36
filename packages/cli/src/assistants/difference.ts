import type { Entry, EntryValue } from "./assistant.ts";
import { isKeyed } from "./edit/config-language.ts";
import { isSame } from "./edit/edited-text.ts";

/** One entry of a file, before or after a change. */
interface Side {
  /** The file; undefined where there is none. */
  readonly path: string | undefined;
  /** The entry as a person would write it alone into a file; undefined where there is none. */
  readonly text: string | undefined;
}

/**
 * How one entry goes and comes, marked as `diff` marks lines. No line of the file itself: the one before the entry changes
 * too where it gets a comma, and may hold the key of another server.
 */
export function difference(before: Side, after: Side): string {
  const marked = (sign: "-" | "+", { text = "" }: Side): string => text.replaceAll(/^(?=.)/gm, sign);
  const name = ({ path }: Side): string => path ?? "/dev/null";
  return `--- ${name(before)}\n+++ ${name(after)}\n${marked("-", before)}${marked("+", after)}`;
}

const BLANK = "…";

/**
 * An entry as it was found, with every value left out that is not written anew in the same place: a key may stand in any.
 * @param ours what is written in its stead; undefined where it only goes
 */
export function withoutValues(found: unknown, ours: Entry | undefined): Entry {
  const left = blanked(found, ours);
  return isKeyed(left) ? (left as Entry) : { [BLANK]: BLANK };
}

function blanked(found: unknown, ours: unknown): EntryValue {
  if (ours !== undefined && isSame(found, ours)) return ours as EntryValue;
  if (Array.isArray(found)) {
    return found.map((one, index) => blanked(one, Array.isArray(ours) ? ours[index] : undefined));
  }
  if (!isKeyed(found)) return BLANK;
  return Object.fromEntries(
    Object.entries(found).map(([key, value]) => [
      key,
      blanked(value, isKeyed(ours) && Object.hasOwn(ours, key) ? ours[key] : undefined),
    ]),
  );
}
