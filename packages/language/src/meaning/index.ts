export { askedOf, type Asked, kindOf } from "./kinds.ts";
export type { AnswerKind, Modality } from "./lexicon/types.ts";
export { holds, valuesOf } from "./holds.ts";
export { agrees, type Moment, sameMoment } from "./moment.ts";
export { momentsOf } from "./moments.ts";
export { type Name, namesOf } from "./names.ts";
export { denialsIn, modalityOf, polarityOf } from "./polarity.ts";
export { type Quantity, quantitiesOf, sameQuantity } from "./quantities.ts";
export { isMeasure } from "./units.ts";
