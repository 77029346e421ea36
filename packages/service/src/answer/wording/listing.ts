/** Lists and dates as a language writes them. */

/** "a, b and c". */
export function allOf(items: readonly string[], language: string): string {
  return new Intl.ListFormat(language, { type: "conjunction" }).format(items);
}

/** "a, b or c". */
export function anyOf(items: readonly string[], language: string): string {
  return new Intl.ListFormat(language, { type: "disjunction" }).format(items);
}

/** "a, b ni c": as `allOf`, with another word before the last item, which `Intl` does not know. */
export function noneOf(items: readonly string[], language: string, word: string): string {
  const parts = new Intl.ListFormat(language, { type: "conjunction" }).formatToParts(items);
  const last = parts.findLastIndex(({ type }) => type === "literal");
  return parts.map(({ value }, index) => (index === last ? ` ${word} ` : value)).join("");
}

/**
 * A day, in UTC: the service does not know where whoever asks is, and the same answer must read the same everywhere.
 * Undefined where the text is no date.
 */
export function dayOf(date: string | null | undefined, language: string): string | undefined {
  const time = date === null || date === undefined ? Number.NaN : Date.parse(date);
  if (Number.isNaN(time)) return undefined;
  return new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(time);
}

/** A number with its thousands parted as the language parts them. */
export function counted(number: number, language: string): string {
  return new Intl.NumberFormat(language).format(number);
}
