/** Particles written in one word with what they stand before: and, with, like, so, for; with and without the article. */
const ARTICLES = ["وال", "بال", "كال", "فال", "ولل", "ال", "لل"];

/** Endings of number, gender and possession, the longest first. */
const ENDINGS = ["ها", "ان", "ات", "ون", "ين", "يه", "ه", "ي"];

/**
 * A folded Arabic word without article, attached particles and endings: the light stemming of Larkey, Ballesteros and
 * Connell ("light10"), which finds more than stemmers that look for the root. Particles without the article are cut
 * where at least three letters stay, since they begin many words: only "and", which is always a particle there.
 */
export function stemArabic(word: string): string {
  let stem = word;
  if (stem.startsWith("و") && stem.length >= 5 && !stem.startsWith("وال")) stem = stem.slice(1);
  const article = ARTICLES.find((one) => stem.startsWith(one) && stem.length - one.length >= 2);
  if (article !== undefined) stem = stem.slice(article.length);
  for (const ending of ENDINGS) {
    if (stem.endsWith(ending) && stem.length - ending.length >= 2) stem = stem.slice(0, -ending.length);
  }
  return stem;
}
