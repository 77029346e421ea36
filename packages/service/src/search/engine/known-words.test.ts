import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, it } from "vitest";
import { IndexWriter } from "../postings/index-writer.ts";
import { createIndex } from "../postings/schema.ts";
import { SearchIndex } from "./index-query.ts";

const opened: DatabaseSync[] = [];
afterEach(() => {
  for (const sqlite of opened.splice(0)) sqlite.close();
});

/** An index of texts, each a document of its own; those that begin with "hidden: " stand under another pair. */
function indexOfTexts(...texts: string[]): SearchIndex {
  const sqlite = new DatabaseSync(":memory:");
  opened.push(sqlite);
  createIndex(sqlite);
  const writer = new IndexWriter(sqlite);
  writer.begin();
  for (const [number, text] of texts.entries()) {
    const pair = text.startsWith("hidden: ") ? 2 : 1;
    writer.put({ number: number + 1, version: 1, pair, source: "web", updatedAt: 0, title: "", tags: [] }, [
      { heading: "", text: text.replace("hidden: ", ""), about: "", link: null },
    ]);
  }
  writer.commit();
  return new SearchIndex(sqlite);
}

function ask(index: SearchIndex, text: string, visible?: readonly number[]) {
  return index.search({ text, visible, filter: {}, limit: 10, budgetMs: 10_000, feedbackUpTo: 0 });
}

const ENGLISH = [
  "The vacation of the employees is thirty days a year.",
  "The elevator in the hall is serviced every Monday by the company.",
  "The jury of the contest meets in the library.",
];

describe("a word of a language that little is written in", () => {
  const many = Array.from({ length: 20 }, (_, at) => `The team of room ${at} meets on Monday beside the printer.`);

  it("is found as it stands there", () => {
    const index = indexOfTexts(...many, "Überstunden werden im Folgemonat ausgezahlt, sagt die Leitung der Werkstatt.");
    for (const asked of ["Überstunden?", "When is Überstunden paid?", "Wann werden Überstunden ausgezahlt?"]) {
      const { words, passages } = ask(index, asked);
      expect(words.find(({ word }) => word === "uberstunden")).toMatchObject({ holding: 1 });
      expect(passages[0]?.text).toContain("Überstunden");
    }
  });

  it("is not known where whoever asks does not see it", () => {
    const index = indexOfTexts(...many, "hidden: Überstunden werden im Folgemonat ausgezahlt, sagt die Leitung.");
    expect(ask(index, "Überstunden?", [1]).words).toMatchObject([{ word: "uberstunden", holding: 0 }]);
  });
});

describe("a word that nobody wrote", () => {
  it("is taken for the nearest known one, and that is told", () => {
    const index = indexOfTexts(...ENGLISH);
    for (const [typed, meant] of [
      ["vacatoin", "vacation"],
      ["vacaton", "vacation"],
      ["elevattor", "elevator"],
      ["elavetor", "elevator"],
      ["librray", "library"],
    ] as const) {
      const { words, passages } = ask(index, `What about the ${typed}?`);
      expect(words.filter(({ word }) => word === typed)).toMatchObject([{ corrected: meant, holding: 1 }]);
      expect(passages[0]?.text).toContain(meant);
    }
  });

  it("stays what it is where too much would have to change, and numbers and codes always do", () => {
    const index = indexOfTexts(...ENGLISH, "Form A1234 and the year 2024 are kept with B77X.");
    for (const typed of ["xylophone", "july2", "a1235", "2025", "b78x", "day"]) {
      expect(ask(index, `the ${typed}`).words.every(({ corrected }) => corrected === undefined)).toBe(true);
    }
    // In a word of four letters two may stand the wrong way round, and no more: "july" is another word than "jury".
    expect(ask(index, "the jruy").words).toMatchObject([{ word: "jruy", corrected: "jury" }]);
    expect(ask(index, "the july").words).toMatchObject([{ word: "july", holding: 0 }]);
  });

  it("is taken for the one that begins alike first, then for the commonest", () => {
    const index = indexOfTexts("the lockers of the hall", "a tacker here", "a tacker there", "the rackers");
    expect(ask(index, "tocker").words).toMatchObject([{ corrected: "tacker" }]);
    expect(ask(index, "yacker").words).toMatchObject([{ corrected: "tacker" }]);
  });

  it("is never taken for one that only others may read, in no form of it", () => {
    const index = indexOfTexts(...ENGLISH, "hidden: The salaries of the managers, and every salary, are secret.");
    expect(ask(index, "the salareis").words).toMatchObject([{ corrected: "salaries" }]);
    expect(ask(index, "the salareis", [1]).words).toMatchObject([{ word: "salareis", holding: 0 }]);
    const both = indexOfTexts("A salary is paid monthly.", "hidden: The salaries are secret.");
    expect(ask(both, "salariess").words).toMatchObject([{ corrected: "salaries" }]);
    expect(ask(both, "salariess", [1]).words.map(({ corrected }) => corrected)).toEqual([undefined]);
  });
});

describe("words of languages that write compounds as one", () => {
  it("are found as a part of a longer one, and by what they are made of", () => {
    const index = indexOfTexts(
      "Der Jahresurlaub ist bis zum Ende des Monats zu beantragen.",
      "Die Kündigungsfrist beträgt für alle einen Monat.",
      "Das Formular für die Reise liegt im Büro, und der Antrag ist dort abzugeben.",
    );
    expect(ask(index, "Wie viel Urlaub habe ich?").passages[0]?.text).toContain("Jahresurlaub");
    expect(ask(index, "Wo ist das Reiseformular?").passages[0]?.text).toContain("Formular für die Reise");
    expect(ask(index, "Wie lang ist die Kündigung?").passages[0]?.text).toContain("Kündigungsfrist");
  });
});

describe("the compounds of somebody who sees some passages", () => {
  const mine = [
    "Die Urlaubszusatztage werden im Januar gutgeschrieben, und die Kasse zahlt das Weihnachtsgeld.",
    "Die Kantine öffnet um elf Uhr, und der Speiseplan hängt neben der Tür.",
  ];
  const more = Array.from({ length: 450 }, (_, at) => `Der Raum ${at} ist im Winter ab acht Uhr geheizt.`);
  const letters = (at: number): string => String(at).replaceAll(/\d/g, (digit) => "bcdfghjklm"[Number(digit)] ?? "");
  const compounds = (count: number): string =>
    Array.from({ length: count }, (_, at) => `Urlaubs${letters(at)}tage Vor${letters(at)}tsgeld`).join(" ");
  const hidden = (count: number): string => `hidden: ${compounds(count)} und das ist für alle da.`;
  const asked = ["Urlaubs", "Wann wird der Urlaubs gutgeschrieben?", "Wer zahlt das tsgeld?", "Urlaubstage"];
  const answers = (index: SearchIndex) => asked.map((text) => ask(index, text, [1]));

  it.each([
    ["few passages", mine],
    ["more passages than there are such words", [...mine, ...more]],
  ])("are the same however many others wrote: %s", (_how, seen) => {
    const alone = answers(indexOfTexts(...seen));
    expect(alone[0]?.passages[0]?.text).toContain("Urlaubszusatztage");
    expect(alone[2]?.passages[0]?.text).toContain("Weihnachtsgeld");
    for (const count of [10, 199, 260, 900]) expect(answers(indexOfTexts(...seen, hidden(count)))).toEqual(alone);
  });

  it("say nothing where they are many, and then no more than without the others", () => {
    const many = [...mine, `Hier stehen ${compounds(13)} für alle.`];
    const alone = answers(indexOfTexts(...many));
    expect(alone[0]?.words).toMatchObject([{ word: "urlaubs", holding: 0 }]);
    expect(answers(indexOfTexts(...many, hidden(600)))).toEqual(alone);
  });
});

describe("words that are counted without a search", () => {
  it("are corrected as those of a question, but for function words of their language", () => {
    const index = indexOfTexts(...ENGLISH, "The wheat of the farm is sold.");
    const { corpus, words } = index.count("what is the vacatoin of the jury".split(" "), undefined, 1_000);
    expect(corpus).toBe(4);
    expect(words.map(({ word, holding, corrected }) => [word, holding, corrected])).toEqual([
      ["what", 0, undefined],
      ["is", 0, undefined],
      ["the", 0, undefined],
      ["vacatoin", 1, "vacation"],
      ["of", 0, undefined],
      ["the", 0, undefined],
      ["jury", 1, undefined],
    ]);
  });
});

describe("the language of a question", () => {
  it("is where it has none that of most of what is there", () => {
    const german = indexOfTexts(
      "Die Verträge werden von der Verwaltung geprüft und dann abgelegt.",
      "Der Aufzug wird jeden Montag von der Firma gewartet.",
    );
    expect(ask(german, "Vertrag").words).toMatchObject([{ word: "vertrag", holding: 1 }]);
    const english = indexOfTexts("The policies are reviewed by the board every year.");
    expect(ask(english, "policy").words).toMatchObject([{ word: "policy", holding: 1 }]);
  });

  it("does not matter for words of another one that most of it is written in", () => {
    const index = indexOfTexts(
      "The policies are reviewed by the board every year.",
      "Die Verträge werden von der Verwaltung geprüft und dann abgelegt.",
    );
    expect(ask(index, "Was steht in den policies?").passages[0]?.text).toContain("policies");
  });
});

describe("words of Chinese characters and kana", () => {
  it("are told as a dictionary cuts them, and found by pairs of characters", () => {
    const index = indexOfTexts(
      "東京タワーは港区にあります。高さは三百三十三メートルです。",
      "大阪城は大阪市の中央にあります。",
    );
    const { words, passages } = ask(index, "東京タワーの高さは？");
    expect(words.map(({ word, holding }) => [word, holding])).toContainEqual(["東京タワー", 1]);
    expect(passages[0]?.text).toContain("東京タワー");
    expect(index.count(["大阪", "京都"], undefined, 1_000).words.map(({ holding }) => holding)).toEqual([1, 0]);
  });
});
