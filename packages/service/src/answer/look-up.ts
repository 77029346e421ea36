/** Finding what answers a question, and telling how it was looked for. */
import { isWrittenFunctionWord, languageOf, wordsOf } from "@threadlore/language";
import type { ServiceContext } from "../context.ts";
import { courtesyIn } from "./courtesies.ts";
import { evenly } from "../search/even.ts";
import { deliberate } from "./deliberation.ts";
import { type AskedQuestion, calmed, understand } from "./extracted/asked.ts";
import { decide, relevantTo } from "./extracted/decide.ts";
import { leansBack } from "./extracted/leaning.ts";
import { type Emission, type PacketPlace, placed } from "./packets.ts";
import { alsoIn, localEvidence, searchEvidence, statisticsOf } from "./retrieve.ts";
import { type Evidence, sourcesOf } from "./source.ts";
import { withoutDocumentWords } from "./summary/document-words.ts";
import { summaryAsked } from "./summary/summary-asked.ts";
import type { Findings, Turn } from "./turn.ts";

/** Searches the store and the attached texts for a question, and tells about it. */
export async function* lookUp(context: ServiceContext, turn: Turn): AsyncGenerator<Emission, Findings> {
  const { question, query, found, local } = await context.tracing.run("search", {}, async (span) => {
    const looked = await searchFor(context, turn);
    span.tell({ passages: looked.found.length, texts: looked.local.length });
    return looked;
  });
  const evidence = [...local, ...found];
  if (!turn.search) return { question, evidence, nextTurn: 0 };
  // All that is found is worth showing where a model is given all of it.
  const thought =
    context.model === undefined ? await deliberate(context, turn.caller, { question, local, found }) : undefined;
  yield* searchPackets({ turn: 0 }, query, thought?.relevant ?? found);
  return { question, evidence, nextTurn: 1, decision: thought?.decision };
}

/** A question, what was searched for, and what that found. */
export interface Looked {
  readonly question: AskedQuestion;
  readonly query: string;
  readonly found: readonly Evidence[];
  /** Of the texts that came along. */
  readonly local: readonly Evidence[];
}

/** So many questions back is looked for what a question leans on. */
const MAX_BACK = 4;

/** A question of so few telling words says little without the one before it. */
const FEW_WORDS = 2;

/**
 * Searches for a question: as it stands, or, when it leans on the one before ("and for contractors?"), for both.
 */
export function searchFor(context: ServiceContext, turn: Turn, question = turn.question): Promise<Looked> {
  return evenly(turn.caller, context.settings.evenMs, () => searchedFor(context, turn, question));
}

async function searchedFor(context: ServiceContext, turn: Turn, question: string): Promise<Looked> {
  const asked = calmed(question);
  const text = searchedIn(asked);
  const earlier = turn.history
    .filter((message) => message.role === "user" && courtesyIn(message.text) === undefined)
    .map((message) => message.text);
  const statistics = await statisticsOf(context, turn.caller, [text, ...earlier.slice(-MAX_BACK)].join(" "));
  const look = async (query: string) =>
    turn.search ? await searchEvidence(context, query, turn.filters, turn.caller) : [];
  /** Reads a question by what the store knows and what came along. */
  const read = async (one: string, before?: AskedQuestion) => {
    const local = await localEvidence(understand(one, statistics, before), turn.texts);
    return { question: understand(one, alsoIn(statistics, local), before), local };
  };
  const own = await read(text);
  const before = earlier.at(-1);
  // Whoever names a document says enough.
  const isNamed = text !== asked;
  if (before === undefined || isNamed || (!leansBack(text) && own.question.words.length > FEW_WORDS)) {
    return { ...own, query: question, found: await look(text) };
  }
  if (!leansBack(text) && own.question.words.length > 0) {
    const found = await look(text);
    const decision = decide(own.question, [...own.local, ...found]);
    if (decision.state === "quote") return { ...own, query: question, found };
  }
  const saysEnough = (one: string) => !leansBack(one) && understand(one, statistics).words.length >= FEW_WORDS;
  // The question before may have leaned on the one before that.
  const back = earlier.slice(-MAX_BACK);
  const leantOn = back.slice(Math.max(0, back.findLastIndex(saysEnough)));
  const query = [...leantOn, text].join(" ");
  const { question: earlierQuestion } = await read(leantOn.join(" "));
  return { ...(await read(text, earlierQuestion)), query, found: await look(query) };
}

/**
 * What of a question is looked for: of one for a summary, the name of what is to be summarised. The words that ask for it
 * are in no document; small words stay, since they tell the language.
 */
function searchedIn(question: string): string {
  const language = languageOf(question);
  const about = summaryAsked(question, language)?.about;
  if (about === undefined) return question;
  const named = withoutDocumentWords(about);
  const words = wordsOf(question).map(({ start, end }) => question.slice(start, end));
  return [...words.filter((word) => isWrittenFunctionWord(word, language)), named].join(" ");
}

/** The packets of one search: what was searched for, what it found. */
export function* searchPackets(place: PacketPlace, query: string, evidence: readonly Evidence[]): Generator<Emission> {
  yield placed(place, { type: "search_tool_start", is_internet_search: false });
  yield placed(place, { type: "search_tool_queries_delta", queries: [query.replace(/\s+/g, " ").trim()] });
  const documents = sourcesOf(evidence).map((source) => source.document);
  yield placed(place, { type: "search_tool_documents_delta", documents });
  yield placed(place, { type: "section_end" });
}

/** What of a search is worth showing: all that a model is given, else what is about the question. */
export function shown({ model }: ServiceContext, question: AskedQuestion, found: readonly Evidence[]) {
  return model === undefined ? relevantTo(question, found) : found;
}
