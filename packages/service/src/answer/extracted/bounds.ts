/**
 * Amounts that rules are for: "up to 500 euros", "above 5,000". A question about 3,000 is answered by the rule it falls
 * under, though nobody wrote 3,000.
 */
import { type Quantity, quantitiesOf } from "@threadlore/language/meaning";

/** Amounts of one unit between two others. */
interface Span {
  readonly unit: string | undefined;
  readonly least: number;
  readonly most: number;
}

const UP_TO =
  "up to|at most|(?:no |not )more than|below|under|less than|fewer than|maximum(?: of)?|max\\.?|bis(?: zu)?|höchstens|unter|weniger als|maximal|jusqu['’]à|au plus|moins de|inférieur(?:e|s|es)? à|hasta|como máximo|menos de|do|не более|до|менее|最多|不超过|少于|低于";
const FROM =
  "above|over|more than|from|at least|exceed(?:s|ing)?|beyond|minimum(?: of)?|ab|über|mehr als|mindestens|plus de|à partir de|au[- ]delà de|au moins|supérieur(?:e|s|es)? à|dès|más de|a partir de|desde|al menos|por encima de|свыше|более|от|не менее|超过|高于|至少";
const BEHIND_UP_TO = /^\s?(?:まで|以下|未満|以内|以下|以内|or less|or fewer|oder weniger|ou moins|o menos)/u;
const BEHIND_FROM =
  /^\s?(?:以上|を超える|超|から|以上|起|or more|and (?:more|above|over)|oder mehr|et plus|ou plus|o más|on\b)/u;
const BEFORE_UP_TO = new RegExp(String.raw`(?<!\p{L})(?:${UP_TO})\s?[^\p{L}\p{N}]{0,3}$`, "iu");
const BEFORE_FROM = new RegExp(String.raw`(?<!\p{L})(?:${FROM})\s?[^\p{L}\p{N}]{0,3}$`, "iu");
/** A row that says no amount, and stands for all above those of the rows before it. */
const BEYOND =
  /(?<!\p{L})(?:above|over|more|beyond|anything else|darüber|mehr|au[- ]delà|plus|más|por encima|выше|свыше|более|それ以上|以上)(?!\p{L})/iu;

/** How far before an amount its bound may stand. */
const BEFORE = 30;

/** Whether a rule says no amount of its own but goes beyond what another one says. */
export function isBeyond(rule: string): boolean {
  return BEYOND.test(rule) && !/\p{Nd}/u.test(rule);
}

/** The amounts of a question that a rule may be for. */
export function amountsOf(question: string, language: string | undefined): readonly Quantity[] {
  return /\p{Nd}/u.test(question) ? quantitiesOf(question, language) : [];
}

/**
 * Which of some rules, one text each in their order, an amount falls under most closely: of "up to 500" and "up to 5,000"
 * the second is for 3,000. Undefined: under none.
 */
export function ruleFor(amount: Quantity, rules: readonly string[], language: string | undefined): number | undefined {
  let found: { readonly at: number; readonly width: number } | undefined;
  let greatest = 0;
  for (const [at, rule] of rules.entries()) {
    const spans = spansOf(rule, language);
    if (greatest > 0 && isBeyond(rule)) {
      spans.push({ unit: amount.unit, least: greatest, most: Number.POSITIVE_INFINITY });
    }
    for (const { unit, least, most } of spans) {
      if (Number.isFinite(most)) greatest = Math.max(greatest, most);
      if (unit !== undefined && amount.unit !== undefined && unit !== amount.unit) continue;
      if (amount.value < least || amount.value > most) continue;
      // What has an end is closer than what has none; of two with one, the narrower; of two without, the later beginning.
      const width = Number.isFinite(most) ? most - least : Number.MAX_SAFE_INTEGER - least;
      if (found === undefined || width < found.width) found = { at, width };
    }
  }
  return found?.at;
}

function spansOf(rule: string, language: string | undefined): Span[] {
  return quantitiesOf(rule, language).flatMap(({ value, unit, start, end }): Span[] => {
    const bound = boundOf(rule, { start, end });
    if (bound === "most") return [{ unit, least: 0, most: value }];
    if (bound === "least") return [{ unit, least: value, most: Number.POSITIVE_INFINITY }];
    return [];
  });
}

/** Whether an amount in a text is the most or the least that may be, by the words right beside it. */
export function boundOf(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): "most" | "least" | undefined {
  const before = text.slice(Math.max(0, start - BEFORE), start);
  const after = text.slice(end, end + BEFORE);
  if (BEFORE_UP_TO.test(before) || BEHIND_UP_TO.test(after)) return "most";
  return BEFORE_FROM.test(before) || BEHIND_FROM.test(after) ? "least" : undefined;
}
