/** The script a text is written in, as far as lines depend on it. Pure. */
import { type Block, plainText } from "@threadlore/ask";

/** Letters of scripts that are written from right to left, and those of all others. */
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const LETTER = /\p{L}/u;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** What a text's elements are to be told of it; undefined while there is not a letter. */
export function writtenIn(text: string): { readonly dir: "ltr" | "rtl"; readonly lang?: "ja" } | undefined {
  const first = LETTER.exec(text)?.[0];
  if (first === undefined) return undefined;
  const dir = RIGHT_TO_LEFT.test(first) ? "rtl" : "ltr";
  return KANA.test(text) ? { dir, lang: "ja" } : { dir };
}

/** The first text of an answer: what it is written in is seen by that. */
export function firstText(blocks: readonly Block[]): string {
  for (const block of blocks) {
    const text = textOf(block);
    if (LETTER.test(text)) return text;
  }
  return "";
}

function textOf(block: Block): string {
  switch (block.type) {
    case "paragraph":
    case "heading":
      return plainText(block.children);
    case "quote":
    case "aside":
      return firstText(block.children);
    case "list":
      return firstText(block.children[0]?.children ?? []);
    case "table":
      return block.header.map(plainText).join(" ");
    default:
      return "";
  }
}
