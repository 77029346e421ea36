import * as z from "zod/mini";

/** Where a value was wrong (`["body", "message"]`), what was wrong, and a machine-readable kind. */
export const ValidationError = z.looseObject({
  loc: z.array(z.union([z.string(), z.number()])),
  msg: z.string(),
  type: z.string(),
});
export type ValidationError = z.infer<typeof ValidationError>;

/** The documented body of status 422. */
export const HTTPValidationError = z.looseObject({ detail: z.array(ValidationError) });
export type HTTPValidationError = z.infer<typeof HTTPValidationError>;
