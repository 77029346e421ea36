const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?: ?(?:[Zz]|([+-]\d{2})(?::?(\d{2}))?))?)?$/;

/**
 * Milliseconds since 1970 of an ISO 8601 date or date-time as the interface has them; undefined for every other text,
 * and for a day, a time or an offset there is none of (30 February, 25 o'clock). Without an offset it is read as UTC: a
 * machine's own time zone must not decide what a document's date means (docs/wire.md, section 2, "naive = UTC").
 */
export function parseMoment(text: string): number | undefined {
  const found = ISO.exec(text);
  if (found === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, , ahead = 0, aheadMinutes = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0));
  if (hour > 23 || minute > 59 || second > 59 || Math.abs(ahead) > 23 || aheadMinutes > 59) return undefined;
  // Years below 100 would be taken for those of the last century.
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, day);
  // A day that a month does not have comes out as one of the next month.
  if (at.getUTCMonth() !== month - 1 || at.getUTCDate() !== day) return undefined;
  const sign = found[8]?.startsWith("-") ? -1 : 1;
  const milliseconds = Math.floor(Number(`0.${found[7] ?? 0}`) * 1_000);
  return at.setUTCHours(hour - ahead, minute - sign * aheadMinutes, second, milliseconds);
}
