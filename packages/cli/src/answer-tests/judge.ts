import { type Answer, type Block, plainText, saysNothingFound } from "@threadlore/ask";
import { folded, holds } from "./folded.ts";
import { isCalled } from "./named.ts";
import type { Expectation } from "./test-model.ts";

/** What is wrong with an answer. */
export interface AnswerProblem {
  readonly kind: "answers" | "refuses" | "says" | "says_not" | "cites" | "cites_not";
  /** The texts or documents it is about; of several one would have done. */
  readonly expected: readonly string[];
}

/** What of an answer is judged. */
export type Judged = Pick<Answer, "status" | "text" | "blocks" | "citations" | "finding">;

/** What is wrong with a whole answer; empty: it is as it has to be. */
export function problemsIn(answer: Judged, expected: Expectation): readonly AnswerProblem[] {
  const { says, saysNot, cites, citesNot } = expected;
  const isRefusal = saysNothingFound(answer);
  if (isRefusal && mustAnswer(expected)) return [{ kind: "answers", expected: [] }];
  const problems: AnswerProblem[] = [];
  if (!isRefusal && expected.refuses === true) problems.push({ kind: "refuses", expected: [] });
  const said = folded(textOf(answer.blocks, false));
  // What must not be said must not stand beside the answer either.
  const shown = folded(`${textOf(answer.blocks, true)}\n${answer.text}`);
  const cited = answer.citations.map(({ source }) => source);
  for (const one of says) {
    if (!one.some((text) => holds(said, folded(text)))) problems.push({ kind: "says", expected: one });
  }
  for (const text of saysNot) if (holds(shown, folded(text))) problems.push({ kind: "says_not", expected: [text] });
  for (const one of cites) {
    if (!one.some((name) => cited.some((source) => isCalled(source, name)))) {
      problems.push({ kind: "cites", expected: one });
    }
  }
  for (const name of citesNot) {
    if (cited.some((source) => isCalled(source, name))) problems.push({ kind: "cites_not", expected: [name] });
  }
  return problems;
}

/** Who only forbids something is content with no answer; everybody else asks for one. */
function mustAnswer({ refuses, says, saysNot, cites, citesNot }: Expectation): boolean {
  if (refuses !== undefined) return !refuses;
  return says.length > 0 || cites.length > 0 || (saysNot.length === 0 && citesNot.length === 0);
}

/** All an answer shows as text, without formatting and marks. */
export function shownIn({ blocks }: Pick<Judged, "blocks">): string {
  return textOf(blocks, true);
}

/** What an answer says, without formatting and marks. */
function textOf(blocks: readonly Block[], withAsides: boolean): string {
  return blocks.map((block) => textOfBlock(block, withAsides)).join("\n");
}

function textOfBlock(block: Block, withAsides: boolean): string {
  switch (block.type) {
    case "code":
      return block.text;
    case "divider":
      return "";
    case "aside":
      return withAsides ? textOf(block.children, withAsides) : "";
    case "list":
      return block.children.map((item) => textOf(item.children, withAsides)).join("\n");
    case "quote":
      return textOf(block.children, withAsides);
    case "table":
      return [block.header, ...block.rows].map((row) => row.map(plainText).join(" ")).join("\n");
    default:
      return plainText(block.children);
  }
}
