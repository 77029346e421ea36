/** What a sentence says only within limits, which another one does not contradict beyond them. */
import { modalityOf, momentsOf, quantitiesOf } from "@threadlore/language/meaning";
import type { AskedQuestion } from "../asked.ts";
import { boundOf } from "../bounds.ts";
import type { Candidate } from "../candidates.ts";
import { isLess } from "./amounts.ts";
import type { Given } from "./readings.ts";

/** "At most three weeks" and "takes ten days": what may be, and what is. A rule of its own contradicts it. */
export function isWithinBound(question: AskedQuestion, one: Given, other: Given): boolean {
  const [bound, told] = [one.value, other.value];
  if (bound?.sort !== "amount" || told?.sort !== "amount") return false;
  const [text, otherText] = [one.candidate.unit.text, other.candidate.unit.text];
  const limit = boundOf(text, bound);
  if (limit === undefined || boundOf(otherText, told) !== undefined) return false;
  if (modalityOf(otherText, other.candidate.passage.language) !== undefined) return false;
  if (modalityOf(question.text, question.language) !== undefined) return false;
  return limit === "most" ? isLess(told.amount, bound.amount) : isLess(bound.amount, told.amount);
}

const PREPOSITION =
  "(?:in|at|on|for|during|with|between|within|by|im|am|an|bei|mit|für|während|zwischen|dans|en|à|avec|pour|pendant|entre|con|para|durante|nel|nella|per|в|на|для|с)";
/** Words that limit a rule to some case, or take one out of it. */
const ONLY = new RegExp(
  String.raw`(?<!\p{L})(?:(?:only|nur|seulement|uniquement|solo|sólo|solamente|únicamente|soltanto|somente|apenas|alleen|только)\s${PREPOSITION}\s|(?:except|exception|apart from|other than|ausgenommen|ausnahmsweise|außer|sauf|excepté|salvo|excepto|tranne|exceto|behalve|кроме)(?!\p{L}))|除外|除了|只有|のみ|を除|以外`,
  "iu",
);
/** "After 22:00", "below 20 euros". */
const BESIDE =
  /(?<!\p{L})(?:after|before|until|below|under|above|over|beyond|nach|vor|unter|über|après|avant|moins de|plus de|au-dessus de|después de(?: las)?|antes de(?: las)?|menos de|más de|dopo|prima di|meno di|più di|после|свыше|менее|более)\s\P{L}{0,3}$/iu;

/** Whether a rule is for a case that nobody asked about: "only in May", "below 20 euros", "after 22:00". */
export function isForCase({ said, text: asked }: AskedQuestion, text: string, language: string | undefined): boolean {
  if (ONLY.test(text) && !ONLY.test(asked)) return true;
  const amounts = quantitiesOf(text, language).filter(({ value }) => !said.has(String(value)));
  return [...amounts, ...momentsOf(text, language).filter(({ hour }) => hour !== undefined)].some(({ start }) =>
    BESIDE.test(text.slice(0, start)),
  );
}

/** "Since 2018", "ab 2018": what has begun and goes on. */
const SINCE =
  /(?<!\p{L})(?:since|from|as of|starting|seit|ab|depuis|à partir de|desde|a partir de|dal|desde|sinds|vanaf|с)\s(?:\p{L}+\s){0,2}$/iu;
const RANGE_END = /^\s?(?:[-–—]|to|until|till|bis|à|a|hasta|al|до|по)\s?\p{N}/iu;

/** The years that a sentence is about, but for those in which something begins that goes on. */
function pastYears({ unit: { text }, passage: { language } }: Candidate): number[] {
  return momentsOf(text, language).flatMap(({ year, start, end }) => {
    if (year === undefined) return [];
    return SINCE.test(text.slice(0, start)) && !RANGE_END.test(text.slice(end)) ? [] : [year];
  });
}

/** "From 1990 to 2004", "1990–2004". */
const TERM = /(?<!\p{N})(?:1\d|20)\d\d\s?(?:[-–—]|to|until|till|bis|à|a|hasta|al|до|по)\s?(?:1\d|20)\d\d(?!\p{N})/iu;

/**
 * Whether one sentence tells how much was in some past year, or who was something from one year to another, which
 * neither the question nor the other sentence is about.
 */
export function isOfAnotherPeriod({ years }: AskedQuestion, one: Given, other: Given): boolean {
  if (years.size > 0 || one.value === undefined || one.value.sort === "moment") return false;
  if (one.value.sort === "name" && !TERM.test(one.candidate.unit.text)) return false;
  const [own, others] = [pastYears(one.candidate), pastYears(other.candidate)];
  return own.some((year) => isPast(year, one.candidate)) && !own.some((year) => others.includes(year));
}

/** Whether a year was over when a document was written; one of unknown age is taken to be new. */
function isPast(year: number, { passage: { evidence } }: Candidate): boolean {
  const written = new Date(evidence.source.document.updated_at ?? Number.NaN).getUTCFullYear();
  return Number.isNaN(written) || year < written;
}
