/**
 * Words of documents as they go to an assistant: as they were written, but nothing in them is loaded or linked when
 * somebody shows them as markdown or HTML. What opens an image, a link, a tag or a diagram is escaped, and every address
 * the sources do not hold begins with `hxxp`, which nothing opens and everybody reads (docs/threats.md, T3 and T4).
 */
import { allowedLinks, visibleLine, visibleText } from "@threadlore/ask";

/** What an address has to be, to stay one. */
export type IsKnownAddress = (url: string) => boolean;

/** Knows the addresses of these documents, as far as they may be opened at all. */
export function knownAddresses(documents: readonly { readonly link?: string | null | undefined }[]): IsKnownAddress {
  const known = allowedLinks(documents.map(({ link }) => ({ link: link ?? undefined })));
  return (url) => {
    const address = URL.parse(url)?.href;
    return address !== undefined && known.has(address);
  };
}

/**
 * A document's own address where it may be opened, else null. Brackets and quotes in it are encoded: behind a title that opens
 * one, they would be a link to wherever the address says.
 */
export function openableLink(link: string | null | undefined, isKnown: IsKnownAddress): string | null {
  const url = link == null || !isKnown(link) ? null : URL.parse(link);
  if (url === null) return null;
  const rest = url.href.slice(url.origin.length);
  return (
    url.origin + rest.replace(/[[\]()<>"'`\\|{}^]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  );
}

/** No end of an address: spaces, quotes, brackets but round ones. */
const REST = "[^\\s<>\"'`\\\\^{}|\\]]";

/** Labels of a bare name; nothing that goes on from something else. */
const LABELS = "(?<![\\p{L}\\p{N}@/.:-])(?:[\\p{L}\\p{N}-]{1,63}\\.)";

/** Ends of bare names that chats make links of: countries, and what is not as often a word of code. */
const ENDS =
  "(?:a[cdefgilmoqrstuwxz]|b[abdefghijmnorstvwyz]|c[acdfghiklmnoruvwxyz]|d[ejkmoz]|e[cegrstu]|f[ijkmor]|" +
  "g[abdefghilmnpqrstuwy]|h[kmnrtu]|i[delmnoqrst]|j[emop]|k[eghimnprwyz]|l[abcikrstuvy]|m[acdeghklmnopqrstuvwxyz]|" +
  "n[acefgilopruz]|om|p[aefghklmnrstwy]|qa|r[eosuw]|s[abcdeghijklmnortuvxyz]|t[cdfghjklmnortvwz]|u[agksyz]|" +
  "v[aceginu]|w[fs]|y[et]|z[amw]|com|net|org|edu|gov|mil|biz|info|pro|xyz|top|site|online|shop|club|live|cloud|app|dev|" +
  "tech|store|link|click|zip|mov|рф|xn--[a-z0-9-]{2,59})(?![\\p{L}\\p{N}-])";

/**
 * Addresses as linkifiers of chats and terminals find them: with a scheme they open, or without one. A bare name counts
 * where it carries something along: behind itself, or in front as a name of its own.
 */
const ADDRESS = new RegExp(
  [
    `(?:\\b(?:https?|ftp|wss?):)?//(?=[\\p{L}\\p{N}[%_-])${REST}*`,
    `\\bwww\\.(?=[\\p{L}\\p{N}])${REST}*`,
    `${LABELS}{1,10}\\p{L}{2,24}(?::\\d{1,5})?/?[?#/]${REST}{0,300}[=&#%]${REST}*`,
    `${LABELS}{1,10}${ENDS}(?::\\d{1,5})?(?:/${REST}|[?#](?![.\\s]))${REST}*`,
    `${LABELS}{2,10}(?:com|net|org|edu|gov|biz|xyz|io|рф|xn--[a-z0-9-]{2,59})(?!\\.?[\\p{L}\\p{N}(-])`,
    `(?<![\\p{L}\\p{N}@/.:-])\\d{1,3}(?:\\.\\d{1,3}){3}(?::\\d{1,5})?[/?#]${REST}{0,300}\\p{L}${REST}*`,
  ].join("|"),
  "giu",
);

/** Ends of sentences and brackets around an address are no part of it. */
const BEHIND = new Set(".,;:!?)]*_~");

/** Where the address ends in what was found: looked for from the end, since a pattern would begin at every full stop. */
function endOfAddress(found: string): number {
  let end = found.length;
  while (end > 0 && BEHIND.has(found[end - 1] ?? "")) end -= 1;
  return end;
}

/**
 * What stands directly behind an address, and is more than a closing quote at the end of a word. Linkifiers read
 * on there: they would take the backslash that escapes a tag for a part of the address, and leave the tag.
 */
const RUNS_ON = /^(?!\s|$|["'}](?:[\s.,;:!?)]|$))/;

/**
 * The text with `hxxp` in front of every address that is not known.
 * @param replace what stands instead of an unknown address; default: the address, which nothing opens any more
 */
export function withoutAddresses(
  text: string,
  isKnown: IsKnownAddress,
  replace: (address: string) => string = defanged,
): string {
  return text.replace(ADDRESS, (found: string, at: number) => {
    const address = found.slice(0, endOfAddress(found));
    const behind = found.slice(address.length);
    if (/^https?:/i.test(address) && (isKnown(found) || isKnown(address))) {
      return found + (RUNS_ON.test(text.slice(at + found.length, at + found.length + 2)) ? " " : "");
    }
    return replace(address) + behind;
  });
}

/** `hxxps://host/path` for `https://host/path`; what has no scheme gets one. */
function defanged(address: string): string {
  const [, scheme = ""] = /^([a-z]+):/i.exec(address) ?? [];
  const rest = address.slice(scheme === "" ? 0 : scheme.length + 1);
  const slashes = rest.startsWith("//") ? rest : `//${rest}`;
  const secure = scheme === "" || /s$/i.test(scheme) ? "hxxps" : "hxxp";
  // What it carries along may be another one.
  const carried = slashes.replace(/\b(?:http|ftp|ws)(s?):(?=\/\/)/gi, "hxxp$1:");
  const [, plain = "", odd = ""] = /^(\/\/[^/?#]*[\p{L}\p{N}./_-]*)([\s\S]*)$/u.exec(carried) ?? [];
  return `${secure}:${plain}${odd.replace(/\.(?=[\p{L}\p{N}])/gu, "[.]")}`;
}

/** A backslash before what opens something, unless one stands there already: two of them would be one, and no escape. */
function escaped(text: string, opening: RegExp): string {
  return text.replace(opening, (found: string, backslashes: string) => {
    const opener = found.slice(backslashes.length);
    return backslashes.length % 2 === 1 ? found : `${backslashes}\\${opener}`;
  });
}

/**
 * Of a tag, a comment, an autolink; of a link's or an image's address; of a definition of one; of a reference. Backslashes
 * are counted from their first one only.
 */
const OPENINGS = [
  /(?<!\\)(\\*)<(?=[a-z/!?])/giu,
  /(?<=\])(\\*)[([:]/gu,
  /(?<=!)(\\*)\[/gu,
  /(?<!\\)(\\*)&(?=#|[a-z]{1,40};)/giu,
];

/** Languages whose blocks are shown as code. Of any other the name is dropped: some are drawn, and load what they name. */
const CODE_LANGUAGES = new Set(
  (
    "bash c cpp cs csharp css diff dockerfile go graphql ini java javascript js json jsonc jsx kotlin lua makefile " +
    "objectivec perl php powershell python py r ruby rust scala sh shell sql swift text toml ts tsx typescript xml yaml yml zsh"
  ).split(" "),
);

/** The language of a block of code, where naming it makes nobody draw it; else "". */
export function codeLanguage(language: string | undefined): string {
  const name = language?.toLowerCase() ?? "";
  return CODE_LANGUAGES.has(name) ? name : "";
}

/** The first line of a block of code, in quotes and lists too. */
const FENCE = /^([ \t>*+-]*|[ \t]*\d{1,9}[.)][ \t]+)(`{3,}|~{3,})[ \t]*([^\s`]*)[^\n]*$/gmu;

/** A document's own text, or a part of it, line by line as it was written. */
export function quotedText(text: string, isKnown: IsKnownAddress): string {
  const shown = withoutAddresses(visibleText(text), isKnown);
  const fences = shown.replace(FENCE, (_, before: string, fence: string, language: string) => {
    return before + fence + codeLanguage(language);
  });
  return OPENINGS.reduce(escaped, fences);
}

/** Characters of a title, a heading, a name. */
const MAX_LINE = 300;

/** A title or a name, on one line, at most 300 characters. */
export function quotedLine(text: string, isKnown: IsKnownAddress = () => false): string {
  const line = visibleLine(text).trim();
  return quotedText(shortened(line), isKnown).replaceAll("`", "'");
}

const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** It ends between two characters as readers see them: half a family is another family. */
function shortened(line: string): string {
  if (line.length <= MAX_LINE) return line;
  const most = MAX_LINE - 1;
  const end = characters.segment(line.slice(0, 2 * MAX_LINE)).containing(most)?.index || most;
  return `${line.slice(0, end).replace(/[\ud800-\udbff]$/, "")}…`;
}
