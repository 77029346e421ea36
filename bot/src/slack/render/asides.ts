/** What an answer says beside answering: in italics, in quiet lines, or where sources differ with a bar. */
import type { ContextBlock, SectionBlock } from "@slack/types";
import type { Aside, Block, Links } from "@threadlore/ask";
import { context, verbatim } from "./text-blocks.ts";
import { MarkupWriter } from "./dialect.ts";
import { MRKDWN } from "./mrkdwn-dialect.ts";
import { LIMITS } from "../transport/limits.ts";

/**
 * An aside as the platform's own block; undefined where it is text: the line above an answer, which has to stay above
 * it wherever blocks are drawn below, what is too long, and where nothing can be seen of it.
 */
export function asideBlock(aside: Aside, links: Links): ContextBlock | SectionBlock | undefined {
  if (aside.role === "corrected") return undefined;
  const writer = new MarkupWriter(links, MRKDWN);
  const isNote = aside.role === "conflict";
  const bar = isNote ? "> " : "";
  // A bar beside the lines is mark enough.
  const blocks = isNote ? aside.children.flatMap(linesOf) : aside.children;
  writer.inside(bar, bar, () => {
    for (const [index, block] of blocks.entries()) {
      if (index > 0) writer.lineFeed();
      writer.block(block, false);
    }
  });
  const spans = writer.finish("", "block").map((span) => span.text);
  const text = spans.join("").trim();
  if (text === "" || text.length >= LIMITS.contextText) return undefined;
  return aside.role === "conflict" ? verbatim(text) : context([text]);
}

/** The entries of a list without what marks them as such. */
function linesOf(block: Block): readonly Block[] {
  return block.type === "list" ? block.children.flatMap(({ children }) => children) : [block];
}
