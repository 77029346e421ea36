/** Questions with an answer and without one, as answering sees them: what weights are fitted over. */
import { namesOf } from "@threadlore/language/meaning";
import { candidatesOf, fittingCollection, type SeenQuestion } from "@threadlore/service/fitting";
import { seededRandom } from "@threadlore/testkit";
import type { Document } from "../collection.ts";
import { holdsAny } from "../gold.ts";
import { realProse } from "../prose.ts";
import { publicSet } from "../public-sets.ts";
import { handbook, handbookQuestions, LANGUAGES, noiseQuestions } from "../sets.ts";

/** A question to one collection. */
export interface FittingExample {
  readonly set: string;
  /** Not fitted over: what the fit is judged by. */
  readonly isKept: boolean;
  /**
   * Whether its answer is there; "removed": it was, and its sentences were taken out; "misnamed": it is, but the question
   * asks about another name or figure.
   */
  readonly answer: "there" | "absent" | "removed" | "misnamed";
  readonly gold: readonly string[];
  readonly seen: SeenQuestion;
  /** Per candidate, whether it holds the answer. */
  readonly isRight: readonly boolean[];
  /** How often it counts. */
  readonly weight: number;
}

type Collection = Awaited<ReturnType<typeof fittingCollection>>;

const PUBLIC_SETS = ["xquad-en", "xquad-de", "xquad-es", "xquad-ru", "xquad-ar", "xquad-zh", "jaquad-ja"];
/** Of the public sets every second question is enough. What follows says how often each counts: ours are small. */
const EVERY = 2;
const PUBLIC_WEIGHT = 4;
const HANDBOOK_WEIGHT = 6;
/** What is wrong by one thing, on purpose, is more than words can tell, and counts little. */
const NOISE_SETS: Readonly<Record<string, number>> = { "noise-en": 1, "noise-zh": 1, "news-en": 4 };
/** Among so many passages of other prose, everything that is asked is said somewhere. */
const OTHER_PASSAGES = 10_000;
/** Of the English questions every third is asked among them. */
const EVERY_AMONG_PROSE = 3;

/** All examples. A third of the articles of public sets, and the frozen third of our own, is kept. */
export async function* examples(): AsyncGenerator<FittingExample> {
  for (const name of PUBLIC_SETS) yield* publicExamples(name);
  for (const [name, weight] of Object.entries(NOISE_SETS)) yield* noiseExamples(name, weight);
  for (const language of LANGUAGES) yield* handbookExamples(language);
  yield* proseExamples();
}

async function* publicExamples(name: string): AsyncGenerator<FittingExample> {
  const set = publicSet(name);
  if (set === undefined) return;
  const { documents, questions } = set;
  const places = new Map(documents.map(({ id }, at) => [id, at]));
  const articles = [...new Set(documents.map(({ title }) => title))];
  const renamed = misnaming(questions.map(({ q }) => q));
  const half = (odd: number) => fittingCollection(documents.filter((_, at) => at % 2 === odd));
  const [all, even, odd] = await Promise.all([fittingCollection(documents), half(0), half(1)]);
  for (const { q, gold, document } of questions.filter((_, at) => at % EVERY === 0)) {
    const at = places.get(document ?? "") ?? 0;
    const isKept = articles.indexOf(documents[at]?.title ?? "") % 3 === 2;
    const isOf = (id: string) => id === document;
    const seen = await all.see(q);
    yield example({ set: name, isKept, answer: "there", gold, weight: PUBLIC_WEIGHT }, seen, isOf);
    yield example(
      { set: name, isKept, answer: "absent", gold, weight: PUBLIC_WEIGHT },
      await (at % 2 === 1 ? even : odd).see(q),
      isOf,
    );
    yield example({ set: name, isKept, answer: "removed", gold, weight: 1 }, withoutAnswer(seen, gold), isOf);
    const other = renamed(q);
    if (other !== undefined)
      yield example({ set: name, isKept, answer: "misnamed", gold, weight: 1 }, await all.see(other), isOf);
  }
}

/** Shared beginnings of so many letters may be forms of one name. */
const BEGINNING = 4;
const SEED = 11;

/** Asks a question about a name or figure of another question instead of its own; undefined where it has none. */
function misnaming(questions: readonly string[]): (question: string) => string | undefined {
  const random = seededRandom(SEED);
  const pick = <Item>(some: readonly Item[]): Item | undefined => some[Math.floor(random() * some.length)];
  const known = questions.flatMap(thingsOf);
  return (question) => {
    const own = pick(thingsOf(question));
    if (own === undefined) return undefined;
    const beginning = (text: string) => text.toLowerCase().slice(0, BEGINNING);
    const others = known.filter(
      ({ text, isFigure }) =>
        isFigure === own.isFigure && beginning(text) !== beginning(own.text) && !question.includes(text),
    );
    const other = pick(others);
    return other && question.slice(0, own.at) + other.text + question.slice(own.at + own.text.length);
  };
}

interface Thing {
  readonly text: string;
  readonly at: number;
  readonly isFigure: boolean;
}

function thingsOf(question: string): Thing[] {
  const figures = [...question.matchAll(/\p{Nd}+/gu)].map(({ 0: text, index }) => ({
    text,
    at: index,
    isFigure: true,
  }));
  const names = namesOf(question).map(({ start, end }) => ({
    text: question.slice(start, end),
    at: start,
    isFigure: false,
  }));
  return [...figures, ...names.filter(({ text }) => !/\p{Nd}/u.test(text))];
}

/** What is found without the sentences that hold the answer. */
function withoutAnswer({ question, evidence }: SeenQuestion, gold: readonly string[]): SeenQuestion {
  const left = evidence.map((one) => {
    const sentences = candidatesOf({ ...question, years: new Set() }, [one]).map(({ unit }) => unit.text);
    const telling = sentences.filter((sentence) => holdsAny(sentence, gold));
    return { ...one, text: telling.reduce((text, sentence) => text.replace(sentence, " "), one.text) };
  });
  const kept = left.filter(({ text }) => text.trim() !== "" && !holdsAny(text, gold));
  return { question, evidence: kept, candidates: candidatesOf(question, kept) };
}

async function* noiseExamples(name: string, weight: number): AsyncGenerator<FittingExample> {
  const questions = noiseQuestions(name) ?? [];
  const snippets = (question: (typeof questions)[number], kind: "holds" | "wrong"): Document[] =>
    question[kind].map((snippet, at) => ({ id: `${question.id}/${kind}-${at}`, ...snippet }));
  const all = (question: (typeof questions)[number]): Document[] => [
    ...snippets(question, "wrong"),
    ...snippets(question, "holds"),
  ];
  const wrong = await fittingCollection(questions.flatMap((one) => snippets(one, "wrong")));
  const both = await fittingCollection(questions.flatMap(all));
  for (const one of questions) {
    const isOf = (id: string) => id.startsWith(`${one.id}/`);
    const known = { set: name, isKept: one.part === "frozen", gold: one.gold, weight };
    yield example({ ...known, answer: "there" }, await both.see(one.q), isOf);
    yield example({ ...known, answer: "absent" }, await wrong.see(one.q), isOf);
    const alone = { ...known, set: `${name} alone` };
    yield example({ ...alone, answer: "there" }, await (await fittingCollection(all(one))).see(one.q), isOf);
    const ownWrong = await fittingCollection(snippets(one, "wrong"));
    yield example({ ...alone, answer: "absent" }, await ownWrong.see(one.q), isOf);
  }
}

async function* handbookExamples(language: string): AsyncGenerator<FittingExample> {
  const collection = await fittingCollection(handbook(language));
  const names = language === "en" ? (["handbook-en", "handbook-plain"] as const) : (["handbook-languages"] as const);
  for (const name of names) yield* askedOfHandbook(name, collection, language);
}

async function* askedOfHandbook(
  name: Parameters<typeof handbookQuestions>[0],
  collection: Collection,
  language: string,
  among = "",
): AsyncGenerator<FittingExample> {
  for (const { kind, lang, part, q, gold, document } of handbookQuestions(name)) {
    if (lang !== language || kind === "everyday") continue;
    const answer = kind === "direct" ? "there" : "absent";
    const set = `${name} ${language}${among}`;
    const known = { set, isKept: part === "frozen", gold, weight: HANDBOOK_WEIGHT, answer } as const;
    yield example(known, await collection.see(q), (id) => id === document);
  }
}

/** English questions among much prose of other people: to the handbook, and of a public set. */
async function* proseExamples(): AsyncGenerator<FittingExample> {
  const prose = await realProse(OTHER_PASSAGES);
  const among = ` among ${OTHER_PASSAGES}`;
  const collection = await fittingCollection([...handbook("en"), ...prose]);
  for (const name of ["handbook-en", "handbook-plain"] as const) yield* askedOfHandbook(name, collection, "en", among);
  const { documents, questions } = publicSet("xquad-en") ?? { documents: [], questions: [] };
  const places = new Map(documents.map(({ id }, at) => [id, at]));
  const articles = [...new Set(documents.map(({ title }) => title))];
  const all = await fittingCollection([...documents, ...prose]);
  const half = await fittingCollection([...documents.filter((_, at) => at % 2 === 0), ...prose]);
  for (const { q, gold, document } of questions.filter((_, at) => at % EVERY_AMONG_PROSE === 0)) {
    const at = places.get(document ?? "") ?? 0;
    const isKept = articles.indexOf(documents[at]?.title ?? "") % 3 === 2;
    const known = { set: `xquad-en${among}`, isKept, gold, weight: PUBLIC_WEIGHT };
    const isOf = (id: string) => id === document;
    yield example({ ...known, answer: "there" }, await all.see(q), isOf);
    if (at % 2 === 1) yield example({ ...known, answer: "absent" }, await half.see(q), isOf);
  }
}

function example(
  known: Omit<FittingExample, "seen" | "isRight">,
  seen: SeenQuestion,
  isOf: (id: string) => boolean,
): FittingExample {
  const isRight = seen.candidates.map(
    ({ passage, unit }) =>
      known.answer === "there" && isOf(passage.evidence.source.documentId) && holdsAny(unit.text, known.gold),
  );
  return { ...known, seen, isRight };
}
