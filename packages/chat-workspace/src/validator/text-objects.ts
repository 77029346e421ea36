import { z } from "zod";
import { LIMITS } from "./limits.ts";

/** An object told from others by its `type`; what is not named here is refused. */
export function typed<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.strictObject({ type: z.literal(type), ...shape });
}

/** A block: an object by its `type` that may have an id. */
export function blockOf<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.strictObject({ type: z.literal(type), ...shape, block_id: z.string().max(LIMITS.id).optional() });
}

/** A web, mail or app address, as Slack takes it where something is to be opened. */
export const address = z
  .string()
  .min(1)
  .max(LIMITS.url)
  .refine((text) => URL.canParse(text), "must be a URL");

/** A plain text object of at most so many characters. */
export const plainText = (longest: number) =>
  typed("plain_text", {
    text: z.string().min(1).max(longest),
    emoji: z.boolean().optional(),
  });

/** A mrkdwn text object of at most so many characters. */
export const mrkdwn = (longest: number) =>
  typed("mrkdwn", {
    text: z.string().min(1).max(longest),
    verbatim: z.boolean().optional(),
  });

/** A text object of either kind. */
export const textObject = (longest: number) => z.discriminatedUnion("type", [plainText(longest), mrkdwn(longest)]);

/** The question asked before an element's action is taken. */
export const confirmation = z.strictObject({
  title: plainText(LIMITS.confirmTitle).optional(),
  text: textObject(LIMITS.confirmText),
  confirm: plainText(LIMITS.confirmButton).optional(),
  deny: plainText(LIMITS.confirmButton).optional(),
  style: z.enum(["primary", "danger"]).optional(),
});

const optionFields = {
  value: z.string().max(LIMITS.optionValue).optional(),
  description: plainText(LIMITS.optionText).optional(),
};

/** A choice of a menu. */
export const plainOption = z.strictObject({ text: plainText(LIMITS.optionText), ...optionFields });

/** A choice of an overflow menu, the only one that may open an address. */
export const overflowOption = plainOption.extend({ url: address.optional() });

/** A choice beside a box or a radio button. */
export const anyOption = z.strictObject({
  text: textObject(LIMITS.optionText),
  ...optionFields,
  description: textObject(LIMITS.optionText).optional(),
});

/** Choices under a heading. */
export const optionGroup = z.strictObject({
  label: plainText(LIMITS.optionText),
  options: z.array(plainOption).min(1).max(LIMITS.selectOptions),
});

/** Where a picture comes from: exactly one of an address and a file in Slack. */
export const pictureFields = {
  alt_text: z.string().min(1).max(LIMITS.altText),
  image_url: address.optional(),
  slack_file: z
    .strictObject({ url: z.string().optional(), id: z.string().optional() })
    .refine((file) => (file.url === undefined) !== (file.id === undefined), "must have either url or id")
    .optional(),
};

/** Whether a picture names exactly one source. */
export function hasOneSource(picture: { image_url?: unknown; slack_file?: unknown }): boolean {
  return (picture.image_url === undefined) !== (picture.slack_file === undefined);
}
