export { gapOf } from "./gap-of.ts";
export { createPlacement } from "./placement.ts";
export { type ComparedQuestion, type KnownQuestion, MAX_OFFERED, type Placed, type Placement } from "./questions.ts";
export { MAX_TRAITS, type TermKind, type Trait, type Traits, TRAITS_VERSION } from "./trait.ts";
export { hiddenTraits, traitsOf } from "./traits.ts";
