/** What an answer is drawn from: passages of the store, and texts that came along with the question. */
import { setImmediate as turn } from "node:timers/promises";
import { fencedPages } from "@threadlore/client/fence";
import { foldedWordsOf, languageOf } from "@threadlore/language";
import { stem, termsOf } from "@threadlore/language/stems";
import type { BaseFilters, FileDescriptor, SearchDoc } from "@threadlore/client/models";
import type { Caller, ServiceContext } from "../context.ts";
import { chunkSection } from "../search/chunk.ts";
import { holdings, type Passage, type Search, search } from "../search/query.ts";
import { type AskedQuestion, termsFor, type WordStatistics } from "./extracted/asked.ts";
import { withKept } from "./kept/kept-passages.ts";
import { blurbOf, type Evidence, safeLink, type Source } from "./source.ts";

/** The document id under which an answer cites the request's `additional_context`. */
const ADDITIONAL_CONTEXT = "additional_context";

/** Whether an id stands for the request's `additional_context`, or for one of several pages in it. */
export function isPassing(documentId: string): boolean {
  return documentId === ADDITIONAL_CONTEXT || documentId.startsWith(`${ADDITIONAL_CONTEXT}:`);
}

/** Passages looked at for one question. */
const MAX_PASSAGES = 12;
/** Passages of attached texts looked at for one question. */
const MAX_LOCAL = 8;
/** Characters of one attached text that are read. */
export const LOCAL_LIMIT = 2_000_000;

/** Where somebody waits for it, and how long it may take; see `search`. */
type Patience = Partial<Pick<ServiceContext, "settings">> & { readonly patienceMs?: number };

/** How common the words of a text are in what the caller may see. */
export async function statisticsOf(
  context: Pick<ServiceContext, "db" | "store"> & Patience,
  caller: Caller,
  text: string,
): Promise<WordStatistics> {
  const words = [...new Set(foldedWordsOf(text.slice(0, MAX_ASKED_LENGTH)))];
  const { corpus, holding, corrected } = await holdings(context, words, caller);
  const places = new Map(words.map((word, index) => [word, index]));
  const at = (word: string) => places.get(word) ?? -1;
  return { passages: corpus, holding: (word) => holding[at(word)] ?? 0, correctionOf: (word) => corrected[at(word)] };
}

/** The same, where words that some evidence beside the store holds are known as well. */
export function alsoIn(statistics: WordStatistics, evidence: readonly Evidence[]): WordStatistics {
  if (evidence.length === 0) return statistics;
  const texts = evidence.map(({ source, heading, text }) => `${source.title}\n${heading}\n${text}`);
  const said = new Set(texts.flatMap((text) => termsOf(text, languageOf(text))));
  const languages = new Set(texts.map((text) => languageOf(text)));
  const isSaid = (word: string) => [...languages].some((language) => said.has(stem(word, language)));
  return {
    ...statistics,
    holding: (word) => Math.max(statistics.holding(word), isSaid(word) ? 1 : 0),
    correctionOf: (word) => (isSaid(word) ? undefined : statistics.correctionOf?.(word)),
  };
}

/** The passages of the store for a text, best first. */
export async function searchEvidence(
  context: Pick<ServiceContext, "db" | "store" | "embeddings" | "log" | "now"> &
    Partial<Pick<ServiceContext, "gaps">> &
    Patience,
  text: string,
  filters: BaseFilters | null,
  caller: Caller,
  most: number = MAX_PASSAGES,
): Promise<Evidence[]> {
  const meaning = await meaningOf(context, text);
  const decay = ASKS_NEWEST.test(text) ? { now: context.now(), halfLifeMs: HALF_LIFE_MS } : undefined;
  const found = await search(context, { text, filters, caller, limit: most, meaning, decay });
  const passages = await withKept(context, { text, filters, caller }, meaning, found);
  const sources = new Map<string, Source>();
  const best = Math.max(1e-9, ...passages.map(({ score }) => score));
  return passages.map((passage) => {
    // One document cited by one link: that of its best passage.
    const source = sources.get(passage.sourceId) ?? sourceOfPassage(passage, text);
    sources.set(passage.sourceId, source);
    const { heading, text: words, score, similarity, isReply } = passage;
    const language = passage.language === "" ? undefined : passage.language;
    return { source, heading, text: words, score: score / best, language, similarity, ...(isReply && { isReply }) };
  });
}

/** A question that asks for what is new is the one case where age counts. */
const ASKS_NEWEST = /\b(?:newest|latest|most recent|recent|recently)\b/i;
const HALF_LIFE_MS = 90 * 86_400_000;

/** A question must not wait long for its vector: words find nearly as much. */
const MEANING_MS = 2_000;

async function meaningOf(
  { embeddings, log }: Pick<ServiceContext, "embeddings" | "log">,
  text: string,
): Promise<Search["meaning"]> {
  if (embeddings === undefined || text.trim() === "") return undefined;
  try {
    const [vector] = await embeddings.embed([text.slice(0, MAX_ASKED_LENGTH)], MEANING_MS);
    return vector && { model: embeddings.model, vector };
  } catch (error) {
    log.warn("searched by words alone: the embedding model could not be asked", { cause: error });
    return undefined;
  }
}

/** Characters of a question that are embedded. */
const MAX_ASKED_LENGTH = 4_000;

function sourceOfPassage(passage: Passage, asked: string): Source {
  const { sourceId: id, primaryOwners, secondaryOwners } = passage;
  const title = passage.semanticIdentifier === "" ? passage.title : passage.semanticIdentifier;
  return sourceOf(
    { id, title, link: safeLink(passage.link), sourceType: passage.source, passing: false, number: passage.number },
    {
      chunk_ind: passage.ordinal,
      semantic_identifier: passage.semanticIdentifier,
      blurb: blurbOf(passage.text, asked),
      metadata: passage.metadata,
      score: passage.score,
      updated_at: new Date(passage.updatedAt).toISOString(),
      ...(passage.isDated ? {} : { date_is_arrival: true }),
      primary_owners: primaryOwners === null ? null : [...primaryOwners],
      secondary_owners: secondaryOwners === null ? null : [...secondaryOwners],
    },
  );
}

/** A text that came with the question, or that an earlier question of the conversation brought. */
export interface LocalText {
  readonly source: Source;
  readonly text: string;
}

/** The best passages of the attached texts for a question, in reading order; the first ones where nothing matches. */
export async function localEvidence(question: AskedQuestion, texts: readonly LocalText[]): Promise<Evidence[]> {
  const passages: Evidence[] = [];
  for (const { source, text } of texts) {
    for (const { heading, text: piece } of chunkSection(text.slice(0, LOCAL_LIMIT))) {
      passages.push({ source, heading, text: piece, score: 0 });
    }
    // A long text must not keep others waiting.
    if (text.length > LONG_TEXT) await turn();
  }
  const weigh = weigherOf(question);
  const weighed: { passage: Evidence; weight: number }[] = [];
  for (const passage of passages) {
    weighed.push({ passage, weight: weigh(`${passage.source.title}\n${passage.heading}\n${passage.text}`) });
    if (weighed.length % WEIGHED_AT_ONCE === 0) await turn();
  }
  const most = Math.max(1e-9, ...weighed.map(({ weight }) => weight));
  const kept = new Set(weighed.toSorted((one, other) => other.weight - one.weight).slice(0, MAX_LOCAL));
  return weighed.filter((one) => kept.has(one)).map(({ passage, weight }) => ({ ...passage, score: weight / most }));
}

/** Characters of a text, and passages, between which others get their turn. */
const LONG_TEXT = 100_000;
const WEIGHED_AT_ONCE = 200;

/** How much of a question texts say, by weight. */
function weigherOf({ words, language }: AskedQuestion): (text: string) => number {
  const weights = new Map<string | undefined, Map<string, number>>();
  return (text) => {
    const written = languageOf(text, language);
    let known = weights.get(written);
    if (known === undefined) {
      known = new Map(
        words.flatMap((word) => termsFor(word, written).map((term): [string, number] => [term, word.weight])),
      );
      weights.set(written, known);
    }
    let weight = 0;
    for (const term of new Set(termsOf(text, written))) weight += known.get(term) ?? 0;
    return weight;
  };
}

/**
 * The request's `additional_context` as sources: one, or, where whoever asks has fenced several pages with one mark,
 * each of them, so that an answer cites the page it draws from.
 */
export function contextTexts(context: string): LocalText[] {
  const pages = fencedPages(context);
  if (pages === undefined) return [contextText(context.split("\n"), ADDITIONAL_CONTEXT)];
  return pages.map((page, index) =>
    contextText(page, index === 0 ? ADDITIONAL_CONTEXT : `${ADDITIONAL_CONTEXT}:${index + 1}`),
  );
}

/** A text as a source of its own, with the title and link its first lines may name. */
function contextText(lines: readonly string[], id: string): LocalText {
  let title: string | undefined;
  let link: string | null = null;
  let at = 0;
  for (; at < Math.min(lines.length, 8); at++) {
    if ((lines[at] ?? "").length > MAX_FIELD_LENGTH) break;
    const line = (lines[at] ?? "").trim();
    const field = fieldOf(line);
    const address = safeLink(field?.value ?? line);
    if (address !== null) link ??= address;
    else if (field?.name === "title") title ??= field.value;
    else if (line !== "") break;
  }
  const named = title ?? (link === null ? "The text sent with this question" : new URL(link).host);
  const source = sourceOf({ id, title: named, link, sourceType: "not_applicable", passing: true });
  return { source, text: lines.slice(at).join("\n") };
}

const FIELDS = new Set(["title", "source", "url", "link", "page", "address"]);
/** A longer line names nothing: it is text. */
const MAX_FIELD_LENGTH = 4_096;

function fieldOf(line: string): { name: string; value: string } | undefined {
  const colon = line.indexOf(":");
  const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
  const value = line.slice(colon + 1).trim();
  return FIELDS.has(name) && value !== "" ? { name, value } : undefined;
}

/** An attached file's text as a source. */
export function fileText({ id, name }: FileDescriptor, text: string): LocalText {
  const named = { id, title: name ?? id, link: null, sourceType: "user_file", passing: false };
  return { source: sourceOf(named, { file_id: id }), text };
}

/** A source, and its entry in packets and responses: nothing is known of it but this and what `known` tells. */
function sourceOf(
  {
    id,
    title,
    link,
    sourceType,
    passing,
    number,
  }: Omit<Source, "documentId" | "document"> & { id: string; sourceType: string },
  known: Partial<SearchDoc> = {},
): Source {
  const document: SearchDoc = {
    document_id: id,
    chunk_ind: 0,
    semantic_identifier: title,
    link,
    blurb: "",
    source_type: sourceType,
    boost: 0,
    hidden: false,
    metadata: {},
    score: null,
    is_relevant: null,
    relevance_explanation: null,
    match_highlights: [],
    updated_at: null,
    primary_owners: null,
    secondary_owners: null,
    is_internet: false,
    file_id: null,
    ...known,
  };
  return { documentId: id, title, link, document, passing, number };
}
