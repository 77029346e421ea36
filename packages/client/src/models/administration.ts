import * as z from "zod/mini";
import { JsonObject, integer, requestObject } from "./values.ts";

/** Kinds of access a connector/credential pair can have on deployed servers. */
export const AccessType = z.enum(["public", "private", "sync"]);
export type AccessType = z.infer<typeof AccessType>;

/** The two specified fields, and the one deployed servers demand since 2025 (docs/wire.md, section 4.1). */
export const CredentialSwapRequest = requestObject({
  new_credential_id: integer,
  connector_id: integer,
  access_type: z.optional(AccessType),
});
export type CredentialSwapRequest = z.infer<typeof CredentialSwapRequest>;

/** `data` is null in the specification and the pair's id on deployed servers. */
export const CredentialSwapResponse = z.looseObject({
  success: z.boolean(),
  message: z.string(),
  data: z.optional(z.unknown()),
});
export type CredentialSwapResponse = z.infer<typeof CredentialSwapResponse>;

/** A custom tool's definition, to be checked. Nothing inside it is judged before it is sent. */
export const ToolValidationRequest = z.object({ definition: JsonObject });
export type ToolValidationRequest = z.infer<typeof ToolValidationRequest>;

/** One callable method derived from a tool definition. `spec` is the operation object, verbatim. */
export const ToolMethod = z.looseObject({
  name: z.string(),
  summary: z.string(),
  path: z.string(),
  method: z.string(),
  spec: JsonObject,
});
export type ToolMethod = z.infer<typeof ToolMethod>;

/** The methods a valid definition gives, in the order of the document. */
export const ToolValidationResponse = z.looseObject({ methods: z.array(ToolMethod) });
export type ToolValidationResponse = z.infer<typeof ToolValidationResponse>;
