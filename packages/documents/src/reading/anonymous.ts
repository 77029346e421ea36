import type { PageSnapshot } from "../page-snapshot.ts";
import { wordsOf } from "./blocks.ts";
import { WordRuns } from "./votes.ts";

/** Longest answer that is compared, in characters. */
const LONGEST = 5_000_000;

/**
 * Whether somebody without this browser's cookies would see something else: asks for the page again without them,
 * from the page itself, and compares (facts: security T12). True when the answer is a redirect, a refusal, or lacks
 * two fifths of the text. Also true when there is no answer to compare with, so that in doubt a person is asked.
 */
export async function needsSignIn(snapshot: PageSnapshot, signal?: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(snapshot.url.split("#", 1)[0] ?? "", {
      credentials: "omit",
      // What is cached was got with the cookies.
      cache: "no-store",
      redirect: "manual",
      ...(signal !== undefined && { signal }),
    });
    if (!response.ok) return true;
    return missingShare(snapshot, (await response.text()).slice(0, LONGEST)) > 0.4;
  } catch {
    return true;
  }
}

/** Share of the snapshot's text that is nowhere in a page's source, its scripts included: many pages carry it there. */
function missingShare(snapshot: PageSnapshot, source: string): number {
  const plain = source.replace(/<[^>]{0,2000}>/g, " ").replace(/\\[nrt"]|&[a-z]{2,8};|&#\w{1,8};/g, " ");
  const runs = new WordRuns([wordsOf(plain)]);
  let words = 0;
  let found = 0;
  for (const { heading, text } of snapshot.parts) {
    for (const line of [heading, ...text.split("\n")]) {
      const own = wordsOf(line);
      words += own.length;
      found += own.length * Math.min(1, runs.shareOf(own) * (own.length < 3 ? 2 : 1));
    }
  }
  return words === 0 ? 0 : 1 - found / words;
}
