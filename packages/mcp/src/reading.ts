import { findByAnswer, findPassages, type FoundPiece, wordsOfAddress } from "@threadlore/ask";
import { NotFoundError, UnsupportedError } from "@threadlore/client";
import type { TextRange } from "@threadlore/client/deployment";
import type { Knowledge } from "./knowledge.ts";
import { knownAddresses, openableLink, quotedLine, quotedText } from "./words/quoted-text.ts";

/** What is to be read. */
export interface Wanted extends TextRange {
  /** As the server names it, or its link. */
  readonly document: string;
  /** What to look for in it, where the server cannot give it whole. */
  readonly about?: string | undefined;
}

/** A document's words, or as much of them as the server gives. */
export interface Read {
  /** As the server names it. */
  readonly id: string;
  readonly title: string;
  /** Where people open it; null: nowhere that may be linked. */
  readonly link: string | null;
  /** ISO 8601. */
  readonly updatedAt: string | null;
  readonly text: string;
  /** Characters of the whole, or of the pages that were asked for; null: the server does not tell. */
  readonly length: number | null;
  /** Where the rest begins; null: nothing is left. */
  readonly next: number | null;
  /** `passages`: the server does not give documents whole; these are what a search finds of it. */
  readonly as: "text" | "passages";
}

/** Reads a document. Throws the client's errors; NotFoundError where there is none that the key may see. */
export async function readDocument(knowledge: Knowledge, wanted: Wanted, signal: AbortSignal): Promise<Read> {
  try {
    return await readNamed(knowledge, wanted, signal);
  } catch (error) {
    if (!(error instanceof NotFoundError) || error.host === undefined) throw error;
    const document = await idAt(knowledge, wanted.document, signal);
    if (document !== undefined) return readNamed(knowledge, { ...wanted, document }, signal);
    throw new NotFoundError(
      "There is no such document, or none that this key may see. A search finds documents by what they say.",
    );
  }
}

/** The id of the document at an address: people and models have its link more often. */
async function idAt({ deployment }: Knowledge, address: string, signal: AbortSignal): Promise<string | undefined> {
  if (!/^https?:\/\/\S+$/i.test(address)) return undefined;
  const found = await deployment.search({ query: address }, { signal });
  const bare = (url: string): string => url.replace(/#.*$/, "");
  return found.find(({ link }) => link != null && bare(link) === bare(address))?.document_id ?? undefined;
}

async function readNamed(knowledge: Knowledge, wanted: Wanted, signal: AbortSignal): Promise<Read> {
  const { document, from, most, pages } = wanted;
  try {
    const found = await knowledge.deployment.documentText(document, { from, most, pages }, { signal });
    const links = [{ link: found.link }, ...found.pieces];
    const isKnown = knownAddresses(links);
    return {
      id: document,
      title: quotedLine(found.title),
      link: openableLink(found.link, isKnown),
      updatedAt: found.updated_at ?? null,
      text: quotedText(found.pieces.map(({ text }) => text).join("\n\n"), isKnown),
      length: found.length,
      next: found.next,
      as: "text",
    };
  } catch (error) {
    if (!(error instanceof UnsupportedError)) throw error;
  }
  const wish = { query: wanted.about ?? (wordsOfAddress(document) || document) };
  const { pieces } = await findPassages(knowledge, wish, { signal });
  // Searches of deployed servers name no documents, only where they lie.
  const isUnnamed = pieces.some(({ documentId }) => documentId === undefined);
  if (!isUnnamed || pieces.some(({ link }) => link === document)) return ofPassages(document, pieces);
  return ofPassages(document, (await findByAnswer(knowledge, wish, { signal })).pieces);
}

function ofPassages(document: string, pieces: readonly FoundPiece[]): Read {
  const own = pieces.filter(({ documentId, link }) => documentId === document || link === document);
  const [first] = own;
  if (first === undefined) {
    throw new NotFoundError(
      "This server does not give documents whole, and a search finds nothing of this one. Say in `about` what to look for in it.",
    );
  }
  const isKnown = knownAddresses(own);
  return {
    id: first.documentId ?? document,
    title: quotedLine(first.title),
    link: openableLink(first.link, isKnown),
    updatedAt: first.updatedAt ?? null,
    text: own.map(({ text }) => quotedText(text, isKnown)).join("\n\n[…]\n\n"),
    length: null,
    next: null,
    as: "passages",
  };
}
