import { type IngestionDocumentInput, type Metadata, parseMoment } from "@threadlore/client/models";
import { canonicalUrl, contentHash, webId } from "../document/identity.ts";
import type { PageSnapshot } from "./page-snapshot.ts";
import { withoutTokens } from "./page-address.ts";
import { FileRefusedError } from "@threadlore/files";
import { CUT_NOTE, defaultLimits, type MadeDocument, type SectionLimits, sectionsOf } from "../document/sections.ts";

/** A page ready to be ingested. */
export interface PageDocument extends MadeDocument {
  /** SHA-256 of title and text: another one means that the page has changed. */
  readonly hash: string;
}

/** What the caller knows beyond the page. */
export interface PageOptions {
  /** Added to the metadata found in the page, and stronger than it. */
  readonly metadata?: Metadata;
  readonly limits?: Partial<SectionLimits>;
}

/**
 * Makes a document of source `web` of a page. Its id comes from the page's own address, so that the same page by
 * another way is the same document; each section links to its place on the page; parameters that look like keys are
 * taken out of id and links. It passes the IngestionDocument model, which tests show; it is made inside of pages, where
 * the models would weigh more than all else of this. Its time has an offset: the page's own, else
 * the moment it was read.
 *
 * A marked part of a page has an id of its own, so that it never replaces the page.
 *
 * Throws FileRefusedError (`empty`) when there is no text in it, and TypeError when its address is not http(s).
 */
export async function documentFromPage(snapshot: PageSnapshot, options: PageOptions = {}): Promise<PageDocument> {
  const limits = { ...defaultLimits, ...options.limits };
  const link = withoutTokens(snapshot.canonicalUrl ?? snapshot.url);
  const { sections, cut } = sectionsOf(snapshot.parts, { link: canonicalUrl(link), limits, more: snapshot.cut });
  if (sections.length === 0) throw new FileRefusedError("empty", snapshot.title);
  const hash = await contentHash([snapshot.title, ...sections.map((section) => section.text ?? "")].join("\n\n"));
  const document: IngestionDocumentInput = {
    id: snapshot.extent === "selection" ? `${await webId(link)}_${hash.slice(0, 12)}` : await webId(link),
    semantic_identifier: snapshot.title,
    title: snapshot.title,
    sections,
    source: "web",
    metadata: { ...metadataOf(snapshot), ...options.metadata },
    doc_updated_at: lastChange(snapshot),
    ...(snapshot.authors.length > 0 && { primary_owners: snapshot.authors.map((name) => ({ display_name: name })) }),
  };
  return { document, notes: notesOf(snapshot, cut), hash };
}

/** A page that says it is of tomorrow would be the newest for ever. */
function lastChange({ modified, published, readAt }: PageSnapshot): string {
  const said = modified ?? published ?? readAt;
  return (parseMoment(said) ?? Infinity) > (parseMoment(readAt) ?? 0) ? readAt : said;
}

function metadataOf({ authors, site, language, published, modified, url, description }: PageSnapshot): Metadata {
  const host = new URL(url).hostname;
  const found = { host, site, language, published, modified, description };
  return {
    ...Object.fromEntries(Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== undefined)),
    ...(authors.length > 0 && { author: [...authors] }),
  };
}

function notesOf(snapshot: PageSnapshot, cut: boolean): string[] {
  const { hiddenCharacters, editedCharacters, invisibleCharacters, unreadFrames } = snapshot;
  return [
    hiddenCharacters > 0 && `${hiddenCharacters} characters that the page does not show were left out.`,
    editedCharacters > 0 &&
      `An editor in the page was left out: ${editedCharacters} characters that are being written there.`,
    invisibleCharacters > 0 && `${invisibleCharacters} invisible characters were left out.`,
    unreadFrames > 0 && `${unreadFrames} frames of other sites in the page could not be read.`,
    cut && CUT_NOTE,
  ].filter((note) => note !== false);
}
