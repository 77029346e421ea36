import { someNames, type Names } from "@threadlore/documents/slack";
import { withoutMention } from "../../ask/question.ts";

const REFERENCE = /<([@#!]?)([^<>|\n]{1,4000})(?:\|([^<>\n]{0,4000}))?>/g;
/** Most accounts looked up for one question. Each may be a call. */
const MAX_NAMES = 20;

/**
 * A question's mrkdwn as words that stand for themselves: without the mention of the bot, with names in place of people's
 * ids, and of links what they are called. A name that cannot be looked up is "somebody", a channel that not everybody sees
 * "a channel": nothing of it is to be read elsewhere.
 */
export async function plainWords(mrkdwn: string, self: string, names: PlainNames): Promise<string> {
  const text = withoutMention(mrkdwn, self);
  const found = [...new Set([...text.matchAll(REFERENCE)].map(([whole]) => whole))];
  const some = someNames(names, MAX_NAMES);
  const words = new Map<string, string>();
  for (const whole of found) words.set(whole, await wordFor(whole, some, names));
  return unescaped(text.replace(REFERENCE, (whole) => words.get(whole) ?? " "))
    .replace(/[*_~`]+(?=\S)|(?<=\S)[*_~`]+(?=\s|[.,;:!?)]|$)/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Who and what ids stand for; `isOpen`: everybody of the workspace sees this channel. */
interface PlainNames extends Names {
  isOpen(channel: string): Promise<boolean>;
}

async function wordFor(whole: string, names: Names, { isOpen }: Pick<PlainNames, "isOpen">): Promise<string> {
  const [, sign = "", target = "", label = ""] = /^<([@#!]?)([^|>]*)(?:\|([^>]*))?>$/.exec(whole) ?? [];
  if (sign === "@") return (await names.account(target).catch(() => undefined))?.name ?? "somebody";
  if (sign === "#") {
    const place = (await isOpen(target)) ? await names.place(target).catch(() => undefined) : undefined;
    return place === undefined || place.name === "" ? "a channel" : `#${place.name}`;
  }
  if (sign === "!") return label !== "" ? label : target.includes("^") ? " " : (target.split("|")[0] ?? "");
  if (target.startsWith("mailto:")) return label || target.slice("mailto:".length);
  return label || addressWords(unescaped(target));
}

/** Where a link leads, without what may be a key to it. */
function addressWords(address: string): string {
  const url = URL.parse(address);
  return url === null ? " " : `${url.host}${url.pathname === "/" ? "" : url.pathname}`;
}

const unescaped = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
