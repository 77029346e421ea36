/** What the sentences of one answer are checked against: what was found in the documents they cite, and the question. */
import { languageOf } from "@threadlore/language";
import type { Evidence } from "../../source.ts";
import type { SourceBook } from "../prompt.ts";
import { type Doubt, doubtOf } from "./claim.ts";
import type { Judge } from "./claim-watch.ts";
import { type TextFacts, factsOf } from "./text-facts.ts";

/** Characters read of one source: more than a model is sent of all of them. */
const MAX_READ = 20_000;
/** Characters of an answer that tell its language. */
const TELLING = 2_000;

/**
 * Judges what an answer says by the sources of its book, each read when it is first cited.
 * @param said the answer as far as it has come
 */
export function judgeBy(book: SourceBook, question: string, language: string | undefined, said: () => string): Judge {
  const read = new Map<Evidence, TextFacts>();
  let asked: TextFacts | undefined;
  return (claim, cited): Doubt | undefined => {
    const passages = cited
      .flatMap((number) => evidenceOf(book, number))
      .map((evidence) => {
        const passage = read.get(evidence) ?? factsOf(textOf(evidence), evidence.language);
        read.set(evidence, passage);
        return passage;
      });
    asked ??= factsOf(question, language);
    return doubtOf(claim, {
      passages,
      question: asked,
      language: languageOf(said().slice(0, TELLING)) ?? language,
    });
  };
}

function evidenceOf(book: SourceBook, number: number): Evidence[] {
  const source = book.get(number);
  let left = MAX_READ;
  return book.evidence.filter((evidence) => {
    if (evidence.source.documentId !== source?.documentId || left <= 0) return false;
    left -= evidence.text.length;
    return true;
  });
}

function textOf({ source, heading, text }: Evidence): string {
  return `${source.title}\n\n${heading}\n\n${text.slice(0, MAX_READ).toWellFormed()}`;
}
