/** Elements whose text is not for reading. */
const UNREAD = ["script", "style", "noscript", "template", "head", "svg"];

const BLOCK =
  /^(?:address|article|aside|blockquote|br|dd|div|dl|dt|figcaption|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|td|th|tr|ul)$/;

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/**
 * The readable text of an uploaded HTML file: tags taken out, blocks on lines of their own, headings marked with `#`
 * as in Markdown. For reading only; what comes out is plain text and is never shown as HTML. Linear in the length.
 * @param most characters that are taken; what follows is not looked at. Default: all.
 */
export function textOfHtml(html: string, most = Infinity): string {
  let text = "";
  let at = 0;
  // What was passed and is text: taken in one piece when a tag comes, however many signs it has that begin none.
  let untaken = 0;
  const take = (end: number): void => {
    text += html.slice(untaken, end);
  };
  while (at < html.length && text.length + at - untaken < most) {
    const open = html.indexOf("<", at);
    if (open < 0) break;
    const tag = /^<(\/?)([a-zA-Z][a-zA-Z0-9]*)/.exec(html.slice(open, open + 40));
    if (tag === null) {
      at = open + 1;
      if (!html.startsWith("<!", open)) continue;
      const [close, length] = html.startsWith("<!--", open) ? ["-->", 3] : [">", 1];
      const end = html.indexOf(close, open);
      take(open);
      untaken = at = end < 0 ? html.length : end + length;
      continue;
    }
    take(open);
    const name = (tag[2] ?? "").toLowerCase();
    at = endOfTag(html, open);
    if (tag[1] === "" && UNREAD.includes(name)) at = endOfElement(html, at, name);
    else if (BLOCK.test(name))
      text += tag[1] === "" && /^h[1-6]$/.test(name) ? `\n\n${"#".repeat(Number(name[1]))} ` : "\n";
    untaken = at;
  }
  take(Math.min(html.length, untaken + Math.max(0, most - text.length)));
  return decoded(text)
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function endOfTag(html: string, open: number): number {
  let quote = "";
  for (let at = open; at < html.length; at++) {
    const character = html.charAt(at);
    if (quote !== "") {
      if (character === quote) quote = "";
    } else if (character === '"' || character === "'") quote = character;
    else if (character === ">") return at + 1;
  }
  return html.length;
}

function endOfElement(html: string, from: number, name: string): number {
  const end = new RegExp(`</${name}`, "gi");
  end.lastIndex = from;
  const close = end.exec(html)?.index;
  return close === undefined ? html.length : endOfTag(html, close);
}

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,5}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[String(name)] ?? whole;
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : whole;
  });
}
