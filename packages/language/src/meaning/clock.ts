/** Times of day: 3 PM, 15:00, 15 Uhr, 15h30, 午後3時, في الساعة 3 مساء. */
import type { Moment, Scene } from "./moment.ts";

const DIGITAL =
  /(?<![0-9.:/])([01]?[0-9]|2[0-4])[:：]([0-5][0-9])(?::[0-5][0-9])?(?![0-9]|[:/][0-9])(?:\s?([ap])\.?\s?m\b\.?|\s?(Uhr))?/giu;
const HALF_DAY = /(?<![0-9.:,/])(1[0-2]|0?[1-9])(?:[:.]([0-5][0-9]))?\s?([ap])\.?\s?m\b\.?/giu;
const HOURS =
  /(?<![0-9.:,/])([01]?[0-9]|2[0-4])(?:[.:]([0-5][0-9]))?\s?(?:Uhr(?:\s([0-5][0-9]))?|h([0-5][0-9])?(?![\p{L}0-9]))/gu;
const SIGNS =
  /(午前|午後|上午|下午|早上|晚上|凌晨|中午|오전\s?|오후\s?|夜)?([0-9]{1,2})\s?[時时点點시](?![間间代期])(?:\s?([0-9]{1,2})\s?[分분]|(半))?/gu;
const AFTER_WORD =
  /(?:(?<!\p{L})(?:à|vers|dès|a las?|às|alle|ore|kl\.?|klo|klokken|om|at|saat|pukul|jam|lúc|o|v|um|в|о)|الساعة|ساعت|בשעה|στις|ώρα)\s([01]?[0-9]|2[0-4])(?:[:.]([0-5][0-9]))?\s?(heures?|horas?|часов|часа|час|годині|uur|hodin|órakor|giờ|o'clock|صباحا|صباحًا|مساء|مساءً|ظهرا|de la (?:mañana|tarde|noche)|утра|вечера|дня|ночи)(?!\p{L})/giu;
const NAMED =
  /\b(noon|midnight|Mitternacht|midi|minuit|mediodía|medianoche)\b|(正午|полдень|полночь|полночи|منتصف الليل)/giu;

const LATE = /^(?:p|午後|下午|晚上|오후|夜|مساء|de la (?:tarde|noche)|вечера|дня)/iu;

/** The times of day of a text. */
export function clockTimesOf({ text, lexicon }: Scene): Moment[] {
  const found: Moment[] = [];
  const add = (
    match: RegExpExecArray,
    hour: string | undefined,
    minute: string | undefined,
    half: string | undefined,
  ): void => {
    const value = Number(hour) + (half !== undefined && LATE.test(half.trim()) && Number(hour) < 12 ? 12 : 0);
    const isMidnight = half !== undefined && /^(?:a|午前|凌晨|오전)/i.test(half) && Number(hour) === 12;
    const time = { hour: isMidnight ? 0 : value, start: match.index, end: match.index + match[0].trimEnd().length };
    found.push(minute === undefined ? time : { ...time, minute: Number(minute) });
  };
  for (const match of text.matchAll(DIGITAL)) add(match, match[1], match[2], match[3]);
  for (const match of text.matchAll(HALF_DAY)) add(match, match[1], match[2], match[3]);
  if (/Uhr|[0-9]\s?h/.test(text)) {
    for (const match of text.matchAll(HOURS)) {
      const isUhr = match[0].includes("Uhr");
      // "24 h" is a duration in most languages; "15h" is a time where hours are written so.
      if (isUhr || (["fr", "pt", "es", "ro"].includes(lexicon.language) && !/\sh$/.test(match[0])))
        add(match, match[1], match[2] ?? match[3] ?? match[4], undefined);
    }
  }
  if (/[時时点點시]/.test(text)) {
    for (const match of text.matchAll(SIGNS))
      if (Number(match[2]) <= 24 && !isScore(text, match))
        add(match, match[2], match[4] === undefined ? match[3] : "30", match[1]);
  }
  for (const match of text.matchAll(AFTER_WORD)) add(match, match[1], match[2], match[3]);
  for (const match of text.matchAll(NAMED)) {
    const word = match[0].toLowerCase();
    const isNoon = /noon|^midi$|mediod|正午|полдень/.test(word);
    found.push({ hour: isNoon ? 12 : 0, start: match.index, end: match.index + match[0].length });
  }
  return found;
}

/** "3点" counts in Japanese, and "3시" never does; "第3時" is an ordinal. */
function isScore(text: string, match: RegExpExecArray): boolean {
  return match[0].includes("点") && /[\p{Script=Hiragana}]/u.test(text) && match[1] === undefined;
}
