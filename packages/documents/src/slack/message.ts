import { record, records, text } from "./fields.ts";
import { escapeControl } from "./mrkdwn.ts";

/** An attached file as a message names it. */
export interface AttachedFile {
  readonly id: string;
  readonly name: string;
  readonly mimetype: string;
  /** Bytes; 0 where it was not told. */
  readonly size: number;
  /** Where its bytes are; absent until `files.info` tells. */
  readonly url?: string | undefined;
  /** `check_file_info` means: ask `files.info` before using it. */
  readonly access?: string | undefined;
}

/** A message as it is read here, wherever it came from: an event, a thread, a shortcut. What is missing is empty. */
export type Message = Readonly<ReturnType<typeof readMessage>>;

/** Subtypes that are something said all the same. */
const SPOKEN: ReadonlySet<string> = new Set(["file_share", "thread_broadcast", "bot_message", "me_message"]);

/** The platform's own account, which sends notices and reminders. */
const SLACKBOT = "USLACKBOT";

/** Whether the bot wrote it itself, under whichever of its names. */
export function isOwn(
  { user, botId, appId }: { user: string; botId?: string; appId?: string },
  self: { readonly userId: string; readonly botId: string; readonly appId?: string },
): boolean {
  return user === self.userId || botId === self.botId || (self.appId !== undefined && appId === self.appId);
}

/** Whether a program wrote it, as far as its author tells. */
export function isByProgram({ user, botId }: { user: string; botId?: string }): boolean {
  return botId !== undefined || user === SLACKBOT;
}

/** A message in the platform's JSON. Never throws: what has another shape than expected is taken for missing. */
export function readMessage(raw: unknown) {
  const fields = record(raw);
  const given = (key: string): string | undefined => text(fields[key]) || undefined;
  const botId = given("bot_id");
  const subtype = given("subtype");
  const user = text(fields["user"]);
  const words = text(fields["text"]).trim() === "" ? wordsOfBlocks(fields["blocks"]) : text(fields["text"]);
  const quotes = records(fields["attachments"]).flatMap((attachment) => quoteIn(attachment, botId !== undefined));
  const replies = fields["reply_count"];
  return {
    ts: text(fields["ts"]),
    /** Root of the thread it stands in. A root without replies has none. */
    threadTs: given("thread_ts"),
    user,
    botId,
    appId: given("app_id"),
    subtype,
    /** Name of the app or the account, as the message itself carries it. */
    signature: given("username") ?? (text(record(fields["bot_profile"])["name"]) || undefined),
    /** What its author wrote, in mrkdwn. Apps often leave `text` empty and say everything in blocks. */
    words,
    /**
     * Forwarded and quoted messages, and what apps say in attachments. Previews of links are left out: they are words
     * of other sites that nobody here wrote or chose.
     */
    quotes,
    /** Words and quotes together. */
    text: [words, ...quotes.map((quote) => quote.text)].filter((part) => part !== "").join("\n"),
    files: records(fields["files"]).map(attachedFile),
    editedTs: text(record(fields["edited"])["ts"]) || undefined,
    /** How many replies its thread has, and the newest of them; only a thread's root tells. */
    replies: typeof replies === "number" ? replies : undefined,
    latestReply: given("latest_reply"),
    /** Its author's own workspace, where an event tells. */
    userTeam: given("user_team") ?? given("source_team"),
    /** An app or an integration wrote it, or the platform's own account. */
    byProgram: isByProgram({ user, botId }) || fields["bot_profile"] !== undefined || subtype === "bot_message",
    /** It is a notice of the platform (somebody joined), not something said. */
    isNotice: subtype !== undefined && !SPOKEN.has(subtype),
    /** The platform put it in the place of a deleted message that has replies. */
    isTombstone: subtype === "tombstone",
  };
}

/** A file object of the platform. */
export function attachedFile(file: unknown): AttachedFile {
  const fields = record(file);
  const size = fields["size"];
  const id = text(fields["id"]);
  return {
    id,
    name: text(fields["name"]) || text(fields["title"]) || id || "a file",
    mimetype: text(fields["mimetype"]),
    size: typeof size === "number" ? size : 0,
    url: text(fields["url_private_download"]) || text(fields["url_private"]) || undefined,
    access: text(fields["file_access"]) || undefined,
  };
}

function quoteIn(attachment: Record<string, unknown>, byApp: boolean): { from?: string; text: string }[] {
  const shared = attachment["is_share"] === true || attachment["is_msg_unfurl"] === true;
  if (!shared && !byApp) return [];
  const own = text(attachment["text"]) || wordsOfBlocks(attachment["blocks"]);
  const words = [shared ? "" : text(attachment["title"]), own || text(attachment["fallback"])];
  const author = text(attachment["author_name"]);
  const channel = text(attachment["channel_name"]);
  const from = [author, channel === "" ? "" : `in #${channel}`].filter((part) => part !== "").join(" ");
  const quote = words.filter((part) => part !== "").join("\n");
  return quote === "" ? [] : [{ from: from || undefined, text: quote }];
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
  const words = escapeControl(text(element["text"]));
  switch (element["type"]) {
    case "text":
      return record(element["style"])["code"] === true ? `\`${words}\`` : words;
    case "link":
      return `<${escapeControl(text(element["url"]))}${words === "" ? "" : `|${words}`}>`;
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

/** Address of a message, as Slack writes it. */
export function permalinkOf(self: { readonly url: string }, channel: string, ts: string, root?: string): string {
  const address = `${self.url.replace(/\/$/, "")}/archives/${channel}/p${ts.replace(".", "")}`;
  return root === undefined || root === ts ? address : `${address}?thread_ts=${root}&cid=${channel}`;
}
