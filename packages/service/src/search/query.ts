import type { BaseFilters, Metadata, Owner } from "@threadlore/client/models";
import type { Caller, ServiceContext, Settings } from "../context.ts";
import { refusal } from "../http/problem.ts";
import { ownerNames } from "../store/documents.ts";
import { DatabaseError } from "../store/sqlite/database-error.ts";
import { all, type Row, type Steps, together, withJson } from "../store/steps.ts";
import { visiblePairs } from "../store/visibility.ts";
import { type Decay, type FoundPassage, OutOfTime } from "./engine/index-query.ts";
import type { Meaning } from "./engine/meaning.ts";
import type { SearchedWord } from "./engine/question.ts";
import type { Answering } from "./hosting/answering.ts";
import { answeringOf } from "./hosting/index-host.ts";
import { evenly } from "./even.ts";
import { LostIndex, UnavailableIndex } from "./hosting/index-trouble.ts";
import { filterOf } from "./scope.ts";

/** What a search works with: the truth decides what is visible, this machine's index what is found. */
type SearchContext = Pick<ServiceContext, "db" | "store"> & {
  /** Absent: nobody waits for a moment at which searches are answered. */
  readonly settings?: Pick<Settings, "evenMs">;
  /** How long a search may take at most, milliseconds: longer where nobody waits for it. Default: two seconds. */
  readonly patienceMs?: number;
};

/** What is searched for, and by whom. */
export interface Search {
  /** A question or keywords; any of its words may match. */
  readonly text: string;
  /** Narrows what is found; null or absent: everything the caller may see. */
  readonly filters?: BaseFilters | null;
  readonly caller: Caller;
  /** Most passages to answer. */
  readonly limit: number;
  /** Time the search may take, milliseconds. Default 2,000. */
  readonly budgetMs?: number;
  /** Most passages the caller may see for which the search is widened by what the first finds say. Default 20,000. */
  readonly feedbackUpTo?: number;
  /** The question's vector, and the model it is of. Absent: words alone decide. */
  readonly meaning?: Meaning | undefined;
  /** Makes older documents count less. Absent: age does not matter. */
  readonly decay?: Decay | undefined;
}

/** What a search found, and what is known of the words that were asked. */
export interface Found {
  /** The best document first; near-copies once. */
  readonly passages: readonly Passage[];
  /** How many passages the caller may see. */
  readonly corpus: number;
  /** The words that say something, each once, in the order they were asked. */
  readonly words: readonly SearchedWord[];
}

/** How common words are in what a caller may see; as many entries as words were asked for. */
export interface Holdings {
  /** How many passages the caller may see. */
  readonly corpus: number;
  /** In how many of them each word occurs, in any of its forms. */
  readonly holding: readonly number[];
  /** The known word that each was taken for, where none of what the caller may see holds it. */
  readonly corrected: readonly (string | undefined)[];
}

/** A piece of a document that matched, with what is to be told about the document. */
export interface Passage {
  /** Of its document, as the store numbers it. */
  readonly number: number;
  readonly documentId: string;
  /** The pair the document was written under; null: it is held back from every pair. */
  readonly pairId: number | null;
  /**
   * What an answer names the document by: its id, and behind it the pair where the caller sees another document of the
   * same id. No two documents have the same.
   */
  readonly sourceId: string;
  /** Position in the document, from 0. */
  readonly ordinal: number;
  /** What search weighs as the title; may be "". */
  readonly title: string;
  /** Title shown to people. */
  readonly semanticIdentifier: string;
  /** Headings above the passage, outermost first, joined by " > "; may be "". */
  readonly heading: string;
  readonly text: string;
  /** Of the section the passage is from. */
  readonly link: string | null;
  readonly source: string;
  readonly metadata: Metadata;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  /** Whoever sent the document said when it was changed; else that is when it arrived. */
  readonly isDated: boolean;
  readonly primaryOwners: readonly string[] | null;
  readonly secondaryOwners: readonly string[] | null;
  /** ISO 639-1 code of the passage's language; "" where nothing tells. */
  readonly language: string;
  /** Higher is better; comparable within one search only. */
  readonly score: number;
  /** How like the question's vector the passage's own is, -1 to 1; absent: one of them has none. */
  readonly similarity?: number;
}

/** Beyond, searching twice takes longer than it is worth. */
const FEEDBACK_UP_TO = 200_000;

const BUDGET_MS = 2_000;

/** Passages that are asked for beyond those wanted: a document may have been deleted and not have left the index yet. */
const SPARE = 10;

/**
 * The best passages for a text, best document first: any of its words may match, in any form; rare words, words in titles
 * and headings and words side by side count more. A word nobody wrote is searched as the known one it is nearest to. A
 * document's best passages stand together, at most three while other documents have some. What the caller may not see,
 * and what the filters leave out, is never ranked. Passages that say nearly the same appear once.
 *
 * Who does not see everything is answered at moments that tell nothing of how much is hidden: see `evenly`.
 *
 * Throws a Problem (503) when the search takes longer than its budget, or there is no index at the moment.
 */
export async function search(context: SearchContext, request: Search): Promise<Found> {
  return evenly(request.caller, context.settings?.evenMs, () => searched(context, request));
}

async function searched({ db, store, patienceMs }: SearchContext, request: Search): Promise<Found> {
  const { text, caller, limit, filters, meaning, decay } = request;
  const { visible, filter } = await store.read(boundsOf(caller, filters ?? {}));
  const { passages, corpus, words } = await inTime(db, (index) =>
    index.search({
      text,
      visible: visible ?? undefined,
      filter,
      limit: limit < 1 ? 0 : limit + SPARE,
      budgetMs: request.budgetMs ?? patienceMs ?? BUDGET_MS,
      feedbackUpTo: request.feedbackUpTo ?? FEEDBACK_UP_TO,
      meaning,
      decay,
    }),
  );
  const copies = db.perform(copied(passages));
  return { passages: await store.read(told(passages, copies, visible, limit)), corpus, words };
}

/**
 * A document as search tells what it finds, without any of its text; undefined: the caller may not see it, it cannot be found, or
 * the filters do not let it through. Filters by tags are not looked at.
 */
export async function foundDocument(
  { db, store }: SearchContext,
  number: number,
  { caller, filters }: Pick<Search, "caller" | "filters">,
): Promise<Passage | undefined> {
  const { visible, filter } = await store.read(boundsOf(caller, filters ?? {}));
  const empty = { ordinal: 0, title: "", heading: "", text: "", link: null, language: "", score: 0 };
  const found = [{ document: number, ...empty }];
  const [document] = await store.read(told(found, db.perform(copied(found)), visible, 1));
  if (document === undefined) return undefined;
  const { pairId, source, updatedAt } = document;
  const { pairs, sources, since = -Infinity, until = Infinity } = filter;
  const isWithin = pairs === undefined || (pairId !== null && pairs.includes(pairId));
  const isFrom = sources === undefined || sources.includes(source as (typeof sources)[number]);
  return isWithin && isFrom && since <= updatedAt && updatedAt <= until ? document : undefined;
}

/**
 * How common the words of a text, folded, are in what a caller may see: for questions that are not searched. Function words
 * of the text's language are held nowhere. Throws as `search`.
 */
export async function holdings(context: SearchContext, words: readonly string[], caller: Caller): Promise<Holdings> {
  return evenly(caller, context.settings?.evenMs, () => counted(context, words, caller));
}

async function counted(
  { db, store, patienceMs }: SearchContext,
  words: readonly string[],
  caller: Caller,
): Promise<Holdings> {
  const visible = (await store.read(visiblePairs(caller))) ?? undefined;
  const { corpus, words: found } = await inTime(db, (index) => index.count(words, visible, patienceMs ?? BUDGET_MS));
  return {
    corpus,
    holding: found.map(({ holding }) => holding),
    corrected: found.map(({ corrected }) => corrected),
  };
}

async function inTime<Result>(db: ServiceContext["db"], ask: (index: Answering) => Promise<Result>): Promise<Result> {
  try {
    // What answers is looked for within it: that may find the index lost, too.
    const attempt = async (): Promise<Result> => ask(answeringOf(db));
    return await attempt().catch((error: unknown) => {
      // It was made anew: what there is of it answers.
      if (error instanceof LostIndex) return attempt();
      throw error;
    });
  } catch (error) {
    // Opening says this of the index alone, and in words that name its place.
    if (error instanceof DatabaseError) throw new UnavailableIndex(error);
    if (!(error instanceof OutOfTime)) throw error;
    throw refusal(503, "SEARCH_TIMEOUT", "The search took too long. Ask with fewer or rarer words.", {
      "Retry-After": "1",
    });
  }
}

/** What a caller may see, and what of it is asked for. */
function* boundsOf(caller: Caller, filters: BaseFilters) {
  const [visible, filter] = yield* together(visiblePairs(caller), filterOf(filters));
  return { visible, filter };
}

/** The passages with what is known of their documents, as far as these are still to be found and seen. */
function* told(
  passages: readonly FoundPassage[],
  copies: ReadonlyMap<number, number>,
  visible: readonly number[] | null,
  limit: number,
): Steps<Passage[]> {
  const pairs = visible === null ? null : JSON.stringify(visible);
  const numbers = [...new Set(passages.map(({ document }) => document))];
  const rows = yield* all<Row & { readonly number: number }>(DOCUMENTS, JSON.stringify(numbers), pairs);
  const found = new Map(rows.map((row) => [row.number, row]));
  return passages
    .flatMap(({ document, ...passage }): Passage[] => {
      const row = found.get(document);
      if (row === undefined || isOverwritten(row, copies)) return [];
      const {
        hasNamesake,
        dated,
        mark: _,
        ...known
      } = withJson<DocumentRow>({ ...row }, "metadata", "primaryOwners", "secondaryOwners");
      const primaryOwners = ownerNames(known.primaryOwners);
      const secondaryOwners = ownerNames(known.secondaryOwners);
      return [
        {
          number: document,
          ...passage,
          ...known,
          isDated: dated === 1,
          sourceId: sourceIdOf(known, hasNamesake === 1),
          primaryOwners,
          secondaryOwners,
        },
      ];
    })
    .slice(0, Math.max(0, limit));
}

/** Where the truth is elsewhere, with the mark of the change this machine's copy must have, or it holds what was overwritten. */
const DOCUMENTS = {
  sqlite: documentsWith("NULL", (place) => `IN (SELECT value FROM json_each(${place}))`),
  // As an array: of a function's rows PostgreSQL does not know that they are few, and would read every document there is.
  postgres: documentsWith(
    "(SELECT mark FROM changes WHERE changes.document = documents.number)",
    (place) => `= ANY (CAST(translate(${place}, '[]', '{}') AS BIGINT[]))`,
  ),
};

/** @param among that a number is one of a list, which is JSON */
function documentsWith(mark: string, among: (place: string) => string): string {
  return `
  SELECT number, id AS "documentId", pair_id AS "pairId", semantic_identifier AS "semanticIdentifier", source, metadata,
         updated_at AS "updatedAt", dated, primary_owners AS "primaryOwners", secondary_owners AS "secondaryOwners",
         ${mark} AS mark,
         CASE WHEN EXISTS (
           SELECT 1 FROM documents AS other WHERE other.id = documents.id AND other.number <> documents.number
           AND (CAST(?2 AS TEXT) IS NULL OR other.pair_id ${among("?2")})
         ) THEN 1 ELSE 0 END AS "hasNamesake"
  FROM documents
  WHERE number ${among("?1")} AND status <> 'failed' AND (CAST(?2 AS TEXT) IS NULL OR pair_id ${among("?2")})`;
}

/** The mark of the change each document of this machine's copy is of. */
function* copied(passages: readonly FoundPassage[]): Steps<ReadonlyMap<number, number>> {
  const rows = yield* all<{ readonly number: number; readonly mark: number }>(
    "SELECT number, chunk_count AS mark FROM documents WHERE number IN (SELECT CAST(value AS BIGINT) FROM json_each(?))",
    JSON.stringify(passages.map(({ document }) => document)),
  );
  return new Map(rows.map(({ number, mark }) => [number, mark]));
}

/** What the store knows of a passage's document. */
interface DocumentRow extends Pick<
  Passage,
  "documentId" | "pairId" | "semanticIdentifier" | "source" | "metadata" | "updatedAt"
> {
  readonly primaryOwners: readonly Owner[] | null;
  readonly secondaryOwners: readonly Owner[] | null;
  readonly hasNamesake: 0 | 1;
  readonly dated: 0 | 1;
  readonly mark: number | null;
}

/** This machine's copy has not followed yet, or cannot: what it holds may be what somebody took away. */
function isOverwritten(row: Row & { readonly number: number }, copies: ReadonlyMap<number, number>): boolean {
  const mark = row["mark"];
  return mark !== null && mark !== copies.get(row.number);
}

/** Ids that stand for something else in an answer, or that look as if a pair had been put behind them already. */
const TAKEN_ID = /^additional_context(?::|$)| \((?:pair \d+|held back)\)$/;

function sourceIdOf({ documentId: id, pairId }: Pick<Passage, "documentId" | "pairId">, hasNamesake: boolean): string {
  if (!hasNamesake && !TAKEN_ID.test(id)) return id;
  return `${id} (${pairId === null ? "held back" : `pair ${pairId}`})`;
}
