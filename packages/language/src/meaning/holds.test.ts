import { describe, expect, it } from "vitest";
import { holds, valuesOf } from "./holds.ts";
import type { AnswerKind } from "./lexicon/types.ts";

const ROWS: readonly (readonly [language: string, kind: AnswerKind, holding: string, other: string])[] = [
  ["en", "number", "The defense gave up 308 points.", "The defense was strong."],
  ["en", "money", "A permit costs $30.", "A permit is for one car."],
  ["en", "duration", "Probation lasts six months.", "Probation applies to everyone."],
  ["en", "time", "The office opened in 1999.", "The office has a canteen."],
  ["en", "time", "You need a note from the fourth day on.", "You need a note."],
  ["en", "person", "Ask Peyton Manning.", "Ask at the desk."],
  ["en", "reason", "It closed because of rain.", "It closed."],
  ["de", "time", "Das Büro wurde 1999 eröffnet.", "Das Büro hat eine Kantine."],
  ["ru", "time", "Офис открылся в 1999 году.", "В офисе есть столовая."],
  ["zh", "money", "停车费为30元。", "停车场在后面。"],
  ["ja", "duration", "試用期間は3ヶ月です。", "社員食堂があります。"],
  ["ar", "number", "سجل الفريق 308 نقاط.", "كان الفريق قويا."],
];

describe("holds", () => {
  it.each(ROWS)("%s %s: %s rather than %s", (language, kind, holding, other) => {
    expect(holds(holding, kind, language)).toBeGreaterThan(0.5);
    expect(holds(other, kind, language)).toBeLessThan(0.5);
  });

  it.each<[AnswerKind, string, string]>([
    ["time", "What happened in 2015?", "The season of 2015 was long."],
    ["number", "Who has 24 interceptions?", "He had 24 interceptions."],
    ["person", "What did Peyton Manning win?", "Peyton Manning won."],
  ])("%s: what the question said is no answer: %s", (kind, question, sentence) => {
    expect(holds(sentence, kind, "en", valuesOf(question, "en"))).toBeLessThan(holds(sentence, kind, "en"));
  });
});
