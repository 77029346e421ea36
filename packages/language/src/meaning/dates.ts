/** The ways a date is written; each reader finds one, and moments.ts lets the first of them that reads a place have it. */
import { calendarOf, eraStart } from "./calendar.ts";
import type { Moment, Scene } from "./moment.ts";
import { hanNumberAt, wordNumberAt } from "./number-words.ts";
import { hitAt, phrasesOf } from "./phrases.ts";
import type { Token } from "./tokens.ts";
import { unitAt } from "./units.ts";

const DIGITS = "[0-9]{1,4}|[〇零一二三四五六七八九十百千]{1,6}";
const SIGN_DATE = new RegExp(
  `(公元前|紀元前|纪元前|西元前|기원전\\s?)?(?:(?:(?<=([\\p{Script=Han}]{2}))|(?<!\\p{Script=Han}{2}))(元|${DIGITS})\\s?[年년](?![間间岁前后後以内代])\\s?)?(?:(${DIGITS})\\s?[月월](?![間间])\\s?(?:(${DIGITS})\\s?[日号號일](?![間间]))?)?`,
  "gu",
);

/** 2021年3月3日, 令和3年, 三月, 2021년 3월 3일. */
export function signDatesOf({ text }: Scene): Moment[] {
  if (!/[年月년월]/.test(text)) return [];
  const found: Moment[] = [];
  for (const match of text.matchAll(SIGN_DATE)) {
    const [whole, before, era, yearWritten, monthWritten, dayWritten] = match;
    if (yearWritten === undefined && monthWritten === undefined) continue;
    const start = match.index;
    const written = numberOf(yearWritten);
    const origin = era === undefined ? undefined : eraStart(era);
    const isDuration =
      yearWritten !== undefined &&
      monthWritten === undefined &&
      origin === undefined &&
      before === undefined &&
      !isYearLike(yearWritten);
    if (isDuration) continue;
    const year = written === undefined ? undefined : (origin ?? 0) + written * (before === undefined ? 1 : -1);
    const month = numberOf(monthWritten);
    if (month !== undefined && (month < 1 || month > 12)) continue;
    const day = numberOf(dayWritten);
    found.push(
      withoutGaps({
        year,
        month,
        day,
        start: origin === undefined ? start : start - (era?.length ?? 0),
        end: start + whole.trimEnd().length,
      }),
    );
  }
  return found;
}

/** "1868年" is a year, "10年" may be ten years: years have three digits or more, and 二〇二一 is spelled out. */
function isYearLike(written: string): boolean {
  return /^[0-9]{3,4}$/.test(written) || /^[〇零一二三四五六七八九]{4}$/.test(written);
}

function numberOf(written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  if (written === "元") return 1;
  return /^[0-9]/.test(written) ? Number(written) : hanNumberAt(written)?.value;
}

/** Fields that are undefined are left out, so that moments compare by what they say. */
function withoutGaps(
  moment: { [Key in keyof Moment]: Moment[Key] | undefined } & { start: number; end: number },
): Moment {
  return Object.fromEntries(Object.entries(moment).filter(([, value]) => value !== undefined)) as unknown as Moment;
}

const ISO = /(?<![0-9./-])([12][0-9]{3})([-/.])(0?[1-9]|1[0-2])(?:\2(3[01]|[12][0-9]|0?[1-9]))?(?![0-9]|[-/.][0-9])/g;
const DAY_FIRST = /(?<![0-9./-])([0-9]{1,2})([./-])\s?([0-9]{1,2})\2\s?([12][0-9]{3}|[0-9]{2})(?![0-9]|[-/.][0-9])/g;
const WITHOUT_YEAR = /(?<![0-9./-])(0?[1-9]|[12][0-9]|3[01])\.(0?[1-9]|1[0-2])\.(?![0-9])/g;

/** 2021-03-03, 3.3.2021, 03/04/2021. Where English leaves open which is the month, only the year is said. */
export function numericDatesOf({ text, lexicon }: Scene): Moment[] {
  const found: Moment[] = [];
  for (const match of text.matchAll(ISO)) {
    const [whole, year, mark, month, day] = match;
    if (day === undefined && mark !== "-") continue;
    found.push(
      withoutGaps({
        year: Number(year),
        month: Number(month),
        day: day === undefined ? undefined : Number(day),
        start: match.index,
        end: match.index + whole.length,
      }),
    );
  }
  for (const match of text.matchAll(DAY_FIRST)) {
    const [whole, first, mark, second, written = ""] = match;
    if (written.length === 2 && mark !== "/" && mark !== ".") continue;
    const parts = dayAndMonth(Number(first), Number(second), lexicon.language === "en" && mark !== ".");
    if (parts === undefined || (written.length === 2 && lexicon.language === "en" && mark === ".")) continue;
    const year = written.length === 4 ? Number(written) : Number(written) + (Number(written) < 70 ? 2000 : 1900);
    found.push(withoutGaps({ year, ...parts, start: match.index, end: match.index + whole.length }));
  }
  if (["de", "cs", "pl", "no", "da", "fi", "ru", "uk"].includes(lexicon.language)) {
    for (const match of text.matchAll(WITHOUT_YEAR)) {
      found.push({
        day: Number(match[1]),
        month: Number(match[2]),
        start: match.index,
        end: match.index + match[0].length,
      });
    }
  }
  return found;
}

function dayAndMonth(first: number, second: number, isOpen: boolean): { day?: number; month?: number } | undefined {
  if (first < 1 || second < 1 || first > 31 || second > 31 || (first > 12 && second > 12)) return undefined;
  if (second > 12) return { month: first, day: second };
  if (isOpen && first <= 12 && first !== second) return {};
  return { day: first, month: second };
}

/** Month names that are other words too: they need a number or a word of time beside them. */
const AMBIGUOUS: ReadonlySet<string> = new Set("may march mars mart mei maj mai ocak ekim mar sept".split(" "));
const BEFORE_MONTH: ReadonlySet<string> = new Set(
  "in of by since until till last next early late mid from this through to en im mois de i på w v depuis".split(" "),
);
const ORDINAL_ENDS: ReadonlySet<string> = new Set("st nd rd th er e o a го е й ого ое an en".split(" "));
const OF: ReadonlySet<string> = new Set("de del di do of the el le den d von tháng".split(" "));

/** "3 March 2021", "March 3rd, 2021", "3 de marzo de 2021", "3 марта", "ngày 3 tháng 3 năm 2021". */
export function namedDatesOf(scene: Scene): Moment[] {
  const { tokens, lexicon } = scene;
  const calendar = calendarOf(lexicon.language);
  const found: Moment[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const long = hitAt(calendar.months, tokens, at) ?? vietnameseMonth(scene, at);
    const hit = long ?? hitAt(calendar.shortMonths, tokens, at);
    if (hit === undefined) continue;
    const before = dayBefore(scene, at);
    const after = dayAfter(scene, hit.end);
    const year = yearAfter(scene, after?.end ?? hit.end);
    const isAlone = before === undefined && after === undefined && year === undefined;
    if (isAlone && (long === undefined || !standsAlone(scene, at))) continue;
    const day = before?.day ?? after?.day;
    const last = tokens[(year?.end ?? (before === undefined ? after?.end : undefined) ?? hit.end) - 1];
    const first = tokens[before?.at ?? at];
    if (first === undefined || last === undefined) continue;
    found.push(withoutGaps({ year: year?.year, month: Number(hit.key), day, start: first.start, end: last.end }));
    at = hit.end - 1;
  }
  return found;
}

function vietnameseMonth({ tokens, lexicon }: Scene, at: number) {
  const next = tokens[at + 1];
  if (lexicon.language !== "vi" || tokens[at]?.text !== "thang" || next?.isNumber !== true) return undefined;
  const month = Number(next.text);
  return month >= 1 && month <= 12 ? { key: String(month), start: at, end: at + 2 } : undefined;
}

function standsAlone({ tokens }: Scene, at: number): boolean {
  const token = tokens[at];
  if (token === undefined || !AMBIGUOUS.has(token.text)) return true;
  return BEFORE_MONTH.has(tokens[at - 1]?.text ?? "");
}

function dayBefore({ text, tokens }: Scene, month: number): { readonly day: number; readonly at: number } | undefined {
  for (let at = month - 1; at >= Math.max(0, month - 3); at--) {
    const token = tokens[at];
    const next = tokens[at + 1];
    if (token === undefined || next === undefined || next.start - token.end > 3) return undefined;
    if (token.isNumber) {
      const day = Number(token.text);
      return day >= 1 &&
        day <= 31 &&
        token.text.length <= 2 &&
        !/[.,:/-]$/.test(text.slice(Math.max(0, token.start - 1), token.start))
        ? { day, at }
        : undefined;
    }
    if (!ORDINAL_ENDS.has(token.text) && !OF.has(token.text)) return undefined;
  }
  return undefined;
}

function dayAfter(
  { text, tokens, lexicon }: Scene,
  from: number,
): { readonly day: number; readonly end: number } | undefined {
  const token = tokens[from];
  const before = tokens[from - 1];
  if (token === undefined || before === undefined || !token.isNumber || token.text.length > 2) return undefined;
  if (!["en", "hu", "ar", "fa", "hi"].includes(lexicon.language) || token.start - before.end > 2) return undefined;
  const day = Number(token.text);
  if (day < 1 || day > 31 || /^[:.,]?[0-9]/.test(text.slice(token.end, token.end + 2))) return undefined;
  const next = tokens[from + 1];
  const isOrdinal = next !== undefined && next.start === token.end && ORDINAL_ENDS.has(next.text);
  return { day, end: from + (isOrdinal ? 2 : 1) };
}

function yearAfter({ tokens }: Scene, from: number): { readonly year: number; readonly end: number } | undefined {
  for (let at = from; at < Math.min(tokens.length, from + 2); at++) {
    const token = tokens[at];
    const before = tokens[at - 1];
    if (token === undefined || before === undefined || token.start - before.end > 3) return undefined;
    if (token.isNumber)
      return /^[12][0-9]{3}$/.test(token.text) ? { year: Number(token.text), end: at + 1 } : undefined;
    if (!OF.has(token.text) && token.text !== "nam" && token.text !== "عام" && token.text !== "سنه") return undefined;
  }
  return undefined;
}

const CENTURIES = phrasesOf({
  century:
    "century | centuries | jahrhundert* | siecle* | siglo* | secolo | secoli | seculo | seculos | secol* | eeuw | arhundrade* | århundred* | århundre* | век | века | веке | веков | веках | столет* | столітт* | " +
    "wiek | wieku | wieki | stoleti | vuosisa* | szazad* | αιωνα* | αιωνας | yuzyil* | قرن | القرن | מאה | शताब्दी | सदी | 세기 | 世紀 | 世纪 | the ky | abad | ศตวรรษ",
});
const ROMAN = /^[ivx]{1,5}e?$/;

/** "19th century", "XIXe siècle", "القرن التاسع عشر", "19世紀"; "1990s", "1990er", "1990年代". */
export function centuriesOf(scene: Scene): Moment[] {
  const { text, tokens } = scene;
  const found: Moment[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const hit = hitAt(CENTURIES, tokens, at);
    const last = tokens[(hit?.end ?? 0) - 1];
    if (hit === undefined || last === undefined) continue;
    const number = centuryNear(scene, at, hit.end);
    if (number === undefined) continue;
    found.push({
      year: (number.value - 1) * 100 + 1,
      years: 100,
      start: number.start,
      end: Math.max(number.end, last.end),
    });
  }
  for (const match of text.matchAll(DECADE)) {
    const written = match[1] ?? match[2] ?? "";
    const year = written.length === 4 ? Number(written) : 1900 + Number(written);
    found.push({
      year,
      years: year % 100 === 0 && match[0].includes("tal") ? 100 : 10,
      start: match.index,
      end: match.index + match[0].length,
    });
  }
  return found;
}

const DECADE =
  /(?<![0-9])([12][0-9]{2}0)\s?(?:['’]?s\b|er(?:n|[- ]Jahren?)?\b|er-Jahren?\b|[-‑]?[хе](?:\s|$|[,.)])|年代|년대|-talet|-tallet)|(?:années|años|anni|anos|'|’|上世纪|世纪)\s?([2-9]0)(?:s\b|年代|\b)/gu;

function centuryNear(scene: Scene, at: number, end: number) {
  const { tokens } = scene;
  for (const index of [at - 1, at - 2, end, end + 1]) {
    const token = tokens[index];
    if (token === undefined) continue;
    const value = ordinalAt(scene, index);
    if (value !== undefined && value >= 1 && value <= 30) {
      return { value, start: Math.min(token.start, tokens[at]?.start ?? token.start), end: token.end };
    }
    // Only an ending ("19th", "19-го") or an article stands between.
    if (index < at && !ORDINAL_ENDS.has(token.text) && token.text.length > 3) return afterCentury(scene, at, end);
  }
  return undefined;
}

function afterCentury(scene: Scene, at: number, end: number) {
  const token = scene.tokens[end];
  const value = token === undefined ? undefined : ordinalAt(scene, end);
  const first = scene.tokens[at];
  if (token === undefined || first === undefined || value === undefined || value < 1 || value > 30) return undefined;
  return { value, start: first.start, end: token.end };
}

const LATIN_TENS: Readonly<Record<string, number>> = {
  nineteenth: 19,
  eighteenth: 18,
  neunzehnten: 19,
  achtzehnten: 18,
  zwanzigsten: 20,
  девятнадцатого: 19,
  девятнадцатом: 19,
  двадцатого: 20,
  восемнадцатого: 18,
};

function ordinalAt({ text, tokens, lexicon }: Scene, at: number): number | undefined {
  const token = tokens[at];
  if (token === undefined) return undefined;
  if (token.isNumber) return token.text.length <= 2 ? Number(token.text) : undefined;
  if (ROMAN.test(token.text) && /^[IVX]/.test(token.raw)) return romanOf(token.text);
  if (lexicon.isUnspaced && /[一二三四五六七八九十]/.test(token.raw)) {
    let start = token.start;
    while (/[一二三四五六七八九十]/.test(text[start - 1] ?? "")) start--;
    return hanNumberAt(text.slice(start, start + 4))?.value;
  }
  const known = LATIN_TENS[token.text];
  if (known !== undefined) return known;
  const word = wordNumberAt(lexicon, text, tokens, at);
  // "التاسع عشر": ten more.
  if (word !== undefined && lexicon.language === "ar" && tokens[word.end]?.text === "عشر") return word.value + 10;
  return word?.isOrdinal === true ? word.value : undefined;
}

function romanOf(written: string): number {
  const values: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10 };
  let total = 0;
  for (const [index, letter] of [...written].entries()) {
    const value = values[letter] ?? 0;
    total += value < (values[written[index + 1] ?? ""] ?? 0) ? -value : value;
  }
  return total;
}

const NOT_BEFORE = /[\p{Nd}][.,:/]$|[$€£¥#+.:/₹]$|[$€£¥]\s$|[\p{L}_]$|\p{L}-$/u;
const NOT_AFTER = /^(?:[.,:/]\p{Nd}|[%‰€$£°]|\s[%€]|[_\p{Lu}]|-\p{Lu})/u;
const OLD =
  /^\s?(?:(BCE?|B\.C\.|v\. ?Chr|av\. ?J|a\. ?C|до н|ق\.? ?م|π\.Χ|p\.n\.e|př)|(AD\b|A\.D\.|CE\b|n\. ?Chr|apr?\. ?J|d\. ?C|н\. ?э|م\b))/u;
const YEAR_WORD =
  /(?:\b(?:year|Jahre?s?|année|an|año|ano|anno|året|jaar|AD|rok|roku|vuonna|yıl|tahun|năm)|году?|год[ау]|عام|سنة|سال|שנת|พ\.ศ\.|ค\.ศ\.|ปี)\s?$/u;
/** Cases in which "1990 года" is a year, and "10 лет" is ten of them. */
const YEAR_AFTER = /^\s?(?:г(?:\.|ода?|оду|г\.)?|р(?:\.|оку|ік|оці)|r\.|roku|roce|жыл|में|साल|वर्ष)(?![\p{L}])/u;

/** Years that stand alone: 1000 to 2100, and others where a word says so. */
export function yearsOf({ text, tokens, lexicon }: Scene): Moment[] {
  const found: Moment[] = [];
  for (const [at, token] of tokens.entries()) {
    if (!token.isNumber || token.text.length > 4) continue;
    const before = text.slice(Math.max(0, token.start - 12), token.start);
    const after = text.slice(token.end, token.end + 8);
    const value = Number(token.text);
    const old = OLD.exec(after);
    if (old !== null && value > 0) {
      const isBefore = old[1] !== undefined;
      found.push({ year: isBefore ? -value : value, start: token.start, end: token.end + old[0].length });
      continue;
    }
    if (
      value > 0 &&
      (YEAR_WORD.test(before) || (token.text.length > 2 && YEAR_AFTER.test(after))) &&
      (token.text.length > 2 || /AD\s?$/.test(before)) &&
      // "este año 210 euros"
      unitAt(lexicon, text, tokens, at + 1)?.isKnown !== true
    ) {
      found.push({ year: value, start: token.start, end: token.end });
      continue;
    }
    if (token.text.length !== 4 || value < 1000 || value > 2100) continue;
    if (NOT_BEFORE.test(before) || NOT_AFTER.test(after)) continue;
    if (/(?:ISO|DIN|RFC|IEC|EN|No\.?|№|Nr\.?|page|Seite|п\.|ст\.)\s?$/u.test(before)) continue;
    const unit = unitAt(lexicon, text, tokens, at + 1);
    if (unit?.isKnown === true && !lexicon.isUnspaced) continue;
    found.push({ year: value, start: token.start, end: token.end });
  }
  return found;
}

/** Days of the week by name. */
export function weekdaysOf({ tokens, lexicon }: Scene): Moment[] {
  const { weekdays } = calendarOf(lexicon.language);
  const found: Moment[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const hit = hitAt(weekdays, tokens, at) ?? plural(weekdays, tokens, at);
    const first = tokens[at];
    const last = tokens[(hit?.end ?? 0) - 1];
    if (hit === undefined || first === undefined || last === undefined) continue;
    found.push({ weekday: Number(hit.key), start: first.start, end: last.end });
    at = hit.end - 1;
  }
  return found;
}

/** "Mondays", "montags". */
function plural(weekdays: Parameters<typeof hitAt<string>>[0], tokens: readonly Token[], at: number) {
  const token = tokens[at];
  if (token === undefined || !token.text.endsWith("s") || token.text.length < 6) return undefined;
  return hitAt(weekdays, [{ ...token, text: token.text.slice(0, -1) }], 0) === undefined
    ? undefined
    : { key: hitAt(weekdays, [{ ...token, text: token.text.slice(0, -1) }], 0)?.key ?? "1", start: at, end: at + 1 };
}
