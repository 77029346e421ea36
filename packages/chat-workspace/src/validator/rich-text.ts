import { z } from "zod";
import { blockOf, typed } from "./text-objects.ts";

const style = z
  .strictObject({
    bold: z.boolean().optional(),
    italic: z.boolean().optional(),
    strike: z.boolean().optional(),
    code: z.boolean().optional(),
    underline: z.boolean().optional(),
  })
  .optional();

const text = typed("text", { text: z.string().min(1), style });

const link = typed("link", {
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
  typed("broadcast", { range: z.enum(["here", "channel", "everyone"]), style }),
  typed("color", { value: z.string(), style }),
  typed("channel", { channel_id: z.string().min(1), style }),
  typed("date", {
    timestamp: z.number().int(),
    format: z.string().min(1),
    url: z.string().optional(),
    fallback: z.string().optional(),
    style,
  }),
  typed("emoji", {
    name: z.string().min(1),
    unicode: z.string().optional(),
    url: z.string().optional(),
    style,
  }),
  typed("team", { team_id: z.string().min(1), style }),
  typed("user", { user_id: z.string().min(1), style }),
  typed("usergroup", { usergroup_id: z.string().min(1), style }),
  typed("citation", {
    url: z.string().min(1),
    text: z.string().min(1),
    index: z.number().int(),
    details: citationDetails,
    from_llm: z.boolean().optional(),
    is_slack_url: z.boolean().optional(),
  }),
]);

const border = z.union([z.literal(0), z.literal(1)]).optional();

const section = typed("rich_text_section", { elements: z.array(inline) });

const part = z.discriminatedUnion("type", [
  section,
  typed("rich_text_list", {
    elements: z.array(section).min(1),
    style: z.enum(["bullet", "ordered"]),
    indent: z.number().int().min(0).max(8).optional(),
    offset: z.number().int().min(0).optional(),
    border,
  }),
  typed("rich_text_quote", { elements: z.array(inline), border }),
  typed("rich_text_preformatted", {
    elements: z.array(z.discriminatedUnion("type", [text, link])),
    border,
    language: z.string().optional(),
  }),
]);

/** A rich_text block, wherever it stands. */
export const richText = blockOf("rich_text", { elements: z.array(part).min(1) });

/** A rich_text block of exactly one part, as the fields of a task card have it. */
export const singleRichText = blockOf("rich_text", { elements: z.array(part).length(1) });
