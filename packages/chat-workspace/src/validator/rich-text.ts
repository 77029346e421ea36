import { z } from "zod";
import { blockOf, flag, some, someOf, typed, whole } from "./text-objects.ts";

const words = z.string().optional();

const style = z.strictObject({ bold: flag, italic: flag, strike: flag, code: flag, underline: flag }).optional();

const text = typed("text", { text: some, style });

const link = typed("link", { url: some, text: words, unsafe: flag, style });

/** Where a citation leads. Slack documents the shapes; the installed type declarations do not know them yet. */
const citationDetails = z.discriminatedUnion("citation_type", [
  z.strictObject({ citation_type: z.literal("web"), display_name: words, title: words, snippet: words }),
  z.strictObject({ citation_type: z.literal("external"), app_name: words, app_icon_url: words }),
  z.strictObject({ citation_type: z.literal("file"), file_id: words, descriptor: words }),
  z.looseObject({ citation_type: z.literal("message") }),
  z.looseObject({ citation_type: z.literal("memory") }),
]);

const inline = z.discriminatedUnion("type", [
  text,
  link,
  typed("broadcast", { range: z.enum(["here", "channel", "everyone"]), style }),
  typed("color", { value: z.string(), style }),
  typed("channel", { channel_id: some, style }),
  typed("date", { timestamp: z.number().int(), format: some, url: words, fallback: words, style }),
  typed("emoji", { name: some, unicode: words, url: words, style }),
  typed("team", { team_id: some, style }),
  typed("user", { user_id: some, style }),
  typed("usergroup", { usergroup_id: some, style }),
  typed("citation", {
    url: some,
    text: some,
    index: z.number().int(),
    details: citationDetails,
    from_llm: flag,
    is_slack_url: flag,
  }),
]);

const border = z.union([z.literal(0), z.literal(1)]).optional();

const section = typed("rich_text_section", { elements: z.array(inline) });

const part = z.discriminatedUnion("type", [
  section,
  typed("rich_text_list", {
    elements: someOf(section),
    style: z.enum(["bullet", "ordered"]),
    indent: whole(0, 8).optional(),
    offset: whole(0).optional(),
    border,
  }),
  typed("rich_text_quote", { elements: z.array(inline), border }),
  typed("rich_text_preformatted", {
    elements: z.array(z.discriminatedUnion("type", [text, link])),
    border,
    language: words,
  }),
]);

/** A rich_text block, wherever it stands. */
export const richText = blockOf("rich_text", { elements: someOf(part) });

/** A rich_text block of exactly one part, as the fields of a task card have it. */
export const singleRichText = blockOf("rich_text", { elements: z.array(part).length(1) });
