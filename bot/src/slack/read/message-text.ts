/** What people read of a message, wherever in it Slack or an app has put the words. */

/** A message as events, threads and pin lists carry it; only what is read here. */
export interface RawMessage {
  readonly ts?: string | undefined;
  readonly thread_ts?: string | undefined;
  readonly subtype?: string | undefined;
  readonly user?: string | undefined;
  readonly username?: string | undefined;
  readonly bot_id?: string | undefined;
  readonly bot_profile?: unknown;
  readonly text?: string | undefined;
  readonly blocks?: unknown;
  readonly attachments?: unknown;
  readonly files?: unknown;
  readonly edited?: unknown;
  readonly pinned_to?: unknown;
  readonly reply_count?: number | undefined;
}

/** Something quoted or forwarded in a message, in mrkdwn. */
export interface RawQuote {
  readonly from?: string;
  readonly text: string;
}

/** The words of a message, in mrkdwn. Apps often leave `text` empty and say everything in blocks. */
export function wordsOf(message: RawMessage): string {
  const text = message.text ?? "";
  return text.trim() === "" ? wordsOfBlocks(message.blocks) : text;
}

/**
 * Forwarded and quoted messages, and what apps say in attachments. Previews of links are left out: they are words of
 * other sites that nobody here wrote or chose.
 */
export function quotesOf(message: RawMessage): RawQuote[] {
  return records(message.attachments).flatMap((attachment) => {
    const shared = attachment["is_share"] === true || attachment["is_msg_unfurl"] === true;
    if (!shared && message.bot_id === undefined) return [];
    const own = text(attachment["text"]) || wordsOfBlocks(attachment["blocks"]);
    const words = [shared ? "" : text(attachment["title"]), own || text(attachment["fallback"])];
    const author = text(attachment["author_name"]);
    const channel = text(attachment["channel_name"]);
    const from = [author, channel === "" ? "" : `in #${channel}`].filter((part) => part !== "").join(" ");
    const quote = words.filter((part) => part !== "").join("\n");
    return quote === "" ? [] : [{ ...(from !== "" && { from }), text: quote }];
  });
}

/** Names of the attached files. */
export function fileNamesOf(message: RawMessage): string[] {
  return records(message.files).map((file) => text(file["name"]) || text(file["title"]) || "a file");
}

/** When it was last edited, as a timestamp. */
export function editedTsOf(message: RawMessage): string | undefined {
  const edited = record(message.edited);
  const ts = text(edited["ts"]);
  return ts === "" ? undefined : ts;
}

/** Whether Slack says that it is pinned in the channel; undefined: it does not say. */
export function isPinnedTo(message: RawMessage, channel: string): boolean | undefined {
  return Array.isArray(message.pinned_to) ? message.pinned_to.includes(channel) : undefined;
}

function wordsOfBlocks(blocks: unknown): string {
  return records(blocks)
    .map(wordsOfBlock)
    .filter((part) => part.trim() !== "")
    .join("\n\n");
}

function wordsOfBlock(block: Record<string, unknown>): string {
  if (block["type"] === "rich_text") return records(block["elements"]).map(wordsOfRichText).join("\n");
  const fields = records(block["fields"]).map(textOfObject);
  const elements = block["type"] === "context" ? records(block["elements"]).map(textOfObject) : [];
  return [textOfObject(block), ...fields, ...elements].filter((part) => part !== "").join("\n");
}

/** `text` may be the words themselves or an object around them. */
function textOfObject(object: Record<string, unknown>): string {
  return text(object["text"]) || text(record(object["text"])["text"]);
}

/** A part of rich text: elements become mrkdwn, so that one reader suits both. */
function wordsOfRichText(part: Record<string, unknown>): string {
  const inner = records(part["elements"]);
  if (part["type"] === "rich_text_list") return inner.map((one) => `• ${wordsOfRichText(one)}`).join("\n");
  const words = inner.map(wordOfElement).join("");
  if (part["type"] === "rich_text_preformatted") return `\`\`\`\n${words}\n\`\`\``;
  if (part["type"] !== "rich_text_quote") return words;
  return words
    .split("\n")
    .map((line) => `&gt; ${line}`)
    .join("\n");
}

function wordOfElement(element: Record<string, unknown>): string {
  const words = escaped(text(element["text"]));
  switch (element["type"]) {
    case "text":
      return record(element["style"])["code"] === true ? `\`${words}\`` : words;
    case "link":
      return words === "" ? `<${escaped(text(element["url"]))}>` : `<${escaped(text(element["url"]))}|${words}>`;
    case "user":
      return `<@${text(element["user_id"])}>`;
    case "channel":
      return `<#${text(element["channel_id"])}>`;
    case "usergroup":
      return `<!subteam^${text(element["usergroup_id"])}>`;
    case "broadcast":
      return `<!${text(element["range"])}>`;
    case "emoji":
      return `:${text(element["name"])}:`;
    default:
      return words;
  }
}

const escaped = (words: string): string =>
  words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const text = (value: unknown): string => (typeof value === "string" ? value : "");

const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? { ...value } : {};

const records = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.map(record) : []);

/** Address of a message, as Slack writes it. */
export function permalinkOf(self: { readonly url: string }, channel: string, ts: string, root?: string): string {
  const address = `${self.url.replace(/\/$/, "")}/archives/${channel}/p${ts.replace(".", "")}`;
  return root === undefined || root === ts ? address : `${address}?thread_ts=${root}&cid=${channel}`;
}
