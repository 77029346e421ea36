import { createHmac } from "node:crypto";
import { seededRandom } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { trueGaps } from "./evaluation.harness.ts";
import { createPlacement, gapOf, hiddenTraits, MAX_TRAITS, traitsOf } from "./index.ts";

const known = (gap: string, question: string) => ({ gap, traits: traitsOf(question) });
const placeOf = (asked: string, ...questions: readonly string[]) =>
  gapOf(
    { traits: traitsOf(asked) },
    questions.map((question) => known(question, question)),
  );

describe("what must agree", () => {
  it.each([
    ["Where do I send form T-15?", "Where do I send form T-14?"],
    ["Where do I send form T 15?", "where do I send form t-14"],
    ["Where is the spare gangway light of the Gannet?", "Where is the spare gangway light of the Petrel?"],
    ["Who approves the travel form for Iceland?", "Who approves the travel form for Norway?"],
    ["who approves the travel form for iceland?", "who approves the travel form for norway?"],
    ["Wer genehmigt das Reiseformular für Island?", "Wer genehmigt das Reiseformular für Norwegen?"],
    ["When is the 2026 plan approved?", "When is the 2025 plan approved?"],
  ])("keeps %j from %j", (asked, question) => {
    expect(placeOf(asked, question)).toBeUndefined();
    // The same one of each is alike.
    expect(placeOf(asked, question, asked.toLowerCase())).toBe(asked.toLowerCase());
  });

  it("is not enough: names and numbers alone join nothing", () => {
    expect(
      placeOf("Was kostet das Parken in Oslo im Jahr 2026?", "Who is the doctor in Oslo in 2026?"),
    ).toBeUndefined();
    expect(placeOf("T-14?", "Who has signed for the crane, see T-14, before it left the yard?")).toBeUndefined();
  });

  it("knows a country by its name in each language", () => {
    expect(traitsOf("Reise nach Norwegen").terms).toContainEqual(
      expect.objectContaining({ term: "@NO", kind: "place" }),
    );
    expect(traitsOf("trip to norway").terms).toContainEqual(expect.objectContaining({ term: "@NO", kind: "place" }));
  });
});

describe("a question as people write it", () => {
  it.each([
    ["hi team, quick one: where's the boat house spare key? thanks!!", "Where is the spare key of the boat house?"],
    ["*Where* is the spare key of the boat house <@U123> :pray: 🙏", "Where is the spare key of the boat house?"],
    [
      "> we have a fair on Monday\nWhere is the spare key of the boat house?",
      "Where is the spare key of the boat house?",
    ],
    ["Where is the spare kye of the baot house?", "Where is the spare key of the boat house?"],
    ["Who signs off vacation requests?", "Who approves holiday requests?"],
    ["WHERE IS THE SPARE KEY OF THE BOAT HOUSE", "Where is the spare key of the boat house?"],
    ["ボートハウスの鍵はどこにありますか？", "ボートハウスの鍵の場所はどこですか"],
    ["会议室的钥匙在哪里？", "请问会议室的钥匙在哪里"],
    ["어디에 보트하우스 열쇠가 있나요?", "보트하우스 열쇠가 어디에 있나요?"],
    ["أين مفتاح المخزن الاحتياطي؟", "أين يوجد مفتاح المخزن الاحتياطي"],
    ["กุญแจห้องประชุมอยู่ที่ไหน", "กุญแจสำรองห้องประชุมอยู่ที่ไหน"],
  ])("%j is alike to %j", (asked, question) => {
    expect(placeOf(asked, question, "Which tyre pressure has the yellow forklift?")).toBe(question);
  });

  it.each(["", "?", "🙏", "...", "hi", "Hello, thanks!", "   ", ":wave:", "<@U123>"])("%j is of no gap", (asked) => {
    expect(placeOf(asked, asked, "Hello, where is the key?")).toBeUndefined();
  });

  it("may be code, a path or an address, and is bounded", () => {
    for (const text of [
      "x".repeat(4_000),
      "a b ".repeat(1_000),
      "/usr/lib/a/b.so:12",
      "https://example.com/a?b=c#d",
      "if (a && b) { c(); }",
    ]) {
      expect(traitsOf(text).terms.length).toBeLessThanOrEqual(MAX_TRAITS);
    }
  });
});

describe("a question made to join everything", () => {
  it("swallows no gap and is joined by none", () => {
    const questions = trueGaps("asked").flatMap(({ id, asked }) => asked.map((words) => known(id, words)));
    const stuffed = questions
      .map(({ traits }) => traits.terms.map(({ term }) => term.replace(/^\W/, "")).join(" "))
      .join(" ");
    expect(gapOf({ traits: traitsOf(`Who where when how much ${stuffed}?`) }, questions)).toBeUndefined();
    const placement = createPlacement([...questions, known("stuffed", `Who where when ${stuffed}?`)]);
    for (const { traits } of questions) expect(placement.placeOf({ traits }).gap).not.toBe("stuffed");
  });
});

describe("traits of anything", () => {
  it("are bounded, JSON, the same each time, and hidden without a word of it", () => {
    const random = seededRandom(5);
    const letters = [..."abcdeäßéñ 0123-/.?!\n\t<>@:#&\u0000\ud83d日本語กعב한"];
    for (let round = 0; round < 300; round++) {
      const text = Array.from(
        { length: Math.floor(random() * 120) },
        () => letters[Math.floor(random() * letters.length)],
      ).join("");
      const traits = traitsOf(text);
      expect(JSON.parse(JSON.stringify(traits))).toEqual(traits);
      expect(traitsOf(text)).toEqual(traits);
      expect(traits.terms.length).toBeLessThanOrEqual(MAX_TRAITS);
      const hidden = hiddenTraits(traits, (term) => createHmac("sha256", "secret").update(term).digest("base64url"));
      for (const { term, near, group } of hidden.terms)
        for (const part of [term, group, ...(near ?? [])]) expect(part ?? "").toMatch(/^[\w-]*$/);
      expect(JSON.stringify(hidden).length).toBeLessThan(20_000);
      expect(gapOf({ traits }, [{ gap: 1, traits }]) ?? 1).toBe(1);
    }
  });
});
