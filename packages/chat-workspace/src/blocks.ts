import type { State } from "./state.ts";
import { type Fields, fieldsOf, isObject } from "./fields.ts";

/** An element people act on, and the block it stands in. */
export interface FoundElement {
  readonly element: Readonly<Record<string, unknown>>;
  readonly blockId: string;
}

/** Elements that have an `action_id`, which Slack gives those that come without. */
const ACTING = new Set(
  ["button", "checkboxes", "datepicker", "datetimepicker", "feedback_buttons", "icon_button", "overflow"].concat(
    ["plain_text_input", "radio_buttons", "static_select", "multi_static_select", "users_select"],
    ["conversations_select", "channels_select", "timepicker", "email_text_input", "url_text_input", "number_input"],
  ),
);

/** The blocks with a `block_id` each and an `action_id` in every element that acts, as Slack stores them. */
export function withIds(state: State, blocks: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  return blocks.map((block) => ({
    ...(withActionIds(state, block) as Record<string, unknown>),
    block_id: block["block_id"] ?? state.id("").slice(0, 5),
  }));
}

function withActionIds(state: State, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => withActionIds(state, one));
  if (!isObject(value)) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withActionIds(state, part)]));
  const acts = ACTING.has(String(copy["type"])) && copy["action_id"] === undefined;
  return acts ? { ...copy, action_id: state.id("").slice(0, 5) } : copy;
}

/** Every element with an `action_id` in blocks, nested ones too, in reading order. */
export function elementsIn(blocks: unknown, blockId = ""): FoundElement[] {
  if (Array.isArray(blocks)) return blocks.flatMap((one) => elementsIn(one, blockId));
  if (!isObject(blocks)) return [];
  const own = typeof blocks["block_id"] === "string" ? blocks["block_id"] : blockId;
  const here = typeof blocks["action_id"] === "string" ? [{ element: blocks, blockId: own }] : [];
  return [...here, ...Object.values(blocks).flatMap((part) => elementsIn(part, own))];
}

const SINGLE = new Set(["static_select", "radio_buttons", "overflow", "external_select"]);
const MULTIPLE = new Set(["checkboxes", "multi_static_select", "multi_external_select"]);
const NAMED: Readonly<Record<string, string>> = {
  users_select: "selected_user",
  conversations_select: "selected_conversation",
  channels_select: "selected_channel",
  datepicker: "selected_date",
  timepicker: "selected_time",
};
const NAMED_LISTS: Readonly<Record<string, string>> = {
  multi_users_select: "selected_users",
  multi_conversations_select: "selected_conversations",
  multi_channels_select: "selected_channels",
};

/**
 * What a person's act on an element says, as events and `state.values` hold it. `value` is what was typed, the value of
 * the option, several with commas between; absent: the element as it stands. Throws an Error in plain words when there
 * is no such option.
 */
export function choiceOf(element: Fields, value?: string): Record<string, unknown> {
  const type = String(element["type"]);
  const several = (value ?? "").split(",").filter((one) => one !== "");
  if (SINGLE.has(type)) {
    const chosen = value === undefined ? (element["initial_option"] ?? null) : optionOf(element, value);
    return { type, selected_option: chosen };
  }
  if (MULTIPLE.has(type)) {
    const chosen = several.map((one) => optionOf(element, one));
    return { type, selected_options: value === undefined ? (element["initial_options"] ?? []) : chosen };
  }
  const list = NAMED_LISTS[type];
  if (list !== undefined) return { type, [list]: several };
  const named = NAMED[type];
  if (named !== undefined) {
    // Of a form nobody chose in.
    if (value === "") return { type, [named]: null };
    return { type, [named]: value ?? element[named.replace("selected_", "initial_")] ?? null };
  }
  if (type === "feedback_buttons") return { type, value: feedbackOf(element, value) };
  if (type === "button" || type === "icon_button") {
    return { type, text: element["text"], value: element["value"] };
  }
  return { type, value: value ?? element["initial_value"] ?? null };
}

function optionOf(element: Fields, value: string): Fields {
  const options = [element, ...fieldsOf(element["option_groups"])].flatMap((list) => fieldsOf(list["options"]));
  const found = options.find((option) => option["value"] === value);
  if (found !== undefined) return found;
  // Options of an external source are the app's own knowledge; the value is taken at its word.
  if (element["type"] === "external_select") return { text: { type: "plain_text", text: value }, value };
  const offered = options.map((option) => String(option["value"])).join(", ");
  throw new Error(`There is no option "${value}" in "${String(element["action_id"])}". It offers: ${offered}.`);
}

function feedbackOf(element: Fields, value = "positive"): unknown {
  for (const side of ["positive", "negative"]) {
    const button = element[`${side}_button`];
    if (isObject(button) && (value === side || value === button["value"])) return button["value"];
  }
  throw new Error(`There is no feedback "${value}" in "${String(element["action_id"])}".`);
}
