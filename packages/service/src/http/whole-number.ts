import { invalid, validationError } from "./problem.ts";

/** Bounds of a number in a path or query. */
export interface Bounds {
  /** Taken when the text is absent; without it, absence is a 422. */
  usual?: number;
  most?: number;
}

/** A whole number from 0, of a path or query; a 422 that tells where it is not one. */
export function wholeNumber(text: string | undefined, loc: string[], { usual, most }: Bounds = {}): number {
  if (text === undefined && usual !== undefined) return usual;
  const value = text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= (most ?? Number.MAX_SAFE_INTEGER)) return value;
  const limit = most === undefined ? "" : ` up to ${most}`;
  throw invalid(validationError(loc, `Input should be a whole number${limit}`, "int_parsing"));
}
