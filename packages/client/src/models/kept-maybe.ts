/** Which kept answers newer documents may change, for whoever looks after all of them; who brings one document does not load this. */
import * as z from "zod/mini";
import { NearKept } from "./kept.ts";

/** A kept answer that a document nobody brought by hand may change, for whoever looks after what is kept. */
export const MaybeChanged = z.extend(NearKept, {
  /** When it was found. */
  since: z.string(),
  /** The newer document. */
  by: z.looseObject({ document_id: z.string(), title: z.string(), link: z.nullable(z.string()) }),
});
export type MaybeChanged = z.infer<typeof MaybeChanged>;

/** Each kept answer once, with the newer document that is nearest to it; the nearest first. */
export const MaybeChangedAnswers = z.looseObject({ kept_answers: z.array(MaybeChanged) });
export type MaybeChangedAnswers = z.infer<typeof MaybeChangedAnswers>;
