import type { Gap, GapDetail } from "@threadlore/client/models";
import { invalid } from "../http/problem.ts";
import { get, type Steps } from "../store/steps.ts";
import type { GapPlace, StoredGap } from "./book.ts";

/** Characters of a question in a list. */
const MAX_LISTED = 300;

/** A document as it is told of: its id as `documentName` says it, and its title. */
export interface ToldDocument {
  readonly id: string;
  readonly title: string;
}

/** A gap as it is told, with the document that answers it, as far as the caller may see it. */
export function gapOnWire(gap: StoredGap, document: ToldDocument | null): Gap {
  return {
    gap_id: gap.id,
    state: gap.state,
    question: gap.question === null ? null : shortened(gap.question, MAX_LISTED),
    people: gap.people,
    questions: gap.questions,
    private_questions: gap.private_questions,
    reasons: { nothing: gap.for_nothing, bad_mark: gap.for_bad_mark, human: gap.for_human },
    first_asked_at: new Date(gap.first_asked_at).toISOString(),
    last_asked_at: new Date(gap.last_asked_at).toISOString(),
    closed_at: gap.closed_at === null ? null : new Date(gap.closed_at).toISOString(),
    document_id: document === null ? null : document.id,
    document_title: document === null ? null : document.title,
  };
}

/** The words of a gap's shared questions as they are told. */
export function wordsOnWire(
  questions: readonly { readonly question: string; readonly asked_at: number }[],
): GapDetail["shared_questions"] {
  return questions.map(({ question, asked_at: at }) => ({ question, asked_at: new Date(at).toISOString() }));
}

/** The beginning of a text, in at most so many characters, with a sign where it goes on. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${begin(text, most - 1)}…`;
}

const begin = (text: string, characters: number): string => text.slice(0, characters).toWellFormed().trimEnd();

/**
 * What a document is called: its id, and its pair where several have one of this id; null where it is none of the pairs a caller
 * may see (`visible`; null: all).
 */
export function* documentName(number: number | null, visible: readonly number[] | null): Steps<string | null> {
  return (yield* namedDocument(number, visible))?.id ?? null;
}

/** The same with its title. */
export function* namedDocument(number: number | null, visible: readonly number[] | null): Steps<ToldDocument | null> {
  if (number === null) return null;
  const found = yield* get<{ id: string; title: string; pair: number | null; others: number }>(
    `SELECT id, semantic_identifier AS title, pair_id AS pair,
       (SELECT count(*) FROM documents AS others WHERE others.id = documents.id AND others.number <> documents.number) AS others
     FROM documents WHERE number = ?`,
    number,
  );
  if (found === undefined || (visible !== null && (found.pair === null || !visible.includes(found.pair)))) return null;
  const { id, title, pair, others } = found;
  if (others === 0) return { id, title };
  return { id: `${id} (${pair === null ? "held back" : `pair ${pair}`})`, title };
}

/** What a page of the list ends with, for the next one. */
export function placeText({ people, last_asked_at: last, id }: StoredGap): string {
  return `${people}-${last}-${id}`;
}

/** The place such a text means. Throws a Problem (422) where it means none. */
export function placeIn(text: string | undefined): GapPlace | undefined {
  if (text === undefined) return undefined;
  const numbers = /^(\d{1,15})-(\d{1,15})-(\d{1,15})$/.exec(text)?.slice(1).map(Number);
  if (numbers === undefined) throw invalid(["query", "after"], "Give the `next` of the page before");
  const [people = 0, last = 0, id = 0] = numbers;
  return [people, last, id];
}
