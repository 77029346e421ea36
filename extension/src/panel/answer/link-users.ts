import type { Block, Inline, ListItem } from "@threadlore/ask";
import type { Together } from "./together.ts";

/** A row of a table. */
export type Row = readonly (readonly Inline[])[];
/** A part of an answer that has elements of its own. */
export type ShownNode = Block | Inline | Together | ListItem | Row;

const known = new WeakMap<object, boolean>();

/** Whether anything in a node is shown differently when the links change. Remembered, for nodes keep their identity. */
export function needsLinks(node: ShownNode): boolean {
  let needs = known.get(node);
  if (needs === undefined) {
    needs = looksForLinks(node);
    known.set(node, needs);
  }
  return needs;
}

function looksForLinks(node: ShownNode): boolean {
  if (!("type" in node)) return node.some((cell) => cell.some(needsLinks));
  switch (node.type) {
    case "citation":
    case "together":
    case "link":
      return true;
    case "text":
    case "code":
    case "codespan":
    case "image":
    case "break":
    case "divider":
      return false;
    case "table":
      return [node.header, ...node.rows].some(needsLinks);
    default:
      return node.children.some((child: ShownNode) => needsLinks(child));
  }
}
