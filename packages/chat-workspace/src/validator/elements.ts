import { z } from "zod";
import { LIMITS } from "./limits.ts";
import { richText } from "./rich-text.ts";
import {
  address,
  anyOption,
  confirmation,
  hasOneSource,
  optionGroup,
  overflowOption,
  pictureFields,
  plainOption,
  plainText,
  typed,
} from "./text-objects.ts";

const actionable = { action_id: z.string().min(1).max(LIMITS.id).optional() };
const confirmable = { confirm: confirmation.optional() };
const focusable = { focus_on_load: z.boolean().optional() };
const placeholdable = { placeholder: plainText(LIMITS.placeholder).optional() };
const countable = { max_selected_items: z.number().int().min(1).optional() };
const dispatchable = {
  dispatch_action_config: z
    .strictObject({
      trigger_actions_on: z
        .array(z.enum(["on_enter_pressed", "on_character_entered"]))
        .min(1)
        .optional(),
    })
    .optional(),
};
const labelled = { accessibility_label: z.string().max(LIMITS.accessibilityLabel).optional() };
const styled = { style: z.enum(["primary", "danger"]).optional() };
const menu = { ...actionable, ...confirmable, ...focusable, ...placeholdable };

const button = typed("button", {
  text: plainText(LIMITS.buttonText),
  value: z.string().max(LIMITS.buttonValue).optional(),
  url: address.optional(),
  ...actionable,
  ...confirmable,
  ...labelled,
  ...styled,
});

const workflowButton = typed("workflow_button", {
  text: plainText(LIMITS.buttonText),
  workflow: z.strictObject({
    trigger: z.strictObject({
      url: address,
      customizable_input_parameters: z.array(z.strictObject({ name: z.string(), value: z.string() })).optional(),
    }),
  }),
  ...actionable,
  ...confirmable,
  ...labelled,
  ...styled,
});

const checkboxes = typed("checkboxes", {
  options: z.array(anyOption).min(1).max(LIMITS.checkOptions),
  initial_options: z.array(anyOption).min(1).optional(),
  ...actionable,
  ...confirmable,
  ...focusable,
});

const radioButtons = typed("radio_buttons", {
  options: z.array(anyOption).min(1).max(LIMITS.checkOptions),
  initial_option: anyOption.optional(),
  ...actionable,
  ...confirmable,
  ...focusable,
});

const datepicker = typed("datepicker", {
  initial_date: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, "must be a date as YYYY-MM-DD")
    .optional(),
  ...menu,
});

const timepicker = typed("timepicker", {
  initial_time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time as HH:mm")
    .optional(),
  timezone: z.string().optional(),
  ...menu,
});

const datetimepicker = typed("datetimepicker", {
  initial_date_time: z.number().int().min(1_000_000_000).max(9_999_999_999).optional(),
  ...actionable,
  ...confirmable,
  ...focusable,
});

const choices = {
  options: z.array(plainOption).min(1).max(LIMITS.selectOptions).optional(),
  option_groups: z.array(optionGroup).min(1).max(LIMITS.selectOptions).optional(),
};

function hasOneList(select: { options?: unknown; option_groups?: unknown }): boolean {
  return (select.options === undefined) !== (select.option_groups === undefined);
}
const oneList = "must have either options or option_groups";

const staticSelect = typed("static_select", { ...choices, initial_option: plainOption.optional(), ...menu }).refine(
  hasOneList,
  oneList,
);

const multiStaticSelect = typed("multi_static_select", {
  ...choices,
  initial_options: z.array(plainOption).optional(),
  ...menu,
  ...countable,
}).refine(hasOneList, oneList);

const typeahead = { min_query_length: z.number().int().min(0).optional() };
const conversationFilter = {
  filter: z
    .strictObject({
      include: z
        .array(z.enum(["im", "mpim", "private", "public"]))
        .min(1)
        .optional(),
      exclude_external_shared_channels: z.boolean().optional(),
      exclude_bot_users: z.boolean().optional(),
    })
    .optional(),
  default_to_current_conversation: z.boolean().optional(),
};
const respondable = { response_url_enabled: z.boolean().optional() };
const ids = z.array(z.string()).optional();

const selects = [
  staticSelect,
  typed("external_select", { initial_option: plainOption.optional(), ...typeahead, ...menu }),
  typed("users_select", { initial_user: z.string().optional(), ...menu }),
  typed("conversations_select", {
    initial_conversation: z.string().optional(),
    ...conversationFilter,
    ...respondable,
    ...menu,
  }),
  typed("channels_select", {
    initial_channel: z.string().optional(),
    ...respondable,
    ...menu,
  }),
] as const;

const multiSelects = [
  multiStaticSelect,
  typed("multi_external_select", {
    initial_options: z.array(plainOption).optional(),
    ...typeahead,
    ...menu,
    ...countable,
  }),
  typed("multi_users_select", { initial_users: ids, ...menu, ...countable }),
  typed("multi_conversations_select", {
    initial_conversations: ids,
    ...conversationFilter,
    ...menu,
    ...countable,
  }),
  typed("multi_channels_select", { initial_channels: ids, ...menu, ...countable }),
] as const;

const overflow = typed("overflow", {
  options: z.array(overflowOption).min(1).max(LIMITS.overflowOptions),
  ...actionable,
  ...confirmable,
});

const field = { ...actionable, ...dispatchable, ...focusable, ...placeholdable };

const plainTextInput = typed("plain_text_input", {
  initial_value: z.string().max(LIMITS.inputLength).optional(),
  multiline: z.boolean().optional(),
  min_length: z.number().int().min(0).max(LIMITS.inputLength).optional(),
  max_length: z.number().int().min(1).max(LIMITS.inputLength).optional(),
  ...field,
}).refine(
  (input) => (input.min_length ?? 0) <= (input.max_length ?? LIMITS.inputLength),
  "min_length is more than max_length",
);

const richTextInput = typed("rich_text_input", {
  initial_value: richText.optional(),
  min_lines: z.number().int().min(1).max(100).optional(),
  max_lines: z.number().int().min(1).max(100).optional(),
  ...field,
});

const fields = [
  plainTextInput,
  typed("email_text_input", { initial_value: z.string().optional(), ...field }),
  typed("url_text_input", { initial_value: z.string().optional(), ...field }),
  typed("number_input", {
    is_decimal_allowed: z.boolean(),
    initial_value: z.string().optional(),
    min_value: z.string().optional(),
    max_value: z.string().optional(),
    ...field,
  }),
  typed("file_input", {
    filetypes: z.array(z.string()).min(1).optional(),
    max_files: z.number().int().min(1).max(10).optional(),
    ...actionable,
  }),
] as const;

const feedbackButton = z.strictObject({
  text: plainText(LIMITS.buttonText),
  value: z.string().min(1).max(LIMITS.buttonValue),
  ...labelled,
});

const feedbackButtons = typed("feedback_buttons", {
  positive_button: feedbackButton,
  negative_button: feedbackButton,
  ...actionable,
});

const iconButton = typed("icon_button", {
  icon: z.literal("trash"),
  text: plainText(LIMITS.buttonText),
  value: z.string().max(LIMITS.buttonValue).optional(),
  visible_to_user_ids: z.array(z.string()).optional(),
  ...actionable,
  ...confirmable,
  ...labelled,
});

/** A picture among other things. */
export const imageElement = typed("image", { ...pictureFields }).refine(
  hasOneSource,
  "must have either image_url or slack_file",
);

/** A button, as cards have it too. */
export const buttonElement = button;

const pickers = [datepicker, timepicker] as const;

/** What stands in an actions block. */
export const actionElement = z.discriminatedUnion("type", [
  button,
  workflowButton,
  checkboxes,
  radioButtons,
  overflow,
  datetimepicker,
  richTextInput,
  ...pickers,
  ...selects,
  ...multiSelects,
]);

/** What stands beside a section's text. */
export const accessory = z.discriminatedUnion("type", [
  button,
  workflowButton,
  checkboxes,
  radioButtons,
  overflow,
  imageElement,
  ...pickers,
  ...selects,
  ...multiSelects,
]);

/** What stands in an input block. */
export const inputElement = z.discriminatedUnion("type", [
  checkboxes,
  radioButtons,
  datetimepicker,
  richTextInput,
  ...fields,
  ...pickers,
  ...selects,
  ...multiSelects,
]);

/** What stands in a context_actions block. */
export const contextActionElement = z.discriminatedUnion("type", [feedbackButtons, iconButton]);
