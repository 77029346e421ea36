import { z } from "zod";
import { LIMITS } from "./limits.ts";
import { richText } from "./rich-text.ts";
import {
  address,
  anyOption,
  buttonStyle,
  confirmation,
  eitherOf,
  filled,
  flag,
  listOf,
  oneSource,
  optionGroup,
  overflowOption,
  pictureFields,
  plainOption,
  plainText,
  someOf,
  typed,
  whole,
} from "./text-objects.ts";

const named = { action_id: filled(LIMITS.id).optional() };
const acting = { ...named, confirm: confirmation.optional() };
const focusable = { ...acting, focus_on_load: flag };
const menu = { ...focusable, placeholder: plainText(LIMITS.placeholder).optional() };
const manyMenu = { ...menu, max_selected_items: whole(1).optional() };
const labelled = { accessibility_label: z.string().max(LIMITS.accessibilityLabel).optional() };
const label = { text: plainText(LIMITS.buttonText) };
const valued = { value: z.string().max(LIMITS.buttonValue).optional() };
const words = z.string().optional();
const ids = z.array(z.string()).optional();

/** A button, as cards have it too. */
export const buttonElement = typed("button", {
  ...label,
  ...valued,
  url: address.optional(),
  ...acting,
  ...labelled,
  style: buttonStyle,
});

/** A picture among other things. */
export const imageElement = typed("image", pictureFields).refine(...oneSource);

const parameters = z.array(z.strictObject({ name: z.string(), value: z.string() })).optional();
const trigger = z.strictObject({ url: address, customizable_input_parameters: parameters });
const workflow = z.strictObject({ trigger });
const buttons = [
  buttonElement,
  typed("workflow_button", { ...label, workflow, ...acting, ...labelled, style: buttonStyle }),
] as const;

const boxes = { options: listOf(anyOption, LIMITS.checkOptions) };
const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, "must be a date as YYYY-MM-DD");
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time as HH:mm");

const choices = {
  options: listOf(plainOption, LIMITS.selectOptions).optional(),
  option_groups: listOf(optionGroup, LIMITS.selectOptions).optional(),
};
const oneList = eitherOf("options", "option_groups");
const one = { initial_option: plainOption.optional() };
const several = { initial_options: z.array(plainOption).optional() };

const typeahead = { min_query_length: whole(0).optional() };
const conversations = {
  filter: z
    .strictObject({
      include: someOf(z.enum(["im", "mpim", "private", "public"])).optional(),
      exclude_external_shared_channels: flag,
      exclude_bot_users: flag,
    })
    .optional(),
  default_to_current_conversation: flag,
};
const respondable = { response_url_enabled: flag };

/** What can be chosen with, wherever elements stand alone. */
const choosers = [
  typed("checkboxes", { ...boxes, initial_options: someOf(anyOption).optional(), ...focusable }),
  typed("radio_buttons", { ...boxes, initial_option: anyOption.optional(), ...focusable }),
  typed("datepicker", { initial_date: date.optional(), ...menu }),
  typed("timepicker", { initial_time: time.optional(), timezone: words, ...menu }),
  typed("static_select", { ...choices, ...one, ...menu }).refine(...oneList),
  typed("external_select", { ...one, ...typeahead, ...menu }),
  typed("users_select", { initial_user: words, ...menu }),
  typed("conversations_select", { initial_conversation: words, ...conversations, ...respondable, ...menu }),
  typed("channels_select", { initial_channel: words, ...respondable, ...menu }),
  typed("multi_static_select", { ...choices, ...several, ...manyMenu }).refine(...oneList),
  typed("multi_external_select", { ...several, ...typeahead, ...manyMenu }),
  typed("multi_users_select", { initial_users: ids, ...manyMenu }),
  typed("multi_conversations_select", { initial_conversations: ids, ...conversations, ...manyMenu }),
  typed("multi_channels_select", { initial_channels: ids, ...manyMenu }),
] as const;

const overflow = typed("overflow", { options: listOf(overflowOption, LIMITS.overflowOptions), ...acting });

const dispatching = someOf(z.enum(["on_enter_pressed", "on_character_entered"])).optional();
const field = {
  ...named,
  dispatch_action_config: z.strictObject({ trigger_actions_on: dispatching }).optional(),
  focus_on_load: flag,
  placeholder: plainText(LIMITS.placeholder).optional(),
};

/** What stands in an actions block and in an input block. */
const inputs = [
  typed("datetimepicker", { initial_date_time: whole(1_000_000_000, 9_999_999_999).optional(), ...focusable }),
  typed("rich_text_input", {
    initial_value: richText.optional(),
    min_lines: whole(1, 100).optional(),
    max_lines: whole(1, 100).optional(),
    ...field,
  }),
] as const;

/** What stands in an input block alone. */
const fields = [
  typed("plain_text_input", {
    initial_value: z.string().max(LIMITS.inputLength).optional(),
    multiline: flag,
    min_length: whole(0, LIMITS.inputLength).optional(),
    max_length: whole(1, LIMITS.inputLength).optional(),
    ...field,
  }).refine(
    (input) => (input.min_length ?? 0) <= (input.max_length ?? LIMITS.inputLength),
    "min_length is more than max_length",
  ),
  typed("email_text_input", { initial_value: words, ...field }),
  typed("url_text_input", { initial_value: words, ...field }),
  typed("number_input", {
    is_decimal_allowed: z.boolean(),
    initial_value: words,
    min_value: words,
    max_value: words,
    ...field,
  }),
  typed("file_input", { filetypes: someOf(z.string()).optional(), max_files: whole(1, 10).optional(), ...named }),
] as const;

const feedbackButton = z.strictObject({ ...label, value: filled(LIMITS.buttonValue), ...labelled });

/** What stands in an actions block. */
export const actionElement = z.discriminatedUnion("type", [...buttons, overflow, ...inputs, ...choosers]);

/** What stands beside a section's text. */
export const accessory = z.discriminatedUnion("type", [...buttons, overflow, imageElement, ...choosers]);

/** What stands in an input block. */
export const inputElement = z.discriminatedUnion("type", [...inputs, ...fields, ...choosers]);

/** What stands in a context_actions block. */
export const contextActionElement = z.discriminatedUnion("type", [
  typed("feedback_buttons", { positive_button: feedbackButton, negative_button: feedbackButton, ...named }),
  typed("icon_button", {
    icon: z.literal("trash"),
    ...label,
    ...valued,
    visible_to_user_ids: ids,
    ...acting,
    ...labelled,
  }),
]);
