/**
 * Where an answer's text says what its finding says: which blocks name the closest documents, the sources that differ,
 * the words that were read otherwise. They become asides, whose titles are links, which text alone cannot make them; so
 * every surface can show them as what they are, and nothing is shown twice. Told by titles, not by words, for the text
 * is in the question's language; a text that says it otherwise stays as it is.
 */
import type { Finding, NamedDocument } from "./finding.ts";
import { type Aside, type Block, type Inline, type List, type ListItem, plainText } from "../markdown/tree.ts";
import { visibleLine } from "../visible.ts";

/** Asides by finding and block: nodes keep their identity from snapshot to snapshot. */
const known = new WeakMap<Finding, WeakMap<Block, Aside | false>>();

/** The blocks of an answer, those that say what its finding says as asides: one block for each, in the same order. */
export function withAsides(blocks: readonly Block[], finding: Finding | undefined): readonly Block[] {
  if (finding === undefined) return blocks;
  const asides = known.get(finding) ?? new WeakMap<Block, Aside | false>();
  known.set(finding, asides);
  return blocks.map((block, at) => {
    const made = asides.get(block) ?? asideOf(block, at === 0, finding) ?? false;
    asides.set(block, made);
    return made === false ? block : made;
  });
}

function asideOf(block: Block, isFirst: boolean, finding: Finding): Aside | undefined {
  switch (block.type) {
    case "list":
      return namingList("closest", block, finding.closest) ?? namingList("conflict", block, finding.conflict);
    case "paragraph":
      return isFirst && saysCorrections(block.children, finding) ? aside("corrected", [block]) : undefined;
    default:
      return undefined;
  }
}

const aside = (role: Aside["role"], children: readonly Block[]): Aside => ({ type: "aside", role, children });

// ── Documents that are named ────────────────────────────────────────────────────────────────────────────────────

/** A list whose entries begin with the documents' titles. The last of it may still be being written. */
function namingList(role: Aside["role"], list: List, documents: readonly NamedDocument[]): Aside | undefined {
  if (list.ordered || list.children.length > documents.length) return undefined;
  const left = [...documents];
  const last = list.children.at(-1);
  const children: ListItem[] = [];
  for (const item of list.children) {
    const [first, ...rest] = item.children;
    const [head, ...others] = first?.type === "paragraph" ? first.children : [];
    const named = head && linkedBeginning(head, left);
    if (named !== undefined) {
      children.push({ ...item, children: [{ type: "paragraph", children: [...named, ...others] }, ...rest] });
    } else if (item === last && children.length > 0) children.push(item);
    else return undefined;
  }
  return aside(role, [{ ...list, children }]);
}

// ── Titles ──────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * A node that is a title, or begins with one, quoted or not: with that title as a link to its document, which is taken
 * off the list, since two may have one title. Undefined where it names none. What else is in a title, such as markup of
 * its own, is left out of the link's text.
 */
function linkedBeginning(node: Inline, left: NamedDocument[]): readonly Inline[] | undefined {
  const isWhole = node.type === "strong" || node.type === "link";
  const said = isWhole ? lineOf(plainText(node.children)) : node.type === "text" ? node.text : "";
  const title = said.replace(/^[\s\p{Pi}\p{Ps}"']{1,3}/u, "");
  for (const [at, named] of left.entries()) {
    const told = beginning(title, lineOf(named.title));
    if (told === undefined || (isWhole && told !== said)) continue;
    left.splice(at, 1);
    if (named.link === undefined || node.type === "link") return [node];
    const link: Inline = { type: "link", url: named.link, children: [textRun(told)] };
    if (isWhole) return [link];
    return [textRun(said.slice(0, -title.length)), link, textRun(title.slice(told.length))];
  }
  return undefined;
}

const textRun = (text: string): Inline => ({ type: "text", text });

/** How much of a text is the title, whose end may be cut off; undefined where it does not begin with it. */
function beginning(text: string, title: string): string | undefined {
  if (title !== "" && text.startsWith(title)) return title;
  const cut = text.indexOf("…");
  return cut > 0 && title.startsWith(text.slice(0, cut).trimEnd()) ? text.slice(0, cut + 1) : undefined;
}

/** Stars would end the emphasis a title stands in, so that some leave them out. */
const lineOf = (text: string): string => visibleLine(text).replaceAll("*", "").replace(/\s+/g, " ").trim();

// ── The words that were read otherwise ──────────────────────────────────────────────────────────────────────────

/** What stands around two words to say that one was read as the other, in any language, characters at most. */
const MAX_AROUND = 80;

/** A short line that holds all the words, as they were written and as they were read. */
function saysCorrections([line, ...more]: readonly Inline[], { corrected }: Finding): boolean {
  if (line?.type !== "text" || more.length > 0) return false;
  const words = corrected.flatMap(({ written, read }) => [written, read]);
  const longest = words.reduce((length, word) => length + word.length, MAX_AROUND * corrected.length);
  return words.length > 0 && line.text.length <= longest && words.every((word) => line.text.includes(lineOf(word)));
}
