/**
 * What an ingestion's reply is worth. Deployed servers answer 200 with `already_existed: true` when they had the
 * document, and just as well when they indexed nothing: an embedding server that was down, an index that took no
 * writes (docs/wire.md, section 3). Nothing in the reply tells the two apart, so such a document is looked for by search;
 * what is not found is unconfirmed, and sent again later.
 *
 * No imports: a browser's worker bundles this with each start.
 */

/** What of an ingestion's reply counts here. */
export interface IngestionReply {
  readonly already_existed: boolean;
  /** `queued`: said by servers that index after they answered, from a queue that survives: their 200 is a promise. */
  readonly indexing?: unknown;
}

/** What of a document counts when it is looked for; field names are the wire's. */
export interface SoughtDocument {
  readonly semantic_identifier: string;
  readonly title?: string | null | undefined;
  readonly doc_updated_at?: string | null | undefined;
  readonly sections: readonly {
    readonly text?: string | null | undefined;
    readonly link?: string | null | undefined;
  }[];
}

/** A passage as `POST /search` gives it; what a server leaves out is not judged. */
export interface PassageFound {
  readonly title?: string | null | undefined;
  readonly content?: string | null | undefined;
  readonly link?: string | null | undefined;
  readonly updated_at?: string | null | undefined;
}

/** A document that was sent and answered with 200. */
export interface SentDocument {
  readonly reply: IngestionReply;
  readonly document: SoughtDocument;
  /** Whether the server is known to have had this id before, with other content: then `already_existed` is no surprise. */
  readonly known: boolean;
  /**
   * Searches the server. Undefined: it has no search, or this key may not. What it throws leaves the document
   * unconfirmed, except for the caller's own abort, which is the caller's to tell.
   */
  search(query: string): Promise<readonly PassageFound[] | undefined>;
}

/** `kept`: the server has it, or promises to. `unconfirmed`: it said 200, and nobody has seen the document there. */
export type Acknowledgement = "kept" | "unconfirmed";

/** Whether a document that was answered with 200 is there. Searches only where the reply leaves it open. */
export async function acknowledge({ reply, document, known, search }: SentDocument): Promise<Acknowledgement> {
  if (!leavesOpen(reply)) return "kept";
  let passages: readonly PassageFound[] | undefined;
  try {
    passages = await search(searchFor(document));
  } catch {
    return "unconfirmed";
  }
  if (passages === undefined) return known ? "kept" : "unconfirmed";
  return isFound(document, passages, known) ? "kept" : "unconfirmed";
}

/** Whether a reply leaves open what became of the document. */
export function leavesOpen(reply: IngestionReply): boolean {
  return reply.already_existed && reply.indexing !== "queued";
}

/** Servers compare times of change by the second. */
const STEP_MS = 1_000;

/** A document's time of change, by the wire's name. */
type Changing = Pick<SoughtDocument, "doc_updated_at">;

/**
 * The document as it is sent once more: deployed servers pass over what is not newer and has the same text, with
 * everything else that changed (docs/wire.md, section 3). One without a time is new there each time it is sent.
 * @param times how often it was sent before; 0: it stays as it is
 * @param now milliseconds since 1970: the time of a document that has none; undefined: it gets none
 */
export function newerBy<Document extends Changing>(document: Document, times: number, now?: number): Document {
  const updated = Date.parse(document.doc_updated_at ?? "");
  const from = Number.isNaN(updated) ? now : updated;
  return times === 0 || from === undefined ? document : changedAt(document, from + times * STEP_MS);
}

/** The same for one that must be newer than a time of change it was sent with before, in milliseconds since 1970. */
export function newerThan<Document extends Changing>(document: Document, before: number): Document {
  const updated = Date.parse(document.doc_updated_at ?? "");
  const isNewer = Number.isNaN(updated) || updated >= before + STEP_MS;
  return isNewer ? document : changedAt(document, before + STEP_MS);
}

function changedAt<Document extends Changing>(document: Document, at: number): Document {
  return { ...document, doc_updated_at: new Date(at).toISOString() };
}

/** Servers take up to 2,048 characters; a title and a beginning are as telling as more. */
const QUERY_LENGTH = 300;

/** What to search for to see a document again: its title and how its longest section begins. */
export function searchFor(document: SoughtDocument): string {
  const texts = document.sections.map(({ text }) => text ?? "").toSorted((one, other) => other.length - one.length);
  const beginning = `${titleOf(document)} ${texts[0] ?? ""}`.slice(0, 10 * QUERY_LENGTH).replaceAll(/\s+/g, " ");
  return [...beginning.trim()].slice(0, QUERY_LENGTH).join("").toWellFormed();
}

/**
 * Whether one of the passages is of this document as it was sent.
 * @param changed an earlier state of it was there: a passage with an earlier time of change is of that one
 */
export function isFound(document: SoughtDocument, passages: readonly PassageFound[], changed: boolean): boolean {
  const title = plain(titleOf(document));
  const links = new Set(document.sections.flatMap(({ link }) => link ?? []));
  const sent = Date.parse(document.doc_updated_at ?? "");
  const named = passages.filter((passage) => {
    const isNamed = plain(passage.title ?? "") === title || (passage.link != null && links.has(passage.link));
    const updated = Date.parse(passage.updated_at ?? "");
    const isThen = Number.isNaN(sent) || Number.isNaN(updated) || updated >= Math.floor(sent / 1_000) * 1_000;
    return isNamed && (!changed || isThen);
  });
  if (named.length === 0) return false;
  const text = plain(document.sections.map((section) => section.text ?? "").join(" "));
  return named
    .slice(0, MAX_PASSAGES)
    .some(({ content }) => sharesText(text, plain((content ?? "").slice(0, MAX_READ))));
}

function titleOf({ title, semantic_identifier: name }: SoughtDocument): string {
  return title == null || title === "" ? name : title;
}

/**
 * Bounds of what is compared: many documents are called README, a document has millions of characters, and a browser's
 * worker has other things to do. Passages looked at, and characters of each; the best come first.
 */
const MAX_PASSAGES = 50;
const MAX_READ = 20_000;

/** Places of a passage that are looked for. Each costs a walk through the whole document. */
const MAX_WINDOWS = 16;

/** In characters: long enough that chance does not share it, short enough for a sentence. */
const WINDOW = 24;

/** At least half of a passage's places stand in the text: what a server puts before and after its passages is its own. */
function sharesText(text: string, passage: string): boolean {
  if (passage.length <= WINDOW) return passage === "" ? text === "" : text.includes(passage) || passage.includes(text);
  const windows = Math.min(MAX_WINDOWS, Math.floor(passage.length / WINDOW));
  const step = Math.floor(passage.length / windows);
  let shared = 0;
  let missed = 0;
  for (let number = 0; number < windows && missed * 2 <= windows; number++) {
    if (text.includes(passage.slice(number * step, number * step + WINDOW))) shared++;
    else missed++;
  }
  return shared * 2 >= windows || (text !== "" && text.length <= WINDOW && passage.includes(text));
}

function plain(text: string): string {
  return text.normalize("NFKC").replaceAll(/\s+/g, " ").trim().toLowerCase();
}
