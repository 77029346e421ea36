/**
 * Text of an answer, made harmless for the platform. Nothing a model or a source wrote may mention anybody, become a
 * link by itself or be read as markup.
 *
 * - `<`, `>` and `&` become character references, exactly once: without a `<` no mention and no link can begin.
 * - `@here` and its kind, and the `://` of a bare address, are parted by an invisible word joiner, so that nothing that
 *   looks for them in plain text finds them.
 * - Where texts are shown as they are (rich text, tables, buttons, task cards) nothing may be replaced; there the word
 *   joiner also parts `<!`, `<@`, `<#` and whatever else could begin markup.
 */
import { escapeControl } from "@threadlore/documents/slack";
import { type Links, visibleLine, visibleText } from "@threadlore/ask";

/** Has no width and allows no line break: parts what must not be read as one. `visibleText` leaves none of the text's own. */
export const JOINER = "\u2060";

const GROUP = /@(?=(?:here|channel|everyone|group)(?![\p{L}\p{N}_]))/giu;
const SCHEME = /:(?=\/\/)/g;
const PREFIX = /(?<=\b(?:mailto|tel|sms)):|(?<=\bwww)\./gi;

/** A text in which nothing is found that a reader of plain text takes for a mention of many or for an address. */
export function parted(text: string): string {
  return text.replace(GROUP, `@${JOINER}`).replace(SCHEME, `:${JOINER}`).replace(PREFIX, `${JOINER}$&`);
}

/** What keeps two texts apart that, written side by side, would make what `parted` parts inside one; usually nothing. */
export function partition(before: string, text: string): string {
  const meets =
    (/[:/]$/.test(before) && text.startsWith("/")) ||
    (before.endsWith("@") && /^(?:here|channel|everyone|group)/i.test(text)) ||
    (/[wols]$/i.test(before) && /^[.:]/.test(text)) ||
    (before.endsWith("]") && /^[([:]/.test(text));
  return meets ? JOINER : "";
}

/** A text for where the platform shows it as it is, on one line: never empty where it held anything but blanks. */
export function literalText(text: string): string {
  return parted(visibleLine(text).replace(/<(?=[!@#/a-z])/gi, `<${JOINER}`));
}

/** A line of prose of ours or of the server's, for a mrkdwn text: shown as it is. */
export function mrkdwnText(text: string): string {
  return escapeControl(parted(visibleText(text)));
}

/** Begin and end of a text that is laid out for itself, whatever direction the text around it runs in. */
const [ISOLATE, END_ISOLATE] = ["\u2068", "\u2069"];
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A text that stands in a line of ours and runs in its own direction: numbers and words beside it stay where they are. */
export function inOwnDirection(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `${ISOLATE}${text}${END_ISOLATE}` : text;
}

/** An address for use inside markup: what would end the markup is percent-encoded, `&` becomes a reference. */
export function markupAddress(href: string): string {
  const encoded = href.replace(
    /[()<>|\\`*~[\]"\s]/g,
    (character) => PERCENT[character] ?? encodeURIComponent(character),
  );
  return encoded.replaceAll("&", "&amp;");
}

// `encodeURIComponent` leaves these as they are.
const PERCENT: Record<string, string> = { "(": "%28", ")": "%29", "*": "%2A", "~": "%7E" };

const ADDRESS = /https?:\/\/[^\s<>"]+/i;

/** The first address in a word that may be opened, closing punctuation left out where need be. */
export function linkedAddress(word: string, links: Links) {
  const found = ADDRESS.exec(word);
  if (found === null) return undefined;
  const [text] = found;
  for (const candidate of [text, text.replace(/[.,;:!?*_~'")\]}]+$/, "")]) {
    const href = links.href(candidate);
    if (href !== undefined) return { index: found.index, text: candidate, href };
  }
  return undefined;
}

const HOST_LIKE = /(?:^|[\s(/@])((?:[\p{L}\p{N}-]+\.)+\p{L}{2,})(?![\p{L}\p{N}])/u;

/** What to say beside a label that reads like another address than the one behind it, ` (host)`; empty beside others. */
export function misleads(label: string, href: string): string {
  const named = HOST_LIKE.exec(label)?.[1]?.toLowerCase();
  const host = URL.parse(href)?.hostname ?? "";
  const isItself = named === undefined || host === named || host === `www.${named}`;
  return isItself || !/[/:]|^[^\s]+$/.test(label.trim()) ? "" : ` (${host})`;
}

/** A text cut to a number of UTF-16 units, an ellipsis at its end where something is missing; characters stay whole. */
export function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const cut = text.slice(0, longest - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
