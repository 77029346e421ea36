/** When somebody is at work, so that nobody is reminded at night. Pure. */

const STEP_MS = 15 * 60_000;
const HOUR_MS = 3_600_000;
/** Longer than any weekend. */
const MAX_STEPS = (4 * 24 * HOUR_MS) / STEP_MS;
const [FIRST_HOUR, LAST_HOUR] = [9, 17];

/**
 * The first moment from `at` on that lies between nine and five on a weekday of a time zone (an IANA name); `at` itself where
 * none is known. Milliseconds since 1970.
 */
export function workingMoment(at: number, timezone: string | undefined): number {
  const clock = clockOf(timezone);
  if (clock === undefined) return at;
  if (isWorking(clock, at)) return at;
  const start = Math.ceil(at / STEP_MS) * STEP_MS;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const moment = start + step * STEP_MS;
    if (isWorking(clock, moment)) return moment;
  }
  return at;
}

function clockOf(timeZone: string | undefined): Intl.DateTimeFormat | undefined {
  try {
    const parts = { weekday: "short", hour: "2-digit", hourCycle: "h23" } as const;
    return timeZone === undefined ? undefined : new Intl.DateTimeFormat("en-GB", { ...parts, timeZone });
  } catch {
    return undefined;
  }
}

function isWorking(clock: Intl.DateTimeFormat, at: number): boolean {
  const parts = new Map(clock.formatToParts(at).map(({ type, value }) => [type, value]));
  const hour = Number(parts.get("hour"));
  return hour >= FIRST_HOUR && hour < LAST_HOUR && !["Sat", "Sun"].includes(parts.get("weekday") ?? "");
}

const UNITS = { h: HOUR_MS, d: 24 * HOUR_MS } as const;

/** How long `remind_after` is, milliseconds; undefined: never. */
export function spanOf(rule: string): number | undefined {
  const [, count = "", unit = ""] = /^(\d+)([hd])$/.exec(rule) ?? [];
  return unit === "h" || unit === "d" ? Number(count) * UNITS[unit] : undefined;
}
