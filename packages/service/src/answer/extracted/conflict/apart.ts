/**
 * What says outright that two answers are not to one question about one thing, however alike they are worded. Each holds
 * by the words of the two sentences and their titles alone, whichever documents they stand in.
 */
import type { AskedQuestion } from "../asked.ts";
import { together } from "../matching.ts";
import type { Differing } from "./contradiction.ts";
import { hasAnotherInPlace, isNarrower, isOfPart } from "./contrast.ts";
import { isForCase, isOfAnotherPeriod, isWithinBound } from "./limits.ts";
import { differInManner, isOfSome, isPartOfThat } from "./manner.ts";
import type { Given } from "./readings.ts";
import { isUnspaced } from "./signs.ts";
import { areSiblings, isOfOtherNumber, isTitledElse, lacksName } from "./subject.ts";

/** Characters between a person's name and the words that say what of. */
const FARTHEST_NAME = 40;
/** Nearly all of a question: only then is a word beyond it one that says of what part. */
const WHOLE = 0.8;

/** Whether two answers are of different things, or of one in different ways. */
export function areApart(question: AskedQuestion, { one, other }: Differing): boolean {
  return (
    isOfAnything(question) ||
    !isAbout(one) ||
    !isAbout(other) ||
    (question.kind === "person" && (isFar(one) || isFar(other))) ||
    areOfDifferentThings(question, one, other) ||
    areTheWholeAndAPart(question, one, other) ||
    areToldDifferently(question, one, other)
  );
}

/** "How many days?", "Who is on call?": one word may be of anything, but where it is written together with others. */
function isOfAnything({ words, language }: AskedQuestion): boolean {
  return words.length < 2 && !isUnspaced(language);
}

/** What says nothing of the question, under a title that does not either, answers another one. */
function isAbout({ candidate: { own, above } }: Given): boolean {
  return together(own, above).some((hit) => hit > 0);
}

function isFar({ value }: Given): boolean {
  return (value?.distance ?? 0) > FARTHEST_NAME;
}

function areOfDifferentThings(question: AskedQuestion, one: Given, other: Given): boolean {
  const [first, second] = [one.candidate, other.candidate];
  return (
    lacksName(question, first, second) ||
    lacksName(question, second, first) ||
    areSiblings(question, first, second) ||
    isTitledElse(question, first, second) ||
    isTitledElse(question, second, first) ||
    isOfOtherNumber(question, first) ||
    isOfOtherNumber(question, second) ||
    hasAnotherInPlace(question, first, second)
  );
}

function areTheWholeAndAPart(question: AskedQuestion, one: Given, other: Given): boolean {
  const [first, second] = [one.candidate, other.candidate];
  const areWhole = first.features.above >= WHOLE && second.features.above >= WHOLE;
  const isSome = ({ candidate: { unit, passage }, value }: Given) =>
    (value !== undefined && isPartOfThat(unit.text, value)) || isOfSome(question.about, unit.text, passage.language);
  return (
    isNarrower(question, first, second) ||
    isNarrower(question, second, first) ||
    isSome(one) !== isSome(other) ||
    (areWhole && (isOfPart(question, first, second) || isOfPart(question, second, first)))
  );
}

function areToldDifferently(question: AskedQuestion, one: Given, other: Given): boolean {
  const isLimited = ({ candidate: { unit, passage }, value }: Given) =>
    value === undefined && isForCase(question, unit.text, passage.language);
  return (
    differInManner(one.candidate.unit.text, other.candidate.unit.text, { isName: one.value?.sort === "name" }) ||
    isWithinBound(question, one, other) ||
    isWithinBound(question, other, one) ||
    isOfAnotherPeriod(question, one, other) ||
    isOfAnotherPeriod(question, other, one) ||
    isLimited(one) !== isLimited(other)
  );
}
