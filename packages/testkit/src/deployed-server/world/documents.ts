import { createHash } from "node:crypto";

/** A document as it was taken in. */
export interface IngestedDocument {
  documentId: string;
  semanticIdentifier: string;
  title: string | null;
  sections: { text: string; link: string | null; imageFileId: string | null }[];
  source: string;
  metadata: Record<string, string | string[]>;
  /** As sent, or undefined: then it is newer than anything before. */
  updatedAt: Date | undefined;
  /** Whether the time was sent without an offset. */
  naiveTime: boolean;
  primaryOwners: string[] | null;
  secondaryOwners: string[] | null;
}

function newRow({ documentId, semanticIdentifier }: IngestedDocument, pair: number, link: string, updatedAt: Date) {
  return {
    documentId,
    semanticIdentifier,
    link,
    /** The connector pairs it belongs to. */
    pairs: [pair],
    updatedAt,
    /** Of what was last indexed; undefined while nothing was. */
    hash: undefined as string | undefined,
    fromApi: true,
    ingestions: 0,
  };
}

/** The row the server has for a document, whether it can be found or not. */
export type DocumentRow = ReturnType<typeof newRow>;

/** What can be found. */
export interface IndexedDocument extends IngestedDocument {
  /** All its texts. */
  content: string;
  link: string | null;
  indexedAt: Date;
}

/** A document that is there from the start. */
export interface SeedDocument {
  id: string;
  text: string;
  title?: string;
  link?: string;
  source?: string;
  updatedAt?: Date;
}

/** What a search is limited to. */
export interface SearchLimits {
  sources?: readonly string[] | undefined;
  /** Only documents of these connector pairs. */
  pairs?: ReadonlySet<number> | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

/** Ids as the service writes them: spaces become underscores, and all that is special in an address is escaped. */
export function urlSafeId(id: string): string {
  const escape = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
  return encodeURIComponent(id.replaceAll(" ", "_")).replace(/[!'()*]/g, escape);
}

/** What of a document counts when the service asks itself whether it has changed. */
function contentHash(document: IngestedDocument): string {
  const { title, semanticIdentifier, sections, primaryOwners, secondaryOwners } = document;
  const counted = [
    title ?? semanticIdentifier,
    sections.map(({ text, imageFileId }) => [text, imageFileId]),
    primaryOwners,
    secondaryOwners,
  ];
  return createHash("sha256").update(JSON.stringify(counted)).digest("hex");
}

/** What was ingested: the rows, and what of it can be found. */
export class Documents {
  readonly rows = new Map<string, DocumentRow>();
  readonly index = new Map<string, IndexedDocument>();
  ingestions = 0;

  /** Takes a document in, as far as the server does. `alreadyExisted` is what it tells: that nothing new was indexed. */
  ingest(document: IngestedDocument, pair: number, lost: boolean): { alreadyExisted: boolean } {
    this.ingestions++;
    const row = this.rows.get(document.documentId);
    const hash = contentHash(document);
    if (row !== undefined && !row.pairs.includes(pair)) row.pairs.push(pair);
    // Comparing a stored time to one without an offset fails inside, and nobody hears of it.
    if (row !== undefined && document.naiveTime) return kept;
    if (row?.hash === hash && document.updatedAt !== undefined && document.updatedAt <= row.updatedAt) return kept;
    const empty = document.sections.every(({ text, imageFileId }) => text.trim() === "" && imageFileId === null);
    if (document.sections.length === 0 || (empty && (document.title ?? document.semanticIdentifier).trim() === ""))
      return kept;

    const link = document.sections.find((section) => section.link !== null)?.link ?? null;
    const updatedAt = document.updatedAt ?? new Date();
    const written = row ?? newRow(document, pair, link ?? "", updatedAt);
    written.ingestions++;
    this.rows.set(document.documentId, written);
    if (lost) return kept;
    const known = this.index.has(document.documentId);
    Object.assign(written, { hash, updatedAt, link: link ?? "", semanticIdentifier: document.semanticIdentifier });
    const content = document.sections.map(({ text }) => text).join("\n\n");
    this.index.set(document.documentId, { ...document, updatedAt, content, link, indexedAt: new Date() });
    return { alreadyExisted: known };
  }

  /** Puts a document where it is found, as if a connector had brought it. */
  seed({ id, text, title = id, link, source = "web", updatedAt }: SeedDocument): void {
    const sections = [{ text, link: link ?? null, imageFileId: null }];
    const whole = { documentId: urlSafeId(id), semanticIdentifier: title, title, sections, source, metadata: {} };
    const owners = { primaryOwners: null, secondaryOwners: null };
    this.ingest({ ...whole, ...owners, updatedAt, naiveTime: false }, 1, false);
  }

  remove(documentId: string): void {
    this.rows.delete(documentId);
    this.index.delete(documentId);
  }

  /** What can be found for these words, the best first. */
  search(query: string, { sources, pairs, since, until }: SearchLimits = {}): IndexedDocument[] {
    const wanted = wordsOf(query);
    const found: { document: IndexedDocument; score: number }[] = [];
    for (const document of this.index.values()) {
      if (sources !== undefined && sources.length > 0 && !sources.includes(document.source)) continue;
      const owners = this.rows.get(document.documentId)?.pairs ?? [];
      if (pairs !== undefined && !owners.some((owner) => pairs.has(owner))) continue;
      const { updatedAt = document.indexedAt } = document;
      if ((since !== undefined && updatedAt < since) || (until !== undefined && updatedAt > until)) continue;
      const there = new Set(wordsOf(`${document.title ?? document.semanticIdentifier} ${document.content}`));
      const score = wanted.filter((word) => there.has(word)).length;
      if (score > 0) found.push({ document, score });
    }
    return found.toSorted((one, other) => other.score - one.score).map(({ document }) => document);
  }
}

const kept = { alreadyExisted: true };

const common = new Set(
  "a an and are as at be by do does for from how i in is it of on or that the this to was what when where which who why will with you".split(
    " ",
  ),
);

/** The words of a text that say what it is about. */
export function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.filter((word) => !common.has(word)))];
}
