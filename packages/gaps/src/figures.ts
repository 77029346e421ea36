/** What questions are compared by, once it is figures. */

/** Of a pair of questions. */
export const FEATURES = [
  "both",
  "less",
  "more",
  "shared",
  "hard",
  "exact",
  "pairs",
  "clash",
  "lacks",
  "instead",
  "aspects",
  "otherAspect",
  "lacksAspect",
  "sameKind",
  "otherKind",
  "denial",
  "foreign",
  "namesAlone",
] as const;
export type Feature = (typeof FEATURES)[number];

/** What speaks for a question being of a gap: by words, and by what an embedding model says. */
const WORD_FIGURES = ["best", "mean", "profile", "ahead"] as const;
const VECTOR_FIGURES = [...WORD_FIGURES, "near", "nearMean", "apart", "nearAhead", "beyond"] as const;
export type GapFigure = (typeof VECTOR_FIGURES)[number];
