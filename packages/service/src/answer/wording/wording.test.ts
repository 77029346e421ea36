import { describe, expect, it } from "vitest";
import type { Wording } from "./wording.ts";
import { wordingFor } from "./wording-for.ts";

const LANGUAGES = ["en", "de", "fr", "es", "ja"] as const;
type Language = (typeof LANGUAGES)[number];

const STATEMENT = { title: "TITLE-1", date: "2025-03-04T23:30:00Z", says: "SAYS-1" };
const CORRECTED = [
  { written: "WRITTEN-1", read: "READ-1" },
  { written: "WRITTEN-2", read: "READ-2" },
];

/** Every sentence, with what it must show. */
function sentencesOf(wording: Wording): { readonly sentence: string; readonly shows: readonly string[] }[] {
  const { nothing, closest, differing, notes, gaps, modelTroubles, failures } = wording;
  const { partIndexed, ...nothings } = nothing;
  const plain = [
    ...Object.values(nothings),
    closest.lead,
    ...Object.values(closest.missing),
    closest.tooLittle,
    differing.lead,
    wording.mainPoints(undefined),
    notes.onlyBeginning,
    notes.quoteNotKept,
    notes.diskFull,
    notes.damaged,
    notes.modelCutShort,
    ...Object.values(failures),
    wording.oppositeInSource,
  ];
  return [
    ...plain.map((sentence) => ({ sentence, shows: [] })),
    { sentence: partIndexed(37), shows: ["37"] },
    { sentence: closest.unmentioned(["WORD-1"]), shows: ["WORD-1"] },
    { sentence: closest.unmentioned(["WORD-1", "WORD-2", "WORD-3"]), shows: ["WORD-1", "WORD-2", "WORD-3"] },
    { sentence: closest.noYear([2023]), shows: ["2023"] },
    { sentence: closest.noYear([2022, 2023]), shows: ["2022", "2023"] },
    { sentence: differing.statement(STATEMENT), shows: ["TITLE-1", "2025", "SAYS-1"] },
    { sentence: wording.corrected(CORRECTED), shows: ["WRITTEN-1", "READ-1", "WRITTEN-2", "READ-2"] },
    { sentence: wording.mainPoints("TITLE-1"), shows: ["TITLE-1"] },
    { sentence: wording.notInSource(["VALUE-1", "VALUE-2"]), shows: ["VALUE-1", "VALUE-2"] },
    { sentence: notes.pictureUnread("NAME-1"), shows: ["NAME-1"] },
    { sentence: notes.noRoom("NAME-1"), shows: ["NAME-1"] },
    { sentence: notes.noText("NAME-1", undefined), shows: ["NAME-1"] },
    { sentence: notes.noText("NAME-1", "WHY-1"), shows: ["NAME-1", "WHY-1"] },
    { sentence: notes.ofFile("NAME-1", ["REMARK-1", "REMARK-2"]), shows: ["NAME-1", "REMARK-1", "REMARK-2"] },
    { sentence: notes.modelUnused("MODEL-1"), shows: ["MODEL-1"] },
    { sentence: notes.modelFailed("REASON-1"), shows: ["REASON-1"] },
    { sentence: notes.modelSubstituted("MODEL-1"), shows: ["MODEL-1"] },
    ...Object.entries(gaps).map(([kind, words]) => ({
      sentence: words(37, 91),
      shows: [...(/cut|beginning|pages/.test(kind) ? ["37"] : []), ...(/beginning|pages/.test(kind) ? ["91"] : [])],
    })),
    ...Object.entries(modelTroubles).map(([trouble, words]) => ({
      sentence: notes.modelFailed(words(429)),
      shows: /limit|key|failed/.test(trouble) ? ["429"] : [],
    })),
  ];
}

describe.each(LANGUAGES)("the service's own sentences in %s", (language) => {
  const wording = wordingFor(language);

  it("end as sentences do, and show what is put into them", () => {
    for (const { sentence, shows } of sentencesOf(wording)) {
      expect(sentence).toMatch(/\p{L}/u);
      expect(sentence).not.toMatch(/undefined|null|NaN|\[object|\s{2}|^\s|\s$/);
      // What is put in at the end brings its own full stop.
      expect(sentence).toMatch(/(?:[.:)。）]|-[12])$/);
      for (const shown of shows) expect(sentence.split(shown), sentence).toHaveLength(2);
    }
  });

  it("tell different things apart", () => {
    const sentences = sentencesOf(wording).map(({ sentence }) => sentence);
    expect(new Set(sentences).size).toBe(sentences.length);
  });
});

/** What a sentence reads like in each language. */
const ROWS: readonly (readonly [string, (wording: Wording) => string, Readonly<Record<Language, string>>])[] = [
  [
    "nothing found, with advice",
    ({ joined, nothing }) => joined([nothing.inDocuments, nothing.advice]),
    {
      en: "I found nothing about this in the documents. Try other words, or add a document that answers it.",
      de: "Dazu habe ich in den Dokumenten nichts gefunden. Versuchen Sie es mit anderen Worten, oder fügen Sie ein Dokument hinzu, das die Frage beantwortet.",
      fr: "Je n’ai rien trouvé à ce sujet dans les documents. Essayez d’autres mots, ou ajoutez un document qui y répond.",
      es: "No he encontrado nada sobre esto en los documentos. Pruebe con otras palabras o añada un documento que lo responda.",
      ja: "これについて、文書の中には何も見つかりませんでした。別の言葉で試すか、答えとなる文書を追加してください。",
    },
  ],
  [
    "one word no document has",
    ({ closest }) => closest.unmentioned(["Iona"]),
    {
      en: "No document mentions “Iona”.",
      de: "Kein Dokument erwähnt „Iona“.",
      fr: "Aucun document ne mentionne «\u00a0Iona\u00a0».",
      es: "Ningún documento menciona «Iona».",
      ja: "「Iona」に触れている文書はありません。",
    },
  ],
  [
    "two words",
    ({ closest }) => closest.unmentioned(["Iona", "Oban"]),
    {
      en: "No document mentions “Iona” or “Oban”.",
      de: "Kein Dokument erwähnt „Iona“ oder „Oban“.",
      fr: "Aucun document ne mentionne «\u00a0Iona\u00a0» ni «\u00a0Oban\u00a0».",
      es: "Ningún documento menciona «Iona» ni «Oban».",
      ja: "「Iona」または「Oban」に触れている文書はありません。",
    },
  ],
  [
    "three words",
    ({ closest }) => closest.unmentioned(["Iona", "Oban", "Skye"]),
    {
      en: "No document mentions “Iona”, “Oban” or “Skye”.",
      de: "Kein Dokument erwähnt „Iona“, „Oban“ oder „Skye“.",
      fr: "Aucun document ne mentionne «\u00a0Iona\u00a0», «\u00a0Oban\u00a0» ni «\u00a0Skye\u00a0».",
      es: "Ningún documento menciona «Iona», «Oban» ni «Skye».",
      ja: "「Iona」、「Oban」、または「Skye」に触れている文書はありません。",
    },
  ],
  [
    "years nobody speaks of",
    ({ closest }) => closest.noYear([2022, 2023]),
    {
      en: "The documents I found say nothing about 2022 or 2023.",
      de: "Die gefundenen Dokumente sagen nichts über 2022 oder 2023.",
      fr: "Les documents trouvés ne disent rien de 2022 ni de 2023.",
      es: "Los documentos encontrados no dicen nada sobre 2022 ni 2023.",
      ja: "見つかった文書には、2022年または2023年のことは書かれていません。",
    },
  ],
  [
    "a statement, its day in UTC",
    ({ differing }) => differing.statement({ title: "Spesen", date: "2025-03-04T23:30:00Z", says: "45 €" }),
    {
      en: "“Spesen” (4 March 2025): 45 €",
      de: "„Spesen“ (4. März 2025): 45 €",
      fr: "«\u00a0Spesen\u00a0» (4 mars 2025)\u00a0: 45 €",
      es: "«Spesen» (4 de marzo de 2025): 45 €",
      ja: "「Spesen」（2025年3月4日）：45 €",
    },
  ],
  [
    "a statement nobody dated",
    ({ differing }) => differing.statement({ title: "Spesen", date: "soon", says: "45 €" }),
    {
      en: "“Spesen” (date unknown): 45 €",
      de: "„Spesen“ (Datum unbekannt): 45 €",
      fr: "«\u00a0Spesen\u00a0» (date inconnue)\u00a0: 45 €",
      es: "«Spesen» (fecha desconocida): 45 €",
      ja: "「Spesen」（日付不明）：45 €",
    },
  ],
  [
    "one word read as another",
    ({ corrected }) => corrected([{ written: "reciept", read: "receipt" }]),
    {
      en: "I read “reciept” as “receipt”.",
      de: "Ich habe „reciept“ als „receipt“ gelesen.",
      fr: "J’ai lu «\u00a0reciept\u00a0» comme «\u00a0receipt\u00a0».",
      es: "He leído «reciept» como «receipt».",
      ja: "「reciept」を「receipt」と読み替えました。",
    },
  ],
  [
    "two words read as others",
    ({ corrected }) =>
      corrected([
        { written: "polcy", read: "policy" },
        { written: "reciept", read: "receipt" },
      ]),
    {
      en: "I read “polcy” as “policy” and “reciept” as “receipt”.",
      de: "Ich habe „polcy“ als „policy“ und „reciept“ als „receipt“ gelesen.",
      fr: "J’ai lu «\u00a0polcy\u00a0» comme «\u00a0policy\u00a0» et «\u00a0reciept\u00a0» comme «\u00a0receipt\u00a0».",
      es: "He leído «polcy» como «policy» y «reciept» como «receipt».",
      ja: "「polcy」を「policy」、「reciept」を「receipt」と読み替えました。",
    },
  ],
  [
    "the lead of a summary",
    ({ mainPoints }) => mainPoints("Travel policy"),
    {
      en: "The main points of “Travel policy”:",
      de: "Das Wichtigste aus „Travel policy“:",
      fr: "Les points principaux de «\u00a0Travel policy\u00a0»\u00a0:",
      es: "Los puntos principales de «Travel policy»:",
      ja: "「Travel policy」の要点は次のとおりです。",
    },
  ],
  [
    "what a cited passage does not hold",
    ({ notInSource }) => notInSource(["45 days", "Lisbon"]),
    {
      en: "(not found in the source: 45 days and Lisbon)",
      de: "(nicht in der Quelle gefunden: 45 days und Lisbon)",
      fr: "(introuvable dans la source\u00a0: 45 days et Lisbon)",
      es: "(no consta en la fuente: 45 days y Lisbon)",
      ja: "（出典に見当たりません：45 days、Lisbon）",
    },
  ],
];

describe.each(ROWS)("%s", (_, sentence, expected) => {
  it.each(LANGUAGES)("in %s", (language) => {
    expect(sentence(wordingFor(language))).toBe(expected[language]);
  });
});

describe("the language of the service's own sentences", () => {
  it("is told by the first part of a tag, however it is written", () => {
    expect(wordingFor("de-AT").language).toBe("de");
    expect(wordingFor("JA_jp").language).toBe("ja");
  });

  it("is English where a language is not spoken here, or not known", () => {
    for (const language of [undefined, "", "zh", "eng", "__proto__"])
      expect(wordingFor(language)).toBe(wordingFor("en"));
  });

  it("sets a space between sentences where either is written with one", () => {
    const { ofFile, onlyBeginning } = wordingFor("ja").notes;
    expect(ofFile("a.pdf", ["Page 2.5 is a picture.", onlyBeginning])).toBe(
      "「a.pdf」について：Page 2.5 is a picture. 長すぎるため、初めの部分だけを読みました。",
    );
    expect(ofFile("a.pdf", [onlyBeginning, "Its end."])).toBe(
      "「a.pdf」について：長すぎるため、初めの部分だけを読みました。Its end.",
    );
  });

  it("does not change what is put into a sentence", () => {
    expect(wordingFor("en").mainPoints("a\nb](x)")).toBe("The main points of “a\nb](x)”:");
  });
});
