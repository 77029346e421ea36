/**
 * Where an answer's text says what its finding says: which blocks name the closest documents, the sources that differ,
 * the words that were read otherwise. They become asides, whose titles are links, which text alone cannot make them; so
 * every surface can show them as what they are, and nothing is shown twice. Told by titles, not by words, for the text
 * is in the question's language; a text that says it otherwise stays as it is.
 */
import type { DifferingSource, Finding, NamedDocument } from "./finding.ts";
import { type Aside, type Block, type Inline, type List, type ListItem, plainText } from "../markdown/tree.ts";
import { visibleLine } from "../visible.ts";

/** Asides by finding and block: nodes keep their identity from snapshot to snapshot. */
const known = new WeakMap<Finding, WeakMap<Block, Aside | false>>();

/** The blocks of an answer, those that say what its finding says as asides: one block for each, in the same order. */
export function withAsides(blocks: readonly Block[], finding: Finding | undefined): readonly Block[] {
  if (finding === undefined || !hasAsides(finding)) return blocks;
  const asides = known.get(finding) ?? new WeakMap<Block, Aside | false>();
  known.set(finding, asides);
  return blocks.map((block, at) => {
    const made = asides.get(block) ?? asideOf(block, at === 0, finding) ?? false;
    asides.set(block, made);
    return made === false ? block : made;
  });
}

/** Whether a text may hold asides, so that a block of it may turn out to be one as long as it grows. */
export function hasAsides(finding: Finding | undefined): boolean {
  return finding !== undefined && finding.closest.length + finding.conflict.length + finding.corrected.length > 0;
}

function asideOf(block: Block, isFirst: boolean, finding: Finding): Aside | undefined {
  switch (block.type) {
    case "list":
      return namingList("closest", block, finding.closest) ?? namingList("conflict", block, finding.conflict);
    case "paragraph":
      if (isFirst && saysCorrections(block.children, finding)) return aside("corrected", [block]);
      return conflictInLine(block.children, finding.conflict);
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
  const entries = list.children.map((item): ListItem | undefined => {
    const [first, ...rest] = item.children;
    if (first?.type !== "paragraph") return undefined;
    const [head, ...others] = first.children;
    const named = head === undefined ? undefined : linkedBeginning(head, left);
    return named && { ...item, children: [{ ...first, children: [...named, ...others] }, ...rest] };
  });
  if (entries[0] === undefined || entries.slice(0, -1).includes(undefined)) return undefined;
  const children = entries.map((entry, at) => entry ?? list.children[at]).filter((entry) => entry !== undefined);
  return aside(role, [{ ...list, children }]);
}

/** A paragraph that names at least two sources that differ: what stands before the first, then an entry for each. */
function conflictInLine(nodes: readonly Inline[], conflict: readonly DifferingSource[]): Aside | undefined {
  if (conflict.length < 2) return undefined;
  const left = [...conflict];
  const lead: Inline[] = [];
  const entries: Inline[][] = [];
  for (const node of nodes) {
    const title = linkedTitle(node, left);
    if (title !== undefined) entries.push([title]);
    else (entries.at(-1) ?? lead).push(node);
  }
  if (entries.length < 2) return undefined;
  const children = entries.map((entry, at): ListItem => {
    const isLast = at === entries.length - 1;
    return { type: "item", children: [{ type: "paragraph", children: isLast ? entry : withoutSeparator(entry) }] };
  });
  const said = withoutSeparator(lead);
  const list: List = { type: "list", ordered: false, start: 1, tight: true, children };
  return aside("conflict", [...(said.length === 0 ? [] : [{ type: "paragraph" as const, children: said }]), list]);
}

/** What parts two sources in a line is not needed between two lines. */
function withoutSeparator(nodes: readonly Inline[]): readonly Inline[] {
  const last = nodes.at(-1);
  if (last?.type !== "text") return nodes;
  const text = last.text
    .trimEnd()
    .replace(/[·・]$/, "")
    .trimEnd();
  return text === "" ? nodes.slice(0, -1) : [...nodes.slice(0, -1), { type: "text", text }];
}

// ── Titles ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** A node that begins with a title, quoted or not, with that title as a link; undefined where it names none. */
function linkedBeginning(node: Inline, left: NamedDocument[]): readonly Inline[] | undefined {
  if (node.type !== "text") {
    const title = linkedTitle(node, left);
    return title && [title];
  }
  const [before = ""] = /^[\s\p{Pi}\p{Ps}"']{0,3}/u.exec(node.text) ?? [];
  const text = node.text.slice(before.length);
  const at = left.findIndex(({ title }) => beginning(text, lineOf(title)) !== undefined);
  const [named] = at < 0 ? [] : left.splice(at, 1);
  if (named?.link === undefined) return named && [node];
  const title = beginning(text, lineOf(named.title)) ?? "";
  const link: Inline = { type: "link", url: named.link, children: [{ type: "text", text: title }] };
  const around = [before, text.slice(title.length)].map((part): Inline[] =>
    part === "" ? [] : [{ type: "text", text: part }],
  );
  return [...(around[0] ?? []), link, ...(around[1] ?? [])];
}

/** How much of a text is the title, which may be cut; undefined where it does not begin with it. */
function beginning(text: string, title: string): string | undefined {
  if (title === "") return undefined;
  if (text.startsWith(title)) return title;
  const cut = text.indexOf("…") + 1;
  return cut > 1 && isTitle(text.slice(0, cut), title) ? text.slice(0, cut) : undefined;
}

/**
 * The node as a link to the document it names, which is taken off the list: two documents may have one title. Undefined
 * where it names none. What else is in a title, such as markup of its own, is left out of the link's text.
 */
function linkedTitle(node: Inline, left: NamedDocument[]): Inline | undefined {
  if (node.type !== "strong" && node.type !== "link") return undefined;
  const text = lineOf(plainText(node.children));
  const at = left.findIndex(({ title }) => isTitle(text, lineOf(title)));
  const [named] = at < 0 || text === "" ? [] : left.splice(at, 1);
  if (named === undefined) return undefined;
  if (named.link === undefined || node.type === "link") return node;
  return { type: "link", url: named.link, children: [{ type: "text", text }] };
}

/** Stars would end the emphasis a title stands in, so that some leave them out. */
const lineOf = (text: string): string => visibleLine(text).replaceAll("*", "").replace(/\s+/g, " ").trim();

/** A long title may be cut where it is named. */
function isTitle(text: string, title: string): boolean {
  return text === title || (text.length > 1 && text.endsWith("…") && title.startsWith(text.slice(0, -1).trimEnd()));
}

// ── The words that were read otherwise ──────────────────────────────────────────────────────────────────────────

/** What stands around two words to say that one was read as the other, in any language, characters at most. */
const MAX_AROUND = 80;

/** A short line that holds all the words, as they were written and as they were read. */
function saysCorrections(nodes: readonly Inline[], { corrected }: Finding): boolean {
  const words = corrected.flatMap(({ written, read }) => [written, read]).filter((word) => word.trim() !== "");
  if (words.length === 0) return false;
  const longest = words.reduce((length, word) => length + word.length, MAX_AROUND * corrected.length);
  const length = nodes.reduce((sum, node) => sum + (node.type === "text" ? node.text.length : 0), 0);
  if (length > longest) return false;
  const line = lineOf(plainText(nodes));
  return line.length <= longest && words.every((word) => line.includes(lineOf(word)));
}
