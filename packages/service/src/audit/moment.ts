/** A date or moment of ISO 8601, milliseconds since 1970; undefined: it is none. */
export function momentOf(text: string): number | undefined {
  const moment = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? undefined : moment;
}
