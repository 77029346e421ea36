import { z } from "zod";
import { repeatedIn } from "../fields.ts";
import {
  accessory,
  actionElement,
  buttonElement,
  contextActionElement,
  imageElement,
  inputElement,
} from "./elements.ts";
import { LIMITS } from "./limits.ts";
import { richText, singleRichText } from "./rich-text.ts";
import {
  address,
  blockOf,
  filled,
  flag,
  listOf,
  mrkdwn,
  oneSource,
  pictureFields,
  plainText,
  some,
  someOf,
  textObject,
  typed,
  whole,
} from "./text-objects.ts";

/** A block of elements, no two of which answer to the same `action_id`. */
function acting<Type extends string, Element extends z.ZodType<object>>(type: Type, element: Element, most: number) {
  return blockOf(type, { elements: listOf(element, most) }).superRefine((block, context) => {
    for (const { index, value } of repeatedIn(block.elements as object[], "action_id")) {
      const message = `action_id ${String(value)} is used twice in this block`;
      context.addIssue({ code: "custom", path: ["elements", index, "action_id"], message });
    }
  });
}

/** Refuses, as an argument of `refine`, a block without any of these fields. */
function anyOf(...names: readonly string[]) {
  const hasOne = (block: object): boolean => names.some((name) => Reflect.get(block, name) !== undefined);
  return [hasOne, `must have ${names.slice(0, -1).join(", ")} or ${names.at(-1)}`] as const;
}

const section = blockOf("section", {
  text: textObject(LIMITS.sectionText).optional(),
  fields: listOf(textObject(LIMITS.sectionField), LIMITS.sectionFields).optional(),
  accessory: accessory.optional(),
  expand: flag,
}).refine(...anyOf("text", "fields"));

const header = blockOf("header", { text: plainText(LIMITS.header), level: whole(1, 6).optional() });

const contextPart = [imageElement, plainText(LIMITS.sectionText), mrkdwn(LIMITS.sectionText)] as const;
const context = blockOf("context", {
  elements: listOf(z.discriminatedUnion("type", contextPart), LIMITS.contextElements),
});

const actions = acting("actions", actionElement, LIMITS.actionsElements);

const image = blockOf("image", { title: plainText(LIMITS.imageTitle).optional(), ...pictureFields }).refine(
  ...oneSource,
);

const input = blockOf("input", {
  label: plainText(LIMITS.inputLabel),
  hint: plainText(LIMITS.inputLabel).optional(),
  optional: flag,
  element: inputElement,
  dispatch_action: flag,
});

const secure = address.refine((url) => url.startsWith("https:"), "must be an https address");

const video = blockOf("video", {
  video_url: secure,
  thumbnail_url: address,
  alt_text: filled(LIMITS.altText),
  title: plainText(LIMITS.videoTitle),
  title_url: secure.optional(),
  author_name: z.string().max(LIMITS.videoAuthor).optional(),
  provider_name: z.string().optional(),
  provider_icon_url: address.optional(),
  description: plainText(LIMITS.videoTitle).optional(),
});

const rawText = typed("raw_text", { text: some });
const rawNumber = typed("raw_number", { value: z.number(), text: some });
const cell = z.discriminatedUnion("type", [rawText, rawNumber, richText]);

/** Every string a reader of a cell sees, counted. */
function lengthOf(part: unknown): number {
  if (Array.isArray(part)) return part.reduce((sum: number, each: unknown) => sum + lengthOf(each), 0);
  if (typeof part !== "object" || part === null) return 0;
  return Object.entries(part).reduce(
    (sum, [key, value]) => sum + (key === "text" && typeof value === "string" ? value.length : lengthOf(value)),
    0,
  );
}

const rowsOf = (most: number, least = 1) => listOf(listOf(cell, LIMITS.tableColumns), most, least);
const fits = (block: { rows: unknown }) => lengthOf(block.rows) <= LIMITS.tableCharacters;
const tooMuch = { message: `no more than ${LIMITS.tableCharacters} characters allowed in all cells`, path: ["rows"] };

const column = z.strictObject({ align: z.enum(["left", "center", "right"]).optional(), is_wrapped: flag });
const table = blockOf("table", {
  rows: rowsOf(LIMITS.tableRows),
  column_settings: z.array(column.nullable()).max(LIMITS.tableColumns).optional(),
}).refine(fits, tooMuch);

const dataTable = blockOf("data_table", {
  rows: rowsOf(LIMITS.dataTableRows, 2),
  caption: some,
  page_size: whole(1, LIMITS.dataTablePage).optional(),
  row_header_column_index: whole(0).optional(),
})
  .refine(fits, tooMuch)
  .refine(({ rows }) => rows.every((row) => row.length === rows[0]?.length), {
    message: "all rows must have the same number of cells",
    path: ["rows"],
  })
  .refine(({ rows }) => rows[0]?.every((head) => head.type !== "rich_text"), {
    message: "cells of the header row cannot be rich_text",
    path: ["rows", 0],
  });

/** Where something in a task card comes from. */
export const urlSource = typed("url", { url: address, text: some });

const taskFields = {
  task_id: some,
  title: some,
  status: z.enum(["pending", "in_progress", "complete", "error"]).optional(),
  details: singleRichText.optional(),
  output: singleRichText.optional(),
  sources: z.array(urlSource).optional(),
};
const taskCard = blockOf("task_card", taskFields);

const plan = blockOf("plan", {
  title: some,
  tasks: z
    .array(taskCard.partial({ type: true }))
    .max(LIMITS.planTasks)
    .optional(),
}).refine((block) => repeatedIn(block.tasks ?? [], "task_id").length === 0, {
  message: "every task of a plan needs its own task_id",
  path: ["tasks"],
});

const card = blockOf("card", {
  hero_image: imageElement.optional(),
  icon: imageElement.optional(),
  title: mrkdwn(LIMITS.cardTitle).optional(),
  subtitle: mrkdwn(LIMITS.cardTitle).optional(),
  body: mrkdwn(LIMITS.cardBody).optional(),
  actions: someOf(buttonElement).optional(),
}).refine(...anyOf("hero_image", "title", "actions", "body"));

const alert = blockOf("alert", {
  text: textObject(LIMITS.sectionText),
  level: z.enum(["default", "info", "warning", "error", "success"]).optional(),
});

const basic = [
  actions,
  context,
  blockOf("divider", {}),
  blockOf("file", { source: z.literal("remote"), external_id: some }),
  header,
  image,
  input,
  richText,
  section,
  video,
] as const;

const container = blockOf("container", {
  title: plainText(LIMITS.containerTitle).optional(),
  rich_text_title: richText.optional(),
  subtitle: textObject(LIMITS.containerTitle).optional(),
  child_blocks: listOf(z.discriminatedUnion("type", [...basic, table]), LIMITS.containerChildren),
  width: z.enum(["narrow", "standard", "wide", "full"]).optional(),
  icon: imageElement.optional(),
  is_collapsible: flag,
  default_collapsed: flag,
  has_header_divider: flag,
})
  .refine(...anyOf("title", "rich_text_title"))
  .refine((block) => block.default_collapsed !== true || block.is_collapsible === true, {
    message: "default_collapsed needs is_collapsible",
    path: ["default_collapsed"],
  });

const carousel = blockOf("carousel", { elements: listOf(card, LIMITS.carouselCards) });
const everywhere = [...basic, card, carousel, container] as const;

/** A block as a message takes it. */
export const messageBlock = z.discriminatedUnion("type", [
  ...everywhere,
  acting("context_actions", contextActionElement, LIMITS.contextActionsElements),
  dataTable,
  blockOf("markdown", { text: filled(LIMITS.markdownBlocks) }),
  plan,
  table,
  taskCard,
]);

/** A block as a modal takes it. */
export const modalBlock = z.discriminatedUnion("type", [...everywhere, alert]);

/** A block as the Home takes it. */
export const homeBlock = z.discriminatedUnion("type", everywhere);
