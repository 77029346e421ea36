/** Scrolls a page that is open to a passage of it, which an address with a text fragment would load anew. */
import { browser } from "wxt/browser";

/** How long a passage is marked, milliseconds. */
const MARKED_MS = 10_000;

/**
 * Scrolls a tab to the passage that a link names, and marks it for a while. Nothing of the page is changed, nor its
 * address, which may have a meaning for it. A passage that is not found leaves the page where it is.
 */
export async function toPassage(tabId: number, href: string): Promise<void> {
  const [start, end = ""] = fragmentOf(href);
  if (start === undefined) return;
  const target = { tabId };
  const style = { target, css: "::highlight(threadlore) { background-color: #ffe28a; color: #000 }" };
  try {
    await browser.scripting.insertCSS(style);
    await browser.scripting.executeScript({ target, func: showThere, args: [start, end, MARKED_MS] });
    setTimeout(() => void browser.scripting.removeCSS(style).catch(() => {}), MARKED_MS);
  } catch {
    // It is in front, which is most of what was wanted.
  }
}

/** How the passage of a link begins, and how it ends where that is more: as `passageLink` writes it. */
function fragmentOf(href: string): string[] {
  const [, written = ""] = /:~:text=([^&]*)/.exec(href) ?? [];
  return written === "" ? [] : written.split(",").map(decodeURIComponent);
}

/** Runs inside the page and knows nothing of this file. */
function showThere(start: string, end: string, markedMs: number): void {
  /** The page's text as it is searched, and for each of its characters where that stands. */
  let text = "";
  const places: { readonly node: Text; readonly at: number }[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode() !== null) {
    const node = walker.currentNode as Text;
    if (node.parentElement?.closest("script, style, noscript, template") != null) continue;
    for (let at = 0; at < node.data.length; at++) {
      const letter = node.data.charAt(at);
      const isSpace = /\s/.test(letter);
      if (isSpace && text.endsWith(" ")) continue;
      const small = letter.toLowerCase();
      text += isSpace ? " " : small.length === 1 ? small : letter;
      places.push({ node, at });
    }
  }
  const first = text.indexOf(start.toLowerCase());
  if (first < 0) return;
  const afterStart = first + start.length;
  const last = end === "" ? -1 : text.indexOf(end.toLowerCase(), afterStart);
  const [from, to] = [places[first], places[(last < 0 ? afterStart : last + end.length) - 1]];
  if (from === undefined || to === undefined) return;
  const range = new Range();
  range.setStart(from.node, from.at);
  range.setEnd(to.node, to.at + 1);
  from.node.parentElement?.scrollIntoView({ block: "center" });
  // Firefox has learned this late.
  if (!("highlights" in CSS)) return;
  CSS.highlights.set("threadlore", new Highlight(range));
  setTimeout(() => CSS.highlights.delete("threadlore"), markedMs);
}
