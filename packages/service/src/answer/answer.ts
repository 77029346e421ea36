/** One turn of a conversation: find evidence, then write the answer with a model or quote it without one. */
import type { ServiceContext } from "../context.ts";
import { type Courtesy, courtesyIn } from "./courtesies.ts";
import { compose } from "./extracted/compose.ts";
import { decide, type Decision, relevantTo } from "./extracted/decide.ts";
import { tell, type Told } from "./extracted/telling.ts";
import { generate } from "./by-model/generate.ts";
import { lookUp } from "./look-up.ts";
import type { Emission } from "./packets.ts";
import { research } from "./research.ts";
import { sourcesOf } from "./source.ts";
import { type Summary, summaryFor } from "./summary/whole.ts";
import type { Findings, Turn } from "./turn.ts";
import { percentSearched } from "../search/succession/index-state.ts";
import { wordingFor } from "./wording/wording-for.ts";
import type { Wording } from "./wording/wording.ts";

/** What is known once an answer is there. */
export interface Known {
  /** Whether documents would have been quoted, had no model written the answer. */
  wouldQuote?: () => boolean;
}

/**
 * The packets of a turn, from its first step to the end of the answer; the `stop` packet is the caller's. A model that
 * fails leads to the extractive answer. Ends by throwing the signal's reason once that is aborted.
 * @param known is told of what a model wrote the answer
 */
export async function* answerTurn(
  context: ServiceContext,
  turn: Turn,
  signal: AbortSignal,
  known: Known = {},
): AsyncGenerator<Emission> {
  const courtesy = context.model === undefined && turn.texts.length === 0 ? courtesyIn(turn.question) : undefined;
  if (courtesy !== undefined) return yield* compose(0, toldTo(courtesy, turn.notes), turn);
  const findings = turn.deepResearch ? yield* research(context, turn, signal) : yield* lookUp(context, turn);
  signal.throwIfAborted();
  if (context.model === undefined) {
    const asked = turn.override?.model_version;
    const unused = asked == null ? [] : [turn.wording.notes.modelUnused(asked)];
    yield* quote(context, turn, findings, [], unused);
    return;
  }
  const failure = yield* generate(context, context.model, turn, findings, signal);
  if (failure === undefined) {
    known.wouldQuote = () => decide(findings.question, findings.evidence).state === "quote";
    return;
  }
  const { reason, evidence, nextTurn } = failure;
  const before = turn.wording.notes.modelFailed(reason);
  yield* quote(context, turn, { ...findings, evidence, nextTurn }, [before], []);
}

/** No document has a part in it; what could not be read of what came along is said even so. */
function toldTo({ kind, language }: Courtesy, notes: readonly string[]): Told {
  const finding = { state: "nothing", closest: [], conflict: [], corrected: [] };
  return { paragraphs: [wordingFor(language).courtesies[kind], ...notes], sources: [], finding };
}

/** The answer in the sources' own words. */
async function* quote(
  context: ServiceContext,
  turn: Turn,
  findings: Findings,
  before: readonly string[],
  after: readonly string[],
) {
  const { question, evidence } = findings;
  const { wording } = turn;
  const summary = turn.deepResearch ? undefined : await summaryOf(context, turn, findings);
  const decision =
    summary === undefined
      ? (settled(findings) ?? findings.decision ?? decide(question, evidence))
      : summarised(summary);
  const answer = tell(question, decision, wording, nothingFound(turn, wording));
  const lead = summary === undefined || summary.isWhole ? [] : [wording.mainPoints(summary.title)];
  const told = { ...answer, paragraphs: [...lead, ...answer.paragraphs] };
  const paragraphs = [...before, ...told.paragraphs, ...partIndexed(context, turn, decision), ...turn.notes, ...after];
  yield* compose(findings.nextTurn, { ...told, paragraphs }, turn);
}

/** What research has quoted already. */
function settled({ quotes, question, evidence }: Findings): Decision | undefined {
  if (quotes === undefined || quotes.length === 0) return undefined;
  const about = sourcesOf([...quotes, ...relevantTo(question, evidence)]);
  return { state: "quote", quotes, conflict: undefined, about };
}

/** "Summarise this", or a question without a word of its own about what came along. */
function summaryOf(
  context: ServiceContext,
  { question, texts }: Turn,
  findings: Findings,
): Promise<Summary | undefined> {
  const { language, words } = findings.question;
  const asked = words.length === 0 && texts.length > 0 ? ASKS_FOR_ALL : question;
  return summaryFor(context, { text: asked, language }, findings.evidence, texts);
}

/** What asks for the main points of what came along. */
const ASKS_FOR_ALL = "Summarise this.";

function summarised({ points }: Summary): Decision {
  return { state: "quote", quotes: points, conflict: undefined, about: sourcesOf(points) };
}

/** Whoever finds no answer is told where it may yet be: in what the index does not hold so far. */
function partIndexed({ db }: ServiceContext, { search, wording }: Turn, { state }: Decision): string[] {
  if (!search || state === "quote") return [];
  const percent = percentSearched(db);
  return percent === undefined ? [] : [wording.nothing.partIndexed(percent)];
}

function nothingFound({ search, texts, deepResearch }: Turn, { nothing, joined }: Wording): string {
  if (!search) return texts.length > 0 ? nothing.inSent : nothing.toSearch;
  const where = texts.length === 0 ? nothing.inDocuments : nothing.inDocumentsOrSent;
  return deepResearch ? where : joined([where, nothing.advice]);
}
