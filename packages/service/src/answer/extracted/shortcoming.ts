/** Why what was found does not answer a question. */
import type { AskedQuestion } from "./asked.ts";
import type { RankedCandidate } from "./weighing/ranking.ts";
import type { MissingKind } from "../wording/wording.ts";

/** What keeps the sources found from answering. */
export type Shortcoming =
  /** Words of the question that none of them says, as written. */
  | { readonly is: "unmentioned"; readonly words: readonly string[] }
  /** They speak of other years. */
  | { readonly is: "year"; readonly years: readonly number[] }
  /** They speak of it without what is asked for. */
  | { readonly is: "missing"; readonly kind: MissingKind }
  | { readonly is: "too little" };

/** Words named as missing. */
const MAX_NAMED = 3;

/**
 * The plainest reason: words nobody wrote, names first; else years; else the kind of answer; else that too little is said.
 * @param candidates best first
 */
export function shortcomingOf(question: AskedQuestion, candidates: readonly RankedCandidate[]): Shortcoming {
  const best = candidates[0]?.candidate;
  const isSaid = (index: number) => (best?.around[index] ?? 0) > 0;
  const unknown = question.words.filter(({ isKnown, corrected }, index) =>
    corrected === undefined ? !isKnown : !isSaid(index),
  );
  const names = unknown.filter(({ isName }) => isName);
  const named = (names.length > 0 ? names : unknown).filter(({ written }) => !isYear(question, written));
  if (named.length > 0) return { is: "unmentioned", words: named.slice(0, MAX_NAMED).map(({ written }) => written) };
  const missesYear = question.words.some(({ written }, index) => isYear(question, written) && !isSaid(index));
  if (missesYear) return { is: "year", years: [...question.years] };
  const { kind } = question;
  if (best !== undefined && kind !== "choice" && kind !== "thing" && best.features.noKind > 0)
    return { is: "missing", kind };
  return { is: "too little" };
}

function isYear({ years }: AskedQuestion, written: string): boolean {
  return years.has(Number(written));
}
