/**
 * Blocks of an answer as elements. Only what changed is written: closed blocks keep their identity from snapshot to
 * snapshot, and the links of an answer keep theirs while they mean the same. The elements are made here and not by
 * Preact, whose comparison of a whole list for every word of its last entry costs time that grows with its square.
 *
 * Nothing here loads anything: there are no images, styles or frames, and an address becomes a link only where `links`
 * allows it (docs/threats.md, T1 to T4).
 */
import type { Block } from "@threadlore/ask";
import { Component, createRef, type VNode } from "preact";
import type { PanelLinks } from "./links.ts";
import { writeBlock } from "./written-blocks.ts";
import { firstText, writtenIn } from "./written-in.ts";
import { WrittenList } from "./written-list.ts";

interface BlocksProps {
  readonly blocks: readonly Block[];
  readonly links: PanelLinks;
}

/** A list of blocks, from top to bottom. */
export class Blocks extends Component<BlocksProps> {
  private readonly place = createRef<HTMLDivElement>();
  private written: WrittenList<Block> | undefined;

  override shouldComponentUpdate({ blocks, links }: BlocksProps): boolean {
    return blocks !== this.props.blocks || links !== this.props.links;
  }

  override componentDidMount(): void {
    if (this.place.current === null) return;
    this.written = new WrittenList(this.place.current, writeBlock);
    this.write();
  }

  override componentDidUpdate(): void {
    this.write();
  }

  override componentWillUnmount(): void {
    this.written?.leave();
  }

  override render(): VNode {
    return <div ref={this.place} class="prose" />;
  }

  private write(): void {
    const { blocks, links } = this.props;
    this.written?.write(blocks, { links });
    const place = this.place.current;
    if (place !== null && place.dir === "") Object.assign(place, writtenIn(firstText(blocks)));
  }
}
