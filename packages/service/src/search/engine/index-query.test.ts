import { DatabaseSync } from "node:sqlite";
import { seededRandom } from "@threadlore/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { eachTermOf, functionWordsOfTitle, lengthOfTerm, termsOfText } from "../analysis.ts";
import { impactOf, rarityOf, scoreOf, WEIGHTS } from "../postings/impact.ts";
import { type IndexQuery, OutOfTime, SearchIndex } from "./index-query.ts";
import { type IndexedDocument, type IndexedPassage, IndexWriter } from "../postings/index-writer.ts";
import { createIndex } from "../postings/schema.ts";

const opened: DatabaseSync[] = [];
afterEach(() => {
  for (const sqlite of opened.splice(0)) sqlite.close();
});

function open() {
  const sqlite = new DatabaseSync(":memory:");
  opened.push(sqlite);
  createIndex(sqlite);
  return { sqlite, writer: new IndexWriter(sqlite), index: new SearchIndex(sqlite) };
}

interface Kept {
  readonly document: IndexedDocument;
  readonly passages: readonly IndexedPassage[];
}

const WORDS = "the lift lifts desk roof garden gardens kitchen window holiday policy seldom rare of".split(" ");

function draft(random: () => number, number: number): Kept {
  const some = (most: number): string =>
    Array.from({ length: Math.floor(random() * most) }, () => WORDS[Math.floor(random() ** 2 * WORDS.length)]).join(
      " ",
    );
  return {
    document: {
      number,
      version: 1 + Math.floor(random() * 1_000),
      pair: random() < 0.1 ? null : 1 + Math.floor(random() * 3),
      source: random() < 0.5 ? "web" : "file",
      updatedAt: Math.floor(random() * 1_000),
      title: some(5),
      tags: random() < 0.3 ? [{ key: "team", value: "North" }] : [],
    },
    passages: Array.from({ length: 1 + Math.floor(random() * 4) }, () => ({
      heading: some(3),
      text: some(random() < 0.1 ? 300 : 30),
      about: some(3),
      link: null,
    })),
  };
}

/** Terms of a passage with their impacts, from its text alone. */
function impactsOf(title: string, { heading, text, about }: IndexedPassage, language: string): Map<string, number> {
  const often = new Map<string, number>();
  let length = 0;
  const count = (term: string, weight: number): void => void often.set(term, (often.get(term) ?? 0) + weight);
  for (const [part, weight] of [
    [title, WEIGHTS.title],
    [heading, WEIGHTS.heading],
    [text, WEIGHTS.text],
    [about, WEIGHTS.about],
  ] as const) {
    eachTermOf(part, language, (term) => {
      length += lengthOfTerm(term);
      count(term, weight);
    });
  }
  for (const word of functionWordsOfTitle(title, language)) count(word, WEIGHTS.title);
  return new Map([...often].map(([term, weighed]) => [term, impactOf(weighed, length)]));
}

/** What reading every passage of what is kept gives. */
function bruteForce(kept: Iterable<Kept>, { text, visible, filter }: Pick<IndexQuery, "text" | "visible" | "filter">) {
  const rows = [...kept]
    .filter(({ document }) => visible === undefined || (document.pair !== null && visible.includes(document.pair)))
    .flatMap(({ document, passages }) =>
      passages.map((passage, ordinal) => ({ document, ordinal, impacts: impactsOf(document.title, passage, "en") })),
    );
  const rarities = new Map(
    [...new Set(termsOfText(text, "en"))].map((term) => [
      term,
      rarityOf(rows.length, rows.filter(({ impacts }) => impacts.has(term)).length),
    ]),
  );
  const found = rows
    .filter(({ document: { source, tags, updatedAt } }) => {
      const { sources, tags: asked, since, until } = filter;
      return (
        (sources === undefined || sources.includes(source)) &&
        (asked === undefined ||
          tags.some(({ key, value }) => asked.some((one) => one.key === key && one.value === value))) &&
        updatedAt >= (since ?? 0) &&
        updatedAt <= (until ?? Number.POSITIVE_INFINITY)
      );
    })
    .map(({ document, ordinal, impacts }) => {
      let sum = 0;
      for (const [term, rarity] of rarities) sum += (impacts.get(term) ?? 0) * rarity;
      return { place: `${document.number} ${ordinal}`, score: scoreOf(sum) };
    })
    .filter(({ score }) => score > 0);
  return { corpus: rows.length, found };
}

const FILTERS: readonly IndexQuery["filter"][] = [
  {},
  { sources: ["web"] },
  { tags: [{ key: "team", value: "North" }] },
  { since: 300, until: 700 },
  { sources: ["file"], since: 100 },
];

/** Some documents are put in, replaced and taken out again, all in one transaction or none of it. */
function change(random: () => number, writer: IndexWriter, kept: Map<number, Kept>): void {
  const before = new Map(kept);
  writer.begin();
  for (let step = 0; step < 12; step++) {
    const number = 1 + Math.floor(random() * 40);
    writer.remove(number);
    kept.delete(number);
    if (random() < 0.2) continue;
    const drafted = draft(random, number);
    writer.put(drafted.document, drafted.passages);
    kept.set(number, drafted);
  }
  if (random() < 0.8) return writer.commit();
  writer.rollback();
  kept.clear();
  for (const [number, one] of before) kept.set(number, one);
}

describe("an index that documents come to and leave", () => {
  it("finds what reading every passage finds, with the same scores, whoever asks", () => {
    let compared = 0;
    for (let seed = 0; seed < 8; seed++) {
      const random = seededRandom(seed);
      const { writer, index } = open();
      const kept = new Map<number, Kept>();
      for (let round = 0; round < 8; round++) {
        change(random, writer, kept);
        for (const text of [
          "the lift policy",
          "a kitchen desk of the roof",
          "the gardens",
          "seldom rare",
          "what is it",
        ]) {
          for (const visible of [undefined, [1, 3]]) {
            for (const filter of FILTERS) {
              const query = { text, visible, filter, limit: 1_000, budgetMs: 10_000 };
              const { passages, corpus } = index.match(query);
              const expected = bruteForce(kept.values(), query);
              expect(corpus).toBe(expected.corpus);
              const byPlace = new Map(
                passages.map(({ document, ordinal, score }) => [`${document} ${ordinal}`, score]),
              );
              expect(byPlace).toEqual(new Map(expected.found.map(({ place, score }) => [place, score])));
              expect(passages.map(({ score }) => score)).toEqual(
                passages.map(({ score }) => score).toSorted((one, other) => other - one),
              );
              compared += passages.length;
            }
          }
        }
      }
    }
    expect(compared).toBeGreaterThan(20_000);
  });

  it("counts a limited caller's words over what they see, and tells a word nobody wrote", () => {
    const { writer, index } = open();
    writer.begin();
    const common = { version: 1, source: "web", updatedAt: 0, title: "", tags: [] };
    const passage = (text: string) => [{ heading: "", text, about: "", link: null }];
    writer.put({ ...common, number: 1, pair: 1 }, passage("The lift."));
    writer.put({ ...common, number: 2, pair: 2 }, passage("A hidden lift, a zebra."));
    writer.commit();
    const search = (visible?: readonly number[]) =>
      index.match({ text: "What of the lifts, zebras?", visible, filter: {}, limit: 10, budgetMs: 1_000 });
    expect(search([1])).toMatchObject({
      corpus: 1,
      words: [
        { word: "lifts", terms: ["lift"], holding: 1 },
        { word: "zebras", terms: ["zebra"], holding: 0 },
      ],
      passages: [{ document: 1 }],
    });
    expect(search().words.map(({ holding }) => holding)).toEqual([2, 1]);
  });

  it("gives up a search that takes longer than it may", () => {
    const { index } = open();
    expect(() => index.match({ text: "lift", filter: {}, limit: 10, budgetMs: -1 })).toThrow(OutOfTime);
  });
});
