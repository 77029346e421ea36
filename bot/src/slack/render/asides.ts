/** What an answer says beside answering, as blocks of their own: quiet, or where sources differ with a bar. */
import type { ContextBlock, SectionBlock } from "@slack/types";
import type { Aside, Block, Links } from "@threadlore/ask";
import { context, verbatim } from "./blocks.ts";
import { MarkupWriter } from "./dialect.ts";
import { MRKDWN } from "./mrkdwn-dialect.ts";
import { LIMITS } from "../transport/limits.ts";

/** An aside as blocks of markdown, for where it is text. */
export function asideAsText({ role, children }: Aside): readonly Block[] {
  return role === "conflict" ? [{ type: "quote", children }] : children;
}

/** An aside as the platform's own block; undefined where it is too long for one, or nothing of it can be seen. */
export function asideBlock(aside: Aside, links: Links): ContextBlock | SectionBlock | undefined {
  const writer = new MarkupWriter(links, MRKDWN);
  const bar = aside.role === "conflict" ? "> " : "";
  writer.inside(bar, bar, () => {
    for (const [index, block] of aside.children.entries()) {
      if (index > 0) writer.lineFeed();
      writer.block(block, false);
    }
  });
  const spans = writer.finish("", "block").map((span) => span.text);
  const text = spans.join("").trim();
  if (text === "" || text.length >= LIMITS.contextText) return undefined;
  return aside.role === "conflict" ? verbatim(text) : context([text]);
}
