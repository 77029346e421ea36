import { z } from "zod";
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
import { address, blockOf, hasOneSource, mrkdwn, pictureFields, plainText, textObject, typed } from "./text-objects.ts";

/** Refuses two elements of one block that answer to the same `action_id`. */
function withOwnActions<Block extends { readonly elements: readonly object[] }>(
  block: Block,
  context: z.RefinementCtx<Block>,
): void {
  const seen = new Set<unknown>();
  for (const [index, element] of block.elements.entries()) {
    const id: unknown = "action_id" in element ? element.action_id : undefined;
    if (id === undefined) continue;
    if (seen.has(id)) {
      context.addIssue({
        code: "custom",
        path: ["elements", index, "action_id"],
        message: `action_id ${String(id)} is used twice in this block`,
      });
    }
    seen.add(id);
  }
}

const section = blockOf("section", {
  text: textObject(LIMITS.sectionText).optional(),
  fields: z.array(textObject(LIMITS.sectionField)).min(1).max(LIMITS.sectionFields).optional(),
  accessory: accessory.optional(),
  expand: z.boolean().optional(),
}).refine((block) => block.text !== undefined || block.fields !== undefined, "must have text or fields");

const header = blockOf("header", {
  text: plainText(LIMITS.header),
  level: z.number().int().min(1).max(6).optional(),
});

const context = blockOf("context", {
  elements: z
    .array(z.discriminatedUnion("type", [imageElement, plainText(LIMITS.sectionText), mrkdwn(LIMITS.sectionText)]))
    .min(1)
    .max(LIMITS.contextElements),
});

const actions = blockOf("actions", {
  elements: z.array(actionElement).min(1).max(LIMITS.actionsElements),
}).superRefine(withOwnActions);

const contextActions = blockOf("context_actions", {
  elements: z.array(contextActionElement).min(1).max(LIMITS.contextActionsElements),
}).superRefine(withOwnActions);

const divider = blockOf("divider", {});

const image = blockOf("image", {
  title: plainText(LIMITS.imageTitle).optional(),
  ...pictureFields,
}).refine(hasOneSource, "must have either image_url or slack_file");

const input = blockOf("input", {
  label: plainText(LIMITS.inputLabel),
  hint: plainText(LIMITS.inputLabel).optional(),
  optional: z.boolean().optional(),
  element: inputElement,
  dispatch_action: z.boolean().optional(),
});

const markdown = blockOf("markdown", {
  text: z.string().min(1).max(LIMITS.markdownBlocks),
});

const file = blockOf("file", {
  source: z.literal("remote"),
  external_id: z.string().min(1),
});

const video = blockOf("video", {
  video_url: address.refine((url) => url.startsWith("https:"), "must be an https address"),
  thumbnail_url: address,
  alt_text: z.string().min(1).max(LIMITS.altText),
  title: plainText(LIMITS.videoTitle),
  title_url: address.refine((url) => url.startsWith("https:"), "must be an https address").optional(),
  author_name: z.string().max(LIMITS.videoAuthor).optional(),
  provider_name: z.string().optional(),
  provider_icon_url: address.optional(),
  description: plainText(LIMITS.videoTitle).optional(),
});

const rawText = typed("raw_text", { text: z.string().min(1) });
const rawNumber = typed("raw_number", { value: z.number(), text: z.string().min(1) });
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

const fits = (block: { rows: unknown }) => lengthOf(block.rows) <= LIMITS.tableCharacters;
const tooMuch = { message: `no more than ${LIMITS.tableCharacters} characters allowed in all cells`, path: ["rows"] };

const table = blockOf("table", {
  rows: z.array(z.array(cell).min(1).max(LIMITS.tableColumns)).min(1).max(LIMITS.tableRows),
  column_settings: z
    .array(
      z
        .strictObject({ align: z.enum(["left", "center", "right"]).optional(), is_wrapped: z.boolean().optional() })
        .nullable(),
    )
    .max(LIMITS.tableColumns)
    .optional(),
}).refine(fits, tooMuch);

const dataTable = blockOf("data_table", {
  rows: z.array(z.array(cell).min(1).max(LIMITS.tableColumns)).min(2).max(LIMITS.dataTableRows),
  caption: z.string().min(1),
  page_size: z.number().int().min(1).max(LIMITS.dataTablePage).optional(),
  row_header_column_index: z.number().int().min(0).optional(),
})
  .refine(fits, tooMuch)
  .refine((block) => block.rows.every((row) => row.length === block.rows[0]?.length), {
    message: "all rows must have the same number of cells",
    path: ["rows"],
  })
  .refine((block) => block.rows[0]?.every((head) => head.type !== "rich_text"), {
    message: "cells of the header row cannot be rich_text",
    path: ["rows", 0],
  });

/** Where something in a task card comes from. */
export const urlSource = typed("url", {
  url: address,
  text: z.string().min(1),
});

const taskFields = {
  task_id: z.string().min(1),
  title: z.string().min(1),
  status: z.enum(["pending", "in_progress", "complete", "error"]).optional(),
  details: singleRichText.optional(),
  output: singleRichText.optional(),
  sources: z.array(urlSource).optional(),
};

const taskCard = blockOf("task_card", { ...taskFields });

const plan = blockOf("plan", {
  title: z.string().min(1),
  tasks: z
    .array(
      z.strictObject({
        type: z.literal("task_card").optional(),
        ...taskFields,
        block_id: z.string().max(LIMITS.id).optional(),
      }),
    )
    .max(LIMITS.planTasks)
    .optional(),
}).refine((block) => new Set(block.tasks?.map((task) => task.task_id)).size === (block.tasks?.length ?? 0), {
  message: "every task of a plan needs its own task_id",
  path: ["tasks"],
});

const card = blockOf("card", {
  hero_image: imageElement.optional(),
  icon: imageElement.optional(),
  title: mrkdwn(LIMITS.cardTitle).optional(),
  subtitle: mrkdwn(LIMITS.cardTitle).optional(),
  body: mrkdwn(LIMITS.cardBody).optional(),
  actions: z.array(buttonElement).min(1).optional(),
}).refine(
  (block) => [block.hero_image, block.title, block.actions, block.body].some((part) => part !== undefined),
  "must have hero_image, title, actions or body",
);

const carousel = blockOf("carousel", {
  elements: z.array(card).min(1).max(LIMITS.carouselCards),
});

const alert = blockOf("alert", {
  text: textObject(LIMITS.sectionText),
  level: z.enum(["default", "info", "warning", "error", "success"]).optional(),
});

const container = blockOf("container", {
  title: plainText(LIMITS.containerTitle).optional(),
  rich_text_title: richText.optional(),
  subtitle: textObject(LIMITS.containerTitle).optional(),
  child_blocks: z
    .array(
      z.discriminatedUnion("type", [
        actions,
        context,
        divider,
        file,
        header,
        image,
        input,
        richText,
        section,
        table,
        video,
      ]),
    )
    .min(1)
    .max(LIMITS.containerChildren),
  width: z.enum(["narrow", "standard", "wide", "full"]).optional(),
  icon: imageElement.optional(),
  is_collapsible: z.boolean().optional(),
  default_collapsed: z.boolean().optional(),
  has_header_divider: z.boolean().optional(),
})
  .refine((block) => block.title !== undefined || block.rich_text_title !== undefined, {
    message: "must have title or rich_text_title",
  })
  .refine((block) => block.default_collapsed !== true || block.is_collapsible === true, {
    message: "default_collapsed needs is_collapsible",
    path: ["default_collapsed"],
  });

const everywhere = [
  actions,
  card,
  carousel,
  container,
  context,
  divider,
  file,
  header,
  image,
  input,
  richText,
  section,
  video,
] as const;

/** A block as a message takes it. */
export const messageBlock = z.discriminatedUnion("type", [
  ...everywhere,
  contextActions,
  dataTable,
  markdown,
  plan,
  table,
  taskCard,
]);

/** A block as a modal takes it. */
export const modalBlock = z.discriminatedUnion("type", [...everywhere, alert]);

/** A block as the Home takes it. */
export const homeBlock = z.discriminatedUnion("type", [...everywhere]);
