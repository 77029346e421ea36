/** Days, as people speak of them. Pure. */

/** What happened on one day. */
export interface Day<Item> {
  /** "Today", "Yesterday", a weekday of the last week, else the date; "" where nobody knows. */
  readonly title: string;
  readonly items: readonly Item[];
}

/**
 * Items by day, in the order they come in.
 * @param momentOf milliseconds since 1970; 0: not known
 * @param language BCP 47 tag; default: the browser's
 */
export function byDay<Item>(
  items: readonly Item[],
  momentOf: (item: Item) => number,
  language?: string,
  now: number = Date.now(),
): Day<Item>[] {
  const days: { title: string; day: number; items: Item[] }[] = [];
  for (const item of items) {
    const moment = momentOf(item);
    const day = moment === 0 ? Number.NaN : dayNumber(moment);
    const last = days.at(-1);
    if (last !== undefined && Object.is(last.day, day)) last.items.push(item);
    else days.push({ day, title: dayTitle(moment, language, now), items: [item] });
  }
  return days.map(({ title, items: of }) => ({ title, items: of }));
}

/** Days by the clock on the wall: a day of 23 or 25 hours is one. */
function dayNumber(moment: number): number {
  const date = new Date(moment);
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000;
}

function dayTitle(moment: number, language: string | undefined, now: number): string {
  if (moment === 0) return "";
  const ago = dayNumber(now) - dayNumber(moment);
  const spoken = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  if (ago === 0 || ago === 1) return capital(spoken.format(-ago, "day"), language);
  const isThisYear = new Date(moment).getFullYear() === new Date(now).getFullYear();
  const format: Intl.DateTimeFormatOptions =
    ago > 1 && ago < 7
      ? { weekday: "long" }
      : { day: "numeric", month: "long", ...(isThisYear ? {} : { year: "numeric" }) };
  return capital(new Date(moment).toLocaleDateString(language, format), language);
}

function capital(words: string, language: string | undefined): string {
  const [first = ""] = words;
  return first.toLocaleUpperCase(language) + words.slice(first.length);
}
