/** Dates, years, days of the week and times of day in a text, as they are written in each language. */
import { clockTimesOf } from "./clock.ts";
import { centuriesOf, namedDatesOf, numericDatesOf, signDatesOf, weekdaysOf, yearsOf } from "./dates.ts";
import type { Moment } from "./moment.ts";
import { lexiconFor } from "./lexicon/all.ts";
import { MAX_TEXT, plainDigits, tokensOf } from "./tokens.ts";

/** The dates and times of a text, in order. `language` is a BCP 47 tag; by default it is told from the text. */
export function momentsOf(text: string, language?: string): Moment[] {
  const head = text.slice(0, MAX_TEXT);
  const lexicon = lexiconFor(language, head);
  const plain = /[^\P{Nd}0-9]/u.test(head) ? head.replace(/\p{Nd}/gu, plainDigits) : head;
  const scene = { text: plain, tokens: tokensOf(plain), lexicon };
  const taken = new Uint8Array(plain.length);
  const moments: Moment[] = [];
  for (const read of [signDatesOf, numericDatesOf, namedDatesOf, centuriesOf, clockTimesOf, yearsOf, weekdaysOf]) {
    for (const moment of read(scene)) {
      if (taken.subarray(moment.start, moment.end).includes(1)) continue;
      taken.fill(1, moment.start, moment.end);
      moments.push(moment);
    }
  }
  return moments.toSorted((one, other) => one.start - other.start);
}
