import { describe, expect, it } from "vitest";
import { partsOfMarkdown } from "./markdown.ts";

const outline = (source: string) =>
  partsOfMarkdown(source).parts.map(({ level, heading, text }) => [level, heading, text.trim()]);

describe("markdown", () => {
  it("is cut at both kinds of headings", () => {
    expect(outline("Before\n\n# One #\na\n\nTwo\n===\nb\n\nThree *and* more\n---\nc\n###### Six\n#not one\n")).toEqual([
      [0, "", "Before"],
      [1, "One", "a"],
      [1, "Two", "b"],
      [2, "Three and more", "c"],
      [6, "Six", "#not one"],
    ]);
  });

  it.each([
    ["a fence", "```sh\n# comment\n```"],
    ["a fence in a longer one", "````\n```\n# comment\n```\n````"],
    ["a tilde fence", "~~~\n# comment\n```\n~~~"],
    ["indented code", "    # comment"],
    ["a fence that never ends", "```\n# comment"],
    ["a rule after a blank line", "text\n\n---\nmore"],
    ["a rule under a list", "- text\n---"],
    ["a table", "| a | b |\n|---|---|\n| 1 | 2 |"],
    ["seven marks", "####### text"],
  ])("takes nothing in %s for a heading", (_, source) => {
    expect(outline(source)).toEqual([[0, "", source.trim()]]);
  });

  it("leaves comments out, also long ones, but not in code", () => {
    expect(outline("a <!-- b --> c\n<!--\n# hidden\n-->\nd\n`x`\n```\n<!-- kept -->\n```")).toEqual([
      [0, "", "a  c\nd\n`x`\n```\n<!-- kept -->\n```"],
    ]);
    expect(outline("a\n<!-- never closed\nb")).toEqual([[0, "", "a"]]);
  });

  it("gives headings the anchors the usual renderers give them", () => {
    const { parts, title } = partsOfMarkdown(
      "## The `threadlore` CLI: v2.0!\n## Setup\n## Setup\n# [Ask](https://x) **me**\n## Größe\n",
    );
    expect(parts.slice(1).map((part) => part.fragment)).toEqual([
      "the-threadlore-cli-v20",
      "setup",
      "setup-1",
      "ask-me",
      "gr%C3%B6%C3%9Fe",
    ]);
    expect(title).toBe("Ask me");
  });

  it("reads front matter of both kinds", () => {
    const yaml = `---\ntitle: "A: b" \ntags:\n  - one\n  - 'two'\nlist: [a, "b c" , ]\ndate: 2026-01-31 # sure\nnested:\n  deep: x\nnote: |\n  text\n__proto__: y\n---\n# Body`;
    expect(Object.fromEntries(partsOfMarkdown(yaml).frontMatter)).toEqual({
      title: "A: b",
      tags: ["one", "two"],
      list: ["a", "b c"],
      date: "2026-01-31",
    });
    expect(partsOfMarkdown(`+++\ntitle = "T"\n+++\nbody`)).toMatchObject({ parts: [{ text: "body" }] });
    expect(outline("---\nno end\n\n# H")).toEqual([
      [0, "", "---\nno end"],
      [1, "H", ""],
    ]);
    expect(partsOfMarkdown("\n---\ntitle: x\n---\n").frontMatter.size).toBe(0);
  });
});
