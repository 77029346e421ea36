import { descriptionOf, titleOf } from "../lookups/work-objects.ts";
import type { StoredMessage } from "../state.ts";
import { planTitle } from "./stream.ts";
import { fieldsOf as parts, isObject as isPart, type Fields as Part } from "../fields.ts";

const entities: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };

const markdownLink = /!?\[((?:\\.|\[[^\]\n]*\]|[^[\]\\\n])*)\]\((?:[^\s()]|\([^\s()]*\))+\)/g;

const words = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "");
const lines = (...each: readonly string[]): string => each.filter((line) => line !== "").join("\n");

const many = (value: unknown, one: (part: Part) => string) => parts(value).map(one);

/** Text as it is read: links by their label, mentions by their sign, entities as what they stand for. */
function read(text: string): string {
  return text
    .replaceAll(/<([@#!]?)([^<>|\n]+)(?:\|([^<>\n]*))?>/g, (_whole, sign: string, body: string, label?: string) => {
      if (label !== undefined && label !== "") return sign === "@" || sign === "#" ? `${sign}${label}` : label;
      return sign === "!" ? `@${body}` : `${sign}${body}`;
    })
    .replaceAll(/&(?:lt|gt|amp);/g, (entity) => entities[entity] ?? entity);
}

/** Markdown as it is read, as far as links go; other marks stay as they were written. */
function readMarkdown(text: string): string {
  return read(text.replaceAll(markdownLink, "$1"));
}

/** A text object, or a text. */
function textOf(value: unknown): string {
  if (!isPart(value)) return words(value);
  return value["type"] === "mrkdwn" ? read(words(value["text"])) : words(value["text"]);
}

/** How each kind of run in a line of rich text is read; others are their text. */
const runs: Readonly<Record<string, (part: Part) => string>> = {
  link: (part) => words(part["text"]) || words(part["url"]),
  citation: (part) => words(part["text"]) || words(part["url"]),
  user: (part) => `@${words(part["user_id"])}`,
  usergroup: (part) => `@${words(part["usergroup_id"])}`,
  channel: (part) => `#${words(part["channel_id"])}`,
  team: (part) => `@${words(part["team_id"])}`,
  broadcast: (part) => `@${words(part["range"])}`,
  emoji: (part) => `:${words(part["name"])}:`,
  date: (part) => words(part["fallback"]) || words(part["timestamp"]),
  color: (part) => words(part["value"]),
};

const inline = (part: Part): string => runs[String(part["type"])]?.(part) ?? words(part["text"]);

function richText(block: unknown): string {
  if (!isPart(block)) return words(block);
  return lines(...parts(block["elements"]).map(richPart));
}

function richPart(part: Part): string {
  const elements = parts(part["elements"]);
  if (part["type"] === "rich_text_list") {
    const marks = elements.map((_each, index) => (part["style"] === "ordered" ? `${index + 1}.` : "•"));
    const indent = "  ".repeat(Number(part["indent"] ?? 0));
    return lines(...elements.map((each, index) => `${indent}${marks[index]} ${richPart(each)}`));
  }
  const line = elements.map(inline).join("");
  return part["type"] === "rich_text_quote" ? `> ${line}` : line;
}

const options = (part: Part): string => many(part["options"], (option) => `[${textOf(option["text"])}]`).join(" ");

/** How each kind of element is read; others by what stands on them, in brackets. */
const elements: Readonly<Record<string, (part: Part) => string>> = {
  image: (part) => words(part["alt_text"]),
  plain_text: textOf,
  mrkdwn: textOf,
  feedback_buttons: (part) => ["positive_button", "negative_button"].map((name) => element(part[name] ?? {})).join(" "),
  checkboxes: options,
  radio_buttons: options,
  overflow: options,
};

function element(part: unknown): string {
  if (!isPart(part)) return "";
  const label = textOf(part["text"]) || textOf(part["placeholder"]) || words(part["initial_value"]);
  return elements[String(part["type"])]?.(part) ?? `[${label}]`;
}

const inARow = (value: unknown): string => many(value, element).join(" ");

const cell = (part: Part): string => (part["type"] === "rich_text" ? richText(part) : words(part["text"]));

function rows(value: unknown): string {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return lines(...list.map((each) => many(each, cell).join(" | ")));
}

function task(part: Part): string {
  const sources = parts(part["sources"]).map((source) => words(source["text"]));
  return lines(
    `(${words(part["status"]) || "pending"}) ${words(part["title"])}`,
    richText(part["details"]),
    richText(part["output"]),
    sources.join(", "),
  );
}

/** How each kind of block is read; one that is not here shows nothing. */
const blockTexts: Readonly<Record<string, (block: Part) => string>> = {
  section: (block) => lines(textOf(block["text"]), ...many(block["fields"], textOf), element(block["accessory"])),
  header: (block) => textOf(block["text"]),
  alert: (block) => textOf(block["text"]),
  markdown: (block) => readMarkdown(words(block["text"])),
  rich_text: richText,
  context: (block) => inARow(block["elements"]),
  actions: (block) => inARow(block["elements"]),
  context_actions: (block) => inARow(block["elements"]),
  divider: () => "---",
  image: (block) => lines(textOf(block["title"]), words(block["alt_text"])),
  video: (block) => lines(textOf(block["title"]), textOf(block["description"]), words(block["alt_text"])),
  input: (block) => lines(textOf(block["label"]), element(block["element"]), textOf(block["hint"])),
  table: (block) => rows(block["rows"]),
  data_table: (block) => lines(words(block["caption"]), rows(block["rows"])),
  task_card: task,
  plan: (block) => lines(words(block["title"]), ...many(block["tasks"], task)),
  card: ({ title, subtitle, body, actions }) => lines(...[title, subtitle, body].map(textOf), inARow(actions)),
  carousel: (block) => lines(...many(block["elements"], shownBlock)),
  container: (block) =>
    lines(
      block["rich_text_title"] === undefined ? textOf(block["title"]) : richText(block["rich_text_title"]),
      textOf(block["subtitle"]),
      ...many(block["child_blocks"], shownBlock),
    ),
};

const shownBlock = (block: Part): string => blockTexts[String(block["type"])]?.(block) ?? "";

function attachment(part: Part): string {
  const texts = ["pretext", "author_name", "title", "text"].map((name) => read(words(part[name])));
  const fields = many(part["fields"], (field) => `${words(field["title"])}: ${read(words(field["value"]))}`);
  return lines(...texts, ...fields, ...many(part["blocks"], shownBlock), read(words(part["footer"])));
}

const workObject = (entity: Part): string => lines(titleOf(entity), descriptionOf(entity));

const PLAN = Symbol("plan");

/** What was streamed, in the order it came: a task card stands where it first appeared, with its latest words. */
function streamed(stream: NonNullable<StoredMessage["stream"]>): string {
  const seen = new Set<unknown>();
  let text = "";
  const done: string[] = [];
  const flush = () => {
    if (text !== "") done.push(readMarkdown(text));
    text = "";
  };
  for (const chunk of stream.chunks) {
    if (chunk["type"] === "markdown_text") {
      text += words(chunk["text"]);
      continue;
    }
    // A plan has one title, the latest, where it first had any.
    const name = chunk["type"] === "plan_update" ? PLAN : chunk["type"] === "task_update" ? chunk["id"] : chunk;
    if (seen.has(name)) continue;
    flush();
    seen.add(name);
    if (name === PLAN) done.push(planTitle(stream));
    const card = stream.tasks.find(({ task_id }) => task_id === chunk["id"]);
    if (card !== undefined) done.push(task(card));
    done.push(...many(chunk["blocks"], shownBlock));
  }
  flush();
  return lines(...done);
}

/**
 * Everything a reader would see of a message, as plain text: what was streamed, or else the blocks, or else the text;
 * then attachments. Buttons stand in brackets, cells are parted by ` | `, links show their label.
 */
export function shownText(message: StoredMessage): string {
  const { stream, blocks, attachments, text } = message;
  // Blocks that were streamed stand among the blocks of the message too.
  const among = stream?.chunks.flatMap((chunk) => parts(chunk["blocks"])).length ?? 0;
  const body =
    stream !== undefined && stream.chunks.length > 0
      ? lines(streamed(stream), ...blocks.slice(among).map(shownBlock))
      : blocks.length > 0
        ? lines(...blocks.map(shownBlock))
        : read(text);
  return lines(body, ...attachments.map(attachment), ...message.entities.map(workObject));
}
