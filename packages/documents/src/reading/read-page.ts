import type { PageSnapshot } from "../page/page-snapshot.ts";
import { readabilityOpinion } from "./judgement/extractors.ts";
import { type Part, type VisibleText, visibleText } from "@threadlore/files";
import { factsOf, type PageFacts } from "./page-facts.ts";
import { declaredBy, type Declared } from "./json-ld.ts";
import { VisibleCopy } from "./seen/visible-copy.ts";
import { partsOfBlocks } from "./text-of.ts";
import { contentOf, withoutFurniture } from "./judgement/judgement.ts";
import { evidenceOf } from "./judgement/features.ts";
import { markedIn } from "./selection.ts";
import { sameSite, withoutCredentials } from "../page/page-address.ts";
import { type Block, findBlocks } from "./blocks.ts";
import { atOnce, CHARACTER_MS, inTurns, Pace, PIECE, type Steps } from "./pace.ts";
import { plainDocument } from "./seen/without-names.ts";
import { privacySigns } from "./privacy-signs.ts";

export { serverSigns } from "./anonymous.ts";

/** How a page is read. */
export interface ReadPageOptions {
  /** Read only what the person has marked, if anything. Default: false. */
  readonly selection?: boolean;
  /** Take all text that is shown instead of judging what the page is about. Default: false. */
  readonly whole?: boolean;
  /** Describe images by their alternative texts. Default: true. */
  readonly images?: boolean;
  /** Most characters of text; default 2,000,000 (docs/threats.md, T26). */
  readonly characters?: number;
  /** Most elements and texts that are looked at; default 200,000 (docs/threats.md, T26). */
  readonly nodes?: number;
  /** Address of a document that is not open in a tab. Default: the document's own. */
  readonly url?: string;
}

/** Elements inside each other (docs/threats.md, T26); browsers stop there too. */
const MAX_DEPTH = 512;
/** Milliseconds of work after which copying stops. The rest of the reading takes less. */
const MAX_COPY = 2_000;
/** Nodes up to which a page is judged block by block. */
const JUDGED_NODES = 40_000;
/** Milliseconds that Readability takes for a node. */
const NODE_MS = 0.01;

/**
 * Reads the page it runs in: what a person sees of it that the page is about, and what the page says about itself.
 * Runs inside the page, works on a copy, changes nothing there, sends nothing. Never throws for what a page holds; a
 * page that shows no text gives no parts.
 *
 * A page that takes longer than a moment is read in steps, between which it goes on with its own work. What it takes
 * away meanwhile, where it is being read, is cause to begin again, once.
 */
export function readPage(page: Document, options: ReadPageOptions = {}): Promise<PageSnapshot> {
  const pace = new Pace();
  return inTurns(reading(page, options, pace), pace);
}

/** The same in one go, which holds up the page's thread. For documents that nobody looks at. */
export function readPageAtOnce(page: Document, options: ReadPageOptions = {}): PageSnapshot {
  return atOnce(reading(page, options, new Pace()));
}

function* reading(page: Document, options: ReadPageOptions, pace: Pace): Steps<PageSnapshot> {
  const document = plainDocument(page);
  const { characters: most = 2_000_000, images = true } = options;
  const { copy, url, declared, facts, isMarked } = yield* copied(document, options, pace);
  const blocks = yield* findBlocks(copy.document.body, pace);
  const judged = !isMarked && options.whole !== true;
  const chosen = judged ? yield* chosenOf(blocks, copy, url, declared, facts, pace) : blocks;
  const written =
    document.contentType === "text/plain"
      ? asWritten(copy.document)
      : yield* partsOfBlocks(copy.document.body, chosen, images, pace);
  const { parts, characters, invisibleCharacters, cut } = yield* cleaned(
    document.defaultView === null ? fallback(written, chosen, declared) : written,
    most,
    pace,
  );
  const { types: _, ...about } = facts;
  return {
    url,
    canonicalUrl: canonicalOf(document, url),
    contentType: document.contentType,
    ...about,
    parts,
    extent: isMarked ? "selection" : judged ? "main" : "whole",
    characters,
    hiddenCharacters: copy.hiddenCharacters,
    editedCharacters: copy.editedCharacters,
    invisibleCharacters,
    unreadFrames: copy.unreadFrames,
    unread: copy.unread.told(characters),
    cut: cut || copy.cut || copy.torn,
    privacy: privacySigns(document, url, copy.hasSecretField),
    readAt: new Date().toISOString(),
  };
}

/** A page as it stood there all of the time it was copied; where it never stands still, as it went by. */
function* copied(document: Document, options: ReadPageOptions, pace: Pace) {
  const { characters = 2_000_000, nodes = 200_000 } = options;
  const address = () => withoutCredentials(options.url ?? document.location?.href ?? document.baseURI);
  for (let isFirst = true; ; isFirst = false) {
    const url = address();
    const declared = declaredBy(document);
    const facts = factsOf(document, declared);
    const marked = options.selection === true ? markedIn(document) : undefined;
    const limits = { nodes, depth: MAX_DEPTH, characters: 1.5 * characters, milliseconds: pace.worked + MAX_COPY };
    const copy = new VisibleCopy(document, limits, pace, marked);
    yield* copy.copy();
    // Applications show another page in the same document.
    if (isFirst && (copy.torn || address() !== url)) continue;
    return { copy, url, declared, facts, isMarked: marked !== undefined };
  }
}

function* chosenOf(
  blocks: readonly Block[],
  copy: VisibleCopy,
  url: string,
  declared: Declared,
  facts: PageFacts,
  pace: Pace,
): Steps<readonly Block[]> {
  if (copy.nodes > JUDGED_NODES) return yield* withoutFurniture(blocks, pace);
  // Readability cannot be interrupted.
  if (pace.isDue(copy.nodes * NODE_MS)) yield;
  const readability = readabilityOpinion(copy);
  return yield* contentOf(blocks, evidenceOf(copy, url, declared, facts, readability), pace);
}

/** A text that is open in a tab: browsers show it as code, and it is paragraphs more often. */
function asWritten({ body }: Document): readonly Part[] {
  return [{ level: 0, heading: "", text: (body.textContent ?? "").trim() }];
}

/** A page that was not run may still say in JSON-LD what it would show. Of one that was, nobody sees that. */
function fallback(parts: readonly Part[], chosen: readonly Block[], declared: Declared): readonly Part[] {
  if (chosen.length > 0) return parts;
  const longest = declared.texts.reduce((best, text) => (text.length > best.length ? text : best), "");
  return longest === "" ? [] : [{ level: 0, heading: "", text: longest }];
}

/** Takes out what nobody can see, and cuts where the limit is. */
function* cleaned(parts: readonly Part[], most: number, pace: Pace) {
  const kept: Part[] = [];
  let left = most;
  let invisibleCharacters = 0;
  for (const part of parts) {
    const heading = visibleText(part.heading);
    const text = yield* visibleOf(part.text, pace);
    invisibleCharacters += heading.dropped + text.dropped;
    if (heading.text.trim() === "" && text.text.trim() === "") continue;
    const room = Math.max(0, left - heading.text.length);
    kept.push({ ...part, heading: heading.text.trim(), text: text.text.slice(0, room).toWellFormed() });
    left -= heading.text.length + text.text.length;
    if (left <= 0) break;
  }
  const characters = kept.reduce((sum, { heading, text }) => sum + heading.length + text.length, 0);
  return { parts: kept, characters, invisibleCharacters, cut: left < 0 };
}

/** What can be seen of a text, in steps. A long one is cut at blanks: what cannot be seen and stands together stays so. */
function* visibleOf(text: string, pace: Pace): Steps<VisibleText> {
  const seen: VisibleText[] = [];
  for (let from = 0, to = 0; from < text.length; from = to) {
    const blank = from + PIECE < text.length ? text.lastIndexOf(" ", from + PIECE) : -1;
    to = blank > from ? blank : from + PIECE;
    // The two halves of a character stay together.
    if (/[\uD800-\uDBFF]/.test(text.charAt(to - 1))) to--;
    if (pace.isDue(Math.min(PIECE, text.length) * CHARACTER_MS)) yield;
    seen.push(visibleText(text.slice(from, to)));
  }
  return {
    text: seen.map((piece) => piece.text).join(""),
    dropped: seen.reduce((sum, { dropped }) => sum + dropped, 0),
  };
}

/** The address a page wants to be known by. One of another site, or of the front page, is a mistake or a trick. */
function canonicalOf(page: Document, url: string): string | undefined {
  const href = page.querySelector("link[rel~=canonical i]")?.getAttribute("href");
  if (href == null || !URL.canParse(href, url)) return undefined;
  const canonical = new URL(href, url);
  const isWeb = /^https?:$/.test(canonical.protocol) && canonical.username === "" && canonical.password === "";
  if (!isWeb || !sameSite(canonical.href, url)) return undefined;
  const own = new URL(url);
  const toFront = canonical.pathname === "/" && canonical.search === "" && own.pathname !== "/";
  // An application that keeps its places behind `#/` declares one address for all of them.
  return toFront || /^#[/!]/.test(own.hash) ? undefined : canonical.href;
}
