/** Clauses of a text: the words they are about, what they deny, and what limits them. */
import { sentencesOf } from "@threadlore/language";
import { denialsIn } from "@threadlore/language/meaning";
import { type Term, termsIn } from "@threadlore/language/stems";
import { limitsIn } from "./limits.ts";

/** A clause; a sentence without commas is one. */
export interface Clause {
  readonly terms: ReadonlySet<string>;
  /** How often it says "not" or the like. */
  readonly denials: number;
  /** The words that are denied: what stands within a denial, and next to it. */
  readonly denied: ReadonlySet<string>;
  /** Words by which something is denied without a "not", or said of a part only: "except", "below", "unless". */
  readonly limits: ReadonlySet<string>;
}

/** Entries of a list and rows of a table, which no full stop has to end. */
const LINES = /\n(?=\s*(?:[-*+•|]|\p{Nd}{1,3}[.)]\s))/u;
const CLAUSES =
  /[,:](?!\p{Nd})|[;|()–—、，；：（）]|(?<!\p{L})(?:but|aber|sondern|mais|pero|sino)(?!\p{L})|(?<=ます|です|ません)が/u;
const JOINED = /(?<!\p{L})(?:and|und|et|y)(?!\p{L})/u;

/** Clauses read of one text: each of a claim is compared with each of a passage. */
const MAX_CLAUSES = 400;

/** The clauses of a text; of clauses that are joined by "and" each as well. */
export function clausesOf(text: string, language: string | undefined): Clause[] {
  const sentences = text.split(LINES).flatMap((line) => sentencesOf(line, language));
  const clauses = sentences.flatMap((sentence) =>
    sentence.text.split(CLAUSES).flatMap((clause) => {
      const joined = clause.split(JOINED);
      return [clause, ...(joined.length > 1 ? joined : [])].filter((part) => /\p{L}/u.test(part));
    }),
  );
  return clauses.slice(0, MAX_CLAUSES).map((clause) => clauseOf(clause, language));
}

function clauseOf(text: string, language: string | undefined): Clause {
  const terms = termsIn(text, language);
  const denials = denialsIn(text, language);
  return {
    terms: new Set(terms.map(({ term }) => term)),
    denials: denials.length,
    denied: new Set(denials.flatMap((denial) => deniedBy(denial, terms))),
    limits: limitsIn(text, language),
  };
}

/** What follows a denial is denied; where nothing follows, as in Japanese, what stands before it. */
function deniedBy({ start, end }: { readonly start: number; readonly end: number }, terms: readonly Term[]): string[] {
  const within = terms.filter((term) => term.start >= start && term.end <= end);
  const next = terms.find((term) => term.start >= end) ?? terms.findLast((term) => term.end <= start);
  return [...within, ...(next === undefined ? [] : [next])].map(({ term }) => term);
}

/** Words two clauses have to share. */
const MIN_SHARED = 2;
/** Share of the claim's words that have to be in the passage's clause, and the other way round. */
const MIN_CLAIMED = 0.8;
const MIN_OF_PASSAGE = 0.45;
/** Clauses within so much of the likest one are as like. */
const AS_LIKE = 0.15;

/** Whether a claim says of the same thing that it is so where the likest clauses say that it is not, or the other way. */
export function saysOpposite(claim: readonly Clause[], passage: readonly Clause[]): boolean {
  return claim.some((said) => {
    const like = passage
      .map((clause) => ({ clause, likeness: likenessOf(said.terms, clause.terms) }))
      .filter(({ likeness }) => likeness > 0);
    const best = like.reduce((most, { likeness }) => Math.max(most, likeness), 0);
    const likest = like.filter(({ likeness }) => likeness >= best - AS_LIKE);
    return likest.length > 0 && likest.every(({ clause }) => areOpposite(said, clause));
  });
}

function areOpposite(one: Clause, other: Clause): boolean {
  const [denying, affirming] = one.denials > 0 ? [one, other] : [other, one];
  // Two denials may be one affirmation: "not without approval".
  if (denying.denials !== 1 || affirming.denials !== 0) return false;
  if (one.limits.size !== other.limits.size || [...one.limits].some((limit) => !other.limits.has(limit))) return false;
  return [...denying.denied].some((term) => affirming.terms.has(term));
}

/** 0 where too little of either is in the other. */
function likenessOf(claimed: ReadonlySet<string>, held: ReadonlySet<string>): number {
  let shared = 0;
  for (const term of claimed) if (held.has(term)) shared++;
  if (shared < MIN_SHARED || shared < MIN_CLAIMED * claimed.size || shared < MIN_OF_PASSAGE * held.size) return 0;
  return (2 * shared) / (claimed.size + held.size);
}
