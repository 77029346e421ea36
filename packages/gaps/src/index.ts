export { gapOf } from "./gap-of.ts";
export {
  type ComparedQuestion,
  createPlacement,
  type KnownQuestion,
  type Placed,
  type Placement,
} from "./placement.ts";
export { MAX_TRAITS, type TermKind, type Trait, type Traits, TRAITS_VERSION } from "./trait.ts";
export { hiddenTraits, traitsOf } from "./traits.ts";
