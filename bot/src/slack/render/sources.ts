/** The documents an answer cites, named shortly, for below it. */
import type { ContainerBlock, ContextBlock } from "@slack/types";
import { addressNote, type Answer, type Citation, type Links, saysNothingFound, type Source } from "@threadlore/ask";
import { parseMoment } from "@threadlore/client/models";
import { inOwnDirection, JOINER, markupAddress, misleads, mrkdwnText, shortened } from "./escape.ts";
import { context, packed } from "./text-blocks.ts";
import { BUDGETS, LIMITS } from "../transport/limits.ts";

/**
 * What an answer cites, each document once, numbered as in the text and linked only where `links` allows it: one quiet
 * line with the first three, and the others folded away under their number. A whole answer that cites nothing says so,
 * unless it says itself that nothing was found. `now`: milliseconds since 1970, for what is of this year.
 */
export function sourceBlocks(answer: Answer, links: Links, now = Date.now()): (ContextBlock | ContainerBlock)[] {
  const { citations } = answer;
  if (citations.length === 0) return isSilent(answer) ? [context([NO_SOURCE])] : [];
  const line = citations.slice(0, BUDGETS.sources).map((one) => sourceLine(one, links, now, BUDGETS.sourceTitle));
  const rest = citations.slice(BUDGETS.sources);
  const label = citations.length === 1 ? "Source" : "Sources";
  return [context([label, ...line]), ...(rest.length === 0 ? [] : [folded(rest, links, now)])];
}

function folded(citations: readonly Citation[], links: Links, now: number): ContainerBlock {
  const listed = citations.slice(0, BUDGETS.foldedSources);
  const left = citations.length - listed.length;
  const lines = listed.map((one) => sourceLine(one, links, now, BUDGETS.foldedTitle));
  const texts = packed([...lines, ...(left > 0 ? [`and ${left} more`] : [])], LIMITS.contextText - 100);
  return {
    type: "container",
    title: { type: "plain_text", text: `${citations.length} more ${citations.length === 1 ? "source" : "sources"}` },
    is_collapsible: true,
    default_collapsed: true,
    child_blocks: texts.slice(0, LIMITS.containerChildren).map((text) => context([text])),
  };
}

/** The same as lines of mrkdwn, for messages without blocks; the first three and how many more there are. */
export function sourceLines(answer: Answer, links: Links, now = Date.now()): readonly string[] {
  const { citations } = answer;
  if (citations.length === 0) return isSilent(answer) ? [NO_SOURCE] : [];
  const lines = citations.slice(0, BUDGETS.sources).map((one) => sourceLine(one, links, now, BUDGETS.sourceTitle));
  const left = citations.length - lines.length;
  return ["Sources:", ...lines, ...(left > 0 ? [`and ${left} more`] : [])];
}

const NO_SOURCE = "No source was cited.";

/** Of a part nobody knows what it would have cited. */
const isSilent = (answer: Answer): boolean => answer.status === "done" && !saysNothingFound(answer);

function sourceLine({ number, source }: Citation, links: Links, now: number, longest: number): string {
  const { link = "" } = source;
  const href = links.href(link);
  const words = sourceName(source);
  const name = labelText(shortened(words, longest));
  const note = href === undefined ? addressNote(link, "") : misleads(words, href);
  const named = href === undefined ? name : `<${markupAddress(href)}|${name}>`;
  const day = dayOf(source, now);
  const since = source.isKeptAnswer === true ? keptBy(source, day) : day;
  return `[${number}] ${named}${mrkdwnText(note)}${since === "" ? "" : ` · ${since}`}`;
}

/** Whose a kept answer is, beside how old it is: both say how far it is to be trusted. */
function keptBy({ author, channel }: Source, day: string): string {
  const where = channel === undefined ? "" : ` from #${shortened(labelText(channel.replace(/^#/, "")), MAX_NAME)}`;
  const whose = author === undefined ? "" : ` by ${shortened(labelText(author), MAX_NAME)}`;
  return `kept${where}${whose}${day === "" ? "" : `, ${day}`}`;
}

const MAX_NAME = 40;

/** A message of a chat without a title of its own. */
const isChat = ({ sourceType, author, channel, hasOwnTitle }: Source): boolean =>
  sourceType === "slack" && hasOwnTitle !== true && (author !== undefined || channel !== undefined);

/** What people call a document: its title; a message of a chat is who wrote it and where, for its title is its text. */
function sourceName(source: Source): string {
  const { title, author, channel } = source;
  if (!isChat(source)) return title;
  const where = channel === undefined ? "" : ` in #${channel}`;
  return `${author ?? "A message"}${where}`;
}

/** When it was written or changed: of a message the day, of a document the month; in UTC, empty where it is not known. */
function dayOf(source: Source, now: number): string {
  const time = parseMoment(source.updatedAt ?? "");
  if (time === undefined) return "";
  const [month, year] = [MONTHS[new Date(time).getUTCMonth()] ?? "", new Date(time).getUTCFullYear()];
  if (!isChat(source)) return `${month} ${year}`;
  const day = `${new Date(time).getUTCDate()} ${month}`;
  return year === new Date(now).getUTCFullYear() ? day : `${day} ${year}`;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

/** A title as the label of a link: one line, never empty, nothing in it that ends or formats it. */
function labelText(title: string): string {
  const text = mrkdwnText(title.replace(/\s+/g, " ").trim().replaceAll("|", "¦")).replace(
    /[*_~`](?=\S)/g,
    `$&${JOINER}`,
  );
  return text === "" ? "Untitled" : inOwnDirection(text);
}

/**
 * A moment to the minute as mrkdwn that each reader sees in their own time zone; undefined where it cannot be read. The
 * next full minute: before it, it has not come.
 */
export function dateMarkup(moment: string | undefined): string | undefined {
  const time = parseMoment(moment ?? "");
  if (time === undefined) return undefined;
  return `<!date^${fullMinute(time) / 1_000}^{date_short_pretty} {time}|${plainDate(time)}>`;
}

/** The same for where markup is not read: `2026-03-12 08:05 UTC`. `time`: milliseconds since 1970. */
export function plainDate(time: number): string {
  return `${minute(fullMinute(time))} UTC`;
}

const fullMinute = (time: number): number => Math.ceil(time / 60_000) * 60_000;

/** A moment to its minute, in UTC: `2026-03-12 08:05`. */
export function minute(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace("T", " ");
}
