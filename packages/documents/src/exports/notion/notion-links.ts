import { Parser } from "htmlparser2";
import { HtmlPieces, linkEnd, localReference } from "../html-pieces.ts";
import { notionLink, notionName } from "./notion-path.ts";

/** Kinds of files that are pages or databases. */
const PAGES = new Set([".md", ".html", ".csv"]);

/** Address of the page a reference within an export leads to; undefined: it leads to none. */
function pageAddress(reference: string): string | undefined {
  const path = localReference(reference);
  if (path === undefined) return undefined;
  const { id, ending } = notionName(path);
  return id !== undefined && PAGES.has(ending) ? notionLink(id) : undefined;
}

/** `](Notes%20…md)`, one pair of brackets within the address. */
const LINK = /\]\(((?:[^()\s<>]|\([^()\s<>]*\)){1,4000})\)/g;

/** A page in Markdown with links to other pages as they are in Notion. Linear. */
export function linkedMarkdown(markdown: string): string {
  return markdown.replace(LINK, (whole, target: string) => {
    const address = pageAddress(target);
    return address === undefined ? whole : `](${address})`;
  });
}

/** A page in HTML, its links to other pages in words. Without the list of its own headings. Linear. */
export function linkedHtml(html: string): string {
  const pieces = new HtmlPieces(html);
  let link: string | undefined;
  let headings = 0;
  let depth = 0;
  let left = { depth: 0, at: 0 };
  pieces.take(0);
  const parser = new Parser({
    onopentag: (name, { href, class: classes = "" }) => {
      depth++;
      if (left.depth > 0) return;
      if (classes.split(/\s+/).includes("table_of_contents")) {
        left = { depth, at: parser.startIndex };
        return;
      }
      if (/^h[1-6]$/.test(name)) headings++;
      const address = name === "a" && headings === 0 && href !== undefined ? pageAddress(href) : undefined;
      if (address === undefined || link !== undefined) return;
      link = address;
      pieces.replace(parser.startIndex, parser.endIndex + 1, "[");
    },
    onclosetag: (name) => {
      if (left.depth === depth) {
        pieces.replace(left.at, parser.endIndex + 1, "");
        left = { depth: 0, at: 0 };
      } else if (left.depth === 0) {
        if (/^h[1-6]$/.test(name)) headings = Math.max(0, headings - 1);
        if (name === "a" && link !== undefined) {
          pieces.replace(parser.startIndex, parser.endIndex + 1, linkEnd(link));
          link = undefined;
        }
      }
      depth--;
    },
  });
  parser.write(html);
  parser.end();
  pieces.end(html.length);
  return pieces.text();
}
