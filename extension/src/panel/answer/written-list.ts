import { needsLinks, type ShownNode } from "./link-users.ts";
import type { PanelLinks } from "./links.ts";

/** What decides, beside a node itself, how it is shown. */
export interface Ink {
  readonly links: PanelLinks;
}

/** A node on the page. */
export interface Written<Node> {
  /** What stands for it on the page now, in order; never empty. */
  readonly nodes: readonly ChildNode[];
  /** Shows another version of the node, of the same type, in the same place; false when only a new one can. */
  update(node: Node, ink: Ink): boolean;
  /** It is leaving the page: what runs in it ends. Its nodes are taken off by whoever says so. */
  leave(): void;
}

/**
 * The nodes of one element. Writing again touches only what is another node than before: what is closed keeps its
 * identity in the tree, and so its elements on the page.
 */
export class WrittenList<Node extends ShownNode> {
  private shown: readonly Node[] = [];
  private links: PanelLinks | undefined;
  private readonly written: Written<Node>[] = [];
  private readonly parent: Element;
  private readonly begin: (node: Node, ink: Ink) => Written<Node>;

  /** @param begin makes what stands for a node */
  constructor(parent: Element, begin: (node: Node, ink: Ink) => Written<Node>) {
    this.parent = parent;
    this.begin = begin;
  }

  write(nodes: readonly Node[], ink: Ink): void {
    const { shown, written } = this;
    const typeAt = (some: readonly Node[], at: number) => {
      const node = some[at];
      return node !== undefined && "type" in node ? node.type : undefined;
    };
    const sameLinks = this.links === ink.links;
    for (let at = 0; at < nodes.length; at += 1) {
      const node = nodes[at];
      if (node === undefined || (node === shown[at] && (sameLinks || !needsLinks(node)))) continue;
      const old = written[at];
      if (typeAt(shown, at) === typeAt(nodes, at) && old?.update(node, ink) === true) continue;
      const next = this.begin(node, ink);
      if (old === undefined) this.parent.append(...next.nodes);
      else {
        old.nodes[0]?.before(...next.nodes);
        takeOff(old);
      }
      written[at] = next;
    }
    if (written.length > nodes.length) for (const old of written.splice(nodes.length)) takeOff(old);
    this.shown = nodes;
    this.links = ink.links;
  }

  /** The element is leaving the page, with all that is in it. */
  leave(): void {
    for (const one of this.written) one.leave();
  }
}

function takeOff(old: Written<never>): void {
  old.leave();
  for (const node of old.nodes) node.remove();
}

/** What does not change any more: another version is another element. */
export function fixed(node: ChildNode, content?: { leave(): void }): Written<unknown> {
  return {
    nodes: [node],
    update: () => false,
    leave: () => content?.leave(),
  };
}

/** An element with children in it: they alone are written anew for as long as the rest of it `stays` as it is. */
export function within<Node extends { readonly children: readonly Child[] }, Child extends ShownNode>(
  element: ChildNode,
  content: WrittenList<Child>,
  node: Node,
  ink: Ink,
  stays: (next: Node, ink: Ink) => boolean = () => true,
): Written<Node> {
  content.write(node.children, ink);
  return {
    ...fixed(element, content),
    update(next, nextInk) {
      if (!stays(next, nextInk)) return false;
      content.write(next.children, nextInk);
      return true;
    },
  };
}
