import { seededRandom } from "@threadlore/testkit";
import { expect, it } from "vitest";
import { answerOf } from "../../testing/answers.ts";
import { faultsOf, textFaultsOf } from "../transport/calls.harness.ts";
import { firstFaulty } from "./random-markup.harness.ts";

it("mentions nobody and links nowhere it may not in a million random answers", () => {
  const texts = { count: 1_000_000, most: 40, random: seededRandom(2_026) };
  const faulty = firstFaulty(texts, (text) => faultsOf(answerOf({ text, title: text.slice(0, 60) || "Title" })));
  expect(faulty).toBeUndefined();
});

it("does neither in the text of a million short random answers", () => {
  const texts = { count: 1_000_000, most: 14, random: seededRandom(20_262) };
  expect(firstFaulty(texts, (text) => textFaultsOf(answerOf({ text })))).toBeUndefined();
});
