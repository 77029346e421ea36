/** One turn of a conversation: find evidence, then write the answer with a model or quote it without one. */
import type { ServiceContext } from "../context.ts";
import { compose } from "./extracted/compose.ts";
import type { Quote } from "./extracted/choosing.ts";
import { decide, type Decision, relevantTo } from "./extracted/decide.ts";
import { unitsOf } from "./extracted/quotable.ts";
import { tell } from "./extracted/telling.ts";
import { generate } from "./by-model/generate.ts";
import { lookUp } from "./look-up.ts";
import type { Emission } from "./packets.ts";
import { research } from "./research.ts";
import { type Evidence, sourcesOf } from "./source.ts";
import type { Findings, Turn } from "./turn.ts";
import type { Wording } from "./wording/wording.ts";

/**
 * The packets of a turn, from its first step to the end of the answer; the `stop` packet is the caller's. A model that
 * fails leads to the extractive answer. Ends by throwing the signal's reason once that is aborted.
 */
export async function* answerTurn(context: ServiceContext, turn: Turn, signal: AbortSignal): AsyncGenerator<Emission> {
  const findings = turn.deepResearch ? yield* research(context, turn, signal) : yield* lookUp(context, turn);
  signal.throwIfAborted();
  if (context.model === undefined) {
    const asked = turn.override?.model_version;
    const unused = asked == null ? [] : [turn.wording.notes.modelUnused(asked)];
    yield* quote(turn, findings, [], unused);
    return;
  }
  const failure = yield* generate(context, context.model, turn, findings, signal);
  if (failure === undefined) return;
  const { message, evidence, nextTurn } = failure;
  const before = turn.wording.notes.modelFailed(message);
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
  const { wording } = turn;
  const decision = asWhole(turn, findings) ?? settled(findings) ?? decide(question, evidence);
  const told = tell(question, decision, wording, nothingFound(turn, wording));
  const paragraphs = [...before, ...told.paragraphs, ...turn.notes, ...after];
  yield* compose(findings.nextTurn, { ...told, paragraphs }, turn);
}

/** What research has quoted already. */
function settled({ quotes, question, evidence }: Findings): Decision | undefined {
  if (quotes === undefined || quotes.length === 0) return undefined;
  const about = sourcesOf([...quotes, ...relevantTo(question, evidence)]);
  return { state: "quote", quotes, conflict: undefined, about };
}

/**
 * "Summarise this" shares words with nothing; "what does this page say about leave" has its answer already, where it
 * has one.
 */
function asWhole(turn: Turn, { question, evidence }: Findings): Decision | undefined {
  const asksForWhole =
    question.words.length === 0 ||
    [ASKS_FOR_WHOLE, ...ASKS_FOR_WHOLE_ABROAD].some((words) => words.test(turn.question));
  if (turn.texts.length === 0 || !asksForWhole) return undefined;
  const decision = decide(question, evidence);
  const isLocal = (quoted: Quote) => turn.texts.some((text) => text.source === quoted.source);
  if (decision.state === "quote" && !decision.quotes.every(isLocal)) return undefined;
  const quotes = opening(openingOf(turn));
  return quotes.length === 0 ? undefined : { state: "quote", quotes, conflict: undefined, about: sourcesOf(quotes) };
}

/** The beginning of each attached text. */
function openingOf(turn: Turn): Evidence[] {
  return turn.texts.map(({ source, text }) => ({ source, heading: "", text: text.slice(0, 4_000), score: 1 }));
}

/** The first sentences of some evidence, for questions about a text as a whole ("summarise this page"). */
function opening(evidence: readonly Evidence[], sentences = 3): Quote[] {
  return evidence
    .flatMap(({ source, text }) => unitsOf(text).map((unit): Quote => ({ source, text: unit.text, kind: unit.kind })))
    .slice(0, sentences);
}

function nothingFound({ search, texts, deepResearch }: Turn, { nothing, joined }: Wording): string {
  if (!search) return texts.length > 0 ? nothing.inSent : nothing.toSearch;
  const where = texts.length === 0 ? nothing.inDocuments : nothing.inDocumentsOrSent;
  return deepResearch ? where : joined([where, nothing.advice]);
}
