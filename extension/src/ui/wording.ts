/** Dates, sizes and hosts in the words of the person's own language. Pure. */

/** The language of the texts, with the region of the browser's language where it is the same: "de-AT", "en". */
export function languageOf(texts: string, browserLanguage: string): string {
  const browsers = browserLanguage.replaceAll("_", "-");
  return browsers.split("-", 1)[0] === texts ? browsers : texts;
}

/** Dates and numbers speak as the texts around them do. */
const spoken = (): string | undefined => globalThis.document?.documentElement.lang || undefined;

/** The host of an address, in punycode, as far as there is one. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? "";
}

/** A day, such as "21 Nov 2026"; what is no date is returned as it is. */
export function dayOf(moment: string): string {
  const date = new Date(moment);
  return Number.isNaN(date.getTime()) ? moment : date.toLocaleDateString(spoken(), { dateStyle: "medium" });
}

/** A moment: the time for today, else the day. */
export function momentOf(moment: string, now: Date = new Date()): string {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return moment;
  if (date.toDateString() !== now.toDateString()) return dayOf(moment);
  return date.toLocaleTimeString(spoken(), { timeStyle: "short" });
}

/** A moment to come: the time for today, else day and time; what is no date is returned as it is. */
export function untilText(moment: string, now: Date = new Date()): string {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return moment;
  const isToday = date.toDateString() === now.toDateString();
  return date.toLocaleString(spoken(), { ...(isToday ? {} : { dateStyle: "medium" }), timeStyle: "short" });
}

/** A number with the separators of the person's language. */
export function countOf(count: number): string {
  return count.toLocaleString(spoken());
}

/** Share of a whole as a percentage, never 0 % of something and never 100 % of less than all. */
export function percentOf(part: number, whole: number): string {
  const share = whole === 0 ? 0 : Math.min(0.99, Math.max(0.01, part / whole));
  return share.toLocaleString(spoken(), { style: "percent", maximumFractionDigits: 0 });
}
