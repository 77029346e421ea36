export { type ComparedQuestion, gapOf, type KnownQuestion } from "./gap-of.ts";
export { hiddenTraits, type Traits, traitsOf } from "./traits.ts";
