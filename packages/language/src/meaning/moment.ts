/** A date or time as it is said, and when two of them agree. */
import type { CompiledLexicon } from "./lexicon/all.ts";
import type { Token } from "./tokens.ts";

/** A point or stretch of time; what is not said is absent. */
export interface Moment {
  /** Gregorian; negative before our era (44 BC: -44). Of a decade or century its first year. */
  readonly year?: number;
  /** How many years: 10 a decade, 100 a century. Default: 1. */
  readonly years?: number;
  /** 1 to 12; of a quarter its first month. */
  readonly month?: number;
  /** How many months: 3 a quarter. Default: 1. */
  readonly months?: number;
  /** 1 to 31. */
  readonly day?: number;
  /** 1 (Monday) to 7. */
  readonly weekday?: number;
  /** 0 to 24. */
  readonly hour?: number;
  /** 0 to 59; absent where only the hour is said. */
  readonly minute?: number;
  /** UTF-16 offsets; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** A text with its digits as 0-9, as the readers of dates take it. */
export interface Scene {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly lexicon: CompiledLexicon;
}

/** Whether two moments may be the same one: what both say is equal, and they share something. A year agrees with its decade. */
export function agrees(one: Moment, other: Moment): boolean {
  let shared = 0;
  for (const field of ["day", "weekday", "hour"] as const) {
    if (one[field] === undefined || other[field] === undefined) continue;
    if (one[field] !== other[field]) return false;
    shared++;
  }
  if (one.hour !== undefined && other.hour !== undefined && (one.minute ?? 0) !== (other.minute ?? 0)) return false;
  for (const [field, length] of [
    ["year", "years"],
    ["month", "months"],
  ] as const) {
    const first = one[field];
    const second = other[field];
    if (first === undefined || second === undefined) continue;
    if (first >= second + (other[length] ?? 1) || second >= first + (one[length] ?? 1)) return false;
    shared++;
  }
  return shared > 0;
}

/** Whether two moments say the same, to the same precision. */
export function sameMoment(one: Moment, other: Moment): boolean {
  const keys = ["year", "years", "month", "months", "day", "weekday", "hour"] as const;
  return keys.every((key) => one[key] === other[key]) && (one.minute ?? 0) === (other.minute ?? 0);
}
