/** Documents as evidence, and what is told of those that differ. For tests. */
import { foldedWordsOf } from "@threadlore/language";
import type { Evidence } from "../../source.ts";
import { understand } from "../asked.ts";
import { candidatesOf } from "../candidates.ts";
import { conflictOf } from "./conflict.ts";
import { ranked } from "../weighing/ranking.ts";

/** Title, text and when it was last changed; by default, each is older than the one before it. */
export type Document = readonly [title: string, text: string, updated?: string | null];

/** A document as it is found, as the one of that place. */
export function evidenceOf(
  index: number,
  [title, text, updated = `2024-01-0${9 - index}T00:00:00Z`]: Document,
): Evidence {
  const documentId = `d${index}`;
  return {
    source: {
      documentId,
      title,
      link: null,
      passing: false,
      document: {
        document_id: documentId,
        chunk_ind: 0,
        semantic_identifier: title,
        link: null,
        blurb: "",
        source_type: "file",
        boost: 0,
        hidden: false,
        metadata: {},
        score: 1,
        match_highlights: [],
        updated_at: updated,
        primary_owners: null,
        secondary_owners: null,
        is_internet: false,
      },
    },
    heading: "",
    text,
    score: 1 - index / 10,
  };
}

/** What is told of some documents, the best first: what each says, the newest first. */
export function told(asked: string, ...documents: readonly Document[]): string[] | undefined {
  const evidence = documents.map((document, index) => evidenceOf(index, document));
  const texts = documents.map(([title, text]) => new Set(foldedWordsOf(`${title} ${text}`)));
  const holding = (word: string) => texts.filter((words) => words.has(word)).length;
  const question = understand(asked, { passages: documents.length, holding });
  return conflictOf(question, ranked(candidatesOf(question, evidence)), { isAnswered: true })?.statements.map(
    ({ says }) => says,
  );
}
