import { array, assert, boolean, constantFrom, integer, option, property, record, string, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { LIMITS } from "./limits.ts";
import { refusalsOf } from "./refusals.ts";

type Fields = Record<string, unknown>;

const letters = (length: number) => "x".repeat(length);
const plain = (text: string): Fields => ({ type: "plain_text", text });
const mrkdwn = (text: string): Fields => ({ type: "mrkdwn", text });
const times = <Made>(count: number, make: (index: number) => Made): Made[] =>
  Array.from({ length: count }, (_, index) => make(index));

const post = (fields: Fields): Fields => ({ channel: "C1", text: "x", ...fields });
const posted = (...blocks: Fields[]): Fields => post({ blocks });
const section = (fields: Fields = {}): Fields => ({ type: "section", text: plain("x"), ...fields });
const button = (fields: Fields = {}): Fields => ({ type: "button", text: plain("x"), ...fields });
const actions = (...elements: Fields[]): Fields => ({ type: "actions", elements });
const optionOf = (text = "x", fields: Fields = {}): Fields => ({ text: plain(text), value: "x", ...fields });
const cell = (text = "x"): Fields => ({ type: "raw_text", text });
const table = (rows: number, columns: number, text = "x"): Fields => ({
  type: "table",
  rows: times(rows, () => times(columns, () => cell(text))),
});
const dataTable = (rows: number, fields: Fields = {}): Fields => ({
  type: "data_table",
  caption: "x",
  rows: times(rows, () => [cell()]),
  ...fields,
});
const rich = (...elements: Fields[]): Fields => ({
  type: "rich_text",
  elements: [{ type: "rich_text_section", elements }],
});
const input = (element: Fields, fields: Fields = {}): Fields => ({
  type: "input",
  label: plain("x"),
  element,
  ...fields,
});
const modal = (fields: Fields = {}): Fields => ({
  trigger_id: "1",
  view: { type: "modal", title: plain("x"), submit: plain("x"), blocks: [], ...fields },
});
const home = (...blocks: Fields[]): Fields => ({ user_id: "U1", view: { type: "home", blocks } });
const container = (fields: Fields = {}): Fields => ({
  type: "container",
  title: plain("x"),
  child_blocks: [{ type: "divider" }],
  ...fields,
});
const feedback = (fields: Fields = {}): Fields => ({
  type: "context_actions",
  elements: [
    {
      type: "feedback_buttons",
      positive_button: { text: plain("Good"), value: "1", ...fields },
      negative_button: { text: plain("Bad"), value: "0" },
    },
  ],
});
const taskUpdate = (fields: Fields = {}): Fields => ({
  type: "task_update",
  id: "1",
  title: "x",
  status: "pending",
  ...fields,
});
const appended = (...chunks: Fields[]): Fields => ({ channel: "C1", ts: "1.000000", chunks });
const metadata = (text: string): Fields => ({ event_type: "answer", event_payload: { text } });
const metadataRoom = LIMITS.metadataBytes - JSON.stringify(metadata("")).length;

/** What is limited, the method, arguments at the limit, arguments one over it, and the error for those. */
type Limit = readonly [what: string, method: string, taken: Fields, refused: Fields, code: string];

function limit(
  what: string,
  most: number,
  make: (count: number) => Fields,
  code = "invalid_blocks",
  method = "chat.postMessage",
): Limit {
  return [what, method, make(most), make(most + 1), code];
}

const inMessages: readonly Limit[] = [
  limit("blocks of a message", 50, (n) => posted(...times(n, () => ({ type: "divider" })))),
  limit("text of a message", 40_000, (n) => post({ text: letters(n) }), "msg_too_long"),
  limit(
    "text of an update",
    4000,
    (n) => ({ channel: "C1", ts: "1.000000", text: letters(n) }),
    "msg_too_long",
    "chat.update",
  ),
  limit("markdown_text", 12_000, (n) => ({ channel: "C1", markdown_text: letters(n) }), "msg_too_long"),
  limit("a markdown block", 12_000, (n) => posted({ type: "markdown", text: letters(n) })),
  limit(
    "all markdown blocks",
    6000,
    (n) => posted({ type: "markdown", text: letters(6000) }, { type: "markdown", text: letters(n) }),
    "msg_blocks_too_long",
  ),
  limit("attachments", 100, (n) => post({ attachments: times(n, () => ({ text: "x" })) }), "too_many_attachments"),
  limit("metadata", metadataRoom, (n) => post({ metadata: metadata(letters(n)) }), "metadata_too_large"),
  limit("blocks in an attachment", 50, (n) =>
    post({ attachments: [{ blocks: times(n, () => ({ type: "divider" })) }] }),
  ),
];

const inBlocks: readonly Limit[] = [
  limit("a section's text", 3000, (n) => posted(section({ text: mrkdwn(letters(n)) }))),
  limit("a section's fields", 10, (n) => posted({ type: "section", fields: times(n, () => plain("x")) })),
  limit("a section's field", 2000, (n) => posted({ type: "section", fields: [plain(letters(n))] })),
  limit("a header", 150, (n) => posted({ type: "header", text: plain(letters(n)) })),
  limit("elements of a context", 10, (n) => posted({ type: "context", elements: times(n, () => mrkdwn("x")) })),
  limit("elements of actions", 25, (n) => posted(actions(...times(n, () => button())))),
  limit("elements of context_actions", 5, (n) =>
    posted({
      type: "context_actions",
      elements: times(n, () => ({ type: "icon_button", icon: "trash", text: plain("x") })),
    }),
  ),
  limit("a block_id", 255, (n) => posted({ type: "divider", block_id: letters(n) })),
  limit("rows of a table", 100, (n) => posted(table(n, 1))),
  limit("columns of a table", 20, (n) => posted(table(1, n))),
  limit("characters of a table", 2500, (n) =>
    posted({
      type: "table",
      rows: [[cell(letters(2500)), cell(letters(2500)), cell(letters(2500)), cell(letters(n))]],
    }),
  ),
  limit("tables of a message", 1, (n) => posted(...times(n, () => table(1, 1)))),
  limit("rows of a data table with its head", 101, (n) => posted(dataTable(n))),
  limit("a data table's page", 100, (n) => posted(dataTable(2, { page_size: n }))),
  limit("tasks of a plan", 50, (n) =>
    posted({ type: "plan", title: "x", tasks: times(n, (index) => ({ task_id: `${index}`, title: "x" })) }),
  ),
  limit("a card's title", 150, (n) => posted({ type: "card", title: mrkdwn(letters(n)) })),
  limit("a card's body", 200, (n) => posted({ type: "card", body: mrkdwn(letters(n)) })),
  limit("cards of a carousel", 10, (n) =>
    posted({ type: "carousel", elements: times(n, () => ({ type: "card", body: mrkdwn("x") })) }),
  ),
  limit("a container's title", 150, (n) => posted(container({ title: plain(letters(n)) }))),
  limit("blocks of a container", 10, (n) => posted(container({ child_blocks: times(n, () => ({ type: "divider" })) }))),
  limit("an image's alternative text", 2000, (n) =>
    posted({ type: "image", image_url: "https://example.org/x.png", alt_text: letters(n) }),
  ),
  limit("a video's title", 199, (n) =>
    posted({
      type: "video",
      video_url: "https://example.org/v",
      thumbnail_url: "https://example.org/t",
      alt_text: "x",
      title: plain(letters(n)),
    }),
  ),
];

const inElements: readonly Limit[] = [
  limit("a button's text", 75, (n) => posted(actions(button({ text: plain(letters(n)) })))),
  limit("a button's value", 2000, (n) => posted(actions(button({ value: letters(n) })))),
  limit("a button's address", 3000 - 20, (n) => posted(actions(button({ url: `https://example.org/${letters(n)}` })))),
  limit("an action_id", 255, (n) => posted(actions(button({ action_id: letters(n) })))),
  limit("a label for screen readers", 75, (n) => posted(actions(button({ accessibility_label: letters(n) })))),
  limit("a feedback button's label", 75, (n) => posted(feedback({ accessibility_label: letters(n) }))),
  limit("a feedback button's value", 2000, (n) => posted(feedback({ value: letters(n) }))),
  limit("a confirmation's title", 100, (n) =>
    posted(actions(button({ confirm: { title: plain(letters(n)), text: plain("x") } }))),
  ),
  limit("a confirmation's text", 300, (n) => posted(actions(button({ confirm: { text: plain(letters(n)) } })))),
  limit("a confirmation's button", 30, (n) =>
    posted(actions(button({ confirm: { text: plain("x"), deny: plain(letters(n)) } }))),
  ),
  limit("choices of a select", 100, (n) =>
    posted(actions({ type: "static_select", options: times(n, () => optionOf()) })),
  ),
  limit("a choice's text", 75, (n) => posted(actions({ type: "static_select", options: [optionOf(letters(n))] }))),
  limit("a choice's value", 75, (n) =>
    posted(actions({ type: "static_select", options: [optionOf("x", { value: letters(n) })] })),
  ),
  limit("groups of a select", 100, (n) =>
    posted(
      actions({
        type: "static_select",
        option_groups: times(n, () => ({ label: plain("x"), options: [optionOf()] })),
      }),
    ),
  ),
  limit("choices of an overflow menu", 5, (n) =>
    posted(section({ accessory: { type: "overflow", options: times(n, () => optionOf()) } })),
  ),
  limit("boxes", 10, (n) => posted(actions({ type: "checkboxes", options: times(n, () => optionOf()) }))),
  limit("radio buttons", 10, (n) => posted(actions({ type: "radio_buttons", options: times(n, () => optionOf()) }))),
  limit("a placeholder", 150, (n) => posted(actions({ type: "users_select", placeholder: plain(letters(n)) }))),
];

const inViews: readonly Limit[] = [
  ...(
    [
      ["blocks of a modal", 100, (n) => modal({ blocks: times(n, () => ({ type: "divider" })) })],
      ["a modal's title", 24, (n) => modal({ title: plain(letters(n)) })],
      ["a modal's submit", 24, (n) => modal({ submit: plain(letters(n)) })],
      ["a modal's close", 24, (n) => modal({ close: plain(letters(n)) })],
      ["a modal's private_metadata", 3000, (n) => modal({ private_metadata: letters(n) })],
      ["a modal's callback_id", 255, (n) => modal({ callback_id: letters(n) })],
      [
        "an input's label",
        2000,
        (n) => modal({ blocks: [input({ type: "plain_text_input" }, { label: plain(letters(n)) })] }),
      ],
      [
        "an input's longest answer",
        3000,
        (n) => modal({ blocks: [input({ type: "plain_text_input", max_length: n })] }),
      ],
      ["files of a file input", 10, (n) => modal({ blocks: [input({ type: "file_input", max_files: n })] })],
    ] as const satisfies readonly (readonly [string, number, (n: number) => Fields])[]
  ).map(([what, most, make]) => limit(what, most, make, "invalid_arguments", "views.open")),
  limit(
    "blocks of a Home",
    100,
    (n) => home(...times(n, () => ({ type: "divider" }))),
    "invalid_arguments",
    "views.publish",
  ),
];

const inStreams: readonly Limit[] = [
  limit(
    "text of an append",
    12_000,
    (n) => ({ channel: "C1", ts: "1.000000", markdown_text: letters(n) }),
    "msg_too_long",
    "chat.appendStream",
  ),
  limit(
    "text of an append in chunks",
    6000,
    (n) => appended({ type: "markdown_text", text: letters(6000) }, { type: "markdown_text", text: letters(n) }),
    "msg_too_long",
    "chat.appendStream",
  ),
  limit(
    "blocks of an append",
    50,
    (n) => appended({ type: "blocks", blocks: times(n, () => ({ type: "divider" })) }),
    "msg_blocks_too_many",
    "chat.appendStream",
  ),
  limit(
    "blocks below a stream",
    50,
    (n) => ({ channel: "C1", ts: "1.000000", blocks: times(n, () => ({ type: "divider" })) }),
    "msg_blocks_too_many",
    "chat.stopStream",
  ),
  ...["title", "details", "output"].map((field) =>
    limit(
      `a task's ${field}`,
      256,
      (n) => appended(taskUpdate({ [field]: letters(n) })),
      "invalid_chunks",
      "chat.appendStream",
    ),
  ),
  limit(
    "a plan's title",
    256,
    (n) => appended({ type: "plan_update", title: letters(n) }),
    "invalid_chunks",
    "chat.appendStream",
  ),
];

const inAgents: readonly Limit[] = [
  limit(
    "suggested prompts",
    4,
    (n) => ({ channel_id: "D1", prompts: times(n, () => ({ title: "x", message: "x" })) }),
    "invalid_arguments",
    "assistant.threads.setSuggestedPrompts",
  ),
  limit(
    "loading messages",
    10,
    (n) => ({ channel_id: "D1", thread_ts: "1.000000", status: "x", loading_messages: times(n, () => "x") }),
    "invalid_arguments",
    "assistant.threads.setStatus",
  ),
  limit(
    "a session's title",
    200,
    (n) => ({ channel_id: "D1", thread_ts: "1.000000", title: letters(n) }),
    "invalid_arguments",
    "agents.sessions.rename",
  ),
];

describe("limits", () => {
  const every = [...inMessages, ...inBlocks, ...inElements, ...inViews, ...inStreams, ...inAgents];

  it.each(every)("%s: as much as is allowed passes, one more is refused", (_what, method, taken, refused, code) => {
    expect(refusalsOf(method, taken)).toEqual([]);
    const refusals = refusalsOf(method, refused);
    expect(refusals.map((refusal) => refusal.code)).toEqual([code]);
  });

  it("tell where and why", () => {
    const blocks = [{ type: "divider" }, actions(...times(26, () => button()))];
    expect(refusalsOf("chat.postMessage", post({ blocks }))).toEqual([
      { code: "invalid_blocks", pointer: "/blocks/1/elements", words: "no more than 25 elements allowed" },
    ]);
  });
});

/** Messages that are refused for what they are, with the error. */
const wrong: readonly (readonly [what: string, code: string, args: Fields, method?: string])[] = [
  ["nothing to say", "no_text", { channel: "C1" }],
  ["only empty text", "no_text", { channel: "C1", text: "" }],
  ["no channel", "invalid_arguments", { text: "x" }],
  ["markdown_text beside text", "markdown_text_conflict", post({ markdown_text: "x" })],
  ["markdown_text beside blocks", "markdown_text_conflict", { channel: "C1", markdown_text: "x", blocks: [section()] }],
  ["blocks that are no JSON", "invalid_blocks_format", post({ blocks: "[{" })],
  ["blocks that are no list", "invalid_blocks_format", post({ blocks: section() })],
  ["a block of no known type", "invalid_blocks", posted({ type: "hologram" })],
  ["a block without a type", "invalid_blocks", posted({ text: plain("x") })],
  ["a property nobody knows", "invalid_blocks", posted({ type: "divider", colour: "red" })],
  ["an empty text object", "invalid_blocks", posted(section({ text: plain("") }))],
  ["a text instead of a text object", "invalid_blocks", posted(section({ text: "x" }))],
  ["mrkdwn in a header", "invalid_blocks", posted({ type: "header", text: mrkdwn("x") })],
  ["a section without anything", "invalid_blocks", posted({ type: "section" })],
  ["a button in a context", "invalid_blocks", posted({ type: "context", elements: [button()] })],
  ["an alert in a message", "invalid_blocks", posted({ type: "alert", text: plain("x") })],
  [
    "a block_id twice",
    "invalid_blocks",
    posted({ type: "divider", block_id: "a" }, { type: "divider", block_id: "a" }),
  ],
  [
    "an action_id twice in a block",
    "invalid_blocks",
    posted(actions(button({ action_id: "a" }), button({ action_id: "a" }))),
  ],
  ["a button that opens no address", "invalid_blocks", posted(actions(button({ url: "somewhere" })))],
  ["an image without a source", "invalid_blocks", posted({ type: "image", alt_text: "x" })],
  ["a select without choices", "invalid_blocks", posted(actions({ type: "static_select" }))],
  ["an empty cell", "invalid_blocks", posted({ type: "table", rows: [[cell("")]] })],
  ["a table and a data table", "invalid_blocks", posted(table(1, 1), dataTable(2))],
  ["a second table in a container", "invalid_blocks", posted(table(1, 1), container({ child_blocks: [table(1, 1)] }))],
  ["a data table of a head alone", "invalid_blocks", posted(dataTable(1))],
  ["a data table without a caption", "invalid_blocks", posted(dataTable(2, { caption: undefined }))],
  ["a ragged data table", "invalid_blocks", posted(dataTable(2, { rows: [[cell()], [cell(), cell()]] }))],
  [
    "rich text in a data table's head",
    "invalid_blocks",
    posted(dataTable(2, { rows: [[rich({ type: "text", text: "x" })], [cell()]] })),
  ],
  ["a container in a container", "invalid_blocks", posted(container({ child_blocks: [container()] }))],
  ["a collapsed container that cannot open", "invalid_blocks", posted(container({ default_collapsed: true }))],
  ["a card of nothing", "invalid_blocks", posted({ type: "card", subtitle: mrkdwn("x") })],
  [
    "two tasks of one id",
    "invalid_blocks",
    posted({ type: "plan", title: "x", tasks: times(2, () => ({ task_id: "1", title: "x" })) }),
  ],
  [
    "a task's details in two parts",
    "invalid_blocks",
    posted({
      type: "task_card",
      task_id: "1",
      title: "x",
      details: { type: "rich_text", elements: times(2, () => ({ type: "rich_text_section", elements: [] })) },
    }),
  ],
  ["an empty word in rich text", "invalid_blocks", posted(rich({ type: "text", text: "" }))],
  [
    "a citation in preformatted text",
    "invalid_blocks",
    posted({
      type: "rich_text",
      elements: [
        {
          type: "rich_text_preformatted",
          elements: [
            { type: "citation", url: "https://example.org", text: "1", index: 1, details: { citation_type: "web" } },
          ],
        },
      ],
    }),
  ],
  [
    "a citation without details",
    "invalid_blocks",
    posted(rich({ type: "citation", url: "https://example.org", text: "1", index: 1 })),
  ],
  ["metadata that is a text", "invalid_metadata_format", post({ metadata: "answer" })],
  ["metadata without a type", "invalid_metadata_schema", post({ metadata: { event_payload: {} } })],
  [
    "metadata of too many levels",
    "invalid_metadata_schema",
    post({ metadata: { event_type: "a", event_payload: { a: { b: { c: 1 } } } } }),
  ],
  ["a thread that is no ts", "invalid_arguments", post({ thread_ts: "yesterday" })],
  ["a wrong block in an attachment", "invalid_blocks", post({ attachments: [{ blocks: [{ type: "hologram" }] }] })],
  ["an append of nothing", "markdown_text_or_chunks_required", { channel: "C1", ts: "1.000000" }, "chat.appendStream"],
  ["an append of no chunks", "markdown_text_or_chunks_required", appended(), "chat.appendStream"],
  [
    "text and chunks",
    "cannot_provide_both_markdown_text_and_chunks",
    { ...appended(taskUpdate()), markdown_text: "x" },
    "chat.appendStream",
  ],
  ["a chunk nobody knows", "invalid_chunks", appended({ type: "sound" }), "chat.appendStream"],
  ["chunks that are no JSON", "invalid_chunks", { channel: "C1", ts: "1.000000", chunks: "[" }, "chat.appendStream"],
  ["a task of no known status", "invalid_chunks", appended(taskUpdate({ status: "started" })), "chat.appendStream"],
  [
    "a wrong block in a chunk",
    "invalid_blocks",
    appended({ type: "blocks", blocks: [{ type: "hologram" }] }),
    "chat.appendStream",
  ],
  ["a stream outside a thread", "invalid_arguments", { channel: "C1" }, "chat.startStream"],
  [
    "a display nobody knows",
    "invalid_arguments",
    { channel: "C1", thread_ts: "1.000000", task_display_mode: "3d" },
    "chat.startStream",
  ],
  [
    "a modal with an input and no submit",
    "invalid_arguments",
    modal({ submit: undefined, blocks: [input({ type: "plain_text_input" })] }),
    "views.open",
  ],
  ["markdown in a modal", "invalid_arguments", modal({ blocks: [{ type: "markdown", text: "x" }] }), "views.open"],
  ["markdown in the Home", "invalid_arguments", home({ type: "markdown", text: "x" }), "views.publish"],
  ["a Home opened as a modal", "invalid_arguments", { view: home().view }, "views.open"],
  [
    "two elements with the focus",
    "invalid_arguments",
    modal({ blocks: times(2, () => input({ type: "plain_text_input", focus_on_load: true })) }),
    "views.open",
  ],
  [
    "a view of more than 250 kB",
    "view_too_large",
    modal({ blocks: times(90, () => section({ text: plain(letters(3000)) })) }),
    "views.open",
  ],
  ["errors of no field", "invalid_arguments", { response_action: "errors", errors: {} }, "submission_reply"],
  ["an answer of nothing to a response_url", "no_text", { replace_original: true }, "response_url"],
  ["a wrong block to validate", "invalid_blocks", { blocks: [{ type: "hologram" }] }, "blocks.validate"],
  ["a wrong view to validate", "invalid_view", { view: { type: "modal" } }, "blocks.validate"],
];

describe("what Slack would refuse", () => {
  const cases = wrong.map(([what, code, args, method = "chat.postMessage"]) => ({ what, code, args, method }));

  it.each(cases)("$what: $code", ({ code, args, method }) => {
    expect(refusalsOf(method, args).map((refusal) => refusal.code)).toContain(code);
  });
});

/** Messages that are taken though they come near to what is refused. */
const right: readonly (readonly [what: string, args: Fields, method?: string])[] = [
  ["blocks without text", { channel: "C1", blocks: [section()] }],
  ["attachments without text", { channel: "C1", attachments: [{ text: "x", mrkdwn_in: ["text"] }] }],
  ["an empty metadata object", post({ metadata: {} })],
  [
    "flat metadata with lists",
    post({
      metadata: { event_type: "answer_given", event_payload: { a: 1, b: true, c: { d: "e" }, f: [{ g: 1 }, "h"] } },
    }),
  ],
  [
    "every citation",
    posted(
      rich(
        ...[
          { citation_type: "web", display_name: "x", title: "x", snippet: "x" },
          { citation_type: "external", app_name: "x", app_icon_url: "https://example.org/i" },
          { citation_type: "file", file_id: "F1", descriptor: "x" },
          { citation_type: "message" },
          { citation_type: "memory" },
        ].map((details, index) => ({
          type: "citation",
          url: "https://example.org",
          text: `[${index}]`,
          index,
          details,
          from_llm: true,
          is_slack_url: false,
        })),
      ),
    ),
  ],
  [
    "a task card",
    posted({
      type: "task_card",
      task_id: "1",
      title: "x",
      status: "complete",
      details: rich({ type: "text", text: "x" }),
      output: rich(),
      sources: [{ type: "url", url: "https://example.org", text: "x" }],
    }),
  ],
  ["feedback", posted(feedback({ accessibility_label: "Good answer" }))],
  ["a start of nothing", { channel: "C1", thread_ts: "1.000000" }, "chat.startStream"],
  ["a stop of no chunks", { channel: "C1", ts: "1.000000", chunks: [] }, "chat.stopStream"],
  [
    "a stop with everything",
    {
      ...appended({ type: "markdown_text", text: "x" }),
      blocks: [feedback()],
      metadata: metadata("x"),
      session_status: "processing",
    },
    "chat.stopStream",
  ],
  [
    "a modal without anything to submit",
    modal({ submit: undefined, blocks: [section(), { type: "alert", text: plain("x"), level: "warning" }] }),
    "views.open",
  ],
  ["an acknowledgement of nothing", {}, "submission_reply"],
  ["an update of a modal in return", { response_action: "update", ...modal() }, "submission_reply"],
  ["taking a message away", { delete_original: "true" }, "response_url"],
  ["a method nothing is known of", { anything: 1 }, "emoji.list"],
];

describe("what Slack would take", () => {
  const cases = right.map(([what, args, method = "chat.postMessage"]) => ({ what, args, method }));

  it.each(cases)("$what", ({ args, method }) => {
    expect(refusalsOf(method, args)).toEqual([]);
  });

  const words = (most: number) => string({ minLength: 1, maxLength: most });
  const anyPlain = (most: number) => record({ type: constantFrom("plain_text"), text: words(most), emoji: boolean() });
  const anyText = (most: number) =>
    tuple(boolean(), words(most)).map(([isPlain, text]) => (isPlain ? plain(text) : mrkdwn(text)));
  const anyOption = record({ text: anyPlain(75), value: words(75) });
  const anyButton = record(
    { type: constantFrom("button"), text: anyPlain(75), value: words(100), style: constantFrom("primary", "danger") },
    { requiredKeys: ["type", "text"] },
  );
  const anySelect = record({
    type: constantFrom("static_select"),
    options: array(anyOption, { minLength: 1, maxLength: 9 }),
  });
  const anyInline = tuple(constantFrom("text", "link", "user", "emoji"), words(40)).map(([type, text]) =>
    type === "text"
      ? { type, text }
      : type === "link"
        ? { type, url: `https://example.org/${encodeURIComponent(text)}`, text }
        : type === "user"
          ? { type, user_id: text }
          : { type, name: text },
  );
  const anyRich = array(anyInline, { maxLength: 5 }).map((elements) => rich(...elements));
  const anyTable = tuple(integer({ min: 1, max: 9 }), integer({ min: 1, max: 9 }), words(20)).map(
    ([rows, columns, text]) => table(rows, columns, text),
  );
  const anyBlock = tuple(
    constantFrom("section", "header", "context", "actions", "divider", "rich_text", "table", "container"),
    anyText(200),
    anyPlain(150),
    array(anyText(50), { minLength: 1, maxLength: 10 }),
    array(
      tuple(boolean(), anyButton, anySelect).map(([first, one, other]) => (first ? one : other)),
      {
        minLength: 1,
        maxLength: 25,
      },
    ),
    anyRich,
    anyTable,
    option(anyButton, { nil: undefined }),
  ).map(([type, text, title, elements, interactive, richText, aTable, accessory]): Fields => {
    switch (type) {
      case "section":
        return { type, text, fields: elements, ...(accessory !== undefined && { accessory }) };
      case "header":
        return { type, text: title };
      case "context":
        return { type, elements };
      case "actions":
        return { type, elements: interactive };
      case "rich_text":
        return richText;
      case "table":
        return aTable;
      case "container":
        return { type, title, child_blocks: [richText, { type: "divider" }] };
      default:
        return { type };
    }
  });
  const anyBlocks = array(anyBlock, { minLength: 1, maxLength: 50 }).map((blocks) => {
    const first = blocks.find(({ type }) => type === "table");
    return blocks.filter((block) => block.type !== "table" || block === first);
  });

  it("any message of well-made blocks", () => {
    assert(
      property(anyBlocks, (blocks) => {
        expect(refusalsOf("chat.postMessage", post({ blocks }))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it("the same blocks wherever blocks are taken", () => {
    assert(
      property(anyBlocks, (blocks) => {
        const ts = "1.000000";
        expect(refusalsOf("chat.update", { channel: "C1", ts, blocks })).toEqual([]);
        expect(refusalsOf("chat.stopStream", { channel: "C1", ts, blocks })).toEqual([]);
        expect(refusalsOf("chat.appendStream", appended({ type: "blocks", blocks }))).toEqual([]);
        expect(refusalsOf("blocks.validate", { blocks })).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});
