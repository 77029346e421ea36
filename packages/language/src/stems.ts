export { compoundParts, sharesStem } from "./stems/compounds.ts";
export { isStemmed, stem } from "./stems/stem.ts";
export { type Term, type TermOptions, termsIn, termsOf } from "./stems/terms.ts";
