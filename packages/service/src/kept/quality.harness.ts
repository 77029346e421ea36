import { readFileSync } from "node:fs";
import { join } from "node:path";
import { keptDocument, type KeptService } from "./kept.harness.ts";

/** A kept answer and a newer document, which says otherwise or does not. */
export interface KeptPair {
  readonly id: string;
  readonly lang: string;
  readonly question: string;
  readonly kept: string;
  readonly newer: { readonly title: string; readonly text: string };
  readonly contradicts: boolean;
  readonly kind: string;
}

/**
 * Those that were looked at; with `keptBack` those nothing was chosen by. In quite other words than those that are kept, or with
 * `more` as people write notices, lists and minutes.
 */
export function keptPairs({ keptBack = false, more = false } = {}): readonly KeptPair[] {
  const name = `contradictions${more ? "-more" : ""}${keptBack ? "-kept-back" : ""}.json`;
  return JSON.parse(readFileSync(join(import.meta.dirname, "fixtures", name), "utf8")) as KeptPair[];
}

/** Which of the pairs raised a doubt, and which doubts are of documents that are not of their pair. */
export interface Outcome {
  readonly told: readonly KeptPair[];
  readonly untold: readonly KeptPair[];
  readonly falselyTold: readonly KeptPair[];
  readonly strays: readonly string[];
}

/** Keeps all answers in one service, then has all newer documents arrive. */
export async function outcomeOf(pairs: readonly KeptPair[], { add, doubts }: KeptService): Promise<Outcome> {
  await add(...pairs.map(({ id, question, kept }) => keptDocument(question, kept, { id })));
  await add(
    ...pairs.map(({ id, newer: { title, text } }) => ({
      id: `${id} newer`,
      semantic_identifier: title,
      sections: [{ text }],
      doc_updated_at: "2026-06-01T00:00:00Z",
    })),
  );
  const all = new Set(await doubts());
  const own = new Set(pairs.map(({ id }) => `${id} < ${id} newer`));
  const isTold = ({ id }: KeptPair): boolean => all.has(`${id} < ${id} newer`);
  const contradicted = pairs.filter(({ contradicts }) => contradicts);
  return {
    told: contradicted.filter(isTold),
    untold: contradicted.filter((pair) => !isTold(pair)),
    falselyTold: pairs.filter((pair) => !pair.contradicts && isTold(pair)),
    strays: [...all].filter((doubt) => !own.has(doubt)),
  };
}
