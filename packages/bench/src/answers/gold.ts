/** Letters and digits alone, as the public evaluator of `../shared/answers` compares: marks of citations are no part. */
export function folded(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\[\[\d+\]\]\([^)]*\)|\[\d+\]/g, " ")
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Whether one of the spans stands in a text, letter by letter. */
export function holdsAny(text: string, spans: readonly string[]): boolean {
  return placeOf(text, spans) >= 0;
}

/** Where the first of the spans to be found stands, in letters and digits from the start; -1: none of them does. */
export function placeOf(text: string, spans: readonly string[]): number {
  const within = folded(text);
  const places = spans.map((span) => within.indexOf(folded(span))).filter((place) => place >= 0);
  return places.length === 0 ? -1 : Math.min(...places);
}
