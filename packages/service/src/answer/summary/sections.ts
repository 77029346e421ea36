/** A document taken apart by its headings and empty lines: what a summary is spread over. */
import { type Unit, unitsOf } from "../extracted/quotable.ts";
import { type Table, tableOf } from "./table.ts";

/** What stands between two empty lines. */
export interface Paragraph {
  /** The nearest heading above it; "" where that is the document's own title, or there is none. */
  readonly heading: string;
  /** Which section it is of, counted from 0. */
  readonly section: number;
  readonly units: readonly Unit[];
  /** Of a table: its cells; absent otherwise. */
  readonly table?: Table;
}

/** A document, ready to be summed up. */
export interface Outline {
  /** The heading that stands above everything; "" without one. */
  readonly title: string;
  readonly paragraphs: readonly Paragraph[];
}

const FENCE = /^\s*(?:```|~~~)/;
const HEADING = /^\s{0,3}(#{1,6})\s+(?=\S)/;
/** The line below a heading of the other kind. */
const UNDERLINE = /^\s{0,3}(?:={2,}|-{2,})\s*$/;
const MAX_UNDERLINED = 120;
/** A line that is nothing but tags or a comment. */
const TAGS = /^\s*(?:<[^<>]{0,500}>\s*)+$/;
const ENTRY = /^\s*(?:[-*+•–]|\p{Nd}{1,3}[.)])\s/u;

/** The outline of a text. Linear in its length. */
export function outlineOf(text: string, language: string | undefined): Outline {
  const blocks = blocksOf(text);
  const titles = blocks.filter(({ kind }) => kind === "heading");
  const [first] = blocks;
  // A heading of the highest level that no other shares is the document's name, not that of a part.
  const isNamed = first?.kind === "heading" && titles.every((one) => one === first || one.level > first.level);
  const title = isNamed ? first.text : "";
  const paragraphs: Paragraph[] = [];
  let heading = "";
  let section = 0;
  for (const [index, block] of blocks.entries()) {
    if (block.kind === "heading") {
      heading = block === first && isNamed ? "" : block.text;
      section++;
      continue;
    }
    // With lines around it a single short one is seen to be a title.
    const units = unitsOf(`\n${block.text}\n`, language);
    const [only] = units;
    if (units.length === 1 && only?.isTitle === true && blocks[index + 1]?.kind === "text") {
      heading = only.text;
      section++;
    } else if (units.length > 0) {
      const table = tableOf(block.text);
      paragraphs.push({ heading, section, units, ...(table === undefined ? {} : { table }) });
    }
  }
  return { title, paragraphs };
}

interface TextBlock {
  readonly kind: "heading" | "text";
  readonly text: string;
  /** Of a heading: 1 is the highest. */
  readonly level: number;
}

function blocksOf(whole: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  /** Each with what of it was wrapped. */
  let lines: string[][] = [];
  let isCode = false;
  let inEntry = false;
  const end = () => {
    const text = lines.map((parts) => parts.join(" ")).join("\n");
    if (lines.length > 0) blocks.push({ kind: "text", text, level: 0 });
    lines = [];
    inEntry = false;
  };
  for (const line of whole.split("\n")) {
    if (FENCE.test(line)) isCode = !isCode;
    // Code explains what the text around it says: a summary can do without.
    if (isCode || FENCE.test(line)) continue;
    if (HEADING.test(line)) {
      end();
      blocks.push({ kind: "heading", text: headingIn(line), level: HEADING.exec(line)?.[1]?.length ?? 1 });
    } else if (line.trim() === "" || TAGS.test(line)) {
      end();
    } else if (UNDERLINE.test(line) && lines.length === 1 && (lines[0]?.[0] ?? "").length <= MAX_UNDERLINED) {
      blocks.push({ kind: "heading", text: (lines.pop()?.[0] ?? "").trim(), level: line.includes("=") ? 1 : 2 });
    } else if (inEntry && /^\s{2,}[^\s|]/.test(line) && !ENTRY.test(line)) {
      lines.at(-1)?.push(line.trim());
    } else {
      lines.push([line]);
      inEntry = ENTRY.test(line);
    }
  }
  end();
  return blocks;
}

function headingIn(line: string): string {
  return line.replace(HEADING, "").trim().replace(/ #+$/, "");
}
