import { array, assert, constantFrom, integer, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { createMarkdown } from "../markdown.ts";
import type { Block, Inline } from "../tree.ts";

function parse(text: string, size = Math.max(1, text.length)): readonly Block[] {
  const markdown = createMarkdown();
  for (let at = 0; at < text.length; at += size) markdown.push(text.slice(at, at + size));
  return markdown.end();
}

/** A line as one text: formulas between ⟦ and ⟧, breaks as ⏎, emphasis as it is marked. */
function shown(text: string): string {
  const [block] = parse(text);
  const all = (nodes: readonly Inline[]): string => nodes.map(one).join("");
  const one = (node: Inline): string => {
    if (node.type === "codespan") return node.formula === undefined ? `\`${node.text}\`` : `⟦${node.text}⟧`;
    if (node.type === "break") return "⏎";
    if (node.type === "text") return node.text;
    return "children" in node ? `<${node.type}>${all(node.children)}</>` : `<${node.type}>`;
  };
  return block !== undefined && block.type === "paragraph" ? all(block.children) : `(${block?.type})`;
}

describe("a formula", () => {
  it.each([
    ["energy is $E = mc^2$.", "energy is ⟦E = mc^2⟧."],
    ["\\(a_1 * b_2 * c\\) and $x$", "⟦a_1 * b_2 * c⟧ and ⟦x⟧"],
    ["\\[\\sum_{i=1}^n x_i\\]", "⟦\\sum_{i=1}^n x_i⟧"],
    ["\\[\nx = \\frac{a}{b}\n\\]", "⟦x = \\frac{a}{b}⟧"],
    ["$$\n\\int_0^1 x\\,dx\n$$", "⟦\\int_0^1 x\\,dx⟧"],
    ["($n$), “$m$”, $2^{10}$-fold", "(⟦n⟧), “⟦m⟧”, ⟦2^{10}⟧-fold"],
    ["costs \\$5 for $p = \\$5$", "costs $5 for ⟦p = \\$5⟧"],
  ])("is taken as it is written: %s", (text, expected) => expect(shown(text)).toBe(expected));

  it.each([
    ["It costs $5 and **not** $10.", "It costs $5 and <strong>not</> $10."],
    ["from $1,200.50 to $2,000", "from $1,200.50 to $2,000"],
    ["$5-$10, US$7/month or US$9/month", "$5-$10, US$7/month or US$9/month"],
    ["set $HOME and $PATH, or $A/$B", "set $HOME and $PATH, or $A/$B"],
    ["a $ alone, and $ another $", "a $ alone, and $ another $"],
    ["\\[draft\\] of \\(some\\*\\) text", "[draft] of (some*) text"],
    ["\\[*not*\\](https://x.test)", "[<emphasis>not</>](https://x.test)"],
    ["`$x^2$` is code", "`$x^2$` is code"],
    ["$$", "$$"],
    ["$$$$", "$$$$"],
  ])("is none in: %s", (text, expected) => expect(shown(text)).toBe(expected));

  it("says whether it stands by itself", () => {
    const formulas = parse("$x^2$ and $$y^2$$").flatMap((block) => (block.type === "paragraph" ? block.children : []));
    expect(formulas.map((node) => (node.type === "codespan" ? node.formula : ""))).toEqual(["inline", "", "display"]);
  });

  it("holds money back from nobody while it is being written", () => {
    const markdown = createMarkdown();
    markdown.push("It costs $5 and more");
    expect(JSON.stringify(markdown.push(" than that"))).toContain("It costs $5 and more than tha");
  });
});

describe("a footnote", () => {
  it.each([
    ["As said[^1], and[^12] here[^note].", "As said¹, and¹² here[note]."],
    ["[^1]: The handbook, page 3.", "¹ The handbook, page 3."],
    ["[^1]: https://x.test/a", "¹ https://x.test/a"],
    ["[^1]: One.\n[^2]: Two *times*.", "¹ One.⏎² Two <emphasis>times</>."],
    ["said [^1]: here", "said ¹: here"],
    ["[^1](https://x.test)", "<link>^1</>"],
    ["`[^1]` and \\[^1]", "`[^1]` and [^1]"],
    ["[^ 1] [^] [^[1]]", "[^ 1] [^] [^<citation>]"],
  ])("is read: %s", (text, expected) => expect(shown(text)).toBe(expected));
});

describe("both", () => {
  const pieces = constantFrom(
    "$",
    "$$",
    "\\(",
    "\\)",
    "\\[",
    "\\]",
    "[^1]",
    "[^1]: ",
    "x",
    "^2",
    " ",
    "\n",
    "5",
    "*",
    "`",
    "=",
    "[",
    "]",
  );

  it("are the same however they are cut", () => {
    assert(
      property(array(pieces, { maxLength: 40 }), integer({ min: 1, max: 9 }), (parts, size) => {
        const text = parts.join("");
        expect(parse(text, size)).toEqual(parse(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(["$", "$$", "$x ", "\\(", "\\(x", "\\[", "$a^", "[^", "[^1]: "])(
    "cost no more than their length: %s",
    (piece) => {
      const cost = (length: number) => {
        const markdown = createMarkdown();
        const text = piece.repeat(length / piece.length);
        for (let at = 0; at < text.length; at += 10) markdown.push(text.slice(at, at + 10));
        markdown.end();
        return markdown.visited;
      };
      expect(cost(40_000) / cost(10_000)).toBeLessThan(6);
    },
  );
});
