import { needsLinks, type ShownNode } from "./link-users.ts";
import type { PanelLinks } from "./links.ts";

/** What decides, beside a node itself, how it is shown. */
export interface Ink {
  readonly links: PanelLinks;
  /** The text a node stands in, by which a citation finds its passage. Asked for when it is needed, as it is then. */
  near(): string;
}

/** A node on the page. */
export interface Written<Node> {
  /** What stands for it on the page now, in order; never empty. */
  readonly nodes: readonly ChildNode[];
  /** Shows another version of the node in the same place; false when only a new one can. */
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
    const sameLinks = this.links === ink.links;
    for (let at = 0; at < nodes.length; at += 1) {
      const node = nodes[at];
      if (node === undefined || (node === shown[at] && (sameLinks || !needsLinks(node)))) continue;
      const old = written[at];
      if (old?.update(node, ink) === true) continue;
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
