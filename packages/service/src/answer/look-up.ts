/** Finding what answers a question, and telling how it was looked for. */
import type { ServiceContext } from "../context.ts";
import { extract, relevant } from "./extracted/extract.ts";
import { weighQuestion, type WeightedQuestion } from "./extracted/question.ts";
import { type Emission, type PacketPlace, placed } from "./packets.ts";
import { localEvidence, searchEvidence, weigherOf } from "./retrieve.ts";
import { type Evidence, sourcesOf } from "./source.ts";
import type { Findings, Turn } from "./turn.ts";

/** Searches the store and the attached texts for a question, and tells about it. */
export async function* lookUp(context: ServiceContext, turn: Turn): AsyncGenerator<Emission, Findings> {
  const { question, query, found } = await searchFor(context, turn);
  const evidence = [...(await localEvidence(question, turn.texts)), ...found];
  if (!turn.search) return { question, evidence, nextTurn: 0 };
  yield* searchPackets({ turn: 0 }, query, shown(context, question, found));
  return { question, evidence, nextTurn: 1 };
}

/**
 * Searches for a question: as it stands, or, when it leans on the one before ("and for contractors?"), for both.
 */
export async function searchFor(context: ServiceContext, turn: Turn, text = turn.question) {
  const asked = turn.history.filter((message) => message.role === "user").map((message) => message.text);
  const weigh = await weigherOf(context, turn.caller, [text, ...asked.slice(-2)].join(" "));
  const look = async (query: string) =>
    turn.search ? await searchEvidence(context, query, turn.filters, turn.caller) : [];
  const own = weighQuestion(text, weigh);
  const earlier = turn.history.filter((message) => message.role === "user").map((message) => message.text);
  const before = earlier.at(-1);
  if (before === undefined || (!LEANS_BACK.test(text) && own.weights.size > 2)) {
    return { question: own, query: text, found: await look(text) };
  }
  if (!LEANS_BACK.test(text) && own.weights.size > 0) {
    const found = await look(text);
    if (extract(own, [...(await localEvidence(own, turn.texts)), ...found]).length > 0)
      return { question: own, query: text, found };
  }
  // The question before may have leaned on the one before that.
  const both = LEANS_BACK.test(before) ? [...earlier.slice(-2, -1), before] : [before];
  const query = [...both, text].join(" ");
  return {
    question: weighQuestion(text, weigh, weighQuestion(both.join(" "), weigh)),
    query,
    found: await look(query),
  };
}

const LEANS_BACK =
  /^\s*(and|or|but|also|what about|how about|then|so)\b|\b(it|its|they|them|their|this|that|these|those|he|she|him|her|there|same|one|ones)\b/i;

/** The packets of one search: what was searched for, what it found. */
export function* searchPackets(place: PacketPlace, query: string, evidence: readonly Evidence[]): Generator<Emission> {
  yield placed(place, { type: "search_tool_start", is_internet_search: false });
  yield placed(place, { type: "search_tool_queries_delta", queries: [query.replace(/\s+/g, " ").trim()] });
  const documents = sourcesOf(evidence).map((source) => source.document);
  yield placed(place, { type: "search_tool_documents_delta", documents });
  yield placed(place, { type: "section_end" });
}

/** What of a search is worth showing: all that a model is given, else what is about the question. */
export function shown({ model }: ServiceContext, question: WeightedQuestion, found: readonly Evidence[]) {
  return model === undefined ? relevant(question, found) : found;
}
