import { type CodeBlock, growthOf, type TextRun, visibleText } from "@threadlore/ask";
import type { Written } from "./written-list.ts";

/** Longer text nodes are not added to: the engine copies all of one for each addition. */
const MAX_LENGTH = 2_048;
const ENDS_IN_HALF_A_PAIR = /[\ud800-\udbff]$/;

/** A text on the page. What has been written of a growing text is not written, or read, again. */
export class WrittenText<Node extends TextRun | CodeBlock> implements Written<Node> {
  private readonly firm: Text[] = [];
  private readonly last = new Text();
  /** Half of a character, whose other half decides whether it can be seen. */
  private held = "";
  private node: Node;

  constructor(node: Node) {
    this.node = node;
    this.write(undefined, node);
  }

  /** The nodes that stand for it now, in their order. */
  get nodes(): readonly Text[] {
    return [...this.firm, this.last];
  }

  /** Shows another version, in the place where the first one stands. */
  update(node: Node): boolean {
    this.write(this.node, node);
    this.node = node;
    return true;
  }

  leave(): void {}

  private write(before: Node | undefined, node: Node): void {
    let growth = growthOf(before, node);
    if (growth === undefined) {
      if (this.firm.length > 0) for (const text of this.firm.splice(0)) text.remove();
      this.held = "";
      growth = growthOf(undefined, node) ?? { added: "", rest: node.text };
    }
    const added = this.held + growth.added;
    if (added !== "") {
      this.held = ENDS_IN_HALF_A_PAIR.test(added) ? added.slice(-1) : "";
      this.add(visibleText(added.slice(0, added.length - this.held.length)));
    }
    const rest = visibleText(this.held + growth.rest);
    if (this.last.data !== rest) this.last.data = rest;
  }

  private add(text: string): void {
    if (text === "") return;
    const end = this.firm.at(-1);
    if (end !== undefined && end.length < MAX_LENGTH) return end.appendData(text);
    const next = new Text(text);
    this.firm.push(next);
    if (this.last.parentNode !== null) this.last.before(next);
  }
}
