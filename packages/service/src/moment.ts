/**
 * Milliseconds since 1970 of an ISO 8601 date or date-time. Without an offset it is read as UTC: a machine's own
 * time zone must not decide what a document's date means (facts: wire section 2, "naive = UTC").
 */
export function parseMoment(text: string): number {
  const hasTime = /[T ]\d{2}:\d{2}/.test(text);
  const hasOffset = /(?:[zZ]|[+-]\d{2}(?::?\d{2})?)$/.test(text.slice("2026-01-31".length));
  return Date.parse(hasTime && !hasOffset ? `${text}Z` : text);
}
