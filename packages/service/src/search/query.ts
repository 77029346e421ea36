import type { BaseFilters, Metadata, Owner } from "@threadlore/client/models";
import type { Caller, ServiceContext } from "../context.ts";
import { refusal } from "../http/problem.ts";
import { withJson } from "../store/sqlite/database.ts";
import { ownerNames } from "../store/documents.ts";
import { visiblePairs } from "../store/visibility.ts";
import { corpusOf } from "./corpus.ts";
import { NearDuplicates } from "./engine/near-duplicates.ts";
import { fuse, type RankedDocument, rankByMeaning, rankByWords } from "./ranking.ts";
import { scopeOf } from "./scope.ts";
import { termsOf } from "./terms.ts";

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
  readonly meaning?: { readonly model: string; readonly vector: Float32Array };
  /** Makes older documents count less. Absent: age does not matter. */
  readonly decay?: Decay;
}

/** How documents lose weight with age. */
interface Decay {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Age at which a document counts half, milliseconds. */
  readonly halfLifeMs: number;
}

/** A piece of a document that matched, with what is to be told about the document. */
export interface Passage {
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
  readonly primaryOwners: readonly string[] | null;
  readonly secondaryOwners: readonly string[] | null;
  /** Higher is better; comparable within one search only. */
  readonly score: number;
}

/** Beyond, searching twice takes longer than it is worth. */
const FEEDBACK_UP_TO = 20_000;

/** Passages of one document that are shown before those of others get their turn. */
const TOGETHER = 3;

/**
 * The best passages for a text, best document first: any of its words may match, stemmed; rare words, words in titles
 * and headings and words side by side count more. A document's best passages stand together, at most three while other
 * documents have some. What the caller may not see, and what the filters leave out, is never ranked. Passages that say
 * nearly the same appear once.
 *
 * Throws a Problem (503) when the search takes longer than its budget.
 */
export function search({ db }: Pick<ServiceContext, "db">, request: Search): Passage[] {
  const terms = termsOf(request.text);
  if (terms.words.length === 0 || request.limit < 1) return [];
  // Some more than asked for, since near-duplicates fall away.
  const least = request.limit * 2 + 10;
  const found = db.within(request.budgetMs ?? 2_000, () => {
    const scope = scopeOf(db, request.caller, request.filters ?? {});
    const depth = { least, feedbackUpTo: request.feedbackUpTo ?? FEEDBACK_UP_TO };
    const lists = rankByWords(db, corpusOf(db, request.caller), terms, scope, depth);
    const meant = request.meaning && rankByMeaning(db, request.meaning.model, request.meaning.vector, scope);
    const all = meant === undefined || meant.length === 0 ? lists : [...lists, meant];
    return picked(db, decayed(db, fuse(all), request.decay), request);
  });
  if (found === undefined) {
    throw refusal(503, "SEARCH_TIMEOUT", "The search took too long. Ask with fewer or rarer words.", {
      "Retry-After": "1",
    });
  }
  return found;
}

function decayed(db: ServiceContext["db"], documents: readonly RankedDocument[], decay: Decay | undefined) {
  if (decay === undefined) return documents;
  const rows = db.all<{ number: number; at: number }>(
    "SELECT number, updated_at AS at FROM documents WHERE number IN (SELECT value FROM json_each(?))",
    JSON.stringify(documents.map(({ document }) => document)),
  );
  const moments = new Map(rows.map(({ number, at }) => [number, at]));
  return documents
    .map((ranked) => {
      const age = Math.max(0, decay.now - (moments.get(ranked.document) ?? decay.now));
      return { ...ranked, score: ranked.score * 0.5 ** (age / decay.halfLifeMs) };
    })
    .toSorted((one, other) => other.score - one.score);
}

/** The passages to show, read from the store as far as they are needed. */
function picked(
  db: ServiceContext["db"],
  documents: readonly RankedDocument[],
  { caller, limit }: Pick<Search, "caller" | "limit">,
): Passage[] {
  const pairs = visiblePairs(db, caller);
  const visible = pairs === null ? null : JSON.stringify(pairs);
  const shown: Passage[] = [];
  const duplicates = new NearDuplicates();
  const show = (of: (passages: readonly number[]) => readonly number[]): void => {
    for (const { score, passages } of documents) {
      for (const id of of(passages)) {
        if (shown.length === limit) return;
        const row = db.get(PASSAGE, id, visible);
        if (row === undefined) continue;
        const passage = withJson<PassageRow>(row, "metadata", "primaryOwners", "secondaryOwners");
        if (!duplicates.isNew(`${passage.title} ${passage.text}`)) continue;
        const primaryOwners = ownerNames(passage.primaryOwners);
        const secondaryOwners = ownerNames(passage.secondaryOwners);
        shown.push({ ...passage, sourceId: sourceIdOf(passage), primaryOwners, secondaryOwners, score });
      }
    }
  };
  show((passages) => passages.slice(0, TOGETHER));
  show((passages) => passages.slice(TOGETHER));
  return shown;
}

const PASSAGE = `
  SELECT documents.id AS documentId, pair_id AS pairId, ordinal, passages.title, semantic_identifier AS semanticIdentifier,
         heading, text, passages.link, source, metadata, updated_at AS updatedAt, primary_owners AS primaryOwners,
         secondary_owners AS secondaryOwners,
         EXISTS (SELECT 1 FROM documents AS other WHERE other.id = documents.id AND other.number <> documents.number
                 AND (?2 IS NULL OR other.pair_id IN (SELECT value FROM json_each(?2)))) AS hasNamesake
  FROM passages JOIN documents ON documents.number = document
  -- What failed and has passages is being deleted.
  WHERE passages.id = ?1 AND documents.status <> 'failed'`;

/** A passage as it is read, before it is known what it is shown as. */
interface PassageRow extends Omit<Passage, "sourceId" | "score" | "primaryOwners" | "secondaryOwners"> {
  readonly primaryOwners: readonly Owner[] | null;
  readonly secondaryOwners: readonly Owner[] | null;
  readonly hasNamesake: 0 | 1;
}

/** Ids that stand for something else in an answer, or that look as if a pair had been put behind them already. */
const TAKEN_ID = /^additional_context(?::|$)| \((?:pair \d+|held back)\)$/;

function sourceIdOf({ documentId: id, pairId, hasNamesake }: PassageRow): string {
  if (hasNamesake === 0 && !TAKEN_ID.test(id)) return id;
  return `${id} (${pairId === null ? "held back" : `pair ${pairId}`})`;
}
