import type { PageSnapshot } from "../page/page-snapshot.ts";
import { defuddleOpinion, readabilityOpinion } from "./judgement/extractors.ts";
import { type Part, visibleText } from "@threadlore/files";
import { factsOf, type PageFacts } from "./page-facts.ts";
import { declaredBy, type Declared } from "./json-ld.ts";
import { VisibleCopy } from "./seen/visible-copy.ts";
import { partsOfBlocks } from "./text-of.ts";
import { contentOf, withoutFurniture } from "./judgement/judgement.ts";
import { markedIn } from "./selection.ts";
import { sameSite, withoutCredentials } from "../page/page-address.ts";
import { type Block, blocksOf } from "./blocks.ts";
import { wordsOf } from "../text.ts";
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
/** Milliseconds after which copying stops. The rest of the reading takes less. */
const MAX_COPY = 1_200;
/** Nodes up to which a page is judged block by block. */
const JUDGED_NODES = 40_000;

/**
 * Reads the page it runs in: what a person sees of it that the page is about, and what the page says about itself.
 * Runs inside the page, works on a copy, changes nothing there, sends nothing. Never throws for what a page holds; a
 * page that shows no text gives no parts.
 */
export function readPage(page: Document, options: ReadPageOptions = {}): PageSnapshot {
  const document = plainDocument(page);
  const { characters: most = 2_000_000, nodes = 200_000, images = true } = options;
  const url = withoutCredentials(options.url ?? document.location?.href ?? document.baseURI);
  const declared = declaredBy(document);
  const facts = factsOf(document, declared);
  const marked = options.selection === true ? markedIn(document) : undefined;
  const deadline = performance.now() + MAX_COPY;
  const copy = new VisibleCopy(document, { nodes, depth: MAX_DEPTH, characters: 1.5 * most, deadline }, marked);
  const blocks = blocksOf(copy.document.body);
  const judged = marked === undefined && options.whole !== true;
  const chosen = judged ? chosenOf(blocks, copy, url, declared, facts) : blocks;
  const written = partsOfBlocks(copy.document.body, chosen, images);
  const { parts, characters, invisibleCharacters, cut } = cleaned(
    document.defaultView === null ? fallback(written, chosen, declared) : written,
    most,
  );
  const { types: _, ...about } = facts;
  return {
    url,
    canonicalUrl: canonicalOf(document, url),
    contentType: document.contentType,
    ...about,
    parts,
    extent: marked !== undefined ? "selection" : judged ? "main" : "whole",
    characters,
    hiddenCharacters: copy.hiddenCharacters,
    editedCharacters: copy.editedCharacters,
    invisibleCharacters,
    unreadFrames: copy.unreadFrames,
    cut: cut || copy.cut,
    privacy: privacySigns(document, url, copy.hasSecretField),
    readAt: new Date().toISOString(),
  };
}

function chosenOf(
  blocks: readonly Block[],
  copy: VisibleCopy,
  url: string,
  declared: Declared,
  facts: PageFacts,
): readonly Block[] {
  if (copy.nodes > JUDGED_NODES) return withoutFurniture(blocks);
  const evidence = {
    root: copy.document.body,
    url,
    readability: readabilityOpinion(copy),
    declared: declared.texts.map(wordsOf),
    title: wordsOf(facts.title),
    types: facts.types,
  };
  return contentOf(blocks, evidence, () => defuddleOpinion(copy, url));
}

/** A page that was not run may still say in JSON-LD what it would show. Of one that was, nobody sees that. */
function fallback(parts: readonly Part[], chosen: readonly Block[], declared: Declared): readonly Part[] {
  if (chosen.length > 0) return parts;
  const longest = declared.texts.reduce((best, text) => (text.length > best.length ? text : best), "");
  return longest === "" ? [] : [{ level: 0, heading: "", text: longest }];
}

/** Takes out what nobody can see, and cuts where the limit is. */
function cleaned(parts: readonly Part[], most: number) {
  const kept: Part[] = [];
  let left = most;
  let invisibleCharacters = 0;
  for (const part of parts) {
    const heading = visibleText(part.heading);
    const text = visibleText(part.text);
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
