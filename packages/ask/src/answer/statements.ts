/**
 * What an answer says, sentence by sentence, each with the documents it cites: for front ends that show a part of an
 * answer, such as what one person may see and others may not.
 */
import type { Answer } from "./answer.ts";
import { type Links, linksOf } from "./citations.ts";
import type { Source } from "./sources.ts";
import type { Block, CitationMark, Inline } from "../markdown/tree.ts";

/** One sentence of an answer, or one row of a table in it. */
export interface Statement {
  /** Without formatting and marks. */
  readonly text: string;
  /** What it cites, each document once; empty where it cites nothing. */
  readonly sources: readonly Source[];
}

/** A sentence ends in front of the marks behind it; one character stands for a mark while it is looked for. */
const MARK = "\uFFFC";
const OWN_MARKS = /\uFFFC/g;

/** The statements of an answer in order. Blocks of code, and what is said beside answering (asides), are none. */
export function statementsOf(answer: Pick<Answer, "blocks" | "citations" | "sources">): readonly Statement[] {
  const links = linksOf(answer);
  return linesOf(answer.blocks).flatMap((line) => statementsIn(line, links));
}

/** What belongs together as a line of text; a row of a table is one, and stays whole. */
interface Line {
  readonly nodes: readonly Inline[];
  readonly isWhole: boolean;
}

function linesOf(blocks: readonly Block[]): Line[] {
  return blocks.flatMap((block): Line[] => {
    switch (block.type) {
      case "code":
      case "divider":
      case "aside":
        return [];
      case "list":
        return block.children.flatMap((item) => linesOf(item.children));
      case "quote":
        return linesOf(block.children);
      case "table":
        return block.rows.map((row) => ({
          nodes: row.flatMap((cell, at) => [...between(at), ...cell]),
          isWhole: true,
        }));
      default:
        return [{ nodes: block.children, isWhole: false }];
    }
  });
}

const between = (at: number): Inline[] => (at === 0 ? [] : [{ type: "text", text: " · " }]);

function statementsIn({ nodes, isWhole }: Line, links: Links): Statement[] {
  const marks: CitationMark[] = [];
  const text = withMarks(nodes, marks);
  const parts = isWhole ? [text] : sentencesOf(text);
  const statements: { text: string; marks: CitationMark[] }[] = [];
  for (const part of parts) {
    // Marks that stand behind a sentence belong to it.
    const leading = /^[\s\uFFFC]*/.exec(part)?.[0] ?? "";
    const before = statements.at(-1);
    const behind = before === undefined ? 0 : leading.split(MARK).length - 1;
    before?.marks.push(...marks.splice(0, behind));
    const rest = behind > 0 ? part.slice(leading.length) : part;
    const own = marks.splice(0, rest.split(MARK).length - 1);
    const words = rest
      .replace(OWN_MARKS, "")
      .replace(/\s+/g, " ")
      .replace(/ (?=[.,;:!?…])/g, "")
      .trim();
    if (words === "") before?.marks.push(...own);
    else statements.push({ text: words, marks: own });
  }
  return statements.map(({ text: said, marks: cited }) => {
    const sources = new Map(
      cited.flatMap((mark) => links.cited(mark)).map(({ source }) => [source.documentId, source]),
    );
    return { text: said, sources: [...sources.values()] };
  });
}

function withMarks(nodes: readonly Inline[], marks: CitationMark[]): string {
  return nodes
    .map((node): string => {
      switch (node.type) {
        case "citation":
          marks.push(node);
          return MARK;
        case "text":
        case "codespan":
          return node.text.replace(OWN_MARKS, "");
        case "image":
          return node.alt.replace(OWN_MARKS, "");
        case "break":
          return "\n";
        default:
          return withMarks(node.children, marks);
      }
    })
    .join("");
}

const SENTENCES = /* @__PURE__ */ new Intl.Segmenter(undefined, { granularity: "sentence" });
const WORDS = /* @__PURE__ */ new Intl.Segmenter(undefined, { granularity: "word" });

const sentencesOf = (text: string): string[] => [...SENTENCES.segment(text)].map(({ segment }) => segment);

/**
 * Whether a text says what a statement says: all its words stand in one sentence of it, or in two that follow each other.
 * In any script; letters are compared without case and width.
 */
export function saysAll(text: string, statement: string): boolean {
  const wanted = [...wordsOf(statement)];
  if (wanted.length === 0) return true;
  const sentences = sentencesOf(text).map(wordsOf);
  return sentences.some((words, at) => {
    const next = sentences[at + 1];
    return wanted.every((word) => words.has(word) || next?.has(word) === true);
  });
}

function wordsOf(text: string): ReadonlySet<string> {
  const plain = text.normalize("NFKC").toLowerCase();
  return new Set([...WORDS.segment(plain)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment));
}

/** An answer that says these statements of it and nothing else, each with what it cites; how it was made is not told. */
export function answerSaying(answer: Answer, statements: readonly Statement[]): Answer {
  const sources = new Map(statements.flatMap((one) => one.sources).map((source) => [source.documentId, source]));
  const numbers = new Map([...sources.keys()].map((id, at) => [id, at + 1]));
  const children = statements.map(({ text, sources: cited }) => {
    const marks = cited.map(({ documentId }): Inline => {
      const number = numbers.get(documentId) ?? 0;
      return { type: "citation", marks: [{ number }], text: `[${number}]` };
    });
    const nodes: Inline[] = [{ type: "text", text: marks.length === 0 ? text : `${text} ` }, ...marks];
    return { type: "item" as const, children: [{ type: "paragraph" as const, children: nodes }] };
  });
  const blocks: Block[] = [{ type: "list", ordered: false, start: 1, tight: true, children }];
  return {
    status: "done",
    text: statements.map(({ text }) => `- ${text}`).join("\n"),
    preambles: [],
    blocks,
    citations: [...sources.values()].map((source, at) => ({ number: at + 1, marks: [at + 1], source })),
    sources: [...sources.values()],
    steps: [],
    conversation: answer.conversation,
    skippedPackets: answer.skippedPackets,
  };
}
