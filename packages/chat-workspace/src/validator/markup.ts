import { asFlag, fieldsOf, isObject, type Fields } from "../fields.ts";

/** What Slack would make of the strings of a call. */
export interface Markup {
  /** Ids of the people (`U…`), user groups (`S…`), channels (`C…`) and teams (`T…`) that would be named. */
  readonly mentions: string[];
  /** `here`, `channel` and `everyone`. */
  readonly broadcasts: string[];
  /** Everything that would open an address, buttons included. A bare address is its own label. */
  readonly links: { readonly url: string; readonly label: string }[];
}

/** Between angle brackets, as Slack's own syntax has it: what comes first decides, a label may follow. */
const control = /<([@#!]?)([^<>\n|]+)(?:\|([^<>\n]*))?>/g;
const bareAddress = /(?:\bhttps?:\/\/|\bmailto:|\bwww\.)[^\s<>"'`]+/gi;
// Labels are bounded so that a text of brackets alone takes no time that grows with its square.
const markdownLink =
  /!?\[((?:\\.|\[[^\]\n]{0,200}\]|[^[\]\\\n]){0,2000})\]\(\s*<?((?:[^\s<>()]|\([^\s<>()]*\))+)>?(?:\s+["'(][^\n]*?["')])?\s*\)/g;
const markdownReference = /^ {0,3}\[[^\]\n]+\]:\s*<?(\S+?)>?(?:\s.*)?$/gm;
const fenceOpens = /^(?:[ \t>]|[-*+] |\d+[.)] )*(`{3,}|~{3,})[^`]*$/;
const fenceCloses = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/;
const codeSpan = /(?<![\\`])(`+)(?!`)(?:(?!\n[ \t]*\n)[\s\S])*?[^`]\1(?!`)/g;
const mrkdwnCode = /```[\s\S]*?```|`[^`\n]+`/g;
const addressable = /^(?:https?:\/\/|mailto:|tel:|slack:|www\.)/i;

const entities: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };

/** As Slack reads it: three entities stand for the signs of its syntax. */
function decoded(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt);/g, (entity) => entities[entity] ?? entity);
}

function addLink(into: Markup, url: string, label: string): void {
  into.links.push({ url: decoded(url), label: decoded(label) });
}

function bareIn(text: string, into: Markup): void {
  for (const [found] of text.matchAll(bareAddress)) {
    const url = found.replace(/(?:&(?:lt|gt);|[.,;:!?)\]*_~|])+$/, "");
    addLink(into, url, url);
  }
}

/**
 * Takes the control sequences of a text out and notes what they would do; what is left stands in their place as a space.
 * They are looked for in code too: that Slack leaves them alone there is written nowhere.
 */
function withoutControls(text: string, into: Markup): string {
  return text.replaceAll(control, (whole, sign: string, body: string, label: string | undefined) => {
    if (sign === "@" || sign === "#") {
      if (/^[A-Z0-9]+$/.test(body)) into.mentions.push(body);
      return " ";
    }
    if (sign === "!") {
      const group = /^subteam\^(\w+)/.exec(body);
      const broadcast = /^(?:here|channel|everyone|group)$/.exec(body);
      const date = /^date\^\d+\^[^^]*\^(.+)$/.exec(body);
      if (group?.[1] !== undefined) into.mentions.push(group[1]);
      if (broadcast !== null) into.broadcasts.push(body);
      if (date?.[1] !== undefined) addLink(into, date[1], label ?? "");
      return " ";
    }
    if (!addressable.test(body)) return whole;
    addLink(into, body, label === undefined || label === "" ? body : label);
    return " ";
  });
}

/** Markdown without what stands in fences and code spans: addresses there are no links. */
function withoutCode(text: string): string {
  let fence: string | undefined;
  const outside = text.split("\n").filter((line) => {
    if (fence === undefined) {
      fence = fenceOpens.exec(line)?.[1];
      return fence === undefined;
    }
    if (fenceCloses.exec(line)?.[1]?.startsWith(fence) === true) fence = undefined;
    return false;
  });
  return outside.join("\n").replaceAll(codeSpan, " ");
}

function mrkdwn(text: unknown, into: Markup, linksAddresses = true): void {
  if (typeof text !== "string") return;
  const rest = withoutControls(text, into);
  if (linksAddresses) bareIn(rest.replaceAll(mrkdwnCode, " "), into);
}

function markdown(text: unknown, into: Markup): void {
  if (typeof text !== "string") return;
  const outside = withoutCode(withoutControls(text, into));
  const noted = (url: string, label: string): string => {
    addLink(into, url, label);
    return " ";
  };
  const unlinked = outside.replaceAll(markdownLink, (_whole, label: string, url: string) => noted(url, label));
  bareIn(
    unlinked.replaceAll(markdownReference, (_whole, url: string) => noted(url, url)),
    into,
  );
}

function labelOf(part: Fields): string {
  const text = isObject(part.text) ? part.text.text : part.text;
  return typeof text === "string" ? text : "";
}

const idOf: Readonly<Record<string, string>> = {
  user: "user_id",
  usergroup: "usergroup_id",
  channel: "channel_id",
  team: "team_id",
};

/** Fields of objects that are an address people can open, and the one with its label. */
const addressFields: readonly (readonly [address: string, label: string])[] = [
  ["title_url", "title"],
  ["title_link", "title"],
  ["author_link", "author_name"],
];

/** Fields of attachments that Slack reads as mrkdwn. */
const attachmentTexts = ["pretext", "text", "footer", "value"] as const;

function attachment(part: Fields, into: Markup): void {
  for (const name of attachmentTexts) mrkdwn(part[name], into);
  for (const field of fieldsOf(part.fields)) mrkdwn(field.value, into);
  walk(part.blocks, into);
  walk(part.actions, into);
  addresses(part, into);
}

function addresses(part: Fields, into: Markup): void {
  for (const [address, label] of addressFields) {
    const url = part[address];
    const named = part[label];
    if (typeof url !== "string" || url === "") continue;
    into.links.push({ url, label: typeof named === "string" ? named : isObject(named) ? labelOf(named) : url });
  }
}

/** Everything in a tree of blocks, elements and text objects. */
function walk(part: unknown, into: Markup): void {
  if (Array.isArray(part)) {
    for (const each of part) walk(each, into);
    return;
  }
  if (!isObject(part)) return;
  switch (part.type) {
    case "mrkdwn":
      mrkdwn(part.text, into, asFlag(part.verbatim) !== true);
      return;
    case "markdown":
    case "markdown_text":
      markdown(part.text, into);
      return;
    case "task_update":
      for (const text of [part.details, part.output]) markdown(text, into);
      walk(part.sources, into);
      return;
    case "plain_text":
    case "raw_text":
    case "text":
      return;
    case "emoji":
    case "image":
      walk(part.title, into);
      return;
    default:
  }
  const idField = idOf[String(part.type)];
  const id = idField === undefined ? undefined : part[idField];
  if (typeof id === "string") into.mentions.push(id);
  if (part.type === "broadcast" && typeof part.range === "string") into.broadcasts.push(part.range);
  addresses(part, into);
  if (typeof part.url === "string" && part.url !== "") {
    const label = labelOf(part);
    into.links.push({ url: part.url, label: label === "" ? part.url : label });
  }
  for (const value of Object.values(part)) if (typeof value === "object") walk(value, into);
}

/**
 * What Slack would make of every string of a call that it interprets: `text`, `markdown_text`, mrkdwn text objects,
 * markdown and rich_text blocks, chunks, attachments, views. Read strictly, so that what is not found here is not there:
 * control sequences count inside code too, and bare addresses (`http:`, `https:`, `mailto:`, `www.`) count as links
 * unless `verbatim`, `parse: "none"`, code or a plain text object keep Slack from it.
 */
export function markupIn(args: Record<string, unknown>): Markup {
  const found: Markup = { mentions: [], broadcasts: [], links: [] };
  mrkdwn(args.text, found, args.parse !== "none");
  markdown(args.markdown_text, found);
  mrkdwn(args.initial_comment, found);
  for (const each of fieldsOf(args.attachments)) attachment(each, found);
  const unfurls = isObject(args.unfurls) ? Object.values(args.unfurls) : [];
  for (const each of fieldsOf(unfurls)) attachment(each, found);
  for (const name of ["blocks", "chunks", "view", "user_auth_blocks"]) walk(args[name], found);
  return found;
}
