import { z } from "zod";
import { LIMITS } from "./limits.ts";

const style = z
  .strictObject({
    bold: z.boolean().optional(),
    italic: z.boolean().optional(),
    strike: z.boolean().optional(),
    code: z.boolean().optional(),
    underline: z.boolean().optional(),
  })
  .optional();

const text = z.strictObject({ type: z.literal("text"), text: z.string().min(1), style });

const link = z.strictObject({
  type: z.literal("link"),
  url: z.string().min(1),
  text: z.string().optional(),
  unsafe: z.boolean().optional(),
  style,
});

/** Where a citation leads. Slack documents the shapes; the installed type declarations do not know them yet. */
const citationDetails = z.discriminatedUnion("citation_type", [
  z.strictObject({
    citation_type: z.literal("web"),
    display_name: z.string().optional(),
    title: z.string().optional(),
    snippet: z.string().optional(),
  }),
  z.strictObject({
    citation_type: z.literal("external"),
    app_name: z.string().optional(),
    app_icon_url: z.string().optional(),
  }),
  z.strictObject({
    citation_type: z.literal("file"),
    file_id: z.string().optional(),
    descriptor: z.string().optional(),
  }),
  z.looseObject({ citation_type: z.literal("message") }),
  z.looseObject({ citation_type: z.literal("memory") }),
]);

const inline = z.discriminatedUnion("type", [
  text,
  link,
  z.strictObject({ type: z.literal("broadcast"), range: z.enum(["here", "channel", "everyone"]), style }),
  z.strictObject({ type: z.literal("color"), value: z.string(), style }),
  z.strictObject({ type: z.literal("channel"), channel_id: z.string().min(1), style }),
  z.strictObject({
    type: z.literal("date"),
    timestamp: z.number().int(),
    format: z.string().min(1),
    url: z.string().optional(),
    fallback: z.string().optional(),
    style,
  }),
  z.strictObject({
    type: z.literal("emoji"),
    name: z.string().min(1),
    unicode: z.string().optional(),
    url: z.string().optional(),
    style,
  }),
  z.strictObject({ type: z.literal("team"), team_id: z.string().min(1), style }),
  z.strictObject({ type: z.literal("user"), user_id: z.string().min(1), style }),
  z.strictObject({ type: z.literal("usergroup"), usergroup_id: z.string().min(1), style }),
  z.strictObject({
    type: z.literal("citation"),
    url: z.string().min(1),
    text: z.string().min(1),
    index: z.number().int(),
    details: citationDetails,
    from_llm: z.boolean().optional(),
    is_slack_url: z.boolean().optional(),
  }),
]);

const border = z.union([z.literal(0), z.literal(1)]).optional();

const section = z.strictObject({ type: z.literal("rich_text_section"), elements: z.array(inline) });

const part = z.discriminatedUnion("type", [
  section,
  z.strictObject({
    type: z.literal("rich_text_list"),
    elements: z.array(section).min(1),
    style: z.enum(["bullet", "ordered"]),
    indent: z.number().int().min(0).max(8).optional(),
    offset: z.number().int().min(0).optional(),
    border,
  }),
  z.strictObject({ type: z.literal("rich_text_quote"), elements: z.array(inline), border }),
  z.strictObject({
    type: z.literal("rich_text_preformatted"),
    elements: z.array(z.discriminatedUnion("type", [text, link])),
    border,
    language: z.string().optional(),
  }),
]);

const fields = {
  type: z.literal("rich_text"),
  block_id: z.string().max(LIMITS.id).optional(),
};

/** A rich_text block, wherever it stands. */
export const richText = z.strictObject({ ...fields, elements: z.array(part).min(1) });

/** A rich_text block of exactly one part, as the fields of a task card have it. */
export const singleRichText = z.strictObject({ ...fields, elements: z.array(part).length(1) });
