/** Deep research: the question taken apart, each part searched in two rounds, what was found reported part by part. */
import type { ServiceContext } from "../context.ts";
import { citationMark } from "./citations.ts";
import { isFunctionWord, languageOf, foldedWordsOf } from "@threadlore/language";
import { stem } from "@threadlore/language/stems";
import { understand } from "./extracted/asked.ts";
import type { Quote } from "./extracted/choosing.ts";
import { decide } from "./extracted/decide.ts";
import { complete } from "./by-model/model.ts";
import { searchFor, searchPackets, shown } from "./look-up.ts";
import { guardLinks } from "./by-model/link-guard.ts";
import { type Emission, placed } from "./packets.ts";
import { quotable } from "./extracted/quoting.ts";
import { searchEvidence, statisticsOf } from "./retrieve.ts";
import { type Evidence, sourcesOf } from "./source.ts";
import type { Turn } from "./turn.ts";

const MAX_PARTS = 4;

/** Plans, searches and reports; the answer over all of it is the caller's. */
export async function* research(context: ServiceContext, turn: Turn, signal: AbortSignal) {
  const parts = await partsOf(context, turn, signal);
  yield placed({ turn: 0 }, { type: "deep_research_plan_start" });
  for (const [index, part] of parts.entries()) {
    const line = `${index + 1}. ${quotable(part)}${index + 1 < parts.length ? "\n" : ""}`;
    yield placed({ turn: 0 }, { type: "deep_research_plan_delta", content: line });
  }
  yield placed({ turn: 0 }, { type: "section_end" });
  if (parts.length > 1) yield placed({ turn: 1 }, { type: "top_level_branching", num_parallel_branches: parts.length });
  const evidence: Evidence[] = [];
  const quotes: Quote[] = [];
  for (const [tab, part] of parts.entries()) {
    signal.throwIfAborted();
    const found = yield* investigate(context, turn, part, tab);
    for (const passage of found.evidence) if (!evidence.some((other) => isSame(passage, other))) evidence.push(passage);
    for (const one of found.quotes) if (!quotes.some((other) => other.text === one.text)) quotes.push(one);
    // A breath between the parts, so that a stop is heard and other callers are served.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return {
    question: understand(turn.question, await statisticsOf(context, turn.caller, turn.question)),
    evidence,
    quotes: grouped(quotes),
    nextTurn: 2,
  };
}

/** One part: searched as it stands, then again with the words of what that found; what both rounds say about it. */
async function* investigate(context: ServiceContext, turn: Turn, part: string, tab: number) {
  yield placed({ turn: 1, tab }, { type: "research_agent_start", research_task: part });
  const { question, query, found, local } = await searchFor(context, turn, part);
  const evidence = [...local, ...found];
  if (turn.search) {
    yield* searchPackets({ turn: 1, tab, sub: 0 }, query, shown(context, question, found));
    const wider = widened(query, shown(context, question, found));
    if (wider !== undefined) {
      const more = await searchEvidence(context, wider, turn.filters, turn.caller);
      for (const passage of more) if (!evidence.some((other) => isSame(passage, other))) evidence.push(passage);
      yield* searchPackets({ turn: 1, tab, sub: 1 }, wider, shown(context, question, more));
    }
  }
  const decision = decide(question, evidence);
  const quotes = decision.state === "quote" ? decision.quotes : [];
  yield* report(tab, quotes, turn);
  return { evidence, quotes };
}

function* report(tab: number, quotes: readonly Quote[], { includeCitations, wording }: Turn): Generator<Emission> {
  const place = { turn: 1, tab };
  const sources = sourcesOf(quotes);
  yield placed(place, { type: "intermediate_report_start" });
  if (quotes.length === 0) yield placed(place, { type: "intermediate_report_delta", content: wording.nothing.inPart });
  for (const [index, { source, text }] of quotes.entries()) {
    const number = sources.indexOf(source) + 1;
    const content = `${index === 0 ? "" : "\n\n"}${quotable(text)}${includeCitations ? ` ${citationMark(number, source.link)}` : ""}`;
    yield placed(place, { type: "intermediate_report_delta", content });
  }
  yield placed(place, { type: "intermediate_report_cited_docs", cited_docs: sources.map((source) => source.document) });
  yield placed(place, { type: "section_end" });
}

/** A query with the words that the first finds share and the question lacks; undefined when there are none. */
function widened(query: string, found: readonly Evidence[]): string | undefined {
  const language = languageOf(query);
  const known = new Set(foldedWordsOf(query).map((word) => stem(word, language)));
  const counts = new Map<string, number>();
  for (const { source, heading, text } of found.slice(0, 4)) {
    for (const word of new Set(foldedWordsOf(`${source.title} ${heading} ${text}`))) {
      if (isFunctionWord(word, language) || known.has(stem(word, language)) || !/^\p{L}{4,}$/u.test(word)) continue;
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  const shared = [...counts].filter(([, count]) => count > 1).toSorted(([, one], [, other]) => other - one);
  const words = shared.slice(0, 5).map(([word]) => word);
  return words.length === 0 ? undefined : `${query} ${words.join(" ")}`;
}

/** The questions within a question: a model's plan where there is a model, else its clauses. */
async function partsOf(context: ServiceContext, turn: Turn, signal: AbortSignal): Promise<string[]> {
  if (context.model !== undefined) {
    const asked =
      `Break this question into at most ${MAX_PARTS} search questions that together answer it. ` +
      `Write one per line and nothing else.\n\n${turn.question}`;
    const plan = await complete(context, context.model, asked, turn.override, signal);
    const lines = guardLinks(plan ?? "")
      .split("\n")
      .map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s*/, "").trim());
    const parts = lines.filter((line) => saysSomething(line) && line.length <= 300).slice(0, MAX_PARTS);
    if (parts.length > 0) return parts;
  }
  return clausesOf(turn.question);
}

/** The clauses of a question that can be searched on their own; the question itself when it has only one. */
export function clausesOf(question: string): string[] {
  const clauses = question
    .replace(/\s+/g, " ")
    .split(/[?;] ?|,? (?:and also|as well as|and|or|versus|vs\.?|compared (?:to|with)) |, /i)
    .map((clause) => clause.trim())
    .filter(saysSomething);
  return clauses.length < 2 ? [question.trim()] : clauses.slice(0, MAX_PARTS);
}

function grouped(quotes: readonly Quote[]): Quote[] {
  return [...Map.groupBy(quotes, (one) => one.source).values()].flat();
}

function isSame(one: Evidence, other: Evidence): boolean {
  return one.source.documentId === other.source.documentId && one.text === other.text;
}

function saysSomething(text: string): boolean {
  const language = languageOf(text);
  return foldedWordsOf(text).some((word) => !isFunctionWord(word, language));
}
