import { type Container, type Part, RootPart } from "./block-parts.ts";

/** The parts that are still open: the root, then each the last child of the one before. */
export class OpenPath {
  readonly root = new RootPart(0);
  private readonly path: Part[] = [this.root];

  /** The innermost open part. */
  get tip(): Part {
    return this.path.at(-1) ?? this.root;
  }

  /** Open parts below the root. */
  get depth(): number {
    return this.path.length - 1;
  }

  /** The open parts below the root, outermost first. */
  parts(): Part[] {
    return this.path.slice(1);
  }

  /**
   * Adds a part inside an open one, or inside the nearest around it that can hold such a part; what is further in
   * closes.
   */
  add<Child extends Part>(inside: Part, child: Child): Child {
    this.closeTo(inside);
    while (!canHold(this.tip, child)) this.close();
    const holder = this.tip;
    if (!canHold(holder, child)) return child;
    this.loosen(holder, child.startLine);
    holder.add(child);
    this.path.push(child);
    this.stamp(child, child.startLine);
    return child;
  }

  /** Closes the innermost part. */
  close(): void {
    if (this.path.length === 1) return;
    const part = this.path.pop();
    const holder = this.tip;
    if (part === undefined) return;
    if ("close" in part) part.close();
    // Nothing but link reference definitions was in it.
    if (part.kind === "paragraph" && !part.hasText && isContainer(holder)) holder.removeLast();
  }

  /** Closes everything inside an open part. */
  closeTo(part: Part): void {
    while (this.tip !== part && this.path.length > 1) this.close();
  }

  /** An open part, and all around it, reach to this line. */
  stamp(part: Part, line: number): void {
    for (const open of this.path) {
      open.endLine = Math.max(open.endLine, line);
      if (open === part) break;
    }
  }

  /** The innermost quote around, or equal to, an open part. */
  quoteAround(part: Part): Part | undefined {
    const within = this.path.slice(0, this.path.indexOf(part) + 1);
    return within.findLast((open) => open.kind === "quote");
  }

  /** A blank line between two items, or between two blocks of one item, makes the list around them loose. */
  private loosen(holder: Container, line: number): void {
    const last = holder.children.at(-1);
    if (last === undefined || last.endLine >= line - 1) return;
    const list = holder.kind === "item" ? this.path.at(-2) : holder;
    if (list?.kind !== "list" || !list.tight) return;
    list.tight = false;
    list.touch();
  }
}

function isContainer(part: Part): part is Container {
  return part.kind === "root" || part.kind === "quote" || part.kind === "item" || part.kind === "list";
}

function canHold(holder: Part, child: Part): holder is Container {
  if (!isContainer(holder)) return false;
  return (holder.kind === "list") === (child.kind === "item");
}
