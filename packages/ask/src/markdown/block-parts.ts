/** The parts that hold others, and the list of all kinds of parts. */
import type { CodePart, DividerPart, HeadingPart, TablePart } from "./leaf-parts.ts";
import type { ParagraphPart } from "./paragraph-part.ts";
import { BasePart } from "./part.ts";
import type { Block, ListItem } from "./tree.ts";

export type Part = Container | ParagraphPart | HeadingPart | CodePart | TablePart | DividerPart;
export type Container = RootPart | QuotePart | ListPart | ItemPart;

/** `ChildNode`: what the parts in it become. */
abstract class BaseContainer<Node, ChildNode = Block> extends BasePart<Node> {
  readonly children: Part[] = [];
  /** Nodes of the children; those before `firstStale` are as they should be. */
  private readonly nodes: ChildNode[] = [];
  private firstStale = 0;

  add(child: Part): void {
    child.parent = this;
    this.children.push(child);
    this.touch();
  }

  /** Takes away the last child: a paragraph that turned out to be something else. */
  removeLast(): void {
    this.children.pop();
    this.firstStale = Math.min(this.firstStale, this.children.length);
    this.touch();
  }

  childChanged(child: unknown): void {
    if (child === this.children.at(-1)) this.firstStale = Math.min(this.firstStale, this.children.length - 1);
    else
      this.firstStale = Math.min(
        this.firstStale,
        this.children.findLastIndex((one) => one === child),
      );
    this.touch();
  }

  protected childNodes(): readonly ChildNode[] {
    const { nodes, children } = this;
    nodes.length = this.firstStale;
    // Only the last child can show nothing: one that still does when it closes is taken away.
    for (let at = this.firstStale; at < children.length; at += 1) {
      const node = children[at]?.node();
      if (node !== undefined) nodes.push(node as ChildNode);
    }
    this.firstStale = nodes.length;
    // The one copy of a look: for a list of a thousand items it is most of the look's cost.
    return nodes.slice();
  }
}

/** The whole text. */
export class RootPart extends BaseContainer<readonly Block[]> {
  readonly kind = "root";
  protected make(): readonly Block[] {
    return this.childNodes();
  }
}

export class QuotePart extends BaseContainer<Block> {
  readonly kind = "quote";
  protected make(): Block {
    return { type: "quote", children: this.childNodes() };
  }
}

export class ListPart extends BaseContainer<Block, ListItem> {
  readonly kind = "list";
  readonly ordered: boolean;
  readonly start: number;
  readonly delimiter: string;
  tight = true;

  constructor(line: number, ordered: boolean, start: number, delimiter: string) {
    super(line);
    this.ordered = ordered;
    this.start = start;
    this.delimiter = delimiter;
  }

  protected make(): Block {
    const { ordered, start, tight } = this;
    return { type: "list", ordered, start, tight, children: this.childNodes() };
  }
}

export class ItemPart extends BaseContainer<ListItem> {
  readonly kind = "item";
  /** Columns its content is indented by. */
  readonly indent: number;
  checked: boolean | undefined;

  constructor(line: number, indent: number) {
    super(line);
    this.indent = indent;
  }

  protected make(): ListItem {
    const children = this.childNodes();
    return this.checked === undefined ? { type: "item", children } : { type: "item", checked: this.checked, children };
  }
}
