import { z } from "zod";
import { LIMITS } from "./limits.ts";

/** Yes, no, or nothing said. */
export const flag = z.boolean().optional();

/** A text that is not empty, of at most so many characters. */
export const filled = (longest: number) => z.string().min(1).max(longest);

/** A text that is not empty. */
export const some = z.string().min(1);

/** A whole number from `least`, to `most` where there is an end. */
export const whole = (least: number, most = Infinity) => z.number().int().min(least).max(most);

/** A list of at least `least` and at most `most` such things. */
export const listOf = <Item extends z.ZodType>(item: Item, most: number, least = 1) =>
  z.array(item).min(least).max(most);

/** A list that is not empty. */
export const someOf = <Item extends z.ZodType>(item: Item) => z.array(item).min(1);

/** An object told from others by its `type`; what is not named here is refused. */
export function typed<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.strictObject({ type: z.literal(type), ...shape });
}

/** A block: an object by its `type` that may have an id. */
export function blockOf<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return typed(type, { ...shape, block_id: z.string().max(LIMITS.id).optional() });
}

/** Refuses, as an argument of `refine`, an object with none or both of two fields. */
export function eitherOf(one: string, other: string) {
  const isOne = (value: object): boolean =>
    (Reflect.get(value, one) === undefined) !== (Reflect.get(value, other) === undefined);
  return [isOne, `must have either ${one} or ${other}`] as const;
}

/** A web, mail or app address, as Slack takes it where something is to be opened. */
export const address = filled(LIMITS.url).refine((text) => URL.canParse(text), "must be a URL");

/** A plain text object of at most so many characters. */
export const plainText = (longest: number) => typed("plain_text", { text: filled(longest), emoji: flag });

/** A mrkdwn text object of at most so many characters. */
export const mrkdwn = (longest: number) => typed("mrkdwn", { text: filled(longest), verbatim: flag });

/** A text object of either kind. */
export const textObject = (longest: number) => z.discriminatedUnion("type", [plainText(longest), mrkdwn(longest)]);

/** How loud a button is. */
export const buttonStyle = z.enum(["primary", "danger"]).optional();

/** The question asked before an element's action is taken. */
export const confirmation = z.strictObject({
  title: plainText(LIMITS.confirmTitle).optional(),
  text: textObject(LIMITS.confirmText),
  confirm: plainText(LIMITS.confirmButton).optional(),
  deny: plainText(LIMITS.confirmButton).optional(),
  style: buttonStyle,
});

/** A choice of a menu. */
export const plainOption = z.strictObject({
  text: plainText(LIMITS.optionText),
  value: z.string().max(LIMITS.optionValue).optional(),
  description: plainText(LIMITS.optionText).optional(),
});

/** A choice of an overflow menu, the only one that may open an address. */
export const overflowOption = plainOption.extend({ url: address.optional() });

/** A choice beside a box or a radio button. */
export const anyOption = plainOption.extend({
  text: textObject(LIMITS.optionText),
  description: textObject(LIMITS.optionText).optional(),
});

/** Choices under a heading. */
export const optionGroup = z.strictObject({
  label: plainText(LIMITS.optionText),
  options: listOf(plainOption, LIMITS.selectOptions),
});

/** What a picture has; it takes one of its two sources, see `oneSource`. */
export const pictureFields = {
  alt_text: filled(LIMITS.altText),
  image_url: address.optional(),
  slack_file: z
    .strictObject({ url: z.string().optional(), id: z.string().optional() })
    .refine(...eitherOf("url", "id"))
    .optional(),
};

/** Where a picture comes from: exactly one of an address and a file in Slack. */
export const oneSource = eitherOf("image_url", "slack_file");
