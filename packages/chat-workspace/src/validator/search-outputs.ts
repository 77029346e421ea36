import { z } from "zod";
import { isObject } from "../fields.ts";
import { LIMITS } from "./limits.ts";
import { type Refusal, refusalsFrom } from "./refusal.ts";
import { address, listOf, some } from "./text-objects.ts";

const CODE = "parameter_validation_failed";

/** A day that there is, as `YYYY-MM-DD`. */
const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, "must be a day, YYYY-MM-DD")
  .refine((text) => new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true, "there is no such day");

const results = listOf(
  z.looseObject({
    external_ref: z.looseObject({ id: some, type: z.string().optional() }),
    title: some,
    description: some,
    link: address,
    date_updated: day,
    content: z.string().optional(),
  }),
  LIMITS.searchResults,
  0,
);

const option = z.looseObject({ name: some, value: some });
const named = { name: some, display_name: some, display_name_plural: some.optional() };

const filters = listOf(
  z.discriminatedUnion("type", [
    z.looseObject({ ...named, type: z.literal("multi_select"), options: z.array(option).min(1) }),
    z.looseObject({ ...named, type: z.literal("toggle") }),
  ]),
  LIMITS.searchFilters,
  0,
);

/** Types that functions of a search give back, and what Slack takes of each. */
const TYPES: Readonly<Record<string, z.ZodType>> = {
  "slack#/types/search_results": results,
  "slack#/types/search_filters": filters,
};

/** Why Slack would not take what a function gave back: `declared` has the type of each output by its name. */
export function outputRefusals(outputs: unknown, declared: Readonly<Record<string, string>>): readonly Refusal[] {
  if (!isObject(outputs)) return [{ code: CODE, pointer: "/outputs", words: "must be an object" }];
  return Object.entries(declared).flatMap(([name, type]) => {
    const pointer = `/outputs/${name}`;
    if (outputs[name] === undefined) return [{ code: CODE, pointer, words: "missing" }];
    const schema = TYPES[type];
    return schema === undefined ? [] : refusalsFrom(schema, outputs[name], CODE, pointer);
  });
}
