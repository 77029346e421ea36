/**
 * What could be asked next: about parts of the documents an answer cites that it left unsaid. Each is asked here first,
 * with the caller's rights and in the conversation as it stands, and offered only where the same document answers it.
 */
import { languageOf } from "@threadlore/language";
import type { Caller, ServiceContext } from "../../context.ts";
import { tellableText } from "../../kept/kept-text.ts";
import { documentNumbered } from "../../store/documents.ts";
import { findPersona, type Persona } from "../../store/personas.ts";
import { branchTo, findSession, type Message } from "../../store/sessions.ts";
import { deliberate } from "../deliberation.ts";
import { searchFor } from "../look-up.ts";
import { sourcesOf } from "../source.ts";
import { summaryAsked } from "../summary/summary-asked.ts";
import type { Turn } from "../turn.ts";
import { wordingFor } from "../wording/wording-for.ts";
import { headingsLeft } from "./headings.ts";

/** A question that a document answers. */
export interface FollowUp {
  readonly question: string;
  /** Of the document. */
  readonly documentId: string;
}

const MAX_FOLLOW_UPS = 3;
/** So many questions are tried at most, and for so long, milliseconds: whoever asked has the answer already. */
const MAX_TRIED = 8;
const LONGEST = 1_500;
/** Documents whose parts are looked at. */
const MAX_DOCUMENTS = 3;
/** Of one document; the others are of the next. */
const MAX_OF_ONE = 6;
/** Messages of the conversation that are looked at. */
const MAX_HISTORY = 40;

/** How a part is asked about, by language: the small words alone say nothing to search for. */
export const ASKED: Readonly<Record<string, (heading: string) => string>> = {
  en: (heading) => `What should I know about “${heading}”?`,
  de: (heading) => `Wie ist das mit „${heading}“?`,
  fr: (heading) => `Que faut-il savoir sur « ${heading} » ?`,
  es: (heading) => `¿Qué hay que saber sobre «${heading}»?`,
  ja: (heading) => `「${heading}」はどうなっていますか。`,
};

/**
 * At most three questions, in the language of the question that was answered; none in languages there is no wording for,
 * and none where nothing was cited.
 * @param message an answer of one of the caller's sessions
 */
export async function followUpsOf(
  context: ServiceContext,
  caller: Caller,
  message: Message,
  signal: AbortSignal,
): Promise<FollowUp[]> {
  const cited = [...new Set(Object.values(message.citations))].slice(0, MAX_DOCUMENTS);
  const { store } = context;
  const history = await store.read(branchTo(message.id, MAX_HISTORY));
  const questions = history.filter(({ role }) => role === "user").map(({ text }) => text);
  const question = questions.at(-1);
  // What is quoted tells it better than a few words without a verb.
  const language = languageOf(message.text, languageOf(question ?? ""));
  const asked = language === undefined ? undefined : ASKED[language];
  if (message.status !== "done" || cited.length === 0 || question === undefined) return [];
  if (language === undefined || asked === undefined) return [];
  const session = await store.read(findSession(message.sessionId));
  const persona = await store.read(findPersona(caller, session?.personaId ?? 0));
  const turn = turnFor(caller, persona, { question, language, history: history.slice(0, -2) });
  // What the caller may see of them now, and no more.
  const sources = sourcesOf((await searchFor(context, turn)).found).filter(({ documentId }) =>
    cited.includes(documentId),
  );
  const until = performance.now() + LONGEST;
  const found: FollowUp[] = [];
  let tried = 0;
  for (const { documentId, number } of sources) {
    const document = number === undefined ? undefined : await store.read(documentNumbered(number));
    const text = document === undefined ? "" : tellableText(document);
    const headings = headingsLeft(text, { language, answer: message.text, questions });
    for (const heading of headings.slice(0, MAX_OF_ONE)) {
      if (found.length === MAX_FOLLOW_UPS || tried === MAX_TRIED || performance.now() > until) return found;
      signal.throwIfAborted();
      tried += 1;
      const next = asked(heading);
      const isNew = await answeredBy(context, { ...turn, question: next, history }, number, message.text);
      if (isNew) found.push({ question: next, documentId });
    }
  }
  return found;
}

/** Whether the document of this number answers a question, with something an answer before did not say. */
export async function answeredBy(
  context: ServiceContext,
  turn: Turn,
  number: number | undefined,
  said: string,
): Promise<boolean> {
  const { question, found } = await searchFor(context, turn);
  if (summaryAsked(turn.question, question.language) !== undefined) return false;
  const { decision } = await deliberate(context, turn.caller, { question, local: [], found });
  if (decision.state !== "quote" || decision.conflict !== undefined) return false;
  const [first] = decision.quotes;
  return number !== undefined && first?.source.number === number && !said.includes(first.text);
}

/** The turn of a question that is tried: with what the persona may search, and nothing else that a person could ask for. */
export function turnFor(
  caller: Caller,
  persona: Persona | undefined,
  { question, language, history }: { question: string; language: string; history: readonly Message[] },
): Turn {
  const sets = persona?.documentSets ?? [];
  return {
    question,
    wording: wordingFor(language),
    history,
    caller,
    persona: persona ?? { id: 0, name: "", description: "", instructions: "", documentSets: [] },
    filters: sets.length === 0 ? null : { document_set: [...sets] },
    search: true,
    customTools: [],
    forced: undefined,
    texts: [],
    notes: [],
    includeCitations: true,
    deepResearch: false,
    override: null,
  };
}
