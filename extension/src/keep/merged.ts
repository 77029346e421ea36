/** What two windows add to one page at once, brought together: nothing that was typed is lost without a word. Pure. */
import {
  ADDITION_LIMITS,
  type KeptAdditions,
  NO_ADDITIONS,
  tidyTags,
  withHighlight,
  withoutHighlight,
} from "./additions.ts";

/** Both windows wrote something else where only one of it can stand. */
export interface Clash {
  readonly field: "title" | "note";
  /** What the other window wrote there. */
  readonly text: string;
}

/**
 * What a person wrote, put upon what stands there now. Whatever they left as it was is as the other window has it; of tags
 * and highlights both stand; notes that differ stand below one another. A title, and notes too long for one, clash.
 * @param since what stood there when they began to write
 * @param given what they made of it
 * @param now what stands there now
 */
export function mergedAdditions(
  since: KeptAdditions = NO_ADDITIONS,
  given: KeptAdditions = NO_ADDITIONS,
  now: KeptAdditions = NO_ADDITIONS,
): KeptAdditions | Clash {
  const title = ofBoth(since.title, given.title, now.title);
  if (title.isClash) return { field: "title", text: title.text };
  const note = ofBoth(since.note, given.note, now.note, together);
  if (note.isClash) return { field: "note", text: note.text };
  const kept = now.tags.filter((tag) => given.tags.includes(tag) || !since.tags.includes(tag));
  let merged: KeptAdditions = {
    ...(title.text !== undefined && { title: title.text }),
    tags: tidyTags([...kept, ...given.tags.filter((tag) => !since.tags.includes(tag))]),
    ...(note.text !== undefined && { note: note.text }),
    highlights: now.highlights,
  };
  const stays = (text: string) => given.highlights.some((one) => one.text === text);
  for (const { text } of since.highlights) if (!stays(text)) merged = withoutHighlight(merged, text);
  const wasThere = (text: string) => since.highlights.some((one) => one.text === text);
  for (const one of given.highlights) if (!wasThere(one.text)) merged = withHighlight(merged, one).additions;
  return merged;
}

type Merged =
  | { readonly isClash: false; readonly text: string | undefined }
  | { readonly isClash: true; readonly text: string };

/** @param both what becomes of two texts that differ; undefined: they cannot both stand */
function ofBoth(
  since: string | undefined,
  given: string | undefined,
  now: string | undefined,
  both: (one: string, other: string) => string | undefined = () => undefined,
): Merged {
  if (given === since) return { isClash: false, text: now };
  // What was taken away is nothing that could be lost.
  if (now === since || now === given || now === undefined) return { isClash: false, text: given };
  if (given === undefined) return { isClash: false, text: now };
  const text = both(now, given);
  return text === undefined ? { isClash: true, text: now } : { isClash: false, text };
}

function together(one: string, other: string): string | undefined {
  if (one.includes(other)) return one;
  if (other.includes(one)) return other;
  const both = `${one}\n\n${other}`;
  return both.length > ADDITION_LIMITS.note ? undefined : both;
}
