export { compoundParts, sharesStem, writesCompounds } from "./stems/compounds.ts";
export { isStemmed, stem } from "./stems/stem.ts";
export {
  eachSpelling,
  eachTerm,
  type SpellingTaker,
  type Term,
  type TermOptions,
  termOfSpelling,
  termsIn,
  termsOf,
} from "./stems/terms.ts";
