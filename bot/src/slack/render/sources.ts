/** The documents an answer cites, as lines for below it. */
import { addressNote, type Answer, type Citation, type Links, saysNothingFound } from "@threadlore/ask";
import { parseMoment } from "@threadlore/client/models";
import { JOINER, markupAddress, misleads, mrkdwnText, shortened } from "./escape.ts";
import { BUDGETS } from "../transport/limits.ts";

/**
 * One mrkdwn line per cited document, numbered as in the text, with its title, and the day it was changed where that is
 * known; linked only where `links` allows it. At most ten, the others are counted on a last line. A whole
 * answer that cites nothing says so, unless it says itself that nothing was found.
 */
export function sourceLines(answer: Answer, links: Links): readonly string[] {
  const { citations } = answer;
  // Of a part nobody knows what it would have cited.
  const isSilent = answer.status === "done" && !saysNothingFound(answer);
  if (citations.length === 0) return isSilent ? ["No source was cited."] : [];
  const lines = citations.slice(0, BUDGETS.sources).map((citation) => sourceLine(citation, links));
  const left = citations.length - lines.length;
  return left > 0 ? [...lines, `and ${left} more`] : lines;
}

function sourceLine({ number, source }: Citation, links: Links): string {
  const { link = "" } = source;
  const href = links.href(link);
  const title = labelText(shortened(source.title, BUDGETS.sourceTitle));
  const note = href === undefined ? addressNote(link, "") : misleads(source.title, href);
  const named = href === undefined ? title : `<${markupAddress(href)}|${title}>`;
  // In UTC; left out where it cannot be read.
  const time = parseMoment(source.updatedAt ?? "");
  const day = time === undefined ? "" : ` · ${new Date(time).toISOString().slice(0, 10)}`;
  return `[${number}] ${named}${mrkdwnText(note)}${day}`;
}

/** A title as the label of a link: one line, never empty, nothing in it that ends or formats it. */
function labelText(title: string): string {
  const text = mrkdwnText(title.replace(/\s+/g, " ").trim().replaceAll("|", "¦")).replace(
    /[*_~`](?=\S)/g,
    `$&${JOINER}`,
  );
  return text === "" ? "Untitled" : text;
}

/**
 * A moment to the minute as mrkdwn that each reader sees in their own time zone; undefined where it cannot be read. The
 * next full minute: before it, it has not come.
 */
export function dateMarkup(moment: string | undefined): string | undefined {
  const time = parseMoment(moment ?? "");
  if (time === undefined) return undefined;
  const seconds = Math.ceil(time / 60_000) * 60;
  return `<!date^${seconds}^{date_short_pretty} {time}|${minute(seconds * 1_000)} UTC>`;
}

/** A moment to its minute, in UTC: `2026-03-12 08:05`. */
export function minute(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace("T", " ");
}
