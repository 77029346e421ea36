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

/** In quite other words than those that are kept; as people write notices, lists and minutes. */
const LOOKED_AT = ["contradictions", "contradictions-more"] as const;
/** By these nothing was chosen, and of the last one nothing was looked at. */
const KEPT_BACK = ["contradictions-kept-back", "contradictions-more-kept-back", "contradictions-companies-kept-back"];

/** Pairs that were looked at: in quite other words than those that are kept, or with `more` as people write notices. */
export function keptPairs({ more = false } = {}): readonly KeptPair[] {
  return read(LOOKED_AT[more ? 1 : 0]);
}

/** Those that were kept back. */
export function keptBackPairs(): readonly KeptPair[] {
  return KEPT_BACK.flatMap(read);
}

function read(name: string): readonly KeptPair[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, "fixtures", `${name}.json`), "utf8")) as KeptPair[];
}

/** Which of the pairs raised a doubt, and which doubts are of documents that are not of their pair. */
export interface Outcome {
  readonly told: readonly KeptPair[];
  readonly untold: readonly KeptPair[];
  readonly falselyTold: readonly KeptPair[];
  readonly strays: readonly string[];
  /** Those of the pairs that raised none and whose kept answer is shown to whoever brings the newer document. */
  readonly shown: readonly KeptPair[];
  /** Those that raised none and are listed for whoever looks after kept answers, and those that are and say nothing else. */
  readonly listed: readonly KeptPair[];
  readonly listedInVain: readonly KeptPair[];
  /** How many are listed with a document that is not of their pair. */
  readonly listedByOthers: number;
}

/** Keeps all answers in one service, then has all newer documents arrive. */
export async function outcomeOf(
  pairs: readonly KeptPair[],
  { add, doubts, kept: answers }: KeptService,
): Promise<Outcome> {
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
  const shown: KeptPair[] = [];
  for (const pair of contradicted) {
    if (isTold(pair)) continue;
    const { kept_answers: near } = await answers.near(`${pair.id} newer`);
    if (near.some(({ document_id }) => document_id === pair.id)) shown.push(pair);
  }
  const { kept_answers: maybe } = await answers.maybeChanged({ most: 200 });
  const listed = new Set(maybe.map(({ document_id, by }) => `${document_id} < ${by.document_id}`));
  const isListed = ({ id }: KeptPair): boolean => listed.has(`${id} < ${id} newer`);
  return {
    shown,
    listed: contradicted.filter((pair) => !isTold(pair) && isListed(pair)),
    listedInVain: pairs.filter((pair) => !pair.contradicts && isListed(pair)),
    listedByOthers: [...listed].filter((one) => !own.has(one)).length,
    told: contradicted.filter(isTold),
    untold: contradicted.filter((pair) => !isTold(pair)),
    falselyTold: pairs.filter((pair) => !pair.contradicts && isTold(pair)),
    strays: [...all].filter((doubt) => !own.has(doubt)),
  };
}
