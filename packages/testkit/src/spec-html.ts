/** What the examples of the CommonMark specification look like as HTML: no surface of ours writes it so. */

/** A node of a tree of markdown, block, entry of a list or run of text, as far as the specification's examples use it. */
export interface SpecNode {
  readonly type?: string;
  readonly text?: string;
  readonly children?: readonly SpecNode[];
  readonly url?: string;
  readonly title?: string;
  readonly alt?: string;
  readonly level?: number;
  readonly language?: string;
  readonly ordered?: boolean;
  readonly start?: number;
  readonly tight?: boolean;
}

/** HTML without the differences the specification leaves open. */
export const specNormal = (html: string): string =>
  html.replaceAll("\n</li>", "</li>").replaceAll("<li>\n", "<li>").replaceAll(/\n+/g, "\n").trim();

/** Blocks as the HTML of the specification's examples, which no surface of ours writes. */
export const specHtml = (blocks: readonly SpecNode[]): string => specNormal(specBlocks(blocks));

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

const specBlocks = (blocks: readonly SpecNode[], tight = false): string =>
  blocks.map((block) => specBlock(block, tight)).join("\n");

function specBlock(
  { type, text = "", children = [], level, language, ordered, start, ...list }: SpecNode,
  tight: boolean,
) {
  switch (type) {
    case "paragraph":
      return tight ? specInlines(children) : `<p>${specInlines(children)}</p>`;
    case "heading":
      return `<h${level}>${specInlines(children)}</h${level}>`;
    case "code": {
      const named = language === undefined ? "" : ` class="language-${escape(language)}"`;
      return `<pre><code${named}>${escape(text)}</code></pre>`;
    }
    case "quote":
      return `<blockquote>\n${specBlocks(children)}\n</blockquote>`;
    case "list": {
      const tag = ordered === true ? "ol" : "ul";
      const first = ordered === true && start !== 1 ? ` start="${start}"` : "";
      const items = children.map((item) => `<li>${specBlocks(item.children ?? [], list.tight)}</li>`);
      return `<${tag}${first}>\n${items.join("\n")}\n</${tag}>`;
    }
    case "table":
      return "<table>";
    default:
      return "<hr />";
  }
}

const specInlines = (nodes: readonly SpecNode[]): string => nodes.map(specInline).join("");

function specInline({ type, text = "", children = [], url = "", alt = "", title }: SpecNode): string {
  const titled = title === undefined ? "" : ` title="${escape(title)}"`;
  switch (type) {
    case "codespan":
      return `<code>${escape(text)}</code>`;
    case "break":
      return "<br />\n";
    case "image":
      return `<img src="${address(url)}" alt="${escape(alt)}"${titled} />`;
    case "link":
      return `<a href="${address(url)}"${titled}>${specInlines(children)}</a>`;
    case "emphasis":
      return `<em>${specInlines(children)}</em>`;
    case "strong":
      return `<strong>${specInlines(children)}</strong>`;
    case "strike":
      return `<del>${specInlines(children)}</del>`;
    default:
      return escape(text);
  }
}
