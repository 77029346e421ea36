import type { PageSnapshot, PrivacySign } from "../page/page-snapshot.ts";
import { headerSigns } from "../page/header-signs.ts";
import { wordsOf } from "../text.ts";
import { WordRuns } from "./judgement/votes.ts";
import { inTurns, Pace, type Steps } from "./pace.ts";

/** Longest answer that is compared, in characters. */
const MAX_CHARACTERS = 5_000_000;
/** So much of it is looked at in one go. */
const PIECE = 100_000;

/**
 * What a page's server has to say about who it is for (docs/threats.md, T12), from within the page. First the headers
 * the page came with are looked at, where the browser still has them: no request for that. Where those say nothing, the
 * page is asked for again without the person's cookies, and answer and headers are compared: `needs-sign-in` when it is
 * a redirect, a refusal, or lacks two fifths of the text. Also when there is no answer to compare with, so that in
 * doubt a person is asked.
 */
export async function serverSigns(snapshot: PageSnapshot, signal?: AbortSignal): Promise<PrivacySign[]> {
  const address = snapshot.url.split("#", 1)[0] ?? "";
  const own = await headersInCache(address);
  const signs = own === undefined ? [] : headerSigns(own);
  return signs.length > 0 ? signs : strangersSigns(snapshot, address, signal);
}

/** Headers a page came with; undefined where the browser has kept none of it. Nothing is sent. */
async function headersInCache(address: string): Promise<Headers | undefined> {
  try {
    return (await fetch(address, { cache: "only-if-cached", mode: "same-origin" })).headers;
  } catch {
    return undefined;
  }
}

async function strangersSigns(
  snapshot: PageSnapshot,
  address: string,
  signal: AbortSignal | undefined,
): Promise<PrivacySign[]> {
  try {
    const response = await fetch(address, {
      credentials: "omit",
      // What is cached was got with the cookies.
      cache: "no-store",
      redirect: "manual",
      ...(signal !== undefined && { signal }),
    });
    if (!response.ok) return ["needs-sign-in"];
    const signs = headerSigns(response.headers);
    if (signs.length > 0) return signs;
    // As the browser read the page itself: `text()` takes everything for UTF-8.
    const source = new TextDecoder(document.characterSet).decode(await response.arrayBuffer());
    const pace = new Pace();
    const missing = await inTurns(missingShare(snapshot, source.slice(0, MAX_CHARACTERS), pace), pace);
    return missing > 0.4 ? ["needs-sign-in"] : [];
  } catch {
    return ["needs-sign-in"];
  }
}

/** Share of the snapshot's text that is nowhere in a page's source, its scripts included: many pages carry it there. */
function* missingShare(snapshot: PageSnapshot, source: string, pace: Pace): Steps<number> {
  const runs = yield* WordRuns.of(piecesOf(source), pace);
  let words = 0;
  let found = 0;
  for (const { heading, text } of snapshot.parts) {
    for (const line of [heading, ...text.split("\n")]) {
      if (pace.isDue()) yield;
      const own = wordsOf(line);
      words += own.length;
      found += own.length * Math.min(1, runs.shareOf(own) * (own.length < 3 ? 2 : 1));
    }
  }
  return words === 0 ? 0 : 1 - found / words;
}

/** The words of a page's source, tags and signs for characters taken out, piece by piece: what one cuts is no loss. */
function* piecesOf(source: string): Generator<string[]> {
  for (let from = 0; from < source.length; from += PIECE) {
    const piece = source.slice(from, from + PIECE).replace(/<[^<>]{0,2000}>/g, " ");
    yield wordsOf(piece.replace(/\\[nrt"]|&[a-z]{2,8};|&#\w{1,8};/g, " "));
  }
}
