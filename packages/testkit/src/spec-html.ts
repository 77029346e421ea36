/** What the examples of the CommonMark specification look like as HTML: no surface of ours writes it so. */

/** A run of text in a tree of markdown, as far as the specification's examples use it. */
export type SpecInline =
  | { readonly type: "text" | "codespan" | "citation"; readonly text: string }
  | { readonly type: "emphasis" | "strong" | "strike"; readonly children: readonly SpecInline[] }
  | {
      readonly type: "link";
      readonly url: string;
      readonly title?: string;
      readonly children: readonly SpecInline[];
    }
  | { readonly type: "image"; readonly url: string; readonly title?: string; readonly alt: string }
  | { readonly type: "break" };

/** An entry of a list in such a tree. */
export interface SpecItem {
  readonly children: readonly SpecBlock[];
}

/** A block of such a tree. */
export type SpecBlock =
  | { readonly type: "paragraph"; readonly children: readonly SpecInline[] }
  | { readonly type: "heading"; readonly level: number; readonly children: readonly SpecInline[] }
  | { readonly type: "code"; readonly text: string; readonly language?: string }
  | { readonly type: "quote"; readonly children: readonly SpecBlock[] }
  | {
      readonly type: "list";
      readonly ordered: boolean;
      readonly start: number;
      readonly tight: boolean;
      readonly children: readonly SpecItem[];
    }
  | { readonly type: "table" }
  | { readonly type: "divider" };

/** HTML without the differences the specification leaves open. */
export const specNormal = (html: string): string =>
  html.replaceAll("\n</li>", "</li>").replaceAll("<li>\n", "<li>").replaceAll(/\n+/g, "\n").trim();

/** Blocks as the HTML of the specification's examples, which no surface of ours writes. */
export const specHtml = (blocks: readonly SpecBlock[]): string =>
  specNormal(blocks.map((block) => specBlock(block, false)).join("\n"));

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

function specBlock(block: SpecBlock, tight: boolean): string {
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

function specItem(item: SpecItem, tight: boolean): string {
  return `<li>${item.children.map((child) => specBlock(child, tight)).join("\n")}</li>`;
}

const specInlines = (nodes: readonly SpecInline[]): string => nodes.map(specInline).join("");

function specInline(node: SpecInline): string {
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
