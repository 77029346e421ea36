import type { BaseFilters, Metadata } from "@threadlore/client/models";
import type { Caller, ServiceContext } from "../context.ts";
import { parseMoment } from "../moment.ts";
import { refusal } from "../problem.ts";
import type { Row } from "../store/database.ts";
import { ownerNames, ownersOfColumn } from "../store/documents.ts";
import { pairsInSets, visiblePairs } from "../store/visibility.ts";
import { matchAny, termsOf } from "./terms.ts";

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
}

/** A piece of a document that matched, with what is to be told about the document. */
export interface Passage {
  readonly documentId: string;
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

/** Weights of title, heading, text and words about the document. */
const WEIGHTS = "2.0, 1.5, 1.0, 0.7";

/**
 * The best passages for a text, best first: any of its words may match, stemmed; rare words and words in titles and
 * headings count more. What the caller may not see, and what the filters leave out, is never ranked. Passages that
 * say nearly the same appear once.
 *
 * Throws a Problem (503) when the search takes longer than its budget.
 */
export function search({ db }: Pick<ServiceContext, "db">, request: Search): Passage[] {
  const terms = termsOf(request.text);
  if (terms.length === 0 || request.limit < 1) return [];
  const conditions = conditionsOf(visibleIn(db, request), request.filters ?? {});
  const rows = db.within(request.budgetMs ?? 2_000, () =>
    db.all(
      `WITH found AS MATERIALIZED (
         SELECT passages_index.rowid AS id, bm25(passages_index, ${WEIGHTS}) AS cost
         FROM passages_index ${conditions.join}
         WHERE passages_index MATCH ? AND (passages_index.rowid & 63 OR in_time()) ${conditions.where}
         ORDER BY cost LIMIT ?)
       SELECT passages.*, semantic_identifier, source, metadata, updated_at, primary_owners, secondary_owners, cost
       FROM found JOIN passages ON passages.id = found.id JOIN documents ON documents.id = document_id
       ORDER BY cost, sequence DESC, ordinal`,
      matchAny(terms),
      ...conditions.values,
      // Some more than asked for, since near-duplicates fall away.
      request.limit * 2 + 10,
    ),
  );
  if (rows === undefined) {
    throw refusal(503, "SEARCH_TIMEOUT", "The search took too long. Ask with fewer or rarer words.", {
      "Retry-After": "1",
    });
  }
  return withoutNearDuplicates(rows.map(passageOfRow), request.limit);
}

/** Pairs whose documents may be found; null: any. */
function visibleIn(db: ServiceContext["db"], { caller, filters }: Search): number[] | null {
  const visible = visiblePairs(db, caller);
  const sets = filters?.document_set ?? [];
  if (sets.length === 0) return visible;
  const asked = pairsInSets(db, sets);
  return visible === null ? asked : asked.filter((pair) => visible.includes(pair));
}

interface Conditions {
  join: string;
  where: string;
  values: (string | number)[];
}

/** Filters as SQL. An empty list is no restriction; several tags are alternatives, as on deployed servers. */
function conditionsOf(pairs: readonly number[] | null, filters: BaseFilters): Conditions {
  const where: string[] = [];
  const values: (string | number)[] = [];
  const add = (condition: string, value: string | number): void => {
    where.push(`AND ${condition}`);
    values.push(value);
  };
  if (pairs !== null) {
    add(
      `EXISTS (SELECT 1 FROM document_pairs WHERE document_pairs.document_id = documents.id
               AND pair_id IN (SELECT value FROM json_each(?)))`,
      JSON.stringify(pairs),
    );
  }
  if (filters.source_type?.length) {
    add("documents.source IN (SELECT value FROM json_each(?))", JSON.stringify(filters.source_type));
  }
  if (filters.time_cutoff != null) add("documents.updated_at >= ?", parseMoment(filters.time_cutoff));
  if (filters.tags?.length) {
    add(
      `EXISTS (SELECT 1 FROM tags, json_each(?) AS asked WHERE tags.document_id = documents.id
               AND tag_key = asked.value ->> 'tag_key' AND tag_value = asked.value ->> 'tag_value')`,
      JSON.stringify(filters.tags),
    );
  }
  const join =
    where.length === 0
      ? ""
      : `JOIN passages ON passages.id = passages_index.rowid JOIN documents ON documents.id = passages.document_id`;
  return { join, where: where.join(" "), values };
}

function passageOfRow(row: Row): Passage {
  return {
    documentId: String(row["document_id"]),
    ordinal: Number(row["ordinal"]),
    title: String(row["title"]),
    semanticIdentifier: String(row["semantic_identifier"]),
    heading: String(row["heading"]),
    text: String(row["text"]),
    link: row["link"] === null ? null : String(row["link"]),
    source: String(row["source"]),
    metadata: JSON.parse(String(row["metadata"])) as Metadata,
    updatedAt: Number(row["updated_at"]),
    primaryOwners: ownerNames(ownersOfColumn(row["primary_owners"])),
    secondaryOwners: ownerNames(ownersOfColumn(row["secondary_owners"])),
    score: -Number(row["cost"]),
  };
}

/** Keeps the best of passages whose words are nearly the same: copies of one page would otherwise crowd out others. */
function withoutNearDuplicates(passages: readonly Passage[], limit: number): Passage[] {
  const kept: { passage: Passage; words: Words }[] = [];
  for (const passage of passages) {
    if (kept.length === limit) break;
    const words = wordsOf(`${passage.title} ${passage.text}`);
    if (!kept.some((other) => nearlyTheSame(words, other.words))) kept.push({ passage, words });
  }
  return kept.map(({ passage }) => passage);
}

interface Words {
  readonly all: ReadonlySet<string>;
  /** Those with a digit, in order. Texts that differ in one figure differ in what they say. */
  readonly figures: string;
}

function wordsOf(text: string): Words {
  const all = new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
  return { all, figures: [...all].filter((word) => /\p{N}/u.test(word)).join(" ") };
}

function nearlyTheSame(one: Words, other: Words): boolean {
  if (one.figures !== other.figures) return false;
  let both = 0;
  for (const word of one.all) if (other.all.has(word)) both++;
  return both / (one.all.size + other.all.size - both || 1) >= 0.9;
}
