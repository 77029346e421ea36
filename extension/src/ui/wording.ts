/** Dates, sizes and hosts in the words of the person's own language. Pure. */

/** The language of the texts, with the region of the browser's language where it is the same: "de-AT", "en". */
export function languageOf(texts: string, browserLanguage: string): string {
  const browsers = browserLanguage.replaceAll("_", "-");
  return browsers.split("-", 1)[0] === texts ? browsers : texts;
}

/** Dates and numbers speak as the texts around them do. */
export const spoken = (): string | undefined => globalThis.document?.documentElement.lang || undefined;

/** The host of an address, in punycode, as far as there is one. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? "";
}

/** An address a person may open; undefined where a service says another kind of one. */
export function webAddress(link: string | null | undefined): string | undefined {
  const url = URL.parse(link ?? "");
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

/** A moment in words; what is no date is returned as it is. */
function inWords(moment: string | number, format: (isToday: boolean) => Intl.DateTimeFormatOptions): string {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return String(moment);
  return formatterOf(format(date.toDateString() === new Date().toDateString())).format(date);
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** One for each way to write a moment: making it anew for each row takes most of the time that a long list takes. */
function formatterOf(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const language = spoken();
  const name = JSON.stringify([language, options]);
  let formatter = formatters.get(name);
  if (formatter === undefined) formatters.set(name, (formatter = new Intl.DateTimeFormat(language, options)));
  return formatter;
}

/** A day, such as "21 Nov 2026". */
export const dayOf = (moment: string): string => inWords(moment, () => ({ dateStyle: "medium" }));

/** A moment, as ISO 8601 or in milliseconds since 1970: the time for today, else the day. */
export const momentOf = (moment: string | number): string =>
  inWords(moment, (isToday) => (isToday ? { timeStyle: "short" } : { dateStyle: "medium" }));

/** The time of a moment whose day stands elsewhere; "" for 0, which stands for none. */
export const clockOf = (moment: number): string =>
  moment === 0 ? "" : inWords(moment, () => ({ timeStyle: "short" }));

/** A moment to come: the time for today, else day and time. */
export const untilText = (moment: string): string =>
  inWords(moment, (isToday) => ({ dateStyle: isToday ? undefined : "medium", timeStyle: "short" }));

/** The beginning of a text, with a sign where it goes on after so many characters. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).toWellFormed().trimEnd()}…`;

/** A number with the separators of the person's language. */
export function countOf(count: number): string {
  return count.toLocaleString(spoken());
}

/** Share of a whole as a percentage, never 0 % of something and never 100 % of less than all. */
export function percentOf(part: number, whole: number): string {
  const share = whole === 0 ? 0 : Math.min(0.99, Math.max(0.01, part / whole));
  return share.toLocaleString(spoken(), { style: "percent", maximumFractionDigits: 0 });
}
