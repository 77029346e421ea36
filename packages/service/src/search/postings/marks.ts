/**
 * What is known of a passage beside its words is kept as words are: as a term with postings, so that the passages under a
 * pair, from a source or with a tag are read as those that hold a word. No word of a text begins like a mark.
 */
const MARK = "\u0001";

export function pairMark(pair: number): string {
  return `${MARK}pair ${pair}`;
}

export function sourceMark(source: string): string {
  return `${MARK}source ${source}`;
}

export function tagMark(key: string, value: string): string {
  return `${MARK}tag ${JSON.stringify([key, value])}`;
}

/** With the language in it, so that all of them stand side by side among the terms. */
export const LANGUAGE_MARK = `${MARK}language `;

export function languageMark(language: string): string {
  return `${LANGUAGE_MARK}${language}`;
}
