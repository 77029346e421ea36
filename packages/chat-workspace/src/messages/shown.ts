import type { StoredMessage } from "../state.ts";
import { fieldsOf as parts, isObject as isPart, type Fields as Part } from "../fields.ts";

const entities: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };

const markdownLink = /!?\[((?:\\.|\[[^\]\n]*\]|[^[\]\\\n])*)\]\((?:[^\s()]|\([^\s()]*\))+\)/g;

const words = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "");
const lines = (...each: readonly string[]): string => each.filter((line) => line !== "").join("\n");

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

function inline(part: Part): string {
  switch (part["type"]) {
    case "link":
    case "citation":
      return words(part["text"]) || words(part["url"]);
    case "user":
      return `@${words(part["user_id"])}`;
    case "usergroup":
      return `@${words(part["usergroup_id"])}`;
    case "channel":
      return `#${words(part["channel_id"])}`;
    case "team":
      return `@${words(part["team_id"])}`;
    case "broadcast":
      return `@${words(part["range"])}`;
    case "emoji":
      return `:${words(part["name"])}:`;
    case "date":
      return words(part["fallback"]) || words(part["timestamp"]);
    case "color":
      return words(part["value"]);
    default:
      return words(part["text"]);
  }
}

function richText(block: unknown): string {
  if (!isPart(block)) return words(block);
  return lines(...parts(block["elements"]).map(richPart));
}

function richPart(part: Part): string {
  const elements = parts(part["elements"]);
  switch (part["type"]) {
    case "rich_text_list":
      return lines(
        ...elements.map((each, index) => {
          const mark = part["style"] === "ordered" ? `${index + 1}.` : "•";
          return `${"  ".repeat(Number(part["indent"] ?? 0))}${mark} ${richPart(each)}`;
        }),
      );
    case "rich_text_quote":
      return `> ${elements.map(inline).join("")}`;
    default:
      return elements.map(inline).join("");
  }
}

/** What stands on an element that can be used, in brackets. */
function element(part: Part): string {
  switch (part["type"]) {
    case "image":
      return words(part["alt_text"]);
    case "plain_text":
    case "mrkdwn":
      return textOf(part);
    case "feedback_buttons":
      return [part["positive_button"], part["negative_button"]]
        .map((each) => element(isPart(each) ? each : {}))
        .join(" ");
    case "checkboxes":
    case "radio_buttons":
    case "overflow":
      return parts(part["options"])
        .map((option) => `[${textOf(option["text"])}]`)
        .join(" ");
    default: {
      const label = textOf(part["text"]) || textOf(part["placeholder"]) || words(part["initial_value"]);
      return `[${label}]`;
    }
  }
}

function cell(part: Part): string {
  return part["type"] === "rich_text" ? richText(part) : words(part["text"]);
}

function rows(value: unknown): string {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return lines(...list.map((row) => parts(row).map(cell).join(" | ")));
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

const many = (value: unknown, one: (part: Part) => string) => parts(value).map(one);

/** One block as plain text; a kind this does not know shows nothing. */
function shownBlock(block: Part): string {
  switch (block["type"]) {
    case "section":
      return lines(
        textOf(block["text"]),
        ...many(block["fields"], textOf),
        isPart(block["accessory"]) ? element(block["accessory"]) : "",
      );
    case "header":
    case "alert":
      return textOf(block["text"]);
    case "markdown":
      return readMarkdown(words(block["text"]));
    case "rich_text":
      return richText(block);
    case "context":
    case "actions":
    case "context_actions":
      return many(block["elements"], element).join(" ");
    case "divider":
      return "---";
    case "image":
      return lines(textOf(block["title"]), words(block["alt_text"]));
    case "video":
      return lines(textOf(block["title"]), textOf(block["description"]), words(block["alt_text"]));
    case "input":
      return lines(
        textOf(block["label"]),
        isPart(block["element"]) ? element(block["element"]) : "",
        textOf(block["hint"]),
      );
    case "table":
      return rows(block["rows"]);
    case "data_table":
      return lines(words(block["caption"]), rows(block["rows"]));
    case "task_card":
      return task(block);
    case "plan":
      return lines(words(block["title"]), ...many(block["tasks"], task));
    case "card":
      return lines(
        ...["title", "subtitle", "body"].map((name) => textOf(block[name])),
        many(block["actions"], element).join(" "),
      );
    case "carousel":
      return lines(...many(block["elements"], shownBlock));
    case "container":
      return lines(
        block["rich_text_title"] === undefined ? textOf(block["title"]) : richText(block["rich_text_title"]),
        textOf(block["subtitle"]),
        ...many(block["child_blocks"], shownBlock),
      );
    default:
      return "";
  }
}

function attachment(part: Part): string {
  const texts = ["pretext", "author_name", "title", "text"].map((name) => read(words(part[name])));
  const fields = many(part["fields"], (field) => `${words(field["title"])}: ${read(words(field["value"]))}`);
  return lines(...texts, ...fields, ...many(part["blocks"], shownBlock), read(words(part["footer"])));
}

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
    if (chunk["type"] === "task_update" && seen.has(chunk["id"])) continue;
    flush();
    seen.add(chunk["id"]);
    if (chunk["type"] === "plan_update") done.push(words(chunk["title"]));
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
  return lines(body, ...attachments.map(attachment));
}
