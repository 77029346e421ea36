/** One turn of a conversation: find evidence, then write the answer with a model or quote it without one. */
import type { ServiceContext } from "../context.ts";
import { compose } from "./extracted/compose.ts";
import { extract, opening, type Quote, relevant } from "./extracted/extract.ts";
import { generate } from "./by-model/generate.ts";
import { lookUp } from "./look-up.ts";
import type { Emission } from "./packets.ts";
import { research } from "./research.ts";
import { type Evidence, sourcesOf } from "./source.ts";
import type { Findings, Turn } from "./turn.ts";

/**
 * The packets of a turn, from its first step to the end of the answer; the `stop` packet is the caller's. A model that
 * fails leads to the extractive answer. Ends by throwing the signal's reason once that is aborted.
 */
export async function* answerTurn(context: ServiceContext, turn: Turn, signal: AbortSignal): AsyncGenerator<Emission> {
  const findings = turn.deepResearch ? yield* research(context, turn, signal) : yield* lookUp(context, turn);
  signal.throwIfAborted();
  if (context.model === undefined) {
    const unused =
      turn.override?.model_version == null
        ? []
        : [`No model is set up here, so ${turn.override.model_version} was not used.`];
    yield* quote(turn, findings, [], unused);
    return;
  }
  const failure = yield* generate(context, context.model, turn, findings, signal);
  if (failure === undefined) return;
  const { message, evidence, nextTurn } = failure;
  const before = `The model could not answer: ${message}. What follows is quoted from the sources instead.`;
  yield* quote(turn, { ...findings, evidence, nextTurn }, [before], []);
}

const ASKS_FOR_WHOLE =
  /\b(summar\w*|overview|tl;?dr|gist|main points?|key points?|what(['’]?s| is| does) (this|it|the (page|file|text|document))|(this|the|attached) (page|file|document|text|article|attachment))\b/i;

/** The same in the other languages the extension offers its questions in. What asks for one thing of a text is none. */
const ASKS_FOR_WHOLE_ABROAD: readonly RegExp[] = [
  /zusammen(?:fass|zufassen)|\bfass\w* .{0,80}\bzusammen\b|\bworum geht es\b/i,
  /\brésum(?:e|er|ez|é)(?:-moi)? (?:de )?(?:cet?|cette|la|les?|l['’])|\bde quoi (?:parle|traite|s['’]agit)/i,
  /\bres[uú]m(?:e|ir|en|a|elo)(?: de)? (?:est[ea]|la|el)\b|\bresúmelo\b|\bde qué (?:trata|va|habla)/i,
  /要約|概要|まとめ/,
];

/** The answer in the sources' own words. */
function* quote(turn: Turn, findings: Findings, before: readonly string[], after: readonly string[]) {
  const { question, evidence } = findings;
  let quotes = findings.quotes ?? extract(question, evidence);
  let about = relevant(question, evidence);
  const local = evidence.filter(({ source }) => turn.texts.some((text) => text.source === source));
  const asksForWhole =
    question.weights.size === 0 ||
    [ASKS_FOR_WHOLE, ...ASKS_FOR_WHOLE_ABROAD].some((words) => words.test(turn.question));
  // "Summarise this" shares words with nothing; "what does this page say about leave" has its answer already.
  if (local.length > 0 && asksForWhole && quotes.every(isLocal(turn))) {
    quotes = opening(openingOf(turn));
    about = local.slice(0, 1);
  }
  const found = quotes.length === 0 ? nothingFound(turn) : quotes;
  const sources = quotes.length === 0 ? [] : sourcesOf([...quotes, ...about]);
  yield* compose(findings.nextTurn, sources, [...before, found, ...turn.notes, ...after], turn.includeCitations);
}

const isLocal = (turn: Turn) => (quoted: Quote) => turn.texts.some((text) => text.source === quoted.source);

/** The beginning of each attached text. */
function openingOf(turn: Turn): Evidence[] {
  return turn.texts.map(({ source, text }) => ({ source, heading: "", text: text.slice(0, 4_000) }));
}

function nothingFound({ search, texts, deepResearch }: Turn): string {
  if (search) {
    const where = texts.length === 0 ? "in the documents" : "in the documents or in what was sent along";
    return `I found nothing about this ${where}.${deepResearch ? "" : " Try other words, or add a document that answers it."}`;
  }
  if (texts.length > 0) return "I found nothing about this in what was sent along. The documents were not searched.";
  return "There is nothing to search: this question allows no search of the documents, and no readable text came with it.";
}
