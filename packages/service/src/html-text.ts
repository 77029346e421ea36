/** Elements whose text is not for reading. */
const UNREAD = ["script", "style", "noscript", "template", "head", "svg"];

const BLOCK =
  /^(?:address|article|aside|blockquote|br|dd|div|dl|dt|figcaption|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|td|th|tr|ul)$/;

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/**
 * The readable text of an uploaded HTML file: tags taken out, blocks on lines of their own, headings marked with `#`
 * as in Markdown. For reading only; what comes out is plain text and is never shown as HTML. Linear in the length.
 */
export function textOfHtml(html: string): string {
  // ASCII only: lower-casing other letters can change how long they are.
  const lowerCase = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  let text = "";
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    if (open < 0) break;
    text += html.slice(at, open);
    const tag = /^<(\/?)([a-zA-Z][a-zA-Z0-9]*)/.exec(html.slice(open, open + 40));
    if (tag === null) {
      const comment = html.startsWith("<!", open);
      const end = comment ? html.indexOf(html.startsWith("<!--", open) ? "-->" : ">", open) : -1;
      if (comment && end >= 0) at = end + (html.startsWith("<!--", open) ? 3 : 1);
      else if (comment) at = html.length;
      else {
        text += "<";
        at = open + 1;
      }
      continue;
    }
    const name = (tag[2] ?? "").toLowerCase();
    at = endOfTag(html, open);
    if (tag[1] === "" && UNREAD.includes(name)) at = endOfElement(lowerCase, at, name);
    else if (BLOCK.test(name))
      text += tag[1] === "" && /^h[1-6]$/.test(name) ? `\n\n${"#".repeat(Number(name[1]))} ` : "\n";
  }
  return decoded(text + html.slice(at))
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

function endOfElement(lowerCase: string, from: number, name: string): number {
  const close = lowerCase.indexOf(`</${name}`, from);
  return close < 0 ? lowerCase.length : endOfTag(lowerCase, close);
}

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,5}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[String(name)] ?? whole;
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : whole;
  });
}
