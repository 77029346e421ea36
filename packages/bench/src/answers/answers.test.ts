import { seededRandom } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { benchAnswers } from "./answers.ts";
import type { Loss, Reply } from "./collection.ts";
import { holdsAny, placeOf } from "./gold.ts";
import { startOracle } from "./oracle.ts";
import { proseOf } from "./paragraphs.ts";
import { handbook, handbookQuestions, LANGUAGES, type Question } from "./sets.ts";
import { withTypos } from "./typos.ts";
import { verdictOf } from "./verdict.ts";

const QUESTION: Question = { id: "1", part: "looked-at", q: "When?", gold: ["31 March"], document: "leave" };
const reply = (given: Partial<Reply>): Reply => ({ text: "", cited: [], shown: [], finding: undefined, ...given });

describe("a gold span", () => {
  it("is found whatever stands between its letters, marks of citations too", () => {
    expect(holdsAny("They lapse on **31 [[1]](https://wiki.example.com/) march**.", QUESTION.gold)).toBe(true);
    expect(holdsAny("They lapse on 3 March.", QUESTION.gold)).toBe(false);
    expect(placeOf("a b c", ["c", "b"])).toBe(1);
    expect(placeOf("a b c", ["d"])).toBe(-1);
  });
});

describe("a verdict", () => {
  it("holds an answer to its gold and to a citation", () => {
    expect(verdictOf(reply({ text: "On 31 March.", cited: ["leave"] }), QUESTION)).toBe("answered");
    expect(verdictOf(reply({ text: "On 1 May.", cited: ["leave"] }), QUESTION)).toBe("wrong");
    expect(verdictOf(reply({ text: "On 31 March." }), QUESTION)).toBe("nothing");
  });

  it("takes the right document among the first three for the next best, unless the reply says that it shows none", () => {
    const shown = ["a", "b", "leave", "c"];
    expect(verdictOf(reply({ shown }), QUESTION)).toBe("closest");
    expect(verdictOf(reply({ shown: ["a", "b", "c", "leave"] }), QUESTION)).toBe("nothing");
    expect(verdictOf(reply({ shown, finding: { state: "nothing", closest: [] } }), QUESTION)).toBe("nothing");
    const finding = { state: "closest", closest: [{ document_id: "leave" }] } as const;
    expect(verdictOf(reply({ finding }), QUESTION)).toBe("closest");
  });
});

describe("typos", () => {
  it("stand in as many words that say what is asked, and are the same each time", () => {
    const text = "Which receipts would accounting want for a dinner of 45 euros?";
    for (const seed of Array.from({ length: 200 }, (_, index) => index)) {
      const made = withTypos(text, 2, seededRandom(seed));
      expect(made).toBe(withTypos(text, 2, seededRandom(seed)));
      const before = text.split(" ");
      const changed = before.filter((word, index) => word !== made.split(" ")[index]);
      expect(changed).toHaveLength(2);
      expect(changed.every((word) => ["receipts", "accounting", "dinner", "euros?"].includes(word))).toBe(true);
    }
  });

  it("both stand in the one word there is, and none where there is none", () => {
    const made = withTypos("Wo ist die Kantine?", 2, seededRandom(1));
    expect(made).toMatch(/^Wo ist die \p{L}+\?$/u);
    expect(made).not.toContain("Kantine");
    expect(withTypos("Where is it?", 2, seededRandom(1))).toBe("Where is it?");
    expect(withTypos("Какой отпуск?", 1, seededRandom(3))).toMatch(/^Какой [\p{Script=Cyrillic}]+\?$/u);
  });
});

describe("prose", () => {
  const sentence =
    "The people who tend the beds have a list of what is to be done in the week, and it is on the wall of the shed.";

  it("is paragraphs of English below their headings, and neither code nor another language", () => {
    const german = "Die Leute, die sich um die Beete kümmern, haben eine Liste der Dinge, die zu tun sind. ".repeat(3);
    const html = `<title>Beds</title><h1 id="a">The beds&#8217; list</h1><p class="x">${sentence} <b>${sentence}</b></p>
      <p>${sentence}</p><p>${german}</p><pre><p>${sentence} ${sentence}</p></pre>
      <p>${sentence} ${sentence} Call water_all() for it.</p>`;
    expect(proseOf(html)).toEqual([{ title: "The beds’ list", text: `${sentence} ${sentence}` }]);
  });
});

describe("the oracle", () => {
  it("gives a question a vector like that of its passage alone", async () => {
    const document = { id: "leave", title: "Leave", text: "Unused days lapse on 31 March." };
    const oracle = await startOracle([QUESTION], [document], { alike: 0.6 });
    const embedded = async (input: string[]): Promise<number[][]> => {
      const init = { method: "POST", body: JSON.stringify({ input, model: "oracle", encoding_format: "float" }) };
      const response = await fetch(`${oracle.baseUrl}/embeddings`, init);
      const { data } = (await response.json()) as { data: { embedding: number[] }[] };
      return data.map(({ embedding }) => embedding);
    };
    const cosine = (one: number[] = [], other: number[] = []): number =>
      one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
    try {
      const [right, wrong] = await embedded([`${document.title}\n${document.text}`, "Canteen\nSoup is served."]);
      const [asked] = await embedded([QUESTION.q]);
      expect(cosine(right, right)).toBeCloseTo(1, 0);
      expect(cosine(asked, right)).toBeGreaterThan(0.85);
      expect(cosine(asked, wrong)).toBeLessThan(0.75);
    } finally {
      await oracle.close();
    }
  });
});

describe("the sets", () => {
  it("ask of documents that are there, which hold the gold", () => {
    const texts = new Map(LANGUAGES.flatMap(handbook).map(({ id, title, text }) => [id, `${title}\n${text}`]));
    const names = ["handbook-en", "handbook-plain", "handbook-everyday", "handbook-languages"] as const;
    const without = names
      .flatMap(handbookQuestions)
      .filter(({ document, gold }) => gold.length > 0 && !holdsAny(texts.get(document ?? "") ?? "", gold));
    expect(texts.size).toBeGreaterThan(40);
    expect(without).toEqual([]);
  });
});

describe("the bench of answers", () => {
  it("measures what a service answers and refuses, and tells what it lost", { timeout: 120_000 }, async () => {
    const lost: Loss[] = [];
    const size = { only: ["handbook"], others: [0], sample: 1, lost: (loss: Loss) => lost.push(loss) };
    const { groups, missed } = await benchAnswers(size);
    const rows = groups.flatMap((group) => group.rows);
    expect(rows.map(({ name }) => name)).toEqual(
      ["direct", "everyday", "unanswerable", "plain direct", "plain unanswerable"].flatMap((kind) => [
        `${kind}, looked at`,
        `${kind}, frozen`,
      ]),
    );
    const answered = rows.reduce((sum, { figures }) => sum + (figures["answered"] ?? figures["refused"] ?? 0), 0);
    expect(answered).toBeGreaterThan(0);
    const asked = (["handbook-en", "handbook-plain"] as const).flatMap(handbookQuestions);
    expect(lost).toHaveLength(asked.length - answered);
    // Only ten thousand passages and more are held to bars.
    expect(missed).toEqual([]);
  });

  it("says which parts there are", async () => {
    const { groups, missed } = await benchAnswers({ only: ["speed"], others: [], sample: 1 });
    expect(groups).toEqual([]);
    expect(missed[0]).toContain("there are public, handbook,");
  });
});
