import type { CitationMark, Inline, TextRun } from "@threadlore/ask";

/** A citation with the punctuation behind it: a full stop behind a chip does not begin a line. */
export interface Together {
  readonly type: "together";
  readonly mark: CitationMark;
  readonly stop: string;
}

/** Punctuation that belongs to what stands in front of it. */
const leadingStop = (text: string): string => /^[.,;:!?)\]…。、，]+/.exec(text)?.[0] ?? "";

// Remembered, so that what is made of a node is the same for as long as the node is.
const withStop = new WeakMap<CitationMark, Together>();
const withoutStop = new WeakMap<TextRun, TextRun>();

/** What a line is made of, with the punctuation behind each citation moved to it. */
export function keptTogether(nodes: readonly Inline[]): readonly (Inline | Together)[] {
  if (!nodes.some(({ type }) => type === "citation")) return nodes;
  return nodes.map((node, at) => {
    const [before, after] = [nodes[at - 1], nodes[at + 1]];
    if (node.type === "citation" && after?.type === "text") return marked(node, leadingStop(after.text));
    if (node.type === "text" && before?.type === "citation") return shortened(node);
    return node;
  });
}

function marked(mark: CitationMark, stop: string): CitationMark | Together {
  if (stop === "") return mark;
  const known = withStop.get(mark);
  if (known?.stop === stop) return known;
  const made: Together = { type: "together", mark, stop };
  withStop.set(mark, made);
  return made;
}

function shortened(node: TextRun): TextRun {
  const stop = leadingStop(node.text);
  if (stop === "") return node;
  const known = withoutStop.get(node) ?? { type: "text", text: node.text.slice(stop.length) };
  withoutStop.set(node, known);
  return known;
}
