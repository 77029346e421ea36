/** Names of months and days of the week in every language, from the runtime's own tables; eras of Japan. */
import { type Phrases, phrasesOf } from "./phrases.ts";
import { foldWord } from "../folding.ts";

/** A language's names. Keys are numbers as text: months 1 to 12, weekdays 1 (Monday) to 7. */
export interface Calendar {
  readonly months: Phrases<string>;
  /** Abbreviations, which are other words as well: they count only beside a number. */
  readonly shortMonths: Phrases<string>;
  readonly weekdays: Phrases<string>;
}

const calendars = new Map<string, Calendar>();

/** The Levant and Egypt name the months differently; both are read as Arabic. */
const VARIANTS: Readonly<Record<string, readonly string[]>> = {
  ar: ["ar-EG-u-ca-gregory", "ar-SY-u-ca-gregory", "ar-MA-u-ca-gregory"],
  fa: ["fa-u-ca-gregory"],
  th: ["th-u-ca-gregory"],
  en: ["en"],
};
/** Languages whose cases change a month's ending. */
const DECLINED: ReadonlySet<string> = new Set(["ru", "uk", "pl", "cs", "el", "fi", "hu", "tr"]);

/** The names of a language's months and weekdays. */
export function calendarOf(language: string): Calendar {
  const known = calendars.get(language);
  if (known !== undefined) return known;
  const locales = VARIANTS[language] ?? [language];
  const calendar = {
    months: phrasesOf(
      listsOf(12, (month) => locales.flatMap((locale) => monthForms(locale, month, "long", DECLINED.has(language)))),
    ),
    shortMonths: phrasesOf(
      listsOf(12, (month) => locales.flatMap((locale) => monthForms(locale, month, "short", false))),
    ),
    weekdays: phrasesOf(
      listsOf(7, (day) => locales.flatMap((locale) => weekdayForms(locale, day, DECLINED.has(language)))),
    ),
  };
  calendars.set(language, calendar);
  return calendar;
}

function listsOf(count: number, namesOf: (index: number) => readonly string[]): Record<string, string> {
  const lists: Record<string, string> = {};
  for (let index = 1; index <= count; index++) lists[String(index)] = namesOf(index).join(" | ");
  return lists;
}

function monthForms(locale: string, month: number, length: "long" | "short", isDeclined: boolean): string[] {
  const date = new Date(Date.UTC(2021, month - 1, 15));
  const alone = new Intl.DateTimeFormat(locale, { month: length, timeZone: "UTC" });
  const within = new Intl.DateTimeFormat(locale, { day: "numeric", month: length, timeZone: "UTC" });
  const part = within.formatToParts(date).find(({ type }) => type === "month")?.value ?? "";
  return formsOf([alone.format(date), part], isDeclined);
}

function weekdayForms(locale: string, day: number, isDeclined: boolean): string[] {
  // 1 February 2021 was a Monday.
  const date = new Date(Date.UTC(2021, 1, day));
  return formsOf([new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" }).format(date)], isDeclined);
}

function formsOf(names: readonly string[], isDeclined: boolean): string[] {
  const words = names
    .map((name) => name.replace(/[.،,]/g, "").trim())
    .filter((name) => /^\p{L}[\p{L}\p{M}\s]*$/u.test(name));
  const stems = isDeclined ? words.flatMap((word) => stemOf(foldWord(word)) ?? []) : [];
  return [...new Set([...words, ...stems])];
}

/** "января", "январе": all but the last vowel; short names would be the beginning of other words. */
function stemOf(word: string): string | undefined {
  const stem = word.replace(/[aeiouyаеиоуыьяюйіοςαυη]+$/u, "");
  return stem.length >= (/\p{Script=Cyrillic}/u.test(stem) ? 3 : 5) && !/^мар?$/u.test(stem) ? `${stem}*` : undefined;
}

const MODERN: Readonly<Record<string, number>> = { 令和: 2018, 平成: 1988, 昭和: 1925, 大正: 1911, 明治: 1867 };
let older: Map<string, number> | undefined;

/** The year before an era of Japan began, so that its first year is one more; absent where it is no era's name. */
export function eraStart(name: string): number | undefined {
  return MODERN[name] ?? olderEras().get(name);
}

/** Some 240 eras before 1868, asked of the runtime once, the first time one is met. */
function olderEras(): Map<string, number> {
  if (older !== undefined) return older;
  older = new Map();
  const format = new Intl.DateTimeFormat("ja-JP-u-ca-japanese", { era: "long", year: "numeric", timeZone: "UTC" });
  for (let year = 645; year < 1868; year++) {
    const parts = format.formatToParts(new Date(Date.UTC(year, 11, 15)));
    const era = parts.find(({ type }) => type === "era")?.value ?? "";
    const written = parts.find(({ type }) => type === "year")?.value ?? "";
    const count = written === "元" ? 1 : Number.parseInt(written, 10);
    if (era !== "" && !older.has(era) && count > 0) older.set(era, year - count);
  }
  return older;
}
