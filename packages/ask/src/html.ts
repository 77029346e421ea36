import { addressNote, type Citation, type Links } from "./answer/citations.ts";
import { type Block, type Inline, type ListItem, plainText, type Table } from "./markdown/tree.ts";
import { visibleText } from "./visible.ts";

/**
 * Blocks as HTML, for saving or pasting elsewhere. Every text is escaped and freed of invisible characters; an address
 * becomes an `<a rel="noopener noreferrer">` only where `links` allows it and is otherwise text that names its host;
 * nothing is ever loaded: no images, styles, scripts, ids or classes from the content. `noLinks` allows none.
 */
export function toHtml(blocks: readonly Block[], links: Links): string {
  return blocks.map((block) => blockHtml(block, links, false)).join("\n");
}

/** The cited documents as an ordered list, in the numbers the text shows; empty when nothing is cited. */
export function sourcesToHtml(citations: readonly Citation[], links: Links): string {
  if (citations.length === 0) return "";
  const entries = citations.map(({ source }) => {
    const href = source.link === undefined ? undefined : links.href(source.link);
    const note = source.link === undefined || href !== undefined ? "" : addressNote(source.link, "");
    return `<li>${anchor(href, escapeText(source.title))}${escapeText(note)}</li>`;
  });
  return `<ol>\n${entries.join("\n")}\n</ol>`;
}

function blockHtml(block: Block, links: Links, tight: boolean): string {
  switch (block.type) {
    case "paragraph":
      return tight ? inlineHtml(block.children, links) : `<p>${inlineHtml(block.children, links)}</p>`;
    case "heading":
      return `<h${block.level}>${inlineHtml(block.children, links)}</h${block.level}>`;
    case "code": {
      const language = /^[A-Za-z0-9+#_-]{1,30}$/.test(block.language ?? "")
        ? ` class="language-${block.language}"`
        : "";
      return `<pre><code${language}>${escapeText(block.text)}</code></pre>`;
    }
    case "quote":
      return `<blockquote>\n${toHtml(block.children, links)}\n</blockquote>`;
    case "list": {
      const items = block.children.map((item) => itemHtml(item, links, block.tight)).join("\n");
      if (!block.ordered) return `<ul>\n${items}\n</ul>`;
      return `<ol${block.start === 1 ? "" : ` start="${block.start}"`}>\n${items}\n</ol>`;
    }
    case "table":
      return tableHtml(block, links);
    case "divider":
      return "<hr>";
    case "aside":
      return toHtml(block.children, links);
  }
}

function itemHtml(item: ListItem, links: Links, tight: boolean): string {
  const task = item.checked === undefined ? "" : item.checked ? "☑ " : "☐ ";
  return `<li>${task}${item.children.map((child) => blockHtml(child, links, tight)).join("\n")}</li>`;
}

function tableHtml(table: Table, links: Links): string {
  const row = (cells: readonly (readonly Inline[])[], tag: "th" | "td"): string => {
    const written = cells.map((cell, column) => {
      const align = table.align[column] ?? null;
      return `<${tag}${align === null ? "" : ` align="${align}"`}>${inlineHtml(cell, links)}</${tag}>`;
    });
    return `<tr>${written.join("")}</tr>`;
  };
  const body = table.rows.map((cells) => row(cells, "td")).join("\n");
  return `<table>\n<thead>\n${row(table.header, "th")}\n</thead>\n<tbody>\n${body}\n</tbody>\n</table>`;
}

function inlineHtml(nodes: readonly Inline[], links: Links): string {
  return nodes.map((node) => nodeHtml(node, links)).join("");
}

function nodeHtml(node: Inline, links: Links): string {
  switch (node.type) {
    case "text":
      return escapeText(node.text);
    case "emphasis":
      return `<em>${inlineHtml(node.children, links)}</em>`;
    case "strong":
      return `<strong>${inlineHtml(node.children, links)}</strong>`;
    case "strike":
      return `<del>${inlineHtml(node.children, links)}</del>`;
    case "codespan":
      return `<code>${escapeText(node.text)}</code>`;
    case "break":
      return "<br>\n";
    case "image":
      return escapeText(`[image: ${node.alt}${addressNote(node.url, node.alt)}]`);
    case "link": {
      const href = links.href(node.url);
      const label = inlineHtml(node.children, links);
      return href === undefined
        ? label + escapeText(addressNote(node.url, plainText(node.children)))
        : anchor(href, label);
    }
    case "citation": {
      const cited = links.cited(node);
      return cited.length === 0
        ? escapeText(node.text)
        : cited.map(({ number, href }) => anchor(href, `[${number}]`)).join("");
    }
  }
}

function anchor(href: string | undefined, label: string): string {
  return href === undefined ? label : `<a href="${escapeText(href)}" rel="noopener noreferrer">${label}</a>`;
}

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeText(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
