import { describe, expect, it } from "vitest";
import { growthOf } from "./growth.ts";
import { createMarkdown } from "./markdown.ts";
import type { CodeBlock, TextRun } from "./tree.ts";

/** What a surface has on screen that goes by `growthOf` alone. */
function follow(text: string, size: number): { shown: string; rewritten: number } {
  const stream = createMarkdown();
  let before: TextRun | CodeBlock | undefined;
  let [firm, rest, rewritten] = ["", "", 0];
  const show = (blocks: ReturnType<typeof stream.push>) => {
    const last = blocks.at(-1);
    const node = last?.type === "paragraph" ? last.children.at(-1) : last;
    if (node?.type !== "text" && node?.type !== "code") return;
    let growth = growthOf<TextRun | CodeBlock>(before, node);
    if (growth === undefined) {
      rewritten += 1;
      firm = "";
      growth = growthOf<TextRun | CodeBlock>(undefined, node) ?? { added: "", rest: node.text };
    }
    firm += growth.added;
    rest = growth.rest;
    before = node;
    expect(firm + rest).toBe(node.text);
  };
  for (let at = 0; at < text.length; at += size) show(stream.push(text.slice(at, at + size)));
  show(stream.end());
  return { shown: firm + rest, rewritten };
}

describe("what was added to a growing text", () => {
  it.each([1, 3, 4, 50])("is all a surface needs to show a long run of words, in pieces of %i", (size) => {
    const text = "words and more words, ".repeat(100).trim();
    const { shown, rewritten } = follow(text, size);
    expect(shown).toBe(text);
    // While it is short, when it becomes long, and when it is complete.
    expect(rewritten).toBeLessThan(300);
  });

  it.each([1, 4, 50])("is all a surface needs to show a block of code, in pieces of %i", (size) => {
    const code = "const value = 1;\n".repeat(100);
    const { shown, rewritten } = follow(`\`\`\`ts\n${code}\`\`\`\n`, size);
    expect(shown).toBe(code);
    expect(rewritten).toBeLessThanOrEqual(2);
  });

  it("is not known between two texts that are not versions of one", () => {
    const [one, other] = [createMarkdown(), createMarkdown()];
    const long = `\`\`\`\n${"code\n".repeat(100)}`;
    const [a, b] = [one.push(long)[0], other.push(long)[0]];
    if (a?.type !== "code" || b?.type !== "code") throw new TypeError("no code");
    expect(growthOf(a, b)).toBeUndefined();
    expect(growthOf(b, one.push("more")[0] as CodeBlock)).toBeUndefined();
    // What is older does not come from what is newer.
    expect(growthOf(one.push("and more")[0] as CodeBlock, a)).toBeUndefined();
  });

  it("leaves the tree plain data", () => {
    const stream = createMarkdown();
    const [code] = stream.push("```ts\nlet a\n");
    expect(JSON.stringify(code)).toBe(JSON.stringify({ type: "code", text: "let a\n", language: "ts" }));
    expect(structuredClone(code)).toEqual({ type: "code", text: "let a\n", language: "ts" });
  });
});
