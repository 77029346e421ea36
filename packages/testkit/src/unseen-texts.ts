/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { Page } from "playwright-core";

/**
 * Which of these texts a person looking at the page does not see now: they are not there, outside of what the window
 * shows, covered by something else, or transparent. For tests of pictures: what a picture promises is on the screen when
 * it is taken. Each text has to stand in one piece, within one element.
 */
export function unseenTexts(page: Page, texts: readonly string[]): Promise<string[]> {
  return page.evaluate((wanted) => {
    const plain = (text: string): string => text.replace(/\s+/g, " ");
    const isSeen = (node: Text): boolean => {
      const parent = node.parentElement;
      if (parent?.checkVisibility({ opacityProperty: true, visibilityProperty: true }) !== true) return false;
      const range = document.createRange();
      range.selectNodeContents(node);
      // Where a text wraps, each line is a box of its own; the first one counts.
      const [box] = Array.from(range.getClientRects()).filter(({ width, height }) => width > 2 && height > 2);
      if (box === undefined) return false;
      const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      return top !== null && (top === parent || parent.contains(top) || top.contains(parent));
    };
    const seen: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (isSeen(node as Text)) seen.push(plain(node.textContent ?? ""));
    }
    for (const field of document.querySelectorAll<HTMLInputElement>("input, textarea")) seen.push(plain(field.value));
    return wanted.filter((text) => !seen.some((one) => one.includes(text)));
  }, texts);
}
