export { compoundParts, sharesStem, writesCompounds } from "./stems/compounds.ts";
export { isStemmed, stem } from "./stems/stem.ts";
export { eachTerm, type Term, type TermOptions, termsIn, termsOf } from "./stems/terms.ts";
