/**
 * What could be asked first: about parts of the documents whoever asks may see. Like what could be asked next, each is
 * asked here first, with the caller's rights, and offered only where its own document answers it.
 */
import { languageOf } from "@threadlore/language";
import type { Caller, ServiceContext } from "../../context.ts";
import { tellableText } from "../../kept/kept-text.ts";
import { documentNumbered, newestDocuments, type StoredDocument } from "../../store/documents.ts";
import type { Persona } from "../../store/personas.ts";
import { pairsInSets, visiblePairs } from "../../store/visibility.ts";
import { answeredBy, ASKED, turnFor } from "./follow-ups.ts";
import { headingsLeft, isAskable } from "./headings.ts";
import type { Steps } from "../../store/steps.ts";

/** A question to begin with. `name` stands for it on a button: the question itself, since a heading alone asks nothing. */
export interface Starter {
  readonly name: string;
  readonly message: string;
}

const MAX_STARTERS = 4;
/** So many questions are tried at most. */
const MAX_TRIED = 16;
/** The newest documents; a question of each is tried before a second one of any. */
const MAX_DOCUMENTS = 12;
const MAX_OF_ONE = 2;

/**
 * At most four questions, of as many documents as there are, in the language of each document; none in languages there
 * is no wording for.
 * @param until after this moment no further one is tried, by `performance.now()`
 */
export async function startersOf(
  context: ServiceContext,
  caller: Caller,
  persona: Persona,
  { signal, until }: { readonly signal: AbortSignal; readonly until: number },
): Promise<Starter[]> {
  const documents = await context.store.read(newestSearched(caller, persona));
  const asked = documents.map(questionsAbout);
  const turns = Array.from({ length: MAX_OF_ONE }, (_, turn) => asked.flatMap((questions) => questions[turn] ?? []));
  const found: Starter[] = [];
  for (const { message, language, number } of turns.flat().slice(0, MAX_TRIED)) {
    if (found.length === MAX_STARTERS || performance.now() > until) break;
    signal.throwIfAborted();
    const turn = turnFor(caller, persona, { question: message, language, history: [] });
    if (await answeredBy(context, turn, number, "")) found.push({ name: message, message });
  }
  return found;
}

/** Pairs the persona searches for this caller; null: every one. */
function* searched(caller: Caller, { documentSets }: Persona): Steps<number[] | null> {
  const visible = yield* visiblePairs(caller);
  if (documentSets.length === 0) return visible;
  const chosen = yield* pairsInSets(documentSets);
  return visible === null ? chosen : chosen.filter((pair) => visible.includes(pair));
}

/** The newest documents of those. */
function* newestSearched(caller: Caller, persona: Persona): Steps<StoredDocument[]> {
  const found: StoredDocument[] = [];
  for (const number of yield* newestDocuments(yield* searched(caller, persona), MAX_DOCUMENTS)) {
    const document = yield* documentNumbered(number);
    if (document !== undefined) found.push(document);
  }
  return found;
}

function questionsAbout(document: StoredDocument) {
  const { number } = document;
  const text = tellableText(document);
  const language = languageOf(text);
  const ask = language === undefined ? undefined : ASKED[language];
  if (language === undefined || ask === undefined) return [];
  const headings = headingsLeft(text, { language, answer: "", questions: [] });
  // Where a document has no parts, it is its title that says what it is about.
  const names = headings.length > 0 ? headings : [document.title].filter(isAskable);
  return names.slice(0, MAX_OF_ONE).map((name) => ({ message: ask(name), language, number }));
}
