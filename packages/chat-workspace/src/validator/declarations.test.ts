import type { AnyChunk, Button, HomeView, KnownBlock, ModalView, RichTextBlock } from "@slack/types";
import { describe, expect, it } from "vitest";
import { refusalsOf } from "./refusals.ts";

/** A block with every field that Slack's own type declarations know, so that one more breaks the build of this test. */
type Whole<Type extends KnownBlock["type"]> = Required<
  Omit<Extract<KnownBlock, { type: Type }>, "slack_file" | "image_url">
> &
  Extract<KnownBlock, { type: Type }>;

const plain = (text: string) => ({ type: "plain_text", text, emoji: true }) as const;
const mrkdwn = (text: string) => ({ type: "mrkdwn", text, verbatim: true }) as const;
const url = "https://example.org/a";
const style = { bold: true, italic: true, strike: true, code: true, underline: true };
const block_id = "b";
const icon = { type: "image", alt_text: "icon", slack_file: { id: "F1" } } as const;
const confirm = {
  title: plain("Sure?"),
  text: mrkdwn("It *stays*."),
  confirm: plain("Yes"),
  deny: plain("No"),
  style: "danger",
} as const;
const option = { text: plain("One"), value: "1", description: plain("the first") };
const placeholder = plain("Choose");

const button: Required<Button> = {
  type: "button",
  text: plain("Go"),
  value: "go",
  url,
  style: "primary",
  accessibility_label: "Go there",
  action_id: "go",
  confirm,
};

const rich: Required<RichTextBlock> = {
  type: "rich_text",
  block_id: "r",
  elements: [
    {
      type: "rich_text_section",
      elements: [
        { type: "text", text: "x", style },
        { type: "link", url, text: "x", unsafe: true, style },
        { type: "broadcast", range: "here", style },
        { type: "color", value: "#ff0000", style },
        { type: "channel", channel_id: "C1", style },
        { type: "date", timestamp: 1_700_000_000, format: "{date}", url, fallback: "then", style },
        { type: "emoji", name: "wave", unicode: "1f44b", url, style },
        { type: "team", team_id: "T1", style },
        { type: "user", user_id: "U1", style },
        { type: "usergroup", usergroup_id: "S1", style },
      ],
    },
    {
      type: "rich_text_list",
      style: "ordered",
      indent: 8,
      border: 1,
      elements: [{ type: "rich_text_section", elements: [{ type: "text", text: "x" }] }],
    },
    { type: "rich_text_quote", border: 0, elements: [{ type: "text", text: "x" }] },
    {
      type: "rich_text_preformatted",
      border: 1,
      elements: [
        { type: "text", text: "x" },
        { type: "link", url },
      ],
    },
  ],
};
const single: RichTextBlock = { type: "rich_text", elements: rich.elements.slice(0, 1) };

const filter = { include: ["im", "public"], exclude_external_shared_channels: true, exclude_bot_users: true } as const;
const select = { confirm, focus_on_load: false, placeholder };
const dispatch_action_config = { trigger_actions_on: ["on_enter_pressed", "on_character_entered"] } as const;

const blocks: { readonly [Type in KnownBlock["type"]]: Whole<Type> } = {
  actions: {
    type: "actions",
    block_id,
    elements: [
      button,
      {
        type: "workflow_button",
        text: plain("Run"),
        workflow: { trigger: { url, customizable_input_parameters: [{ name: "a", value: "b" }] } },
        style: "danger",
        accessibility_label: "Run it",
        action_id: "w",
        confirm,
      },
      {
        type: "checkboxes",
        action_id: "c",
        options: [option],
        initial_options: [option],
        confirm,
        focus_on_load: true,
      },
      { type: "radio_buttons", action_id: "r", options: [option], initial_option: option, confirm },
      { type: "datepicker", action_id: "d", initial_date: "2026-11-21", ...select },
      { type: "timepicker", action_id: "t", initial_time: "22:25", timezone: "Europe/Oslo", ...select },
      { type: "datetimepicker", action_id: "dt", initial_date_time: 1_628_633_820, confirm, focus_on_load: false },
      { type: "overflow", action_id: "o", options: [{ ...option, url }], confirm },
      { type: "static_select", action_id: "s1", options: [option], initial_option: option, ...select },
      { type: "external_select", action_id: "s2", initial_option: option, min_query_length: 0, ...select },
      { type: "users_select", action_id: "s3", initial_user: "U1", ...select },
      {
        type: "conversations_select",
        action_id: "s4",
        initial_conversation: "C1",
        default_to_current_conversation: true,
        response_url_enabled: true,
        filter: { ...filter, include: [...filter.include] },
        ...select,
      },
      { type: "channels_select", action_id: "s5", initial_channel: "C1", response_url_enabled: false, ...select },
      {
        type: "multi_static_select",
        action_id: "m1",
        option_groups: [{ label: plain("Some"), options: [option] }],
        initial_options: [option],
        max_selected_items: 1,
        ...select,
      },
      { type: "multi_external_select", action_id: "m2", initial_options: [option], min_query_length: 3, ...select },
      { type: "multi_users_select", action_id: "m3", initial_users: ["U1"], max_selected_items: 2, ...select },
      {
        type: "multi_conversations_select",
        action_id: "m4",
        initial_conversations: ["C1"],
        default_to_current_conversation: false,
        filter: { exclude_bot_users: true },
        ...select,
      },
      { type: "multi_channels_select", action_id: "m5", initial_channels: ["C1"], ...select },
      { type: "rich_text_input", action_id: "ri", initial_value: rich, min_lines: 1, max_lines: 100, placeholder },
    ],
  },
  alert: { type: "alert", block_id, text: mrkdwn("Careful"), level: "success" },
  card: {
    type: "card",
    block_id,
    hero_image: { type: "image", alt_text: "hero", image_url: url },
    icon,
    title: mrkdwn("*T*"),
    subtitle: mrkdwn("S"),
    body: mrkdwn("B"),
    actions: [button],
  },
  carousel: { type: "carousel", block_id, elements: [{ type: "card", body: mrkdwn("B") }] },
  container: {
    type: "container",
    block_id,
    title: plain("Sources"),
    rich_text_title: rich,
    subtitle: mrkdwn("two"),
    child_blocks: [{ type: "divider" }, { type: "section", text: plain("x") }, { type: "table", rows: [[single]] }],
    width: "full",
    icon,
    is_collapsible: true,
    default_collapsed: true,
    has_header_divider: false,
  },
  context: { type: "context", block_id, elements: [icon, plain("x"), mrkdwn("y")] },
  context_actions: {
    type: "context_actions",
    block_id,
    elements: [
      {
        type: "feedback_buttons",
        action_id: "f",
        positive_button: { text: plain("Good"), value: "1", accessibility_label: "Good answer" },
        negative_button: { text: plain("Bad"), value: "0", accessibility_label: "Bad answer" },
      },
      {
        type: "icon_button",
        action_id: "i",
        icon: "trash",
        text: plain("Delete"),
        value: "x",
        visible_to_user_ids: ["U1"],
        accessibility_label: "Delete it",
        confirm,
      },
    ],
  },
  data_table: {
    type: "data_table",
    block_id,
    caption: "Prices",
    page_size: 100,
    row_header_column_index: 0,
    rows: [[{ type: "raw_text", text: "Item" }], [{ type: "raw_number", value: 1, text: "1" }], [single]],
  },
  divider: { type: "divider", block_id },
  file: { type: "file", block_id, source: "remote", external_id: "e1" },
  header: { type: "header", block_id, text: plain("Title") },
  image: { type: "image", block_id, alt_text: "boat", title: plain("A boat"), slack_file: { url } },
  input: {
    type: "input",
    block_id,
    label: plain("Name"),
    hint: plain("short"),
    optional: true,
    dispatch_action: true,
    element: {
      type: "plain_text_input",
      action_id: "p",
      initial_value: "x",
      multiline: true,
      min_length: 0,
      max_length: 3000,
      dispatch_action_config: { trigger_actions_on: [...dispatch_action_config.trigger_actions_on] },
      focus_on_load: true,
      placeholder,
    },
  },
  markdown: { type: "markdown", block_id, text: "# T" },
  rich_text: { ...rich, block_id },
  section: {
    type: "section",
    block_id,
    text: mrkdwn("x"),
    fields: [plain("y"), mrkdwn("z")],
    accessory: { type: "image", alt_text: "x", image_url: url },
    expand: true,
  },
  table: {
    type: "table",
    block_id,
    rows: [[single, { type: "raw_text", text: "x" }, { type: "raw_number", value: 1.5, text: "1.5" }]],
    column_settings: [{ align: "right", is_wrapped: true }],
  },
  task_card: {
    type: "task_card",
    block_id,
    task_id: "1",
    title: "Look",
    status: "error",
    details: single,
    output: single,
    sources: [{ type: "url", url, text: "x" }],
  },
  plan: {
    type: "plan",
    block_id,
    title: "Plan",
    tasks: [{ type: "task_card", task_id: "1", title: "Look", status: "pending" }],
  },
  video: {
    type: "video",
    block_id,
    video_url: url,
    thumbnail_url: url,
    alt_text: "film",
    title: plain("A film"),
    title_url: url,
    author_name: "us",
    provider_name: "them",
    provider_icon_url: url,
    description: plain("long"),
  },
};

const modal: Required<ModalView> = {
  type: "modal",
  title: plain("T"),
  close: plain("C"),
  submit: plain("S"),
  blocks: [],
  private_metadata: "m",
  callback_id: "c",
  external_id: "e",
  clear_on_close: true,
  notify_on_close: true,
};
const home: Required<HomeView> = {
  type: "home",
  blocks: [],
  private_metadata: "m",
  callback_id: "c",
  external_id: "e",
};

const inputs = [
  { type: "email_text_input", initial_value: "a@example.org", action_id: "a", placeholder },
  { type: "url_text_input", initial_value: url, action_id: "a" },
  { type: "number_input", is_decimal_allowed: true, initial_value: "1.5", min_value: "1", max_value: "2" },
  { type: "file_input", filetypes: ["pdf"], max_files: 1, action_id: "a" },
] as const;

const chunks: { readonly [Type in AnyChunk["type"]]: Required<Extract<AnyChunk, { type: Type }>> } = {
  markdown_text: { type: "markdown_text", text: "x" },
  task_update: {
    type: "task_update",
    id: "1",
    title: "Look",
    status: "in_progress",
    details: "there",
    output: "found",
    sources: [{ type: "url", url, text: "x" }],
  },
  plan_update: { type: "plan_update", title: "Plan" },
  blocks: { type: "blocks", blocks: [blocks.divider] },
};

describe("everything Slack's type declarations know is taken", () => {
  it.each(Object.values(blocks).filter(({ type }) => type !== "alert"))("a whole $type block in a message", (block) => {
    expect(refusalsOf("chat.postMessage", { channel: "C1", blocks: [block] })).toEqual([]);
  });

  const inMessagesOnly = ["context_actions", "data_table", "markdown", "plan", "table", "task_card"];

  it.each(Object.values(blocks).filter(({ type }) => !inMessagesOnly.includes(type)))(
    "a whole $type block in a modal",
    (block) => {
      expect(refusalsOf("views.open", { view: { ...modal, blocks: [block] } })).toEqual([]);
    },
  );

  it("a whole Home", () => {
    expect(refusalsOf("views.publish", { user_id: "U1", view: { ...home, blocks: [blocks.header] } })).toEqual([]);
  });

  it.each(inputs)("a whole $type", (element) => {
    const view = { ...modal, blocks: [{ ...blocks.input, element }] };
    expect(refusalsOf("views.open", { view })).toEqual([]);
  });

  it("every chunk", () => {
    const args = { channel: "C1", ts: "1.000000", chunks: Object.values(chunks) };
    expect(refusalsOf("chat.appendStream", args)).toEqual([]);
  });
});
