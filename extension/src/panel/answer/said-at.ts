import { termsOf } from "@threadlore/documents";

/** So few telling words say next to nothing. */
const FEW = 3;

/**
 * What an answer says where a citation stands: all since the citation before it, as a quote of several blocks has one
 * mark at its end. Where that is next to nothing, as before "according to", the whole block.
 */
export function saidAt(chip: Element): string {
  const place = chip.closest(".chip-place");
  const walker = document.createTreeWalker(chip.closest(".prose") ?? document.body, NodeFilter.SHOW_TEXT);
  walker.currentNode = place ?? chip;
  const said: string[] = [];
  for (let node = walker.previousNode(); node !== null; node = walker.previousNode()) {
    const { data, parentElement } = node as Text;
    const isCited = parentElement?.closest(".chip-place") != null;
    // Marks that follow each other stand for the same words.
    if (isCited && said.some((text) => text.trim() !== "")) break;
    if (!isCited) said.unshift(data);
  }
  const words = said.join(" ");
  return termsOf(words).size < FEW ? (chip.closest("p, li, tr, h3")?.textContent ?? words) : words;
}
