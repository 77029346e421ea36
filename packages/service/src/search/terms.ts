/** Most terms of one question that are searched for; the rest of a very long one is left out. */
const MOST_TERMS = 64;

/** English words that say nothing about what is asked. Dropped while other words remain (facts: performance 6b). */
const STOP_WORDS = new Set(
  (
    "a about above after again against all also am an and any are as at be because been before being below between both " +
    "but by can could did do does doing don down during each few for from further had has have having he her here hers " +
    "herself him himself his how i if in into is it its itself just ll m me more most must my myself no nor not now o of " +
    "off on once only or other our ours ourselves out over own re s same shall she should so some such t than that the " +
    "their theirs them themselves then there these they this those through to too under until up us ve very was we were " +
    "what when where which while who whom whose why will with would you your yours yourself yourselves"
  ).split(" "),
);

/**
 * The words of a text, lower case, each once, as the index cuts them: runs of letters, digits and their marks. At most
 * 64; stop words are left out unless nothing else is there.
 */
export function termsOf(text: string): string[] {
  const words = new Set<string>();
  for (const [word] of text
    .toWellFormed()
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu))
    words.add(word);
  const telling = [...words].filter((word) => !STOP_WORDS.has(word));
  return (telling.length > 0 ? telling : [...words]).slice(0, MOST_TERMS);
}

/** An index query that matches any of the terms. Each is quoted, so that none can be read as an operator. */
export function matchAny(terms: readonly string[]): string {
  return terms.map((term) => `"${term}"`).join(" OR ");
}
