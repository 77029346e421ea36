/** What is told to a server about kept answers; what it tells stands in `kept.ts`, so that who only reads does not load this. */
import * as z from "zod/mini";
import { requestObject } from "./values.ts";

/** That a kept answer holds, as its owner says. */
export const KeptConfirmation = requestObject({
  document_id: z.string().check(z.minLength(1, "Say which document still holds")),
});
export type KeptConfirmation = z.infer<typeof KeptConfirmation>;

/** That a document says otherwise than a kept answer, as somebody says who read both. */
export const KeptContradiction = requestObject({
  document_id: z.string().check(z.minLength(1, "Say which kept answer is contradicted")),
  by: z.string().check(z.minLength(1, "Say which document contradicts it")),
});
export type KeptContradiction = z.infer<typeof KeptContradiction>;
