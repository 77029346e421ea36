/** Answers in a terminal. No byte of the content reaches it that it would obey; colours and links are ours alone. */
import { addressNote, type Citation, type Links } from "./answer/citations.ts";
import { line, type StyledLine, wrap } from "./terminal/styled.ts";
import { layoutOf, linesOf, type TerminalOptions } from "./terminal/terminal-lines.ts";
import type { Block } from "./markdown/tree.ts";
import { visibleLine } from "./visible.ts";

export type { TerminalOptions } from "./terminal/terminal-lines.ts";
export type { TerminalWriter, TerminalWriterOptions } from "./terminal/terminal-writer.ts";
export { createTerminalWriter } from "./terminal/terminal-writer.ts";
export { textWidth } from "./terminal/text-width.ts";

/**
 * Blocks as text for a terminal, without a line feed at the end. Tables are aligned, code is indented by four, quotes
 * have a bar. Addresses become OSC 8 links only where `links` allows them and `hyperlinks` is on; others are text that
 * names their host. Use `noLinks` for blocks that belong to no answer.
 */
export function toTerminal(blocks: readonly Block[], links: Links, options: TerminalOptions = {}): string {
  return joined(linesOf(blocks, layoutOf(links, options)));
}

/** The cited documents as a numbered list, in the numbers the text shows; empty when nothing is cited. */
export function sourcesToTerminal(citations: readonly Citation[], links: Links, options: TerminalOptions = {}): string {
  const { color = false, width = 80, hyperlinks = false } = options;
  const lines = citations.flatMap(({ number, source }): StyledLine[] => {
    const href = source.link === undefined ? undefined : links.href(source.link);
    const title = visibleLine(source.title);
    const linked = hyperlinks && href !== undefined;
    const note = source.link === undefined || href !== undefined ? "" : visibleLine(addressNote(source.link, ""));
    const mark = `[${number}] `;
    const style = linked ? { bold: true, href } : { bold: true };
    const wrapped = wrap([{ text: title + note, style }], Math.max(0, width - mark.length));
    if (href !== undefined && !linked && title !== href)
      wrapped.push([{ text: visibleLine(href), style: { dim: true } }]);
    return wrapped.map((runs, index) =>
      line([{ text: index === 0 ? mark : " ".repeat(mark.length), style: {} }, ...runs], color),
    );
  });
  return joined(lines);
}

const joined = (lines: readonly StyledLine[]): string => lines.map((one) => one.text).join("\n");
