/** Blocks of text that stand for themselves. */
import type { ContextBlock, SectionBlock } from "@slack/types";

/** Lines put together, as many as one text of so many characters holds. */
export function packed(lines: readonly string[], longest: number, between = "\n"): string[] {
  const texts: string[] = [];
  for (const line of lines) {
    const last = texts.at(-1);
    const isFull = last === undefined || last.length + between.length + line.length > longest;
    if (isFull) texts.push(line);
    else texts[texts.length - 1] = last + between + line;
  }
  return texts;
}

/** A context block. `verbatim` keeps the platform from looking for addresses and names in the text. */
export function context(texts: readonly string[]): ContextBlock {
  return { type: "context", elements: texts.map((text) => ({ type: "mrkdwn", text, verbatim: true })) };
}

/** A section whose text is taken as it is, likewise. */
export function verbatim(text: string): SectionBlock {
  return { type: "section", text: { type: "mrkdwn", text, verbatim: true } };
}
