/** Which week a digest is of. Pure. */
import type { DigestTime } from "../../rules/rules.ts";

const DAY_MS = 86_400_000;

/**
 * The week, by its Monday (`2026-11-23`), whose digest came due last: the moment of the rules lies in it, and is past. So one
 * that was due while nothing ran is still due, and a clock that is set back names an earlier week.
 */
export function weekDue(now: number, { day, hour, minute, zone }: DigestTime): string {
  const local = localTime(now, zone);
  const today = Date.UTC(local.year, local.month - 1, local.day);
  // 1 is Monday.
  const weekday = new Date(today).getUTCDay() || 7;
  const monday = today - (weekday - 1) * DAY_MS;
  const isPast = weekday > day || (weekday === day && local.hour * 60 + local.minute >= hour * 60 + minute);
  return new Date(isPast ? monday : monday - 7 * DAY_MS).toISOString().slice(0, 10);
}

function localTime(now: number, timeZone: string | undefined) {
  const numeric = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric" } as const;
  const clock = new Intl.DateTimeFormat("en-GB", { ...numeric, hourCycle: "h23", ...(timeZone && { timeZone }) });
  const parts = new Map(clock.formatToParts(now).map(({ type, value }) => [type, Number(value)]));
  const of = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  return { year: of("year"), month: of("month"), day: of("day"), hour: of("hour"), minute: of("minute") };
}
