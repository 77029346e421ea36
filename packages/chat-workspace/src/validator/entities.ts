import { z } from "zod";
import { type Arguments, fieldsOf, isGiven, isObject } from "../fields.ts";
import { LIMITS } from "./limits.ts";
import { type Refusal, refusalsFrom, refusedIf } from "./refusal.ts";
import { address, some } from "./text-objects.ts";

/** Kinds of Work Objects there are (`EntityType` of @slack/types). */
export const ENTITY_TYPES = ["task", "file", "item", "incident", "content_item"].map(
  (name) => `slack#/entities/${name}`,
);

const seconds = z.number().int().min(0);
const textField = z.looseObject({ value: some });
const timeField = z.looseObject({ value: seconds });
const customField = z.looseObject({ key: some, label: some, type: some });

/** What a Work Object is told by, wherever it is shown (`EntityMetadata` of @slack/types). */
const entity = z.looseObject({
  entity_type: z.string().refine((type) => ENTITY_TYPES.includes(type), "is no kind of Work Object"),
  url: address,
  external_ref: z.looseObject({ id: some, type: z.string().optional() }),
  entity_payload: z.looseObject({
    attributes: z.looseObject({
      title: z.looseObject({ text: some }),
      display_type: some.optional(),
      product_name: some.optional(),
      metadata_last_modified: seconds.optional(),
    }),
    fields: z
      .looseObject({
        description: textField.optional(),
        date_created: timeField.optional(),
        date_updated: timeField.optional(),
      })
      .optional(),
    custom_fields: z.array(customField).optional(),
    display_order: z.array(some).optional(),
  }),
});

const unfurledEntity = entity.extend({ app_unfurl_url: address });

/** Why the Work Objects of a `chat.unfurl` would be refused. */
export function unfurledEntitiesRefusals({ metadata }: Arguments): readonly Refusal[] {
  if (!isGiven(metadata)) return [];
  const pointer = "/metadata";
  if (!isObject(metadata) || !Array.isArray(metadata["entities"])) {
    return [{ code: "invalid_metadata_format", pointer, words: "must be an object with a list of entities" }];
  }
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  return [
    ...refusedIf(
      bytes > LIMITS.metadataBytes,
      "metadata_too_large",
      pointer,
      `no more than ${LIMITS.metadataBytes} bytes allowed`,
    ),
    ...refusalsFrom(z.array(unfurledEntity), metadata["entities"], "invalid_metadata_format", `${pointer}/entities`),
  ];
}

const presentedError = z.looseObject({
  status: z.enum([
    "restricted",
    "internal_error",
    "not_found",
    "custom",
    "custom_partial_view",
    "timeout",
    "edit_error",
  ]),
  custom_title: z.string().optional(),
  custom_message: z.string().optional(),
  message_format: z.literal("markdown").optional(),
});

/** Why an `entity.presentDetails` would be refused for what it shows. */
export function presentedRefusals({ metadata, error, user_auth_required, user_auth_url }: Arguments): Refusal[] {
  const needsUrl = user_auth_required === true || user_auth_required === "true";
  const shown = [metadata, error].filter(isGiven).length + (needsUrl ? 1 : 0);
  const said = isObject(error) && [error["custom_title"], error["custom_message"]].some(isGiven);
  const isCustom = isObject(error) && String(error["status"]).startsWith("custom");
  return [
    ...refusedIf(shown !== 1, "invalid_metadata", "", "exactly one of metadata, error and user_auth_required needed"),
    ...refusedIf(needsUrl && !isGiven(user_auth_url), "user_auth_url_missing", "/user_auth_url", "missing"),
    ...(isGiven(metadata) ? refusalsFrom(entity, metadata, "invalid_metadata", "/metadata") : []),
    ...(isGiven(error) ? refusalsFrom(presentedError, error, "invalid_arguments", "/error") : []),
    ...refusedIf(said && !isCustom, "invalid_arguments", "/error", "words of one's own need the status custom"),
  ];
}

/** Addresses for which a `chat.unfurl` has Work Objects. */
export function unfurledAddresses(metadata: unknown): string[] {
  return fieldsOf(isObject(metadata) ? metadata["entities"] : []).map((one) => String(one["app_unfurl_url"]));
}
